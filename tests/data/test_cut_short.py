"""Sparse files that end too early, or hold a wrong line: both readers say so, and where."""

import gzip

import pytest

from consilience import read_table
from consilience.data.pack import plan_packing
from consilience.exceptions import DataError
from data.packing import write_labels

REAL, PATTERN = ("%%MatrixMarket matrix coordinate " + kind for kind in ("real", "pattern"))
ARRAY = "%%MatrixMarket matrix array real"


@pytest.mark.parametrize("name", ["x.mtx", "x.mtx.gz"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{REAL} general\n2 9 3\n1 1 1\n2 2", "with 2 entries where 3"),
        (f"{REAL} general\n2 9 3\n1 1 1\n2", "with 2 entries where 3"),
        (f"{REAL} general\n2 9 3\n1 1 1\n2 2 -", "with 2 entries where 3"),
        (f"{REAL} general\n2 9 2\n1 1 1\n% so\n2 2", "in its last line, '2 2'"),
        (f"{PATTERN} general\n2 9 2\n1 1\n2", "in its last line, '2'"),
        (f"{ARRAY} general\n2 2\n1\n0\n", "with 2 entries where 4"),
        (f"{REAL} general\n2 9\n", "in the line of its size, '2 9'"),
    ],
)
def test_a_matrix_that_is_cut_is_told_to_be(tmp_path, name, text, sentence):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    labels = write_labels(path, 2)
    sentence = f"is not a whole Matrix Market file: it is cut short,? {sentence}[^.]*[.]$"
    with pytest.raises(DataError, match=sentence):
        read_table(path, labels=labels)
    with pytest.raises(DataError, match=sentence):
        plan_packing(path, tmp_path / "out.bits", labels=labels).run()


def test_a_value_that_is_none_is_no_cut(tmp_path):
    path = tmp_path / "x.mtx"
    path.write_text(f"{REAL} general\n2 2 2\n1 1 nan\n2 2 1\n")
    with pytest.raises(DataError, match="column 'x1' has no value in row 1"):
        plan_packing(path, tmp_path / "out.bits", labels=write_labels(path, 2)).run()
    path.write_text(f"{REAL} general\n2 2 1\n1 1 1\n2 2 1\n")
    with pytest.raises(DataError, match="has 2 entries and promises 1"):
        plan_packing(path, tmp_path / "out.bits", labels=write_labels(path, 2)).run()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("1 1:1\n# none\n0 1:1 3:1 2:1\n", "line 3 holds the index 2 after 3"),
        ("1 1:1\n0 3:1 3:1\n", "line 2 holds the index 3 twice"),
        ("1 1:1\nill 1:1\n", "line 2 begins with 'ill'"),
        ("1 1:1\n0 1\n", "line 2 holds '1'"),
        ("1 99999999999:1\n", "line 1 holds the index 99999999999, which is too large"),
    ],
)
def test_the_wrong_line_of_svmlight_is_named(tmp_path, lines, sentence):
    path = tmp_path / "x.svmlight"
    path.write_text(lines)
    with pytest.raises(DataError, match=rf"svmlight file: {sentence}; a line is .*order[.]$"):
        read_table(path)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", ["x.svmlight", "x.libsvm.gz"])
def test_features_of_svmlight_have_the_index_of_the_file(tmp_path, first, name):
    path, out = tmp_path / name, tmp_path / "out.bits"
    text = f"1 {first}:1 5:1 # a\n0 qid:3 2:1\n".encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    plan_packing(path, out).run()
    for table in (read_table(path), read_table(out)):
        assert table.feature_names.tolist() == [f"x{i}" for i in range(first, 6)]
        found = {name: column.tolist() for name, column in zip(
            table.feature_names, table.X.toarray().T, strict=True)}  # fmt: skip
        assert found == {f"x{i}": [0, 0] for i in range(first, 6)} | {
            f"x{first}": [1, 0], "x2": [0, 1], "x5": [1, 0]}  # fmt: skip


def test_a_cell_that_is_no_bit_keeps_its_own_sentence(tmp_path):
    path = tmp_path / "x.svmlight"
    path.write_text("1 0:1 5:1\n0 4:2\n")
    with pytest.raises(DataError, match=r"svmlight': column 'x4' holds 2 in row 2, and packed"):
        plan_packing(path, tmp_path / "out.bits").run()


def test_a_compressed_svmlight_that_is_cut(tmp_path):
    path = tmp_path / "x.svmlight.gz"
    path.write_bytes(gzip.compress(b"1 1:1 2:1\n0 2:1\n" * 99)[:-9])
    with pytest.raises(DataError, match="not a whole gzip file"):
        read_table(path)
    with pytest.raises(DataError, match="not a whole gzip file"):
        plan_packing(path, tmp_path / "out.bits")
