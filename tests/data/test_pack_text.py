"""Packing text: its cells are those that `read_table` finds."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience import read_table
from consilience.data.pack import plan_packing
from consilience.data.pack_lines import CellReader, Lines
from consilience.exceptions import DataError
from data.packing import X, check, csv, write_labels


@pytest.mark.parametrize(
    ("zero", "one"), [("0.0", "1.0"), ("false", "TRUE"), (" 0", "1 "), ('"0"', '"1"'), ("0", "1e0")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_zeros_and_ones_may_be_written_in_many_ways(tmp_path, zero, one, end):
    path = tmp_path / "x.csv"
    path.write_bytes(csv(X, ";", zero, one, end).encode())
    check(path, {"target": "state"}, X)


def test_text_without_header_with_blanks_and_byte_order_mark(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("\ufeff1  0 1 a\n0 0   1 b\n1 1 0 a\n", encoding="utf-8")
    check(path, {"target": 3}, np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0]]))
    path.write_text("f g class\nr1 1 0 a\nr2 0 1 b\n", encoding="utf-8")  # as R writes it
    check(path, {"target": "class"}, np.eye(2))
    path.write_text("f;g;h;\n1;0;1;\n0;1;0;\n", encoding="utf-8")
    out = tmp_path / "out.bits"
    plan_packing(path, out, labels=write_labels(path, 2)).run()
    assert_array_equal(read_table(out).X.toarray(), [[1, 0, 1], [0, 1, 0]])


cells = st.sampled_from(["0", "1", "7", "1.0", "", "NA", "high", " 1", "-2", "1,5", "true", "é"])


@given(row=st.lists(cells, min_size=1, max_size=40), data=st.data())
def test_cells_are_read_as_they_are_written(tmp_path_factory, row, data):
    path = tmp_path_factory.mktemp("lines") / "x.csv"
    path.write_text(";".join(["name", *row]) + "\n", encoding="utf-8")
    line = next(iter(Lines(path, ";")))
    assert line.n_cells == len(row) + 1
    places = st.lists(st.integers(0, len(row) - 1), min_size=1, unique=True).map(sorted)
    start = data.draw(st.integers(0, len(row) - 1))
    for columns in (data.draw(places), list(range(start, len(row)))):
        values, texts = CellReader(",", 1).values(line, np.array(columns) + 1)
        expected = [row[i].strip() for i in columns]
        assert texts == {k: cell for k, cell in enumerate(expected) if cell in ("high", "é")}
        numbers = [cell.replace(",", ".").replace("true", "1") for cell in expected]
        naive = [np.nan if cell in ("", "NA", "high", "é") else float(cell) for cell in numbers]
        assert_array_equal(values, naive)
        assert line.some(np.array(columns) + 1) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quoted_cell_may_have_several_lines(tmp_path, end):
    rows = [
        ["id", "f", '"gene\ng"', "state"],
        ['"first\n\nsample"', "1", '"0"', '"not ""well""\nat all"'],
        ["s2", "0", "1", "well"],
        ['"s\n3"', "1", "1", "well"],
        ["s4", "0", "0", '"not ""well""\nat all"'],
    ]
    path, out = tmp_path / "x.csv", tmp_path / "out.bits"
    path.write_bytes((end.join(map(",".join, rows)) + end).encode())
    check(path, {"target": "state"}, np.array([[1, 0], [0, 1], [1, 1], [0, 0]]))
    path.write_bytes((end.join([*map(",".join, rows), "s5,2,0,well"]) + end).encode())
    with pytest.raises(DataError, match=r"column 'f' holds 2 in row 5 \('s5'\)"):
        plan_packing(path, out, "state").run()
    path.write_bytes((end.join([*map(",".join, rows), "s5,0,well"]) + end).encode())
    with pytest.raises(DataError, match="line 12 has 3 cells where 4"):
        plan_packing(path, out, "state").run()


def test_a_quoted_name_may_have_several_lines_where_samples_are_columns(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text(
        '\ts1\t"s\n2"\ts3\nstate\tu\tv\tu\n"gene\n1"\t1\t0\t1\ng2\t0\t"1"\t1\n', encoding="utf-8"
    )
    turned = {"target": "state", "transpose": True}
    check(path, turned, np.array([[1, 0], [0, 1], [1, 1]]))


def test_a_quote_left_open_does_not_take_the_rest_of_the_file(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('a,b,y\n1,0,u\n1,"0,u\n' + "0,1,v\n" * 50_000, encoding="utf-8")
    tracemalloc.start()
    with pytest.raises(DataError, match=r"line 3: .*; is a quote left open there\?"):
        plan_packing(path, tmp_path / "out.bits", "y")
    assert tracemalloc.get_traced_memory()[1] < 10**7
    tracemalloc.stop()
