"""What a query committee keeps when a fit is refused, stopped, copied, or its file is cut short."""

import copy
import pickle
import sys
import threading
import time
import tracemalloc
from subprocess import run

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import BernoulliNB

from consilience import BitMatrix, EFSClassifier, EIFSClassifier, QIFSClassifier
from consilience.committee.query_base import default_subset_size
from consilience.committee.query_work import Work
from consilience.exceptions import DataError, UsageError

RNG = np.random.default_rng(0)
Y = np.arange(100) % 2
X = (RNG.random((100, 200)) < 0.1 + 0.3 * Y[:, None] * (np.arange(200) < 20)).astype(np.uint8)
SMALL = {"n_rounds": 4, "n_features": 10, "random_state": 0}
COMMITTEES = [
    pytest.param(QIFSClassifier("nb", patience=None, **SMALL), id="qifs"),
    pytest.param(EFSClassifier("nb", **SMALL), id="efs"),
    pytest.param(EIFSClassifier("nb", **SMALL), id="eifs"),
]
every_committee = pytest.mark.parametrize("committee", COMMITTEES)

SHORTER = """
import os, sys
import numpy as np
from consilience import BitMatrix, EIFSClassifier, QIFSClassifier
from consilience.committee.query_work import Work
from consilience.exceptions import DataError
path, y = sys.argv[2], np.arange(200) % 2
rng = np.random.default_rng(0)
cells = BitMatrix.from_array((rng.random((200, 20000)) < 0.1).astype(np.uint8))
for when in ("predict", "result", "fit", "rounds"):
    if os.path.exists(path):
        os.remove(path)
    cells.save(path)
    mapped = BitMatrix.open(path)
    committee = {"qifs": QIFSClassifier, "eifs": EIFSClassifier}[sys.argv[1]](
        "nb", n_rounds=3, n_features=10, random_state=0)
    if when == "rounds":
        accept = Work._accept
        Work._accept = lambda work, *given: (accept(work, *given), os.truncate(path, 5000))
    else:
        committee.fit(mapped, y)
        os.truncate(path, 5000)
    try:
        if when == "predict":
            committee.predict(mapped)
        elif when == "result":
            committee.result_
        else:
            committee.fit(mapped, y)
    except DataError as error:
        print(when, len(committee.subsets_), committee.predict(cells).size, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be cut there")
@pytest.mark.parametrize(("kind", "n_members"), [("qifs", 4), ("eifs", 3)])
def test_a_file_that_becomes_shorter_ends_in_a_sentence(kind, n_members, tmp_path):
    words = [sys.executable, "-c", SHORTER, kind, tmp_path / "x.bits"]
    done = run(words, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr  # to read what is not there is signal 7
    kept = {"predict": n_members, "result": n_members, "fit": n_members, "rounds": 1}
    lines = done.stdout.splitlines()
    for line, (when, n_kept) in zip(lines, kept.items(), strict=True):
        assert line.startswith(f"{when} {n_kept} 200 ")
        assert "was changed while it is in use (from 644" in line


@every_committee
def test_a_warm_start_tells_data_with_the_same_counts_apart(committee):
    fitted = clone(committee).set_params(warm_start=True, n_rounds=2).fit(X, Y)
    other = np.random.default_rng(1).permuted(X, axis=0)
    assert_array_equal(other.sum(axis=0), X.sum(axis=0))
    with pytest.raises(UsageError, match="warm_start goes on with the rows, classes and settings"):
        fitted.fit(other, Y)
    with pytest.raises(UsageError, match="warm_start goes on with the rows, classes and settings"):
        clone(committee).fit(X, Y).set_params(warm_start=True).fit(other, Y)
    for kind in (BitMatrix.from_array, sparse.csr_array):
        fitted.set_params(n_rounds=fitted.n_rounds + 1).fit(kind(X), Y)
    expected = clone(committee).fit(X, Y)
    assert_array_equal(fitted.predict_proba(X), expected.predict_proba(X))


def test_a_pickled_committee_goes_on_where_it_was_to():
    warm = EIFSClassifier("nb", warm_start=True, **SMALL).fit(X, Y)
    again = pickle.loads(pickle.dumps(warm)).set_params(n_rounds=5).fit(X, Y)
    assert len(again.subsets_) == 5
    cold = pickle.loads(pickle.dumps(EIFSClassifier("nb", **SMALL).fit(X, Y)))
    with pytest.raises(UsageError, match="of which a committee that was pickled has no copy"):
        cold.set_params(warm_start=True).fit(X, Y)


@every_committee
@pytest.mark.parametrize("refused", [
    lambda committee: committee.set_params(n_rounds="a").fit(X[:, :50], 5 * Y),
    lambda committee: committee.set_params(n_features=51).fit(X[:, :50], 5 * Y),
    lambda committee: committee.set_params(tie_class=7).fit(X[:, :50], 5 * Y),
    lambda committee: committee.set_params(checkpoint=5).fit(X[:, :50], 5 * Y),
    lambda committee: committee.set_params(warm_start=True).fit(X[:, :50], 5 * Y),
    lambda committee: committee.set_params(warm_start=True, n_rounds=1).fit(X, Y),
])  # fmt: skip
def test_a_refused_fit_leaves_the_committee_as_it_was(committee, refused):
    fitted = clone(committee).fit(X, Y)
    before = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
    shares = fitted.predict_proba(X)
    with pytest.raises(UsageError):
        refused(fitted)
    after = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
    assert after.keys() == before.keys()
    assert all(after[name] is before[name] for name in before)
    assert_array_equal(fitted.predict_proba(X), shares)
    fresh = clone(committee)
    with pytest.raises(DataError):
        fresh.fit(X, Y[:50])
    assert not hasattr(fresh, "n_features_in_")


class Stopping(BernoulliNB):
    """Stops before the first member is finished, as Ctrl-C would."""

    def fit(self, *given, **named):
        raise KeyboardInterrupt


@every_committee
def test_a_fit_stopped_before_its_first_round_leaves_the_committee_as_it_was(committee):
    fitted = clone(committee).fit(X, Y)
    shares = fitted.predict_proba(X)
    with pytest.raises(KeyboardInterrupt):
        fitted.set_params(estimator=Stopping()).fit(X[:, :50], np.arange(100) % 3)
    assert_array_equal(fitted.predict_proba(X), shares)


class Waiting(BernoulliNB):
    """The last member to be trained stops the run, when the other three are finished."""

    lock, started = threading.Lock(), 0

    def fit(self, *given, **named):
        with Waiting.lock:
            Waiting.started += 1
            own = Waiting.started
        if own == 4:
            time.sleep(1.0)
            raise KeyboardInterrupt
        return super().fit(*given, **named)


def test_rounds_made_at_the_same_time_are_kept_one_by_one(tmp_path):
    committee = EIFSClassifier(Waiting(), n_jobs=4, checkpoint=tmp_path / "run", **SMALL)
    Waiting.started = 0
    with pytest.raises(KeyboardInterrupt):
        committee.fit(X, Y)
    stored = sorted(path.name for path in (tmp_path / "run" / "tasks").glob("round-*.npz"))
    assert len(stored) == 3
    missing = next(k for k in range(4) if f"round-{k:06d}.npz" not in stored)
    assert len(getattr(committee, "subsets_", ())) == missing  # up to the first that is not done
    Waiting.started = 10
    resumed = clone(committee).fit(X, Y)
    expected = EIFSClassifier(BernoulliNB(), **SMALL).fit(X, Y)
    assert_array_equal(resumed.predict_proba(X), expected.predict_proba(X))


@every_committee
def test_a_round_is_on_disk_before_it_counts(committee, tmp_path, monkeypatch):
    folder, accept, found = tmp_path / "run", Work._accept, []

    def counted(work, *given):
        found.append(len(list((folder / "tasks").iterdir())) - len(work.rounds))
        accept(work, *given)

    monkeypatch.setattr(Work, "_accept", counted)
    fitted = clone(committee).set_params(checkpoint=folder).fit(X, Y)
    assert found == [1] * len(fitted.subsets_)


@every_committee
def test_a_checkpoint_is_for_the_content_whatever_holds_it(committee, tmp_path):
    where = {"checkpoint": tmp_path / "run"}
    clone(committee).set_params(n_rounds=2, **where).fit(X, Y)
    for n_rounds, kind in ((3, sparse.csr_array), (4, BitMatrix.from_array)):
        found = clone(committee).set_params(n_rounds=n_rounds, **where).fit(kind(X), Y)
    expected = clone(committee).fit(X, Y)
    assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_array])
def test_memory_counts_the_columns_that_features_become(kind):
    cells = RNG.integers(0, 100, (300, 500)).astype(float)
    y = np.arange(300) % 2
    committee = EIFSClassifier("nb", n_rounds=1, n_features=2, discretize=None, random_state=0)
    clone(committee).fit(kind(cells[:, :9]), y)  # what is compiled is no part of it
    tracemalloc.start()
    committee.fit(kind(cells), y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak / 2 < committee.memory(kind(cells)) < 2 * peak
    assert committee.memory(X) < 1e6
    committee.set_params(n_features=500)
    assert (
        committee.memory(cells)
        < 70e6
        < 300e6
        < clone(committee).set_params(estimator=BernoulliNB()).memory(cells)
    )  # which needs dense numbers


def test_half_of_the_features_are_taken_where_nothing_is_said():
    assert [default_subset_size(n) for n in (1, 2, 3, 5, 999, 1001)] == [1, 2, 2, 2, 499, 500]
    for committee in (QIFSClassifier("nb", n_rounds=1), EIFSClassifier("nb", share=1.0)):
        assert {subset.size for subset in committee.fit(X, Y).subsets_} == {100}


@every_committee
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_keep_their_result(committee, duplicate):
    fitted = clone(committee).fit(X, Y)
    twin = duplicate(fitted)
    assert_array_equal(twin.result_.panels[0], fitted.result_.panels[0])
    assert_array_equal(twin.predict_proba(X), fitted.predict_proba(X))
    if duplicate is copy.deepcopy:
        assert twin.estimators_[0] is not fitted.estimators_[0]


@every_committee
def test_the_result_tells_of_weights(committee):
    assert clone(committee).fit(X, Y, np.ones(100)).result_.settings["weighted"] is True
    assert clone(committee).fit(X, Y).result_.settings["weighted"] is False


@every_committee
def test_one_class_leaves_nothing_of_the_last_fit(committee):
    fitted = clone(committee).fit(X, Y)
    known = {name for name in vars(fitted) if name.endswith("_")}
    fitted.fit(X[:, :7], np.zeros(100))
    assert {name for name in vars(fitted) if name.endswith("_")} == known
    shapes = {np.shape(getattr(fitted, name)) for name in ("distances_", "gains_", "draw_counts_")
              if hasattr(fitted, name)}  # fmt: skip
    assert shapes == {(7,)}


@pytest.mark.parametrize(("options", "said"), [
    ({"n_folds": "a"}, "n_folds is 'a'; give a whole number, 2 or more."),
    ({"n_folds": 1}, "n_folds is 1; give"),
    ({"n_jobs": "a"}, "n_jobs is 'a'; give a whole number"),
    ({"checkpoint": 5}, "checkpoint is 5; give the path of a directory, or None."),
    ({"normalize": np.array([1, 2])}, r"normalize is array\(\[1, 2\]\); choose None or"),
])  # fmt: skip
def test_values_of_a_wrong_kind_are_named(options, said):
    with pytest.raises(UsageError, match=said):
        QIFSClassifier("nb", **SMALL).set_params(**options).fit(X, Y)


def test_of_equal_columns_at_the_edge_either_is_taken():
    doubled, seconds = np.hstack([X, X]), []
    for seed in range(6):
        options = {"init": "igr", "patience": None, "n_rounds": 40, "n_features": 9}
        committee = QIFSClassifier("nb", random_state=seed, **options).fit(doubled, Y)
        for subset in committee.subsets_:  # four pairs of copies, and one without its twin
            alone = [j for j in subset if (j + 200) % 400 not in subset]
            seconds += [j >= 200 for j in alone]
    assert len(seconds) > 200
    assert 0.43 < np.mean(seconds) < 0.57  # by where they stand it were a third
