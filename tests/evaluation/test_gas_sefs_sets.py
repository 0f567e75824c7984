"""The data sets of the GAS-SEFS paper, and how their rows are split."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.evaluation.reproduce.gas_sefs_sets import (
    FIT,
    SETS,
    SMALL_SOYBEAN,
    TEST,
    VALIDATION,
    Problem,
    deal_folds,
    describe,
    read_set,
    split_rows,
)
from consilience.exceptions import DataError, UsageError

class_sizes = st.lists(st.integers(1, 23), min_size=2, max_size=6)


@given(class_sizes.filter(lambda sizes: max(sizes) >= 5), st.integers(0, 99))
def test_every_class_is_split_in_three_and_can_be_learned(sizes, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    part = split_rows(y, np.random.default_rng(seed))
    for code, size in enumerate(sizes):
        counts = np.bincount(part[y == code], minlength=3)
        assert counts[FIT] >= 1
        whole = size // 5
        assert counts[FIT] >= 3 * whole
        assert all(whole <= counts[p] <= whole + 1 for p in (VALIDATION, TEST))


def test_rows_are_drawn_and_every_row_comes_to_every_part():
    y = np.repeat([0, 1, 2], [20, 7, 2])
    parts = np.array([split_rows(y, np.random.default_rng(seed)) for seed in range(60)])
    for which in (FIT, VALIDATION, TEST):
        assert (parts == which).any(axis=0).all()
    assert (parts[0] == split_rows(y, np.random.default_rng(0))).all()


def test_too_few_rows_are_refused():
    with pytest.raises(UsageError, match="4 rows cannot be split"):
        split_rows([0, 0, 1, 1], np.random.default_rng(0))


@given(class_sizes, st.integers(2, 5), st.integers(0, 9))
def test_folds_share_the_rows_of_every_class(sizes, n_folds, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    fold = deal_folds(y, n_folds, np.random.default_rng(seed))
    for rows in (np.ones(y.size, dtype=bool), *(y == code for code in range(len(sizes)))):
        counts = np.bincount(fold[rows], minlength=n_folds)
        assert counts.max() - counts.min() <= 1


def test_led_sets_are_made_and_stay_the_same(tmp_path):
    plain, wide = read_set(tmp_path, "led"), read_set(tmp_path, "led17")
    assert (plain.n_features, wide.n_features) == (7, 24)
    assert (plain.y == wide.y).all()
    assert plain.categorical_features.all()
    first, second = (describe(Problem.of(read_set(tmp_path, "led")))["content"] for _ in range(2))
    assert first == second


def test_of_a_monk_the_whole_space_is_taken(tmp_path):
    split = np.repeat(["train", "test"], [3, 5])
    X, y = np.arange(16).reshape(8, 2), np.arange(8) % 2
    types = np.array(["nominal", "nominal"])
    np.savez(tmp_path / "monk1.npz", X=X, y=y, split=split, feature_types=types)
    table = read_set(tmp_path, "monk-1")
    assert (table.X == X[3:]).all()
    assert (table.y == y[3:]).all()
    assert table.categorical_features.all()


def test_the_small_soybean_set_is_cut_out_of_the_large_one(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(683, 2)).astype(float), np.full(683, "phytophthora-rot")
    y[:30] = "charcoal-rot"
    X[5] = np.nan  # a gap outside of the small set
    np.savez(
        tmp_path / "soybean.npz", X=X, y=y, feature_names=["stem", "roots"],
        feature_types=["nominal", "nominal"],
        categories=[json.dumps(["a", "b"]), json.dumps(["norm", "rotted"])],
    )  # fmt: skip
    table = read_set(tmp_path, "soybean")
    rows = list(SMALL_SOYBEAN)
    assert table.n_samples == 47
    assert (table.X[:, 0] == X[rows, 0]).all()
    roots = np.where(y[rows] == "charcoal-rot", X[rows, 1], 1)
    assert (table.X[:, 1] == roots).all()
    assert not Problem.of(table).nominal.any()  # numbers, as in the paper's table


def test_another_file_is_taken_as_it_is_and_a_missing_one_refused(tmp_path):
    np.savez(tmp_path / "mine.npz", X=[[1.0, np.nan], [2.0, 3.0]], y=["b", "a"])
    problem = Problem.of(read_set(tmp_path, "mine"))
    assert problem.y.tolist() == [1, 0]
    assert (problem.n_classes, describe(problem)["missing"]) == (2, 1)
    with pytest.raises(DataError, match=r"no data set 'diabetes_pima.npz'"):
        read_set(tmp_path, "diabetes")


def test_the_sets_are_those_of_the_command():
    from consilience.cli.reproduce_gas_sefs import GASSEFSAgain

    assert GASSEFSAgain.sets == tuple(SETS)
    assert len(SETS) == 21
