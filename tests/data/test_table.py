import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix, Table
from consilience.exceptions import ConsilienceWarning, DataError


def test_a_table_knows_its_size_and_classes():
    table = Table(np.zeros((3, 2)), ["b", "a", "b"], sample_names=["s", "t", "u"])
    assert (table.n_samples, table.n_features) == (3, 2)
    assert_array_equal(table.classes, ["a", "b"])
    assert_array_equal(table.feature_names, ["x1", "x2"])
    assert table.validate() is table
    with pytest.raises(AttributeError):
        table.y = None


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"y": [0, 1, 0]}, "there are 3 classes for 2 rows"),
        ({"feature_names": ["a"]}, "there are 1 feature names for 2 columns"),
        ({"sample_names": ["a"]}, "there are 1 sample names for 2 rows"),
        ({"categorical_features": [True]}, "there are 1 marks of nominal for 2 columns"),
        ({"X": np.zeros(2)}, "this one is 1-D"),
    ],
)
def test_parts_must_fit_each_other(parts, sentence):
    with pytest.raises(DataError, match=sentence):
        Table(**{"X": np.zeros((2, 2)), "y": [0, 1], **parts})


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"X": np.zeros((0, 2)), "y": []}, "no rows"),
        ({"X": np.zeros((3, 0))}, "'d.csv': no features are left beside the target 'kind'"),
        ({"y": [1, 1, 1]}, r"target 'kind' has one class only \('1' in all 3 rows\)"),
        ({"y": [0, np.nan, 1]}, r"target 'kind' has no value in row 2 \(1 such rows"),
        ({"y": ["a", "b", ""]}, "no value in row 3"),
        ({"y": np.array(["a", None, "b"], dtype=object)}, "no value in row 2"),
        ({"feature_names": ["g", "g"]}, r"two features are named 'g' \(features 1 and 2\)"),
    ],
)
def test_what_no_method_can_use_is_refused(parts, sentence):
    table = Table(**{"X": np.zeros((3, 2)), "y": [0, 1, 0], "target": "kind", **parts,
                     "source": "d.csv"})  # fmt: skip
    with pytest.raises(DataError, match=sentence):
        table.validate()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize(("value", "word"), [(np.nan, "missing"), (-np.inf, "infinite value -inf")])
def test_the_first_bad_cell_is_named(form, value, word):
    X = np.ones((4, 3))
    X[3, 1] = X[1, 2] = value
    table = Table(form(X), [0, 1, 0, 1], ["a", "b", "c"], ["s1", "s2", "s3", "s4"])
    row, name, found = table.first_bad()
    assert (row, name) == (3, "b")
    assert_array_equal(found, value)
    sentence = table.describe_missing()
    assert word in sentence
    assert sentence.startswith("Column 'b' has ")
    assert sentence.endswith("in row 4 ('s4') (2 such values in all).")


@pytest.mark.parametrize(
    "X", [np.ones((2, 2)), np.ones((2, 2), int), BitMatrix.from_array(np.eye(2))]
)
def test_finite_data_have_no_bad_cell(X):
    table = Table(X, [0, 1])
    assert table.first_bad() is None
    assert table.describe_missing() == ""


@pytest.mark.parametrize(
    ("names", "groups", "sentence"),
    [
        ("abcd", None, None),
        ("abca", None, "1 sample name occurs more than once .such as 'a'"),
        ("abba", None, "2 sample names occur more than once .such as 'b'"),
        ("aaab", None, "1 sample name occurs"),
        ("abca", "1231", None),
        ("abca", "1111", None),
        ("abca", "1232", "1 sample name occurs"),
    ],
)
def test_samples_of_one_name_are_told_unless_groups_keep_them_together(names, groups, sentence):
    table = Table(
        np.eye(4), [0, 1, 0, 1], sample_names=list(names), groups=groups and np.array(list(groups))
    )
    if sentence is None:
        assert table.validate() is table  # warnings are errors
        return
    with pytest.warns(ConsilienceWarning, match=sentence):
        assert table.validate() is table
