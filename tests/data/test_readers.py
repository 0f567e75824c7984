import subprocess
import sys

import pytest

from consilience import read_table
from consilience.exceptions import DataError, UsageError


@pytest.mark.parametrize("name", ["x.xlsx", "x", "x.gz", "x.npz.gz", "x.tar.gz"])
def test_an_unknown_suffix_lists_the_known(tmp_path, name):
    (tmp_path / name).write_text("a,c\n1,x\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"suffix.*; known are csv, tsv, .*parquet") as caught:
        read_table(tmp_path / name, "c")
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_directory_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"There is no file 'genes\.csv' in '"):
        read_table(tmp_path / "genes.csv", "c")
    with pytest.raises(DataError, match=r"There is no file 'genes\.csv', nor its directory"):
        read_table(tmp_path / "nowhere" / "genes.csv", "c")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a directory"):
        read_table(tmp_path / "folder.csv", "c")


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("x.parquet", {"transpose": True}),
        ("x.arff", {"separator": ";"}),
        ("x.svmlight", {"target": "c"}),
        ("x.csv", {"features": "x.csv"}),
        ("x.bits", {"transpose": True}),
    ],
)
def test_an_option_without_a_meaning_is_refused(tmp_path, monkeypatch, name, option):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("a,c\n1,x\n", encoding="utf-8")
    with pytest.raises(UsageError, match=f"option {next(iter(option))} has no meaning for"):
        read_table(name, **option)


def test_importing_the_package_stays_light():
    code = "import sys, consilience.data; print([m for m in sys.modules if m in HEAVY])"
    heavy = "{'pandas', 'sklearn', 'numba', 'pyarrow', 'scipy'}"
    result = subprocess.run(
        [sys.executable, "-c", code.replace("HEAVY", heavy)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert result.stdout.strip() == "[]"
