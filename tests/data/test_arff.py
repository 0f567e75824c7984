import gzip

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.io import arff as scipy_arff

from consilience import read_table
from consilience.exceptions import DataError, UsageError

WEATHER = """% A comment, then the name
@RELATION 'weather report'

@attribute outlook {sunny, overcast,'partly rainy' }
@ATTRIBUTE Temperature  REAL
@attribute 'relative humidity' numeric
@attribute windy{TRUE,FALSE}
   @Attribute play {yes, no}

@DATA
% rows
sunny,85,85.5,FALSE,no
overcast, 83 ,?,TRUE,yes
'partly rainy',-7e1,96,?,yes

?,68,80,FALSE,no
"""


@pytest.fixture
def write(tmp_path):
    def put(content, name="x.arff"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


def check_weather(table):
    nan = np.nan
    expected = [[0, 85, 85.5, 1], [1, 83, nan, 0], [2, -70, 96, nan], [nan, 68, 80, 1]]
    assert_array_equal(table.X, expected)
    assert_array_equal(table.y, ["no", "yes", "yes", "no"])
    names = ["outlook", "Temperature", "relative humidity", "windy"]
    assert_array_equal(table.feature_names, names)
    assert_array_equal(table.categorical_features, [True, False, False, True])
    assert table.categories == {
        "outlook": ["sunny", "overcast", "partly rainy"],
        "windy": ["TRUE", "FALSE"],
    }
    assert table.target == "play"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_numeric_nominal_missing_and_quoted(write, ending):
    check_weather(read_table(write(WEATHER.replace("\n", ending))))
    check_weather(read_table(write(gzip.compress(WEATHER.encode()), "x.arff.gz"), "play"))


def test_plain_rows_take_the_fast_way_to_the_same_table(write):
    plain = WEATHER.replace("'partly rainy'", "partly_rainy")
    table = read_table(write(plain))
    assert table.categories["outlook"][2] == "partly_rainy"
    quoted = read_table(write(WEATHER))
    assert_array_equal(table.X, quoted.X)
    assert_array_equal(table.y, quoted.y)


def test_blanks_may_separate(write):
    text = "@relation r\n@attribute a real\n@attribute c {u,v}\n@data\n1.5  u\n2.5\tv\n"
    assert_array_equal(read_table(write(text)).X, [[1.5], [2.5]])


def test_both_quotes_and_escapes(write):
    text = r"""@relation r
@attribute "the \"best\" gene" numeric
@attribute 'it\'s' {'a, b', "c d", e}
@attribute class {'don\'t', do}
@data
1, 'a, b', 'don\'t'
2, "c d", do
"""
    table = read_table(write(text))
    assert_array_equal(table.feature_names, ['the "best" gene', "it's"])
    assert_array_equal(table.X, [[1, 0], [2, 1]])
    assert_array_equal(table.y, ["don't", "do"])


def test_string_attributes_name_the_samples(write):
    text = (
        "@relation r\n@attribute patient string\n@attribute g numeric\n@attribute stage string\n"
        "@attribute class {0,1}\n@data\np1,1,I,0\np2,2,II,1\np3,3,I,1\n"
    )
    table = read_table(write(text))
    assert_array_equal(table.sample_names, ["p1", "p2", "p3"])
    assert_array_equal(table.X, [[1, 0], [2, 1], [3, 0]])
    assert_array_equal(table.y, [0, 1, 1])
    assert table.categories == {"stage": ["I", "II"]}
    assert_array_equal(read_table(write(text), drop=["stage"]).feature_names, ["g"])


def test_the_class_is_called_class_or_stands_last(write):
    rows = "@data\nu,1,w\nv,2,z\n"
    head = "@relation r\n@attribute {} {{u,v}}\n@attribute g real\n@attribute other {{w,z}}\n"
    assert read_table(write(head.format("Class") + rows)).target == "Class"
    assert read_table(write(head.format("kind") + rows)).target == "other"
    assert read_table(write(head.format("kind") + rows), "kind").target == "kind"
    assert read_table(write(head.format("kind") + rows), 0).target == "kind"


def test_only_the_question_mark_is_missing_in_nominal_attributes(write):
    text = "@relation r\n@attribute a {NA,null}\n@attribute c {u,v}\n@data\nNA,u\nnull,v\n?,v\n"
    assert_array_equal(read_table(write(text)).X[:, 0], [0, 1, np.nan])


SPARSE = """@relation words
@attribute apple numeric
@attribute size {small, large}
@attribute pear numeric
@attribute class {bad, good, 'so so'}
@data
{0 2, 3 good}
{}
{1 large, 2 0.5, 3 'so so'}
{ 0 ? , 2 1e2 , 3 good }
"""


def test_sparse_rows(write):
    table = read_table(write(SPARSE))
    assert sparse.issparse(table.X)
    assert table.X.format == "csr"
    expected = [[2, 0, 0], [0, 0, 0], [0, 1, 0.5], [np.nan, 0, 100]]
    assert_array_equal(table.X.toarray(), expected)
    assert_array_equal(table.y, ["good", "bad", "so so", "good"])
    assert_array_equal(table.feature_names, ["apple", "size", "pear"])
    assert table.categories == {"size": ["small", "large"]}
    assert "'apple'" in table.describe_missing()


def test_sparse_rows_without_quotes_and_with_names(write):
    text = (
        "@relation r\n@attribute id string\n@attribute a real\n@attribute b real\n"
        "@attribute c numeric\n@data\n{0 s1,1 5,3 1}\n{0 s2,2 7}\n"
    )
    table = read_table(write(text), "c", drop=["b"])
    assert_array_equal(table.sample_names, ["s1", "s2"])
    assert_array_equal(table.X.toarray(), [[5], [0]])
    assert_array_equal(table.y, [1, 0])


HEAD = "@relation r\n@attribute g real\n@attribute h {a,b}\n@attribute c {u,v}\n@data\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n", "no line @data"),
        ("@relation r\n@data\n1\n", "declares no attributes"),
        (HEAD, "a header and no rows"),
        (HEAD + "1,a,u\nx,b,v\n", "attribute 'g' is numeric, and row 2 holds the text 'x'"),
        (HEAD + "1,a,u\n2,q,v\n", r"row 2 of the nominal column 'h' holds 'q', .*\(a, b\)"),
        (HEAD + "1,a,u\n%\n2,b\n", "line 8 has 2 cells where 3 are expected"),
        (HEAD + "1,'a',u\n%\n2,b\n", "line 8 has 2 cells where 3 are declared"),
        (HEAD + "1,a,u\n2,b,?\n", "target 'c' has no value in row 2"),
        (HEAD + "{0 1, 2 u}\n{0 x, 2 v}\n", "'g' is numeric, and row 2 holds the text 'x'"),
        (HEAD + "{0 1, 2 u}\n{1 q, 2 v}\n", "row 2 of the nominal attribute 'h' holds 'q'"),
        (HEAD + "{0 1, 2 u}\n{9 1, 2 v}\n", "row 2 names the attribute 9, and there are 3"),
        (HEAD + "{0 1, 2 u}\n1,a,v\n", "line 7 is not a sparse row"),
        (HEAD + "{0 1, 2 u}\n{0, 2 v}\n", "line 7 does not hold pairs"),
        (HEAD + "{0 1, 2 'u'}\n{0, 2 v}\n", "line 7 does not hold pairs"),
        ("@relation r\n@attribute g\n@data\n1\n", "line 2 is not a full attribute"),
        ("@relation r\n@attribute g relational\n@data\n1\n", "'g' is of the kind 'relational'"),
    ],
)
def test_bad_input_gets_its_sentence(write, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read_table(write(text))


def test_an_unknown_attribute_is_refused_with_the_nearest(write):
    with pytest.raises(UsageError, match="no column 'plai'; did you mean 'play'"):
        read_table(write(WEATHER), "plai")


def test_numbers_agree_with_scipy(write):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 50)) * 10.0 ** rng.integers(-8, 8, (30, 50))
    lines = ["@relation made", *(f"@attribute g{i} numeric" for i in range(50))]
    lines += ["@attribute class {a,b}", "@data"]
    lines += [",".join([*map(repr, row.tolist()), "ab"[i % 2]]) for i, row in enumerate(X)]
    path = write("\n".join(lines))
    table = read_table(path)
    assert_array_equal(table.X, X)
    records, _ = scipy_arff.loadarff(path)
    assert_array_equal(table.X[:, 7], records["g7"])
