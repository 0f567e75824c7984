"""Rounds that are finished stay: warm starts, checkpoints, interruptions, files that change."""

import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from consilience import BitMatrix, EFSClassifier, EIFSClassifier, QIFSClassifier
from consilience.committee import query_columns
from consilience.exceptions import CheckpointError, DataError, UsageError

RNG = np.random.default_rng(0)
Y = np.arange(100) % 2
X = (RNG.random((100, 200)) < 0.1 + 0.3 * Y[:, None] * (np.arange(200) < 20)).astype(np.uint8)
SMALL = {"n_rounds": 6, "n_features": 10, "random_state": 0}
DRAWING = DecisionTreeClassifier(max_features=3)
COMMITTEES = [
    pytest.param(QIFSClassifier("svm", n_folds=3, **SMALL), id="qifs"),
    pytest.param(QIFSClassifier(DRAWING, votes="oof", train_on="selected", n_folds=3, **SMALL),
                 id="qifs-selected"),
    pytest.param(EFSClassifier(DRAWING, **SMALL), id="efs"),
    pytest.param(EIFSClassifier("nb", **SMALL), id="eifs"),
]  # fmt: skip
every_committee = pytest.mark.parametrize("committee", COMMITTEES)


def assert_same(one, two):
    for own, other in zip(one.subsets_, two.subsets_, strict=True):
        assert_array_equal(own, other)
    assert_array_equal(one.margins_, two.margins_)
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    for name, values in one.rounds_.items():
        if "seconds" not in name:
            assert_array_equal(values, two.rounds_[name])
    if hasattr(one, "distances_"):
        assert_array_equal(one.distances_, two.distances_)


class Interrupted(BernoulliNB):
    """Stops the run in the middle, as Ctrl-C would."""

    left = 0

    def fit(self, *given, **named):
        if Interrupted.left == 0:
            raise KeyboardInterrupt
        Interrupted.left -= 1
        return super().fit(*given, **named)


@every_committee
def test_a_run_goes_on_from_its_checkpoint(committee, tmp_path):
    expected = clone(committee).fit(X, Y)
    clone(committee).set_params(checkpoint=tmp_path / "run", n_rounds=3).fit(X, Y)
    resumed = clone(committee).set_params(checkpoint=tmp_path / "run").fit(X, Y)
    assert_same(resumed, expected)


def test_a_resumed_run_does_not_scan_again(tmp_path, monkeypatch):
    committee = QIFSClassifier("nb", checkpoint=tmp_path / "run", patience=None, **SMALL)
    expected = clone(committee).fit(X, Y)
    counted = []
    count = query_columns.QueryColumns.counts
    monkeypatch.setattr(
        query_columns.QueryColumns, "counts", lambda *given: counted.append(1) or count(*given)
    )
    assert_same(clone(committee).fit(X, Y), expected)
    assert not counted


@pytest.mark.parametrize("measured", [False, True])
def test_an_interrupted_run_is_resumed_as_if_nothing_had_happened(tmp_path, measured):
    options = {**SMALL, "patience": 50 if measured else None, "n_folds": 2}
    committee = QIFSClassifier(Interrupted(), checkpoint=tmp_path / "run", **options)
    Interrupted.left = 10**6
    expected = clone(committee).set_params(checkpoint=None).fit(X, Y)
    Interrupted.left = 9 if measured else 3
    stopped = clone(committee)
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(X, Y)
    assert len(stopped.subsets_) == 3  # what was finished can be used
    assert stopped.predict(X).shape == (100,)
    Interrupted.left = 10**6
    assert_same(clone(committee).fit(X, Y), expected)
    # In memory it goes on as well.
    assert_same(stopped.set_params(warm_start=True, checkpoint=None).fit(X, Y), expected)


@every_committee
def test_another_run_is_not_mixed_in(committee, tmp_path):
    clone(committee).set_params(checkpoint=tmp_path / "run", n_rounds=1).fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its n_features is 10"):
        clone(committee).set_params(checkpoint=tmp_path / "run", n_features=11).fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its data is"):
        clone(committee).set_params(checkpoint=tmp_path / "run").fit(1 - X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its random_state is"):
        clone(committee).set_params(checkpoint=tmp_path / "run", random_state=1).fit(X, Y)


def test_a_damaged_round_is_made_again(tmp_path):
    committee = QIFSClassifier("nb", checkpoint=tmp_path / "run", **SMALL)
    expected = clone(committee).fit(X, Y)
    (tmp_path / "run" / "tasks" / "round-000002.npz").write_bytes(b"nothing")
    assert_same(clone(committee).fit(X, Y), expected)


@every_committee
def test_a_warm_start_is_for_the_same_data_and_settings(committee):
    fitted = clone(committee).set_params(warm_start=True, n_rounds=2).fit(X, Y)
    with pytest.raises(UsageError, match="warm_start goes on with the rows, classes and settings"):
        fitted.fit(1 - X, Y)
    with pytest.raises(UsageError, match="warm_start goes on with the rows, classes and settings"):
        fitted.set_params(n_features=5).fit(X, Y)
    fitted.set_params(n_features=10, random_state=3)
    with pytest.raises(UsageError, match="warm_start goes on with the seed of the last fit"):
        fitted.fit(X, Y)
    fitted.set_params(random_state=0, n_rounds=1)
    with pytest.raises(UsageError, match="n_rounds is 1 and the committee has made more already"):
        fitted.fit(X, Y)


def test_a_warm_start_without_a_seed_keeps_the_seed_it_began_with():
    grown = QIFSClassifier("nb", n_rounds=2, n_features=10, warm_start=True).fit(X, Y)
    first = list(grown.subsets_)
    grown.set_params(n_rounds=4).fit(X, Y)
    for own, other in zip(first, grown.subsets_, strict=False):
        assert_array_equal(own, other)
    assert len(grown.subsets_) == 5


def test_without_a_warm_start_a_fit_begins_anew():
    fitted = QIFSClassifier("nb", **SMALL).fit(X, Y)
    assert_same(fitted.fit(X, Y), QIFSClassifier("nb", **SMALL).fit(X, Y))


class Meddling(BernoulliNB):
    """Changes the file that the run reads, when its third member is trained."""

    path = None
    left = 0

    def fit(self, *given, **named):
        Meddling.left -= 1
        if Meddling.left == 0:
            with Meddling.path.open("r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"\x01")
            os.utime(Meddling.path, ns=(1, 1))
        return super().fit(*given, **named)


def test_a_file_that_changes_stops_the_run_and_keeps_its_rounds(tmp_path):
    path = tmp_path / "x.bits"
    BitMatrix.from_array(X).save(path)
    Meddling.path, Meddling.left = path, 3
    committee = QIFSClassifier(Meddling(), patience=None, checkpoint=tmp_path / "run", **SMALL)
    with pytest.raises(DataError, match=r"x\.bits' was changed while it is in use .*\.$"):
        committee.fit(BitMatrix.open(path), Y)
    assert len(committee.subsets_) == 2
    BitMatrix.from_array(X).save(path)
    resumed = clone(committee).fit(BitMatrix.open(path), Y)
    expected = QIFSClassifier(Meddling(), patience=None, **SMALL).fit(X, Y)
    assert_same(resumed, expected)


@every_committee
def test_a_mapped_file_gives_the_same_committee(committee, tmp_path):
    BitMatrix.from_array(X).save(tmp_path / "x.bits")
    mapped = BitMatrix.open(tmp_path / "x.bits")
    assert_same(clone(committee).fit(mapped, Y), clone(committee).fit(X, Y))


def test_another_tie_class_begins_anew_because_figures_follow_it():
    fitted = QIFSClassifier("nb", warm_start=True, **SMALL).fit(X, Y)
    with pytest.raises(UsageError, match="warm_start goes on with the rows, classes and settings"):
        fitted.set_params(tie_class=1).fit(X, Y)
