import gzip
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience import read_table
from consilience.data.cells import NUMBER
from consilience.exceptions import DataError, UsageError


@pytest.fixture
def write(tmp_path):
    """Write a small file and give its path."""

    def put(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


FRAME = pd.DataFrame(
    {
        "sample": ["s1", "s2", "s3", "s4"],
        "TP53": [0.1, -2.5e-7, np.nan, 12.0],
        "BRCA1": [1, 2, 3, 4],
        "diagnosis": ["ill", "well", "ill", "well"],
    }
)


def check_frame(table):
    assert_array_equal(table.X, FRAME[["TP53", "BRCA1"]].to_numpy())
    assert table.X.dtype == np.float64
    assert_array_equal(table.y, FRAME["diagnosis"])
    assert_array_equal(table.feature_names, ["TP53", "BRCA1"])
    assert_array_equal(table.sample_names, FRAME["sample"])
    assert table.target == "diagnosis"
    assert table.categorical_features is None


@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt", "tab", "csv.gz", "tsv.gz", "CSV"])
@pytest.mark.parametrize("separator", [",", "\t", ";", "|", " "])
@pytest.mark.parametrize("quoting", [0, 2])  # where needed, all text
def test_separators_quotes_and_compression_are_found_out(tmp_path, suffix, separator, quoting):
    path = tmp_path / f"genes.{suffix}"
    FRAME.to_csv(path, sep=separator, index=False, quoting=quoting, na_rep="NA")
    check_frame(read_table(path, "diagnosis"))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_line_ends_and_encodings(write, ending, encoding):
    text = ending.join(["Gén,klass", "1.5,größer", "2.5,kleiner", ""])
    table = read_table(write("x.csv", text.encode(encoding)), "klass")
    assert_array_equal(table.feature_names, ["Gén"])
    assert_array_equal(table.y, ["größer", "kleiner"])


def test_decimal_commas(write):
    table = read_table(write("x.csv", "a;b;c\n1,5;2;x\n-2,25;3,0e2;y\n"), "c")
    assert_array_equal(table.X, [[1.5, 2], [-2.25, 300]])


def test_row_names_as_r_writes_them(write):
    table = read_table(write("x.txt", '"g1" "g2" "class"\n"a b" 1 2 "x"\n"c" 3 4 "y"\n'), "class")
    assert_array_equal(table.sample_names, ["a b", "c"])
    assert_array_equal(table.X, [[1, 2], [3, 4]])
    table = read_table(write("x.csv", "g1,class\na,1,x\nb,2,y\n"), "class")
    assert_array_equal(table.sample_names, ["a", "b"])
    assert_array_equal(table.feature_names, ["g1"])


def test_row_names_as_pandas_writes_them(tmp_path):
    FRAME.drop(columns="sample").to_csv(tmp_path / "x.csv")
    table = read_table(tmp_path / "x.csv", "diagnosis")
    assert_array_equal(table.sample_names, ["0", "1", "2", "3"])
    assert table.n_features == 2


@pytest.mark.parametrize("target", ["kind", 2, -1, "2", "-1"])
def test_the_target_is_named_or_counted(write, target):
    table = read_table(write("x.csv", "a,b,kind\n1,2,x\n3,4,y\n"), target)
    assert table.target == "kind"
    assert_array_equal(table.y, ["x", "y"])


def test_a_name_that_is_a_number_goes_before_a_position(write):
    table = read_table(write("x.csv", "a,1,0\n5,6,x\n7,8,y\n"), "0")
    assert table.target == "0"
    assert_array_equal(table.y, ["x", "y"])


@pytest.mark.parametrize(
    ("cells", "y"),
    [
        (["1", "2"], [1, 2]),
        (["1.0", "-2.0"], [1, -2]),
        (["01", "02"], [1, 2]),
        (["x", "1"], ["x", "1"]),
        (["True", "False"], ["True", "False"]),
        (["2020-01-01", "2021-01-01"], ["2020-01-01", "2021-01-01"]),
    ],
)
def test_classes_are_whole_numbers_or_text(write, cells, y):
    table = read_table(write("x.csv", "a,c\n5.5," + cells[0] + "\n6," + cells[1] + "\n"), "c")
    assert_array_equal(table.y, y)
    assert table.y.dtype.kind == ("i" if isinstance(y[0], int) else "U")


def test_names_of_samples_stay_as_written(write):
    path = write("x.csv", "a,nr,c\n1,007,x\n2,008,y\n")
    assert_array_equal(read_table(path, "c", sample_names="nr").sample_names, ["007", "008"])
    assert_array_equal(read_table(path, "c", sample_names=1).feature_names, ["a"])
    assert_array_equal(read_table(path, "c").feature_names, ["a", "nr"])
    path = write("y.csv", "Sample_ID,a,c\n007,1,x\n008,2,y\n")
    assert_array_equal(read_table(path, "c").sample_names, ["007", "008"])
    path = write("z.csv", "id,a,c\n1,1,x\n1,2,y\n")  # not all different: no names
    assert_array_equal(read_table(path, "c").feature_names, ["id", "a"])


def test_columns_are_dropped(write):
    path = write("x.csv", "a,note,b,c\n1,blah,2,x\n2,bleh,3,y\n")
    table = read_table(path, "c", drop=["note", "a"])
    assert_array_equal(table.feature_names, ["b"])
    assert table.sample_names is None
    assert_array_equal(read_table(path, "c", drop="note").feature_names, ["a", "b"])


def test_text_columns_become_codes_with_their_categories(write):
    text = "g,colour,flag,c\n1,red,true,x\n2,blue,False,y\n3,NA,TRUE,x\n4,red,,y\n"
    table = read_table(write("x.csv", text), "c")
    assert_array_equal(table.X[:, 1], [1, 0, np.nan, 1])
    assert_array_equal(table.X[:, 2], [1, 0, 1, np.nan])
    assert_array_equal(table.categorical_features, [False, True, False])
    assert table.categories == {"colour": ["blue", "red"]}


@pytest.mark.parametrize("word", ["", "NA", "N/A", "NaN", "nan", "?", "null", " ", " NA "])
def test_missing_cells(write, word):
    table = read_table(write("x.csv", f"a,b,c\n1,{word},x\n2,5,y\n"), "c")
    assert_array_equal(table.X, [[1, np.nan], [2, 5]])


def test_numbers_in_all_spellings(write):
    cells = ["1", "+1.5", " 2 ", "1e5", "-1E-3", ".5", "5.", "inf", "-Infinity", '"7"']
    rows = "\n".join(f"{cell},{i % 2}" for i, cell in enumerate(cells))
    table = read_table(write("x.csv", "a,c\n" + rows + "\n"), "c")
    expected = [1, 1.5, 2, 1e5, -1e-3, 0.5, 5, np.inf, -np.inf, 7]
    assert_array_equal(table.X[:, 0], expected)
    assert "infinite value inf in row 8" in table.describe_missing()


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=20))
def test_numbers_come_back_to_the_last_bit(tmp_path_factory, numbers):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    rows = "\n".join(f"{number!r},{i % 2}" for i, number in enumerate(numbers))
    path.write_text("number,class\n" + rows + "\n", encoding="utf-8")
    assert_array_equal(read_table(path, "class").X[:, 0], numbers)


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=4, max_size=4, unique=True))
def test_names_with_any_signs_come_back(tmp_path_factory, names):
    clean = [name.replace("\r", "").replace("\0", "").strip() or "n" for name in names]
    # Names that are all numbers are taken for the first row, unless they count from 0 or 1.
    assume(len(set(clean)) == 4 and not all(re.match(NUMBER, name) for name in clean))
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    frame = pd.DataFrame([[0.5, 1.5, 2.5, "u"], [3.5, 4.5, 5.5, "v"]], columns=clean)
    frame.to_csv(path, index=False, encoding="utf-8", quoting=1)
    table = read_table(path, -1, separator=",")
    assert_array_equal(table.y, ["u", "v"])
    assert table.target == clean[-1]


def test_blank_lines_and_separators_at_the_end_are_ignored(write):
    table = read_table(write("x.csv", "\na,c,\n\n1,x,\n2,y,\n\n"), "c")
    assert_array_equal(table.X, [[1], [2]])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1.5,2,0\n2.5,3,1\n", ["x1", "x2"]),  # all numbers
        ("5.1,3.5,setosa\n4.9,3,setosa\n7,3.2,virginica\n", ["x1", "x2"]),  # a class that recurs
        ("0,1,2\n2.5,3,1\n7,5,0\n", ["0", "1"]),  # what pandas numbers
        ("500.1,501.2,class\n2.5,3,1\n7,5,0\n", ["500.1", "501.2"]),  # masses as names
    ],
)
def test_a_missing_header_is_noticed(write, text, names):
    table = read_table(write("x.csv", text), -1)
    assert_array_equal(table.feature_names, names)
    assert table.n_samples == text.count("\n") - (names[0] != "x1")


# -- samples in columns -------------------------------------------------------------------------


@pytest.mark.parametrize("corner", ["gene", ""])
def test_samples_in_columns(write, corner):
    text = f"{corner}\ts1\ts2\ts3\nTP53\t1\t2\t3\nkind\tx\ty\tx\nMYC\t4\tNA\t6\nsex\tm\tf\tm\n"
    table = read_table(write("x.tsv", text), "kind", transpose=True)
    assert_array_equal(table.X, [[1, 4, 1], [2, np.nan, 0], [3, 6, 1]])
    assert_array_equal(table.y, ["x", "y", "x"])
    assert_array_equal(table.feature_names, ["TP53", "MYC", "sex"])
    assert_array_equal(table.sample_names, ["s1", "s2", "s3"])
    assert table.categories == {"sex": ["f", "m"]}


def test_notes_beside_samples_are_dropped(write):
    text = "Name,Description,s1,s2\ng1,a long text,1,2\ng2,another one,3,4\nclass,,0,1\n"
    path = write("x.csv", text)
    table = read_table(path, "class", transpose=True, drop=["Description", "g2"])
    assert_array_equal(table.X, [[1], [2]])
    assert_array_equal(table.y, [0, 1])
    with pytest.raises(DataError, match="row 'g1' is numeric, and column 'Description' holds"):
        read_table(path, 2, transpose=True)


@pytest.mark.parametrize(
    "labels",
    [
        "b\na\n",
        "label\nb\na\n",
        "s2,a\ns1,b\n",
        "sample,label\ns2,a\ns1,b\ns9,c\n",
        "sample;age;kind\ns2;30;a\ns1;40;b\n",
    ],
)
def test_labels_stand_in_a_file_of_their_own(write, labels):
    path = write("x.csv", "gene,s1,s2\ng1,1,2\ng2,3,4\n")
    target = "kind" if "kind" in labels else None
    table = read_table(path, target, transpose=True, labels=write("labels.csv", labels))
    assert_array_equal(table.y, ["b", "a"])
    assert_array_equal(table.X, [[1, 3], [2, 4]])


def test_labels_beside_upright_tables(write):
    path = write("x.csv", "id,g1\ns1,1\ns2,2\n")
    table = read_table(path, labels=write("labels.txt", "s2\t5\ns1\t4\n"))
    assert_array_equal(table.y, [4, 5])
    table = read_table(path, labels=write("labels.txt", "breast cancer\nlung cancer\n"))
    assert_array_equal(table.y, ["breast cancer", "lung cancer"])


# -- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "target", "error", "sentence"),
    [
        ("", "c", DataError, "is empty"),
        (" \n\n", "c", DataError, "is empty"),
        ("a,b,c\n", "c", DataError, "a header and no rows"),
        (b"PK\x03\x04\0\0\0", "c", DataError, "not a text file"),
        ("a,b,c\n1,2,x\n3,4\n", "c", DataError, "line 3 has 2 cells where 3 are expected"),
        ("a,b,c\n1,2,x\n\n3,4,y,5\n", "c", DataError, "line 4 has 4 cells where 3 are expected"),
        ("a b c\n1 2 x\n\n3 4 y 5\n5 6 x\n", "c", DataError, "line 4 has 4 cells where 3 are"),
        ("a,b,c\n1,2,x\n3,4,x\n", "c", DataError, "target 'c' has one class only"),
        ("a,b,c\n1,2,x\n3,4,\n", "c", DataError, "target 'c' has no value in row 2"),
        ("a,b,c\n1,2,5\n3,4,\n", "c", DataError, "target 'c' has no value in row 2"),
        ("a,b,c\n1,2,0.5\n3,4,1\n", "c", DataError, "column 'c' holds the number 0.5 in row 1"),
        ("a,a,c\n1,2,x\n3,4,y\n", "c", DataError, "two features are named 'a'"),
        ("a,c,c\n1,2,x\n3,4,y\n", "c", DataError, "two columns are named 'c'"),
        ("c\nx\ny\n", "c", DataError, "no features are left"),
        ("id,c\np,x\nq,y\n", "c", DataError, "no features are left"),
        ("a,diagnosis\n1,x\n2,y\n", "Diagnose", UsageError, "did you mean 'diagnosis'"),
        ("a,b\n1,x\n2,y\n", "zzzzz", UsageError, "no column 'zzzzz'; the last ones are 'a', 'b'"),
        ("a,b\n1,x\n2,y\n", 2, UsageError, "has 2 columns, and 2 is none"),
        ("a,b\n1,x\n2,y\n", None, UsageError, "which column .* holds the class"),
        (
            "id,g,c\ns1,1,x\ns2,abc,y\ns3,3,y\n", "c", DataError,
            r"column 'g' is numeric, and row 2 \('s2'\) holds the text 'abc'",
        ),
    ],
)  # fmt: skip
def test_bad_input_gets_its_sentence(write, text, target, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        read_table(write("bad.csv", text), target)
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_that_is_neither_names_nor_categories_is_refused(write):
    rows = "".join(f"s{i},word{i % 30},{i % 2}\n" for i in range(40))
    with pytest.raises(DataError, match="column 'note' holds text with 30 different values in 40"):
        read_table(write("x.csv", "id,note,c\n" + rows), "c")


def test_a_dropped_column_must_exist_and_not_be_the_target(write):
    path = write("x.csv", "gene,b,c\n1,2,x\n3,4,y\n")
    with pytest.raises(UsageError, match="no column 'gen'; did you mean 'gene'"):
        read_table(path, "c", drop=["gen"])
    with pytest.raises(UsageError, match="'c' cannot be dropped"):
        read_table(path, "c", drop=["c"])


def test_labels_must_fit(write):
    path = write("x.csv", "id,g\ns1,1\ns2,2\n")
    with pytest.raises(DataError, match="no label for the sample 's2'"):
        read_table(path, labels=write("l.csv", "s1,a\ns3,b\n"))
    with pytest.raises(DataError, match="has 5 labels for 2 samples"):
        read_table(path, labels=write("l.csv", "a\nb\na\nb\na\n"))
    with pytest.raises(DataError, match="line 2 has 1 cells"):
        read_table(path, labels=write("l.csv", "s1,a\nb\n"), separator=",")
    with pytest.raises(DataError, match=r"There is no file 'none\.csv'"):
        read_table(path, labels=path.with_name("none.csv"))


def test_a_transposed_table_needs_samples(write):
    with pytest.raises(DataError, match="one column only"):
        read_table(write("x.csv", "gene\ng1\n"), "c", transpose=True)
    with pytest.raises(UsageError, match="no row 'clas'; did you mean 'class'"):
        read_table(write("x.csv", "gene,s1,s2\nclass,a,b\n"), "clas", transpose=True)


def test_damaged_gzip_and_open_quotes_are_refused(write):
    whole = gzip.compress(b"a,c\n1,x\n2,y\n" * 50)
    for content in (whole[:-20], b"a,c\n1,x\n"):
        with pytest.raises(DataError, match="not a whole gzip file"):
            read_table(write("x.csv.gz", content), "c")
    with pytest.raises(DataError, match=r"x\.csv'"):
        read_table(write("x.csv", 'a,c\n"1,x\n2,y\n'), "c")


def test_a_separator_can_be_given(write):
    path = write("x.csv", "a:c\n1:x\n2:y\n")
    assert_array_equal(read_table(path, "c", separator=":").X, [[1], [2]])
    path = write("y.csv", "a\tc\n1\tx\n2\ty\n")
    assert_array_equal(read_table(path, "c", separator="tab").X, [[1], [2]])
    with pytest.raises(UsageError, match="A separator is one character"):
        read_table(path, "c", separator="::")


def test_a_wide_table_reads_like_pandas(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(20, 3000)).round(3)).add_prefix("gene")
    frame["class"] = rng.choice(["a", "b"], 20)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    table = read_table(tmp_path / "wide.csv", "class")
    assert_array_equal(table.X, frame.iloc[:, :-1])
    frame.T.to_csv(tmp_path / "tall.csv")
    tall = read_table(tmp_path / "tall.csv", "class", transpose=True)
    assert_array_equal(tall.X, table.X)
    assert_array_equal(tall.y, table.y)
