"""`consilience pack`: what it prints, what it leaves, and what it refuses."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience import BitMatrix, read_table
from consilience.cli import main
from consilience.cli.packing import _percent
from consilience.data import bits_file
from consilience.execution import format_bytes

X = np.random.default_rng(0).integers(0, 2, (40, 6))
WORDS = ["wheat", "corn", "oil", "ship", "port", "bank"]


@pytest.fixture
def words(folder) -> Path:
    """words.csv in the working directory: 40 texts, 6 words, two topics."""
    return write(Path("words.csv"), X)


def write(path, dense, first=0):
    lines = [",".join(["text", *WORDS[: dense.shape[1]], "topic"])]
    for i, row in enumerate(dense, start=first):
        lines.append(",".join([f"t{i}", *map(str, row), "grain" if i % 4 else "ships"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_table_becomes_a_file_that_needs_no_other(words, run):
    code, out, err = run("pack", words, "-t", "topic")
    assert (code, err) == (0, [])
    assert out[0] == "words.csv: 40 samples, 6 features; classes grain (30), ships (10)"
    size = format_bytes(Path("words.bits").stat().st_size)
    assert out[1].startswith(f"It will take {size} packed, and one pass over the table with at m")
    assert out[2].startswith(f"Packed: words.bits ({size}, 54.6 % ones, ")
    assert sorted(path.name for path in Path().iterdir()) == ["words.bits", "words.csv"]
    table = read_table("words.bits")
    assert_array_equal(table.X.toarray(), X)
    assert_array_equal(table.feature_names, WORDS)
    assert table.sample_names[3] == "t3"
    code, out, _ = run("select", "words.bits", "--features", 2, "--models", 10, "--folds", 0)
    assert code == 0
    assert out[0] == "words.bits: 40 samples, 6 features; classes grain (30), ships (10)"


def test_little_memory_means_more_passes(words, run):
    code, out, _ = run("pack", words, "-t", "topic", "--memory", "6e-7", "--out", "some.bits")
    assert code == 0
    assert "and 3 passes over the table" in out[1]
    assert_array_equal(BitMatrix.open("some.bits").toarray(), X)


def test_rows_are_appended_and_nothing_is_printed_when_quiet(words, run):
    assert run("pack", words, "-t", "topic", "--quiet") == (0, [], [])
    more = write(Path("more.csv"), 1 - X, first=40)
    words = ["pack", more, "-t", "topic", "--append", "rows", "--out", "words.bits", "--quiet"]
    assert run(*words) == (0, [], [])
    table = read_table("words.bits")
    assert_array_equal(table.X.toarray(), np.vstack([X, 1 - X]))
    assert table.sample_names[-1] == "t79"


def test_without_classes_and_with_a_threshold(folder, run):
    np.savez("x.npz", X=X * 2.5)
    code, out, _ = run("pack", "x", "--no-classes", "--threshold", 2)
    assert code == 0
    assert out[0] == "x.npz: 40 samples, 6 features; no classes"
    assert_array_equal(BitMatrix.open("x.bits").toarray(), X)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "which column"),
        (["-t", "topik"], "did you mean 'topic'"),
        (["-t", "topic", "--drop", "rye"], "'rye'"),
        (["-t", "topic", "--memory", "0"], "gigabytes above 0"),
        (["-t", "topic", "--append", "rows"], "pack it first"),
        (["-t", "topic", "--append", "cells", "-o", "x.bits"], "'cells'"),
        (["-t", "topic", "--out", "words.csv"], "'words.csv' does not end in .bits"),
        (["-t", "topic", "--out", "words.dat"], "name it 'words.bits'"),
        (["-t", "topic", "--out", "words.dat", "--append", "rows"], "name it 'words.bits'"),
        (["-t", "topic", "--out", "."], "'.' is a directory; give the name of a file in it"),
        (["-t", "topic", "--out", "no/such/place.bits"], "Cannot write"),
        (["-t", "corn"], "'topic'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words, run, given, sentence):
    before = words.read_bytes()
    code, out, err = run("pack", words, *given, "--quiet")
    assert (code, out, len(err)) == (2, [], 1)
    assert sentence in err[0]
    assert [path.name for path in Path().iterdir()] == ["words.csv"]
    assert words.read_bytes() == before


def test_a_file_that_exists_is_kept_and_not_doubled(words, run):
    run("pack", words, "-t", "topic", "--quiet")
    before = Path("words.bits").read_bytes()
    code, _, err = run("pack", words, "-t", "topic")
    assert (code, len(err)) == (2, 1)
    assert "exists already; choose another name with --out, add to it with --append" in err[0]
    code, _, err = run("pack", words, "-t", "topic", "--append", "rows")
    assert (code, len(err)) == (2, 1)
    assert "both have a sample 't0' (40 such samples in all)" in err[0]
    assert Path("words.bits").read_bytes() == before


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (2.53e-7, "0.00003 %"),
        (0.00012345, "0.0123 %"),
        (0.4826, "48.3 %"),
        (1, "100 %"),
        (0, "0 %"),
    ],
)
def test_shares_are_written_without_powers_of_ten(share, text):
    assert _percent(share) == text


def test_samples_of_one_name_are_noted_when_they_are_used(words, run):
    twice = words.read_text(encoding="utf-8").replace("t39,", "t3,").replace("t38,", "t3,")
    words.write_text(twice.replace("t37,", "t5,"), encoding="utf-8")
    assert run("pack", words, "-t", "topic", "--id", "text", "--quiet") == (0, [], [])
    code, _, err = run("select", "words.bits", "--features", 2, "--models", 10, "--folds", 0)
    noted = [line for line in err if "more than once" in line]
    assert (code, len(noted)) == (0, 1)
    assert noted[0].startswith(
        "Note: 'words.bits': 2 sample names occur more than once (such as 't5'"
    )


def test_the_first_cell_that_is_no_bit_is_named(words, run):
    write(words, np.where((np.arange(40) == 7)[:, None] & (np.arange(6) == 2), 3, X))
    code, _, err = run("pack", words, "-t", "topic")
    assert code == 2
    assert "column 'oil' holds 3 in row 8 ('t7')" in err[0]
    assert "threshold" in err[0]
    assert [path.name for path in Path().iterdir()] == ["words.csv"]


def test_a_full_disk_is_told_before_the_work(words, run, monkeypatch):
    usage = shutil.disk_usage(".")
    monkeypatch.setattr("shutil.disk_usage", lambda place: usage._replace(free=0))
    code, _, err = run("pack", words, "-t", "topic")
    assert (code, len(err)) == (2, 1)
    assert "its disk has 0 MB free" in err[0]
    assert [path.name for path in Path().iterdir()] == ["words.csv"]


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_file_is_one_sentence_to_every_command(words, run, damage):
    assert main(["pack", str(words), "-t", "topic", "--quiet"]) == 0
    path = Path("words.bits")
    content = bytearray(path.read_bytes())
    content[4096] ^= 1
    path.write_bytes(content if damage == "flipped" else content[:-1])
    for command in (["select", path], ["pack", path, "-o", "new.bits"]):
        code, _, err = run(*command)
        assert (code, len(err)) == (2, 1)
        assert "'words.bits' is " + ("damaged" if damage == "flipped" else "cut short") in err[0]


def test_ctrl_c_leaves_nothing_behind(words, run, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("consilience.data.pack_block.PackedBlock.put_rows", stop)
    code, _, err = run("pack", words, "-t", "topic")
    assert (code, err) == (130, ["Stopped; 'words.bits' is as it was before."])
    assert [path.name for path in Path().iterdir()] == ["words.csv"]


def test_the_words_are_verified_once(words, run, monkeypatch):
    run("pack", words, "-t", "topic")
    checked, check = [], bits_file.check_words
    monkeypatch.setattr(bits_file, "check_words", lambda *given: (checked.append(1), check(*given)))
    code, _, _ = run("select", "words.bits", "--features", 2, "--models", 10, "--folds", 3)
    assert code == 0
    assert len(checked) == 1  # nor do worker processes: tests/data/test_bits_pickle.py
