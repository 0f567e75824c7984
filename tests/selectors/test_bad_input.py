"""What cannot be used is refused in one sentence that names what and where."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.utils import get_tags

from consilience import CFS, BitMatrix, EnsembleSelector, InformationGain, ReliefF
from consilience.exceptions import ConsilienceWarning, DataError, UsageError
from consilience.selectors import SELECTORS

METHODS = [entry.cls for entry in SELECTORS]
ALL = [pytest.param(cls, id=cls.__name__) for cls in [*METHODS, EnsembleSelector]]

X = np.array([[0.0, 5, 1], [1, 3, 1], [2, 5, 1], [7, 3, 1], [8, 5, 1], [9, 3, 1]])
y = np.array(["a", "a", "a", "b", "b", "b"])


def make(cls, **options):
    if cls is EnsembleSelector:
        options = {"n_models": 4, **options}
    return cls(**{"n_features_to_select": 1, "random_state": 0} | options)


def one_sentence(error):
    """The message, after a check of its form."""
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith("."), text
    return text


@pytest.fixture(params=ALL)
def method(request):
    return request.param


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_an_infinite_value_is_named_by_row_and_column(method, kind):
    bad = X.copy()
    bad[4, 1] = np.inf
    with pytest.raises(DataError, match="Column 'x1' holds infinity in row 4") as error:
        make(method).fit(kind(bad), y)
    one_sentence(error)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_name_of_the_column_comes_from_the_frame(method, frame):
    bad = frame({"TP53": [1.0, 2, 3, 4, 5, 6], "KRAS": [1.0, 2, -np.inf, 4, 5, 6]})
    with pytest.raises(DataError, match="Column 'KRAS' holds infinity in row 2"):
        make(method).fit(bad, y)


def test_missing_values_are_fine_where_the_method_handles_them(method):
    holes = X.copy()
    holes[0, 0] = np.nan
    if not get_tags(method()).input_tags.allow_nan:
        message = f"Column 'x0' holds NaN in row 0, which {method.__name__} cannot use; impute"
        with pytest.raises(DataError, match=message) as error:
            make(method).fit(holes, y)
        one_sentence(error)
        return
    assert make(method).fit(holes, y).support_.tolist() == [True, False, False]


def test_missing_values_are_refused_where_it_does_not():
    from sklearn.feature_selection import SelectKBest

    holes = X[:, :2].copy()
    holes[2, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        make(EnsembleSelector, selector=SelectKBest()).fit(holes, y)


def test_one_class(method):
    with pytest.raises(DataError, match="All 6 rows have the class 'a'") as error:
        make(method).fit(X, ["a"] * 6)
    one_sentence(error)


def test_no_target(method):
    with pytest.raises(UsageError, match="requires y to be passed") as error:
        make(method).fit(X, None)
    one_sentence(error)


@pytest.mark.parametrize("labels", [
    [0, 0, 0, 1, np.nan, 1],
    ["a", "a", "a", "b", None, "b"],
    ["a", "a", "a", "b", np.nan, "b"],
    pd.Series(["a", "a", "a", "b", None, "b"]),
    pd.Series(["a", "a", "a", "b", None, "b"], dtype="string"),
    pd.Series(["a", "a", "a", "b", None, "b"], dtype="category"),
    pd.Series([0, 0, 0, 1, None, 1], dtype="Int64"),
])  # fmt: skip
def test_a_row_without_a_class_is_named(method, labels):
    with pytest.raises(DataError, match="class of row 4 is") as error:
        make(method).fit(X, labels)
    one_sentence(error)


def test_rows_and_labels_of_different_number(method):
    with pytest.raises(DataError, match="X has 6 rows and y has 5") as error:
        make(method).fit(X, y[:5])
    one_sentence(error)


@pytest.mark.parametrize(("weights", "message"), [
    ([1, 1, -1, 1, 1, 1], "weight of row 2 is -1"),
    ([0, 0, 0, 0, 0, 0], "All sample weights are zero"),
    ([1, 1, 1, 0, 0, 0], "Only rows of the class 'a' have a positive weight"),
    (np.ones((6, 1)), "must be 1D"),
    ([1, 1, 1], "There are 3 sample weights for 6 rows"),
])  # fmt: skip
def test_weights_that_make_no_sense(method, weights, message):
    with pytest.raises(DataError, match=message) as error:
        make(method).fit(X, y, sample_weight=weights)
    one_sentence(error)


@pytest.mark.parametrize("weights", [[1, 1, np.nan, 1, 1, 1], [1, 1, np.inf, 1, 1, 1]])
def test_weights_that_are_no_numbers(method, weights):
    with pytest.raises(ValueError, match="sample_weight"):
        make(method).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("size", [0, -1, 2.5, "3", None, True])
def test_sizes_that_make_no_sense(method, size):
    with pytest.raises(UsageError, match=r"n_features_to_select is .*; give a whole number") as e:
        make(method, n_features_to_select=size).fit(X, y)
    one_sentence(e)


def test_more_features_than_there_are_gives_all_with_a_warning(method):
    if method is CFS:
        pytest.skip("CFS fixes the size of its subset itself")
    with pytest.warns(ConsilienceWarning, match="99 features were asked for and the data have 3"):
        selector = make(method, n_features_to_select=99).fit(X, y)
    assert selector.support_.all()


def test_the_warning_comes_once(method):
    if method is CFS:
        pytest.skip("CFS fixes the size of its subset itself")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make(method, n_features_to_select=99).fit(X, y)
    assert len(caught) == 1


@pytest.mark.parametrize("cls", METHODS)
@pytest.mark.parametrize(("options", "message"), [
    ({"discretize": "mld"}, "discretize is 'mld'; choose one of '"),
    ({"discretize": ["mdl"]}, r"discretize is \['mdl'\]; choose one of"),
    ({"missing": "drop"}, "missing is 'drop'; choose one of 'spread'"),
    ({"missing": None}, "missing is None; choose one of 'spread'"),
    ({"n_bins": 1}, "n_bins is 1; give a whole number, 2 or more"),
    ({"n_bins": 2.5}, "n_bins is 2.5; give a whole number, 2 or more"),
    ({"n_bins": "10"}, "n_bins is '10'; give a whole number, 2 or more"),
    ({"categorical_features": [3]}, "column indices from 0 to 2"),
    ({"categorical_features": [-1]}, "column indices from 0 to 2"),
    ({"categorical_features": [True, False]}, "a mask of 3 booleans"),
    ({"categorical_features": "all"}, "categorical_features must be None"),
])  # fmt: skip
def test_options_that_do_not_exist(cls, options, message):
    if not options.keys() <= cls().get_params().keys():
        pytest.skip(f"{cls.__name__} has no such option")
    for selector in (make(cls, **options), make(EnsembleSelector, selector=cls(**options))):
        with pytest.raises(UsageError, match=message) as error:
            selector.fit(X, y)
        one_sentence(error)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_models": 0}, "n_models is 0; give a whole number, 1 or more"),
    ({"n_models": 2.5}, "n_models is 2.5; give a whole number, 1 or more"),
    ({"n_models": True}, "n_models is True; give a whole number, 1 or more"),
    ({"aggregator": "most-frequent"}, "aggregator is 'most-frequent'; give an aggregator"),
    ({"selector": "svm-rfe"}, "selector is 'svm-rfe'; give a selector"),
    ({"selector": 3}, "selector is 3; give a selector"),
    ({"selector": InformationGain}, "selector is .*InformationGain'>; give a selector"),
    ({"backend": "cluster"}, "Unknown backend 'cluster'"),
    ({"n_jobs": 0}, "0 jobs do nothing"),
])  # fmt: skip
def test_ensembles_that_make_no_sense(options, message):
    with pytest.raises(UsageError, match=message) as error:
        make(EnsembleSelector, **options).fit(X, y)
    one_sentence(error)


def test_groups_of_another_length():
    with pytest.raises(DataError, match="5 group labels for 6 rows") as error:
        make(EnsembleSelector).fit(X, y, groups=[1, 1, 2, 2, 3])
    one_sentence(error)


def test_text_in_a_column_names_the_column(method):
    frame = pd.DataFrame({"a": X[:, 0], "name": list("uvwxyz")})
    with_kinds = frame.assign(kind=pd.Categorical(list("ppqqrr")))
    for held in (frame, with_kinds, frame.astype({"name": "string"}), pl.from_pandas(frame)):
        with pytest.raises(DataError, match="Column 'name' holds 'u' in row 0") as error:
            make(method).fit(held, y)
        one_sentence(error)


def test_numbers_held_as_objects_are_numbers(method):
    frame = pd.DataFrame({"a": X[:, 0].astype(int), "b": X[:, 1]}, dtype=object)
    assert make(method).fit(frame, y).support_.tolist() == [True, False]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_constant_columns_are_never_selected_while_others_are_left(method, size, kind):
    if method is CFS:
        pytest.skip("CFS may well select nothing")
    # Noise that no MDL cut accepts scores 0 as constant columns do.
    n = 40
    table = np.zeros((n, 30))
    table[:, :10] = 1
    table[::2, 10] = 1
    table[::3, 11] = 1
    labels = np.arange(n) // 20
    for seed in range(5):
        made = make(method, n_features_to_select=size, random_state=seed)
        chosen = np.flatnonzero(made.fit(kind(table), labels).support_)
        assert set(chosen) <= {10, 11}
        assert chosen.size == size


def test_all_columns_constant_selects_some_all_the_same(method):
    if method is CFS:
        pytest.skip("CFS may well select nothing")
    # There is nothing to prefer, and a pipeline must go on: scikit-learn's selectors do so too.
    selector = make(method, n_features_to_select=2).fit(np.ones((6, 4)), y)
    assert selector.support_.sum() == 2


def test_transform_refuses_other_features(method):
    selector = make(method).fit(X, y)
    with pytest.raises(ValueError, match="4 features"):
        selector.transform(np.ones((2, 4)))
    packed = make(method).fit(BitMatrix.from_array(X > 4), y)
    with pytest.raises(DataError, match=r"X has 2 features, but .* was fitted with 3"):
        packed.transform(BitMatrix.from_array(X[:, :2] > 4))


@pytest.mark.filterwarnings("ignore:CFS selected no feature")
def test_weights_that_are_shares_get_a_warning(method):
    with pytest.warns(ConsilienceWarning, match="The weights of 6 rows add up to 1"):
        make(method).fit(X[:, :2], y, sample_weight=np.full(6, 1 / 6))


def test_columns_too_narrow_for_relieff_are_named():
    with pytest.warns(
        ConsilienceWarning, match="1 columns with a range below 1e-6, 'x1' the first"
    ):
        ReliefF(1).fit(X * [1, 1e-8, 1], y)
