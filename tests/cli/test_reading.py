"""Names of files without their suffix."""

from pathlib import Path

import pytest

from consilience.cli.reading import Reading, find_file
from consilience.exceptions import UsageError

CSV = "a,b,class\n1,2,x\n2,1,y\n"


def test_the_suffix_may_be_left_out(tmp_path, monkeypatch):
    (tmp_path / "genes.csv").write_text(CSV)
    assert find_file(tmp_path / "genes") == tmp_path / "genes.csv"
    monkeypatch.chdir(tmp_path)
    assert Reading(find_file(tmp_path / "genes"), target="class").read().n_features == 2
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setenv("CONSILIENCE_DATA", str(tmp_path))
    assert Reading(Path("genes"), target="class").path == tmp_path / "genes.csv"
    assert find_file(Path("other/genes")) == Path("other/genes")  # a folder was named
    assert find_file(Path("nosuch")) == Path("nosuch")


def test_two_files_of_one_name_are_not_guessed(tmp_path):
    (tmp_path / "genes.csv").write_text(CSV)
    (tmp_path / "genes.tsv.gz").write_bytes(b"")
    with pytest.raises(UsageError, match=r"'genes.csv' or 'genes.tsv.gz'; write the name with"):
        find_file(tmp_path / "genes")


def test_a_file_without_suffix_is_left_to_the_reader(tmp_path):
    (tmp_path / "genes").write_text(CSV)
    (tmp_path / "genes.csv").write_text(CSV)
    assert find_file(tmp_path / "genes") == tmp_path / "genes"
