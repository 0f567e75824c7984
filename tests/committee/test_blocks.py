"""Query committees on a table in blocks are those of the table in one piece, to the last bit."""

import json

import numpy as np
import pytest
from scipy import sparse

from consilience import (
    MRMR,
    BitMatrix,
    BlockMatrix,
    CommitteeSelector,
    EFSClassifier,
    EIFSClassifier,
    EnsembleSelector,
    InformationGain,
    QIFSClassifier,
    RandomSubspaceClassifier,
    evaluate_committee,
    evaluate_selection,
)
from consilience.exceptions import DataError

RNG = np.random.default_rng(4)
Y = np.arange(150) % 2
CELLS = (RNG.random((150, 3000)) < 0.1 + 0.3 * Y[:, None] * (np.arange(3000) < 30)).astype(np.uint8)
CELLS[:, 2000] = CELLS[:, 3]  # a copy in another block: equal in every round
BITS = BitMatrix.from_array(CELLS)
SPLITS = {
    "columns": BlockMatrix.split(BITS, n_columns=512),
    "lists": BlockMatrix.split(
        sparse.csr_array(CELLS * (RNG.random(CELLS.shape) < 2)), n_columns=1024
    ),
    "arrays": BlockMatrix.split(CELLS.astype(float), n_columns=1024),
    "rows": BlockMatrix.split(BITS, n_columns=1024, n_rows=64),
}
HOW = {"n_features": 20, "random_state": 0}
COMMITTEES = {
    "qifs": lambda: QIFSClassifier(n_rounds=6, **HOW),
    "kl": lambda: QIFSClassifier(n_rounds=3, init="random", distance="kl", **HOW),
    "variance": lambda: QIFSClassifier(
        "tree", n_rounds=3, init="igr", normalize="variance", patience=None, **HOW
    ),
    "votes": lambda: QIFSClassifier(n_rounds=3, votes="oof", threshold="f1", **HOW),
    "selector": lambda: QIFSClassifier(n_rounds=2, init=MRMR(random_state=0), **HOW),
    "efs": lambda: EFSClassifier(n_rounds=3, **HOW),
    "eifs": lambda: EIFSClassifier(n_rounds=3, **HOW),
}


def assert_same(one, other):
    assert len(one.subsets_) == len(other.subsets_)
    for mine, theirs in zip(one.subsets_, other.subsets_, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for name, figures in one.rounds_.items():
        if "seconds" not in name:
            np.testing.assert_array_equal(figures, other.rounds_[name], err_msg=name)
    np.testing.assert_array_equal(one.margins_, other.margins_)
    assert one.threshold_ == other.threshold_


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", COMMITTEES)
def test_rounds_and_votes(name, split):
    one = COMMITTEES[name]().fit(BITS, Y)
    other = COMMITTEES[name]().fit(SPLITS[split], Y)
    assert_same(one, other)
    np.testing.assert_array_equal(one.predict_proba(BITS), other.predict_proba(SPLITS[split]))


@pytest.mark.parametrize("split", SPLITS)
def test_weights(split):
    weights = np.random.default_rng(0).integers(0, 3, Y.size).astype(float)
    one = COMMITTEES["qifs"]().fit(BITS, Y, weights)
    assert_same(one, COMMITTEES["qifs"]().fit(SPLITS[split], Y, weights))


@pytest.mark.parametrize("how", [{}, {"n_rows": 64}], ids=str)
def test_where_nothing_deviates_any_feature_is_taken(how):
    """All columns are constant, then all but two, which are equal."""
    for varying in ([], [3, 650]):
        cells = np.zeros((80, 700), dtype=np.uint8)
        cells[:, 100], cells[:, varying] = 1, (np.arange(80) < 40)[:, None]
        bits, y = BitMatrix.from_array(cells), np.arange(80) % 2

        def fit(X, y=y):
            options = {"n_rounds": 3, "n_features": 5, "ties": "index", "patience": None}
            return QIFSClassifier(**options, random_state=0).fit(X, y).subsets_

        one, other = fit(bits), fit(BlockMatrix.split(bits, n_columns=512, **how))
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_rounds_go_on_from_a_checkpoint_of_the_table_in_one_piece(tmp_path):
    """It is the same data, by its name."""
    whole = QIFSClassifier(n_rounds=5, **HOW).fit(BITS, Y)
    QIFSClassifier(n_rounds=2, checkpoint=tmp_path / "run", **HOW).fit(BITS, Y)
    for split in ("columns", "rows"):
        again = QIFSClassifier(n_rounds=5, checkpoint=tmp_path / "run", **HOW)
        assert_same(whole, again.fit(SPLITS[split], Y))


def test_warm_start():
    whole = QIFSClassifier(n_rounds=5, **HOW).fit(BITS, Y)
    made = QIFSClassifier(n_rounds=2, warm_start=True, **HOW).fit(SPLITS["columns"], Y)
    assert_same(whole, made.set_params(n_rounds=5).fit(SPLITS["columns"], Y))


def test_panels():
    one, other = (
        CommitteeSelector(COMMITTEES["qifs"](), n_features_to_select=9).fit(X, Y)
        for X in (BITS, SPLITS["columns"])
    )
    np.testing.assert_array_equal(one.get_support(), other.get_support())
    assert one.result_.data == other.result_.data
    assert other.committee_.storage_.startswith("6 blocks, ")


def without_seconds(told):
    if isinstance(told, dict):
        return {key: without_seconds(v) for key, v in told.items() if "seconds" not in str(key)}
    return [without_seconds(v) for v in told] if isinstance(told, list) else told


@pytest.mark.parametrize("split", ["columns", "rows"])
def test_figures_on_unseen_rows(split):
    def evaluate(X):
        committee = QIFSClassifier(n_rounds=3, n_features=15)
        found = evaluate_committee(committee, X, Y, n_splits=3, random_state=0)
        return json.dumps(without_seconds(found.to_dict()))  # as text: NaN is not equal to itself

    assert evaluate(BITS) == evaluate(SPLITS[split])


@pytest.mark.parametrize("split", ["columns", "rows"])
def test_figures_of_selections_on_unseen_rows(split):
    def evaluate(X):
        ensemble = EnsembleSelector(InformationGain(), n_models=8, n_features_to_select=6)
        return evaluate_selection(ensemble, X, Y, n_splits=3, random_state=0)

    one, other = evaluate(BITS), evaluate(SPLITS[split])
    assert [outcome.key for outcome in other.methods] == ["ensemble", "plain", "majority"]
    for key in ("ensemble", "plain", "majority"):
        assert one[key].error == other[key].error
        assert one[key].stability == other[key].stability
    assert one.chance == other.chance


def test_other_values_are_refused():
    X = BlockMatrix.split(np.arange(300.0).reshape(30, 10))
    with pytest.raises(DataError, match="takes a BlockMatrix of zeros and ones"):
        QIFSClassifier().fit(X, np.arange(30) % 2)


def test_other_committees_say_that_they_need_all_columns():
    with pytest.raises(DataError, match="RandomSubspaceClassifier looks at all columns together"):
        RandomSubspaceClassifier().fit(SPLITS["columns"], Y)
