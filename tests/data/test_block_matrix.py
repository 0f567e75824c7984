"""A table in blocks is the same table."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from consilience import BitMatrix, BlockMatrix
from consilience.data.blocks import ALIGNED, HeldBlock, below, beside
from consilience.exceptions import DataError, UsageError
from consilience.execution.fingerprint import RUN, fingerprint
from wide_tables import KINDS, in_blocks, wide_table


def dense(X):
    return X if isinstance(X, np.ndarray) else X.toarray()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", [{}, {"n_rows": 64}, {"n_columns": 5000}], ids=str)
def test_it_gives_back_what_it_was_made_of(kind, how):
    X, _ = wide_table(kind)
    blocks = in_blocks(X, **how)
    assert blocks.shape == X.shape
    np.testing.assert_array_equal(blocks.toarray(), dense(X))
    assert blocks.dtype == X.dtype


@given(st.data())
def test_rows_and_columns_by_position_in_any_order(data):
    X = np.arange(200 * 1100).reshape(200, 1100)
    blocks = BlockMatrix.split(X, n_columns=512)
    rows = data.draw(st.lists(st.integers(-200, 199), max_size=30))
    more = data.draw(st.lists(st.integers(0, max(0, len(rows) - 1)), max_size=9)) if rows else []
    columns = data.draw(st.lists(st.integers(-1100, 1099), max_size=12))
    rows, more, columns = (np.array(each, dtype=np.int64) for each in (rows, more, columns))
    np.testing.assert_array_equal(blocks.take(rows, columns), X[np.ix_(rows, columns)])
    np.testing.assert_array_equal(blocks[rows][more][:, columns], X[rows][more][:, columns])


@pytest.mark.parametrize("kind", ["dense", "sparse", "bits"])
@pytest.mark.parametrize("how", [{}, {"n_rows": 64}], ids=str)
def test_rows_of_all_storages(kind, how):
    X, _ = wide_table(kind)
    rows = np.random.default_rng(1).permutation(X.shape[0])[:70]
    taken = in_blocks(X, **how)[rows]
    assert isinstance(taken, BlockMatrix)
    assert taken.shape == (70, X.shape[1])
    np.testing.assert_array_equal(taken[:, 500:600].shape, (70, 100))
    np.testing.assert_array_equal(taken.toarray(), dense(X)[rows])


def test_columns_keep_their_storage():
    for kind, expected in (
        ("dense", np.ndarray),
        ("sparse", sparse.csc_array),
        ("bits", BitMatrix),
    ):
        X, _ = wide_table(kind)
        assert isinstance(in_blocks(X)[:, [1, 700]], expected)
        assert isinstance(in_blocks(X, n_rows=64)[:, [1, 700]], expected)


def test_nothing_is_copied():
    for kind in ("dense", "bits"):
        X, _ = wide_table(kind)
        memory = X if kind == "dense" else X.words
        for block in in_blocks(X).blocks:
            part = block.load()
            assert np.shares_memory(part if kind == "dense" else part.words, memory)
    X = sparse.csc_array(wide_table("sparse")[0])
    assert all(np.shares_memory(block.load().data, X.data) for block in in_blocks(X).blocks)


def test_blocks_begin_where_products_do():
    blocks = BlockMatrix.split(np.zeros((5, 3000)), n_columns=700)
    assert blocks.starts.tolist() == [0, 1024, 2048, 3000]
    with pytest.raises(UsageError, match="multiples of 512"):
        BlockMatrix([[HeldBlock(np.zeros((5, 100))), HeldBlock(np.zeros((5, 100)))]])


def test_how_many_blocks_where_nobody_says():
    assert len(BlockMatrix.split(np.zeros((2, 100))).blocks) == 1
    large = BlockMatrix.split(np.zeros((1000, 40_000)))  # 320 MB, of which nothing is touched
    assert len(large.blocks) == 8
    assert len({block.nbytes for block in large.blocks[:-1]}) == 1


def test_parts_that_do_not_fit_are_refused():
    blocks = [HeldBlock(np.zeros((5, 512))), HeldBlock(np.zeros((6, 9)))]
    with pytest.raises(UsageError, match="do not fit side by side"):
        BlockMatrix([blocks])
    with pytest.raises(UsageError, match="all bits, all sparse or all dense"):
        BlockMatrix([[blocks[0], HeldBlock(BitMatrix.from_array(np.zeros((5, 9))))]])


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (np.zeros(5), "rows and columns of numbers"),
        (np.array([["a"]]), "rows and columns of numbers"),
    ],
)
def test_what_is_no_table_is_refused(wrong, match):
    with pytest.raises(DataError, match=match):
        BlockMatrix.split(wrong)


@pytest.mark.parametrize("option", ["n_columns", "n_rows"])
@pytest.mark.parametrize("value", [0, -3, 1.5, True])
def test_sizes_are_whole_numbers(option, value):
    with pytest.raises(UsageError, match=f"{option} is {value}"):
        BlockMatrix.split(np.zeros((5, 5)), **{option: value})


def test_single_rows_and_cells_are_refused_with_a_way_out():
    blocks = BlockMatrix.split(np.zeros((5, 5)))
    for key in (3, (slice(None), 3), (2, 2)):
        with pytest.raises(UsageError, match="put the number into a list"):
            blocks[key]
    with pytest.raises(IndexError, match="There are 5 columns, and 9 is none"):
        blocks[:, [9]]


def test_a_tall_table_gives_each_row_once():
    blocks = BlockMatrix.split(BitMatrix.from_array(np.eye(200)), n_rows=64)
    with pytest.raises(DataError, match="gives each row once"):
        blocks[[1, 1]]
    assert blocks[[7, 1]].toarray()[:, [1, 7]].tolist() == [[0, 1], [1, 0]]


def test_masks_of_rows_become_masks_of_blocks():
    blocks = BlockMatrix.split(BitMatrix.from_array(np.eye(200)), n_rows=64)[[130, 3, 65]]
    masks = blocks.masks(np.array([[True, False, True], [False, True, False]]))
    found = np.concatenate(masks, axis=1)
    assert [np.flatnonzero(line).tolist() for line in found] == [[65, 130], [3]]
    assert [mask.shape[1] for mask in masks] == [64, 64, 64, 8]


def test_all_rows_in_order_are_no_copy():
    blocks = BlockMatrix.split(np.zeros((5, 5)))
    assert blocks[np.arange(5)].rows is None
    assert blocks[::-1].rows.tolist() == [4, 3, 2, 1, 0]


def test_it_survives_a_pickle():
    for kind in ("dense", "sparse", "bits"):
        X, _ = wide_table(kind)
        again = pickle.loads(pickle.dumps(in_blocks(X)[5:50]))
        np.testing.assert_array_equal(again.toarray(), dense(X)[5:50])


def test_bits_are_opened_from_their_file(tmp_path):
    X, _ = wide_table("bits")
    X.save(tmp_path / "x.bits")
    blocks = BlockMatrix.open(tmp_path / "x.bits", n_columns=512)
    assert all(block.load().source is not None for block in blocks.blocks)
    np.testing.assert_array_equal(blocks.toarray(), X.toarray())
    blocks.check_unchanged()
    X.take(rows=slice(10)).save(tmp_path / "x.bits")
    with pytest.raises(DataError, match=r"x\.bits' was changed"):
        blocks.check_unchanged()


def test_a_table_without_columns():
    blocks = BlockMatrix.split(np.zeros((4, 0)))
    assert blocks.shape == (4, 0)
    assert blocks.toarray().shape == (4, 0)


def test_parts_are_put_together():
    whole = np.arange(24).reshape(4, 6)
    for make in (np.asarray, sparse.csc_array, lambda X: BitMatrix.from_array(X % 2)):
        upper, lower = make(whole[:2]), make(whole[2:])
        left, right = make(whole[:, :2]), make(whole[:, 2:])
        np.testing.assert_array_equal(dense(below([upper, lower])), dense(make(whole)))
        np.testing.assert_array_equal(dense(beside([left, right])), dense(make(whole)))


def test_it_says_what_it_is():
    words = repr(BlockMatrix.split(np.zeros((3, 600)), n_columns=512))
    assert words == "BlockMatrix of 3 samples x 600 features in 2 blocks (dense, 14400 bytes)"


def test_runs_of_columns_with_a_name_of_their_own_fit_into_blocks():
    """A table has the same name in blocks and in one piece."""
    assert ALIGNED % RUN == 0


@pytest.mark.parametrize("table", [[[1, 2], [3]], np.zeros(3), sparse.coo_array(np.ones(3)), ["a"]])
def test_what_is_no_table_is_a_sentence(table):
    with pytest.raises(DataError, match="has rows and columns of numbers"):
        BlockMatrix.split(table)


def test_others_than_ours_are_told_that_it_is_no_array():
    with pytest.raises(DataError, match="is no array: few methods take it as it is; give others"):
        StandardScaler().fit(BlockMatrix.split(np.eye(4)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_has_the_same_name_however_it_is_split(kind):
    X, _ = wide_table(kind)
    splits = [{}, {"n_columns": 1024}, {"n_columns": 5000}, {"n_rows": 64}]
    assert len({fingerprint(in_blocks(X, **how)) for how in splits}) == 1
    other = X.tolil() if sparse.issparse(X) else np.array(dense(X))
    other[7, 1100] += 1
    other = type(X)(other) if sparse.issparse(X) else other
    if kind != "bits":
        assert fingerprint(in_blocks(other)) != fingerprint(in_blocks(X))
