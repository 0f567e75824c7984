"""Searched committees that are stopped, resumed, made longer, or mistaken for others."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.naive_bayes import BernoulliNB

from consilience import (
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    evaluate_committee,
)
from consilience.committee import search_base
from consilience.exceptions import CheckpointError
from consilience.execution import Checkpoint
from consilience.learners.bayes_subsets import BayesSubsets
from searched_committees import BRED, X, Y, assert_same, every_committee


class Interruption(Checkpoint):
    """Stops the run when it has kept so many parts, as Ctrl-C would."""

    left = 10**6

    def store(self, key, arrays):
        if Interruption.left == 0:
            raise KeyboardInterrupt
        Interruption.left -= 1
        super().store(key, arrays)

    def scope(self, name):
        return Interruption(self.directory / "scopes" / name, None)


@every_committee
def test_an_interrupted_run_is_resumed_as_if_nothing_had_happened(committee, tmp_path, monkeypatch):
    expected = clone(committee).fit(X, Y)
    directory = tmp_path / "run"
    run = clone(committee).set_params(checkpoint=directory)
    manifests = []

    def opened(where, random_state, manifest):
        manifests.append(manifest())
        return Interruption(where, manifests[-1])

    monkeypatch.setattr(search_base, "open_seeded", opened)
    monkeypatch.setattr(Interruption, "left", 1)
    with pytest.raises(KeyboardInterrupt):
        run.fit(X, Y)
    assert len(list(directory.rglob("*.npz"))) == 1
    monkeypatch.undo()
    assert_same(clone(run).fit(X, Y), expected)
    # Once more, now that all is there: nothing is judged again, only members are asked.
    asked = keep_asked(monkeypatch)
    again = clone(run).set_params(integration="vote").fit(X, Y)
    assert_array_equal(again.masks_, expected.masks_)
    assert asked
    members = {mask.tobytes() for mask in again.masks_[:, again._order]}
    assert all(mask.tobytes() in members for _, masks in asked for mask in masks)


def keep_asked(monkeypatch) -> list:
    """Keep what a search asks naive Bayes: which question, and the subsets."""
    asked = []

    def keep(name):
        plain = getattr(BayesSubsets, name)

        def ask(self, masks, *given):
            flipped = masks ^ np.eye(masks.size, dtype=bool)[given[0]] if masks.ndim == 1 else masks
            asked.append((name, flipped))
            return plain(self, masks, *given)

        monkeypatch.setattr(BayesSubsets, name, ask)

    for name in ("predict", "correct", "accuracies", "predict_flips", "correct_flips"):
        keep(name)
    return asked


def test_what_is_asked_is_kept(monkeypatch):
    asked = keep_asked(monkeypatch)
    SequentialSelectionEnsembleClassifier(n_estimators=1, integration="vote").fit(X, Y)
    assert {"correct_flips", "predict"} <= {name for name, _ in asked}
    bred = SequentialGeneticEnsembleClassifier(**BRED, diversity="kappa", integration="vote")
    asked.clear()
    bred.fit(X, Y)
    assert {name for name, _ in asked} == {"predict"}
    assert sum(len(masks) for _, masks in asked) > bred.n_evaluations_


def test_more_members_go_on_from_fewer(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(**BRED, random_state=0)
    few = clone(committee).set_params(checkpoint=tmp_path / "run", n_estimators=2).fit(X, Y)
    many = clone(committee).set_params(checkpoint=tmp_path / "run").fit(X, Y)
    assert_array_equal(many.masks_[:2], few.masks_)
    assert_same(many, clone(committee).fit(X, Y))


GROWING = [
    SequentialGeneticEnsembleClassifier(**{**BRED, "n_generations": 2}, alpha="auto"),
    SequentialSelectionEnsembleClassifier(alpha="auto"),
]


@pytest.mark.parametrize("committee", GROWING, ids=["gas-sefs", "sequential"])
def test_a_weight_chosen_for_few_members_is_not_taken_for_many(committee, tmp_path):
    few = clone(committee).set_params(n_estimators=1, random_state=0, checkpoint=tmp_path / "run")
    few.fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its n_estimators is 1"):
        clone(few).set_params(n_estimators=4).fit(X, Y)
    given = clone(few).set_params(alpha=1.0, checkpoint=tmp_path / "given")
    assert_array_equal(
        clone(given).set_params(n_estimators=2).fit(X, Y).masks_[:1], clone(given).fit(X, Y).masks_
    )


def test_nominal_columns_belong_to_the_run(tmp_path):
    numbers = np.column_stack([np.arange(80) % 7, X[:, :5].round()])
    committee = ParetoEnsembleClassifier(**BRED, random_state=0, checkpoint=tmp_path / "run")
    frame = pd.DataFrame(numbers, columns=list("abcdef"))
    plain = clone(committee).fit(frame, Y)
    assert_array_equal(clone(committee).fit(numbers, Y).masks_, plain.masks_)
    with pytest.raises(CheckpointError, match="holds another run: its nominal is"):
        clone(committee).fit(frame.astype({"a": "category"}), Y)
    with pytest.raises(CheckpointError, match="holds another run: its "):
        clone(committee).set_params(categorical_features=[0]).fit(frame, Y)
    # Categories have names, which the numbers that stand for them do not tell.
    words = frame.astype({"a": "category"})
    committee.set_params(checkpoint=tmp_path / "words")
    clone(committee).fit(words, Y)
    words["a"] = words["a"].cat.rename_categories(list("opqrstu"))
    with pytest.raises(CheckpointError, match="holds another run: its nominal is"):
        clone(committee).fit(words, Y)


@every_committee
def test_another_run_is_not_mixed_in(committee, tmp_path):
    run = clone(committee).set_params(checkpoint=tmp_path / "run").fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its n_bins is 10"):
        clone(run).set_params(n_bins=5).fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its data is"):
        clone(run).fit(-X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its random_state is"):
        clone(run).set_params(random_state=1).fit(X, Y)
    # What joins members later does not belong to the run.
    again = clone(run).set_params(integration="vote", n_jobs=2, refit=False).fit(X, Y)
    assert_array_equal(again.masks_, run.masks_)


def test_a_run_inside_another_takes_its_checkpoint(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(**BRED, random_state=0)
    found = [
        evaluate_committee(
            committee, X, Y, rivals=[], n_splits=2, random_state=0, checkpoint=tmp_path / "run"
        )
        for _ in range(2)
    ]
    expected = evaluate_committee(
        committee, X, Y, rivals=[], n_splits=2, random_state=0, n_jobs=2, backend="processes"
    )
    for each in found:
        assert each.average_precision("committee") == expected.average_precision("committee")


def test_a_tuned_run_is_resumed(tmp_path, monkeypatch):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha="auto", random_state=0, checkpoint=tmp_path / "run"
    )
    fitted = clone(committee).fit(X, Y)
    monkeypatch.setattr("consilience.committee.search_tuning._try", None)
    assert_same(clone(committee).fit(X, Y), fitted)


class Interrupted(BernoulliNB):
    """Stops the run in the middle, as Ctrl-C would."""

    left = 10**6

    def fit(self, *given, **named):
        if Interrupted.left == 0:
            raise KeyboardInterrupt
        Interrupted.left -= 1
        return super().fit(*given, **named)


def test_ctrl_c_in_a_classifier_keeps_what_is_finished(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(
        Interrupted(), n_estimators=3, population=3, n_crossover=3, n_mutation=1, n_generations=2,
        integration="vote", random_state=0,
    )  # fmt: skip
    expected = clone(committee).fit(X, Y)
    run = clone(committee).set_params(checkpoint=tmp_path / "run")
    Interrupted.left = 20
    with pytest.raises(KeyboardInterrupt):
        run.fit(X, Y)
    Interrupted.left = 10**6
    assert list((tmp_path / "run").rglob("generation-*.npz"))
    assert_same(clone(run).fit(X, Y), expected)
