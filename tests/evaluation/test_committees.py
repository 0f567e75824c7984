"""Committees on unseen rows: the figures of scikit-learn, the same folds for all, nothing leaks."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import average_precision_score, balanced_accuracy_score, confusion_matrix

from consilience import (
    BitMatrix,
    CommitteeSelector,
    EFSClassifier,
    EIFSClassifier,
    QIFSClassifier,
    RandomSubspaceClassifier,
    evaluate_committee,
)
from consilience.evaluation.committee_rivals import RIVALS, make_rivals
from consilience.evaluation.committee_stages import join_stages, stages
from consilience.evaluation.committees import rarest
from consilience.exceptions import UsageError
from report.real import committee_result, rare_bits

X, Y, _ = rare_bits()
CODES = (Y == "inactive").astype(int)


def qifs(**options):
    settings = {"n_rounds": 3, "n_features": 12, "patience": None}
    return QIFSClassifier("nb", **settings | options)


@pytest.fixture(scope="module")
def found():
    return evaluate_committee(qifs(), X, Y, n_features_to_select=5, n_splits=3, random_state=0)


def test_everybody_is_there_on_the_same_rows(found):
    assert [m.key for m in found.methods] == ["committee", *RIVALS, "ensemble", "majority"]
    assert found.classes[found.positive] == "active"
    assert all(m.predicted.size == 120 for m in found.methods)
    assert found["ensemble"].n_features == 5
    assert found["fss"].n_features == 12
    assert found["majority"].error.value == 0.2


def test_figures_are_those_of_scikit_learn(found):
    positive = found.y == found.positive
    for method in found.methods:
        told = [
            average_precision_score(positive[rows], found.scores[method.key][rows])
            for rows in (found.folds == fold for fold in range(3))
        ]
        assert_allclose(found.average_precision(method.key).value, np.mean(told))
        assert_allclose(found.fold_figures(method.key)["average_precision"], told)
        expected = balanced_accuracy_score(found.y, method.predicted)
        assert_allclose(method.balanced_accuracy.value, expected)
        assert_array_equal(method.confusion, confusion_matrix(found.y, method.predicted))
        point = found.operating_point(method.key)
        hits = (positive & (method.predicted == found.positive)).sum()
        assert point["recall"] == hits / positive.sum()


def test_a_fold_is_what_its_training_rows_alone_give(found):
    """Slowly: without the test rows, whatever they hold."""
    test = found.folds == 0
    broken = X.copy()
    broken[test] = 1 - broken[test]
    again = evaluate_committee(
        qifs(), broken, Y, n_features_to_select=5, rivals=[], n_splits=3, random_state=0
    )
    assert_array_equal(again.folds, found.folds)
    assert_array_equal(again["ensemble"].panels[0], found["ensemble"].panels[0])
    assert any(
        not np.array_equal(again["ensemble"].panels[k], found["ensemble"].panels[k]) for k in (1, 2)
    )


def test_the_curve_after_the_last_member_is_the_whole_committee(found):
    for key in ("committee", "subspace", "efs", "eifs"):
        stage = found.stages[key]
        assert_allclose(stage[-1, 0], found[key].balanced_accuracy.value)
        assert_allclose(stage[-1, 1], found.average_precision(key).value)
    assert [len(found.stages[key]) for key in ("committee", "subspace", "fss")] == [4, 4, 1]
    assert_allclose(found.stages["fss"][0, 1], found.average_precision("fss").value)


def test_one_classifier_is_ranked_by_its_scores_and_not_by_its_votes(found):
    assert len(np.unique(found.scores["fss"])) > 20
    assert len(np.unique(np.round(found.scores["committee"], 6))) <= 5  # 0 to 4 of 4 votes


def test_stages_follow_the_threshold_that_decides():
    model = qifs(threshold=0.2, random_state=0).fit(X, Y)
    found, _ = stages(model, X, CODES, positive=0)
    for row, predicted in zip(found, model.staged_predict(X), strict=True):
        assert_array_equal(row[:-1].reshape(2, 2), confusion_matrix(Y, predicted))


def test_a_fold_that_stopped_early_stays_as_it_ended():
    short, long = np.array([[4.0, 0, 1, 1, 0.5]]), np.array([[4.0, 0, 1, 1, 0.5], [4, 0, 0, 2, 1]])
    assert_allclose(join_stages([short, long]), [[0.75, 0.5], [0.875, 0.75]])


def test_precision_over_recall_ends_at_the_base_rate(found):
    for method in found.to_dict()["methods"]:
        recall, precision = np.array(method["precision_recall"]).T
        assert_allclose(recall, np.linspace(0.02, 1, 50))
        assert ((precision > 0) & (precision <= 1)).all()
    majority = found.to_dict()["methods"][-1]
    assert_allclose(np.array(majority["precision_recall"])[:, 1], 0.2)  # blind, whatever is asked


def test_differences_are_paired_over_the_folds(found):
    told = {row["against"]: row for row in found.differences}
    assert list(told) == [*RIVALS, "ensemble", "majority"]
    own = found.fold_figures("committee")["balanced_accuracy"]
    other = found.fold_figures("efs")["balanced_accuracy"]
    assert_allclose(told["efs"]["balanced_accuracy"]["value"], np.mean(np.subtract(own, other)))
    wrong = [found[key].predicted != found.y for key in ("committee", "efs")]
    assert_allclose(told["efs"]["error"]["value"], np.mean(wrong[0]) - np.mean(wrong[1]))


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_in_any_storage_on_any_number_of_jobs_and_resumed(found, tmp_path, jobs):
    def run():
        selector = CommitteeSelector(qifs(), n_features_to_select=5)
        again = evaluate_committee(
            selector,
            BitMatrix.from_array(X),
            Y,
            n_splits=3,
            random_state=0,
            n_jobs=jobs,
            checkpoint=tmp_path,
        )
        return json.dumps(again.to_dict())

    assert run() == json.dumps(found.to_dict())
    kept = list(tmp_path.rglob("fold-?.npz"))
    assert len(kept) == 3
    kept[1].unlink()
    assert run() == json.dumps(found.to_dict())


def test_several_classes_are_judged_by_the_rarest():
    y = np.where(np.arange(120) % 5 == 1, "third", Y)
    y[np.flatnonzero(y == "third")[:4]] = "inactive"
    found = evaluate_committee(qifs(), X, y, rivals=["eifs"], n_splits=3, random_state=0)
    assert found.classes[found.positive] == "third"
    assert found.to_dict()["positive"] == {"class": "third", "share": 20 / 120}
    assert found.stages["committee"].shape == (4, 2)
    assert rarest(np.array([0, 1, 1, 2, 2, 0]), 3) == 2


def test_rivals_have_the_same_learner_and_size():
    committee = qifs(n_rounds=7, threshold="f1", random_state=3)
    made = make_rivals(committee, list(RIVALS), X)
    assert type(made["subspace"]) is EIFSClassifier
    assert (made["subspace"].n_rounds, made["subspace"].share) == (8, 12 / 150)
    assert (made["fss"].n_rounds, made["fss"].init, made["fss"].patience) == (0, "fss", None)
    assert (made["efs"].n_rounds, made["eifs"].n_rounds) == (7, 7)  # no more than it has itself
    fixed = make_rivals(qifs(threshold=0.3, tie_class="active"), list(RIVALS), X)
    for rival in RIVALS:
        assert (made[rival].estimator, made[rival].n_features) == ("nb", 12)
        assert made[rival].threshold is None  # what is tuned is its owner's
        assert (fixed[rival].threshold, fixed[rival].tie_class) == (0.3, "active")
    halves = make_rivals(EFSClassifier(n_rounds=6), ["subspace"], X)["subspace"]
    assert halves.n_rounds == 6


def test_a_tuned_threshold_is_no_lead_over_rivals_that_tune_none():
    options = {"rivals": ["eifs"], "n_splits": 3, "random_state": 0}
    tuned = evaluate_committee(qifs(threshold="balanced_accuracy"), X, Y, **options)
    plain = evaluate_committee(qifs(), X, Y, **options)
    assert [m.key for m in tuned.methods] == [
        "committee", "tuned", "eifs", "ensemble", "majority",
    ]  # fmt: skip
    # By the majority it is the committee that tunes nothing, for the same seeds.
    assert_array_equal(tuned["committee"].predicted, plain["committee"].predicted)
    assert_array_equal(tuned.stages["committee"], plain.stages["committee"])
    assert tuned.differences == plain.differences
    # What it predicts in the end stands beside.
    assert not np.array_equal(tuned["tuned"].predicted, tuned["committee"].predicted)
    assert_array_equal(tuned.scores["tuned"], tuned.scores["committee"])
    point = tuned.to_dict()["methods"][1]["operating_point"]
    assert point["recall"] > tuned.operating_point("committee")["recall"]


def test_a_given_threshold_decides_for_all_committees():
    found = evaluate_committee(
        qifs(threshold=0.01), X, Y, rivals=["subspace", "eifs"], n_splits=3, random_state=0
    )
    assert [m.key for m in found.methods][:2] == ["committee", "subspace"]
    for key in ("committee", "subspace", "eifs"):  # one vote is enough
        voted = found.scores[key] > 1e-6
        assert_array_equal(found[key].predicted == found.positive, voted)


def test_random_features_of_cut_columns_are_random():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(60, 40))
    rival = make_rivals(qifs(n_rounds=29), ["subspace"], numbers)["subspace"]
    counts = rival.set_params(random_state=0).fit(numbers, CODES[:60]).selection_counts_
    assert [subset.size for subset in rival.subsets_] == [12] * 30
    # 30 draws of 12 of 40: 9 for each feature, and in noise and signal alike.
    assert counts.min() >= 2
    assert counts.max() <= 18


def test_numbers_with_missing_values_are_judged_like_others():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(120, 30))
    numbers[:, :3] += 2.0 * (CODES == 0)[:, None]
    numbers[rng.random(120) < 0.3, 5] = np.nan
    found = evaluate_committee(qifs(n_features=6), numbers, Y, n_splits=2, random_state=0)
    assert [m.key for m in found.methods] == ["committee", *RIVALS, "ensemble", "majority"]
    assert found["efs"].balanced_accuracy.value > found["subspace"].balanced_accuracy.value


def test_a_committee_is_no_rival_of_itself():
    assert list(make_rivals(EFSClassifier(), list(RIVALS), X)) == ["subspace", "fss", "eifs"]
    subspace = RandomSubspaceClassifier("ridge", n_estimators=5)
    assert list(make_rivals(subspace, ["subspace"], X)) == []


@pytest.mark.parametrize("rivals", ["efs", ["best"]])
def test_unknown_rivals_are_refused(rivals):
    with pytest.raises(UsageError, match="some of subspace, fss, efs, eifs, or an empty one"):
        evaluate_committee(qifs(), X, Y, rivals=rivals, n_splits=3)


def test_the_committee_given_is_never_changed():
    committee = qifs()
    before = clone(committee).get_params()
    evaluate_committee(committee, X, Y, rivals=[], n_splits=2, random_state=0)
    assert committee.get_params() == before
    assert not hasattr(committee, "subsets_")


def test_the_planted_features_are_asked_for():
    panel = committee_result().panels[0]
    assert np.count_nonzero(panel < 10) >= 4
