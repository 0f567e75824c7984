"""The alternating tree is WEKA's; where WEKA takes another test, the two tie."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

import naive_adtree
from consilience import ADTree
from naive_adtree import assert_same_tree, known, nested

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "adtree.json").read_text(encoding="utf-8")
)
MADE = {case["name"]: case for case in GOLDEN["made"]}
REAL = {case["name"]: case for case in GOLDEN["real"]}
APART = ("symmetric", "constant")  # where WEKA differs; each has a test of its own


def fitted(case, **options):
    X = np.array(case["X"], dtype=float)  # null becomes NaN
    model = ADTree(case["rounds"], categorical_features=case["nominal"], **options)
    return X, model.fit(X, case["y"], case.get("weights"))


@pytest.mark.parametrize("name", [name for name in MADE if name not in APART])
def test_it_is_the_tree_of_weka(name):
    case = MADE[name]
    X, model = fitted(case)
    assert_same_tree(nested(model.rules_), case["tree"])
    for rows, theirs in ((X, case["probabilities"]), (case["new"], case["new_probabilities"])):
        ours = model.predict_proba(np.array(rows, dtype=float))
        assert_allclose(ours[:, 1], theirs, rtol=1e-10)
        assert_allclose(ours.sum(axis=1), 1)


def test_the_made_sets_have_what_can_differ():
    assert set(MADE) >= {
        "continuous", "ties", "nominal", "missing", "imbalanced", "weights", "rounds", "close",
        "useless", "symmetric", "symmetric nominal", "twins", "constant",
    }  # fmt: skip
    for name in MADE:
        assert len(fitted(MADE[name])[1].rules_.parent) > 1 or name == "constant"
    # Later rounds come back to tests of earlier ones.
    assert len(fitted(MADE["rounds"])[1].rules_.parent) <= MADE["rounds"]["rounds"]
    # WEKA's tolerance decides: without it there are thresholds between close values.
    with pytest.raises(AssertionError):
        assert_same_tree(
            nested(fitted(MADE["close"], tolerance=0.0)[1].rules_), MADE["close"]["tree"]
        )


def test_where_weka_takes_another_test_it_ties():
    """The twin is told which of the tests that tie WEKA took, and then votes as WEKA does."""
    case = MADE["symmetric"]
    X, model = fitted(case)
    with pytest.raises(AssertionError):
        assert_same_tree(nested(model.rules_), case["tree"])

    def same_place(ours, theirs, wanted):
        """WEKA's node where the twin has the wanted one."""
        if ours is wanted:
            return theirs
        for test in ours["tests"]:
            other = known(theirs, test["feature"], "below", test["below"])
            for answer in ("yes", "no"):
                found = same_place(test[answer], other[answer], wanted)
                if found is not None:
                    return found
        return None

    def as_weka(tied, root):
        for choice in tied:
            node, _, *question = choice
            if known(same_place(root, case["tree"], node), *question) is not None:
                return choice
        raise AssertionError("WEKA has none of the tests that tie for the least Z")

    guided = naive_adtree.grow(X.tolist(), case["y"], case["rounds"], choose=as_weka)
    assert_same_tree(guided, case["tree"])


def test_without_two_values_the_tree_ends_where_weka_adds_a_test_at_0():
    case = MADE["constant"]
    _, model = fitted(case)
    ours, theirs = nested(model.rules_), case["tree"]
    assert_allclose(ours["value"], theirs["value"])
    assert ours["tests"] == []
    assert [(test["feature"], test["below"]) for test in theirs["tests"]] == [(0, 0.0)]


@pytest.mark.parametrize("name", REAL)
def test_it_is_the_tree_of_weka_on_real_data(name, shared_data):
    """Learned from every other row, asked for some of the rest."""
    case = REAL[name]
    path = shared_data / f"{name}.npz"
    if not path.is_file():
        pytest.skip(f"{name}.npz is not in the folder of real data sets")
    with np.load(path, allow_pickle=False) as data:
        y, nominal = data["y"] == case["positive"], None
        if "X" in data:
            X = data["X"].astype(float)
            if "feature_types" in data:
                nominal = np.broadcast_to(data["feature_types"] == "nominal", X.shape[1])
        else:
            parts = (data["data"], data["indices"], data["indptr"])
            X = sparse.csr_array(parts, shape=tuple(data["shape"]))[:, case["columns"]]
    model = ADTree(categorical_features=nominal).fit(X[::2], y[::2])
    assert_same_tree(nested(model.rules_), case["tree"])
    ours = model.predict_proba(X[case["rows"]])[:, 1]
    assert_allclose(ours, case["probabilities"], rtol=1e-10)
