import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from consilience import CFS, EnsembleSelector, InformationGain, MostFrequent, evaluate_selection
from consilience.data.bits import BitMatrix
from consilience.evaluation.alternatives import PanelsOfFold, evaluate_alternatives
from consilience.evaluation.alternatives_outcome import AlternativesEvaluation
from consilience.evaluation.outcome import Evaluation
from consilience.exceptions import CheckpointError, UsageError
from consilience.measures.accuracy import error_difference, error_rate
from consilience.measures.significance import mcnemar
from tiny_panels import FirstModels


@pytest.fixture(scope="module")
def planted():
    """Sixty rows of two classes, six telling columns among 30."""
    rng = np.random.default_rng(0)
    y = np.repeat(["ill", "well"], 30)
    X = rng.normal(size=(60, 30))
    X[:, :6] += 0.9 * (y == "ill")[:, None]
    order = rng.permutation(60)
    return X[order], y[order]


def make_ensemble(**settings):
    given = {"n_features_to_select": 4, "n_models": 12, "aggregator": FirstModels(3)} | settings
    return EnsembleSelector(**given)


@pytest.fixture(scope="module")
def found(planted):
    return evaluate_alternatives(make_ensemble(), *planted, n_splits=4, random_state=5)


def naive_jaccard(a, b):
    return len(set(a) & set(b)) / len(set(a) | set(b))


def naive(ensemble, X, y, n_splits, seed):
    """The whole protocol in plain loops: predictions of each panel, similarity, agreement."""
    from consilience.evaluation.seeding import seeded_clone

    folds = list(StratifiedKFold(n_splits, shuffle=True, random_state=seed).split(X, y))
    seeds = np.random.SeedSequence(seed).spawn(len(folds))
    predicted, similarities, agreements = np.full((3, len(y)), "", dtype=object), [], []
    for (train, test), own in zip(folds, seeds, strict=True):
        model = seeded_clone(ensemble, int(own.generate_state(3)[0]), replace=True)
        panels = model.fit(X[train], y[train]).panels_
        for i, panel in enumerate(panels):
            judge = make_pipeline(StandardScaler(), SVC(kernel="linear", C=0.5))
            columns = np.sort(panel)
            predicted[i, test] = judge.fit(X[train][:, columns], y[train]).predict(
                X[test][:, columns]
            )
        pairs = [(i, j) for i in range(len(panels)) for j in range(i)]
        similarities.append(np.mean([naive_jaccard(panels[i], panels[j]) for i, j in pairs]))
        agreements.append(
            np.mean([np.mean(predicted[i, test] == predicted[j, test]) for i, j in pairs])
        )
    return predicted, np.mean(similarities), np.mean(agreements)


def test_agrees_with_plain_loops(planted, found):
    X, y = planted
    predicted, similarity, agreement = naive(make_ensemble(), X, y, 4, 5)
    assert_array_equal(np.array(["ill", "well"])[found.predicted], predicted)
    assert found.similarity == pytest.approx(similarity)
    assert found.agreement == pytest.approx(agreement)
    assert 0.5 < found.agreement < 1  # the panels differ, so that the test can fail
    errors = (predicted != y).mean(axis=1)
    assert_allclose([panel.error.value for panel in found.panels], errors)
    assert found.error == pytest.approx(errors.mean())
    assert [panel.n_rows for panel in found.panels] == [60] * 3
    assert [panel.n_folds for panel in found.panels] == [4] * 3


def test_the_first_panel_is_evaluated_as_a_selection_is(planted, found):
    single = evaluate_selection(make_ensemble(), *planted, n_splits=4, random_state=5)
    assert found.evaluation.to_dict() == single.to_dict()
    assert_array_equal(found.predicted[0], single["ensemble"].predicted)


def test_the_document_is_plain_json(found):
    document = found.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["protocol"]["n_panels"] == 3
    assert document["panels"][0]["verdict"] == "first"
    assert document["panels"][0]["difference"] is None


@pytest.mark.parametrize(("n_jobs", "backend"), [(2, "threads"), (2, "processes")])
def test_jobs_do_not_change_the_figures(planted, found, n_jobs, backend):
    again = evaluate_alternatives(
        make_ensemble(), *planted, n_splits=4, random_state=5, n_jobs=n_jobs, backend=backend
    )
    assert again.to_dict() == found.to_dict()


def test_packed_data_give_the_figures_of_dense_ones(planted):
    X, y = planted
    held = (X > 0).astype(np.uint8)
    settings = {"n_splits": 3, "random_state": 0}
    dense = evaluate_alternatives(make_ensemble(), held, y, **settings)
    packed = evaluate_alternatives(make_ensemble(), BitMatrix.from_array(held), y, **settings)
    assert dense.to_dict() == packed.to_dict()


def test_finished_folds_are_not_run_again(planted, found, tmp_path, monkeypatch):
    settings = {"n_splits": 4, "random_state": 5, "checkpoint": tmp_path / "c"}
    first = evaluate_alternatives(make_ensemble(), *planted, **settings)
    assert first.to_dict() == found.to_dict()
    monkeypatch.setattr(
        "consilience.evaluation.study.Study.fit_rows", lambda *_: pytest.fail("fitted again")
    )
    assert evaluate_alternatives(make_ensemble(), *planted, **settings).to_dict() == first.to_dict()
    with pytest.raises(CheckpointError, match="n_panels"):
        evaluate_alternatives(make_ensemble(aggregator=FirstModels(2)), *planted, **settings)


def test_progress_is_told_of_every_fold_and_every_shuffle(planted):
    class Count:
        done = 0

        def start(self, total, done=0):
            self.total = total

        def advance(self, n=1):
            self.done += n

        def finish(self):
            self.finished = True

    count = Count()
    evaluate_alternatives(
        make_ensemble(n_models=4), *planted, n_splits=3, random_state=0, progress=count
    )
    assert count.done == count.total == 3 + 10


def test_no_row_is_seen_before_it_is_tested(planted):
    """Labels of test rows at random: whatever peeks would do better than chance."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 400))
    y = np.tile(["a", "b"], 30)
    found = evaluate_alternatives(make_ensemble(), X, y, n_splits=5, random_state=0)
    assert min(panel.error.value for panel in found.panels) > 0.25


def test_folds_with_fewer_panels_count_where_they_have_them():
    y = np.zeros(8, dtype=int)
    evaluation = Evaluation({"n_splits": 2}, y, np.array([0, 1]), np.repeat([0, 1], 4), [])
    predicted = np.array([[0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, -1, -1, -1, -1]])
    found = AlternativesEvaluation.from_predictions(
        evaluation=evaluation,
        predicted=predicted,
        n_panels=3,
        sizes=[[2, 4], [2]],
        similarities=[0.25, None],
        agreements=[0.5, None],
    )
    second = found.panels[1]
    assert (second.n_folds, second.n_rows, second.n_features) == (1, 4, 4.0)
    assert second.error == error_rate([True, False, False, False])
    wrong, first = np.array([1, 0, 0, 0], bool), np.array([0, 0, 0, 1], bool)
    assert second.difference.error == error_difference(wrong, first)
    assert (found.similarity, found.agreement) == (0.25, 0.5)
    assert found.panels_per_fold == [2, 1]
    (remark,) = found.remarks
    assert remark.startswith("In 2 of 2 folds the selections gave fewer than 3 panels")


def test_differences_are_corrected_for_the_number_of_panels():
    rng = np.random.default_rng(0)
    y = np.zeros(200, dtype=int)
    evaluation = Evaluation({}, y, np.array([0, 1]), np.repeat([0, 1], 100), [])
    predicted = (rng.random((4, 200)) < [[0.2], [0.2], [0.32], [0.05]]).astype(int)
    found = AlternativesEvaluation.from_predictions(
        evaluation=evaluation,
        predicted=predicted,
        n_panels=4,
        sizes=[[1] * 4] * 2,
        similarities=[0.0, 0.0],
        agreements=[1.0, 1.0],
    )
    raw = [mcnemar(row == y, predicted[0] == y).p_value for row in predicted[1:]]
    assert_allclose([panel.difference.p for panel in found.panels[1:]], raw)
    assert all(panel.difference.p_holm >= panel.difference.p for panel in found.panels[1:])
    assert min(raw) * 3 == pytest.approx(min(p.difference.p_holm for p in found.panels[1:]))
    verdicts = [panel.to_dict()["verdict"] for panel in found.panels]
    assert verdicts == ["first", "no difference found", "worse", "better"]
    assert [panel.equivalent for panel in found.panels] == [True, True, False, False]


def test_one_panel_agrees_with_itself(planted):
    found = evaluate_alternatives(
        make_ensemble(aggregator=FirstModels(1)), *planted, n_splits=3, random_state=0
    )
    assert (found.similarity, found.agreement) == (1.0, 1.0)
    assert len(found.panels) == 1
    assert found.fold_agreements == [None] * 3


def test_more_panels_than_distinct_models(planted):
    ensemble = make_ensemble(aggregator=FirstModels(50), n_models=5)
    found = evaluate_alternatives(ensemble, *planted, n_splits=3, random_state=0)
    assert max(found.panels_per_fold) == len(found.panels) <= 5
    assert "fewer than 50 panels" in found.remarks[0]


def test_selections_without_rankings(planted):
    found = evaluate_alternatives(
        make_ensemble(selector=CFS()), *planted, n_splits=3, random_state=0
    )
    assert len({panel.n_features for panel in found.panels}) > 1  # CFS fixes its own sizes


def test_panels_of_a_fold_survive_their_arrays():
    arrays = {
        "panel_indices": np.array([3, 1, 2, 7]),
        "panel_sizes": np.array([3, 1]),
        "predicted_panels": np.array([[0, 1, 1], [0, 1, 0]]),
    }
    fold = PanelsOfFold.from_arrays(arrays)
    assert [panel.tolist() for panel in fold.panels] == [[3, 1, 2], [7]]
    assert fold.agreement() == pytest.approx(2 / 3)
    assert fold.similarity(10) == 0


def test_an_aggregator_of_one_panel_is_refused(planted):
    with pytest.raises(UsageError, match=r"most-frequent gives one panel.*all-medoids"):
        evaluate_alternatives(make_ensemble(aggregator=MostFrequent()), *planted)


def test_something_that_is_no_ensemble_is_refused(planted):
    with pytest.raises(UsageError, match="give an EnsembleSelector"):
        evaluate_alternatives(InformationGain(), *planted)


def test_the_ensemble_itself_is_not_changed(planted):
    ensemble = make_ensemble(aggregator=None, n_models=20, sample_share=None)
    evaluate_alternatives(ensemble, *planted, n_splits=2, random_state=0)
    assert ensemble.aggregator is None
    assert not hasattr(ensemble, "panels_")
