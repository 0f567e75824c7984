"""Files of packed columns: whole or refused, with classes and names inside."""

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from consilience import BitMatrix, read_table
from consilience.data import bits_file
from consilience.data.bits_labels import BitsLabels
from consilience.data.bits_writer import BitsWriter
from consilience.exceptions import ConsilienceError, DataError, UsageError

shapes = st.tuples(st.integers(0, 200), st.integers(0, 7))
binary = arrays(np.uint8, shapes, elements=st.integers(0, 1))
EYE = np.eye(70, 5, dtype=np.uint8)
NAMES = ["TP53", "MYC", "a,b", "Größe", "line\nend"]


@pytest.fixture
def path(tmp_path):
    """A saved matrix with classes and names."""
    file = tmp_path / "x.bits"
    BitMatrix.from_array(EYE).save(file, y=["ill", "well"] * 35, feature_names=NAMES)
    return file


@given(dense=binary)
def test_files_give_the_same_matrix_back(tmp_path_factory, dense):
    path = tmp_path_factory.mktemp("bits") / "x.bits"
    BitMatrix.from_array(dense).save(path)
    for verify in ("once", True, False):
        opened = BitMatrix.open(path, verify=verify)
        assert_array_equal(opened.words, BitMatrix.from_array(dense).words)
        assert opened.shape == dense.shape
    assert [file.name for file in path.parent.iterdir()] == ["x.bits"]


@given(dense=binary, step=st.integers(1, 4), in_block=st.integers(1, 5))
def test_any_blocks_of_columns_give_the_same_file(tmp_path_factory, dense, step, in_block):
    folder = tmp_path_factory.mktemp("bits")
    bits = BitMatrix.from_array(dense)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("consilience.data.bits_file._BLOCK", in_block * 8)
        bits.save(folder / "whole.bits")
        with BitsWriter(folder / "parts.bits", *dense.shape) as writer:
            for start in range(0, dense.shape[1], step):
                writer.write(bits.words[start : start + step])
    assert (folder / "whole.bits").read_bytes() == (folder / "parts.bits").read_bytes()
    BitMatrix.open(folder / "parts.bits", verify=True)


@given(place=st.integers(0, 10**6), flipped=st.integers(1, 255))
def test_any_damaged_byte_is_noticed(tmp_path_factory, place, flipped):
    path = tmp_path_factory.mktemp("bits") / "x.bits"
    BitMatrix.from_array(EYE).save(path, y=np.arange(70) % 3)
    content = bytearray(path.read_bytes())
    # Most bytes are blanks of the header: let half of the examples fall behind it.
    content[place % len(content) if place % 2 else 4096 + place % (len(content) - 4096)] ^= flipped
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"x\.bits'"):
        read_table(path)


def test_damage_is_told_by_the_columns_it_lies_in(tmp_path, monkeypatch):
    monkeypatch.setattr("consilience.data.bits_file._BLOCK", 2 * 16)  # two columns of two words
    path = tmp_path / "x.bits"
    BitMatrix.from_array(EYE).save(path)
    content = bytearray(path.read_bytes())
    content[4096 + 2 * 16] ^= 4  # column 3
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"checksum of its columns 3 to 4 does not agree"):
        BitMatrix.open(path)
    assert BitMatrix.open(path, verify=False).shape == (70, 5)


@given(length=st.integers(0, 4095) | st.integers(4096, 4179))
def test_a_file_cut_short_is_refused(tmp_path_factory, length):
    path = tmp_path_factory.mktemp("bits") / "x.bits"
    BitMatrix.from_array(EYE).save(path)
    content = path.read_bytes()
    assert len(content) == 4180
    path.write_bytes(content[:length])
    with pytest.raises(DataError, match=r"cut short|damaged|not a BitMatrix"):
        BitMatrix.open(path, verify=False)


def test_foreign_longer_newer_and_absent_files_are_refused(path, tmp_path):
    content = path.read_bytes()
    path.write_bytes(content + b"\0" * 8)
    with pytest.raises(DataError, match="longer than it should be"):
        BitMatrix.open(path)
    path.write_bytes(content[:8] + b"\x03" + content[9:])
    with pytest.raises(DataError, match="version 3"):
        BitMatrix.open(path)
    path.write_text("a,b\n1,2\n" * 50)
    with pytest.raises(DataError, match="not a BitMatrix file"):
        BitMatrix.open(path)
    with pytest.raises(DataError, match="No such file"):
        BitMatrix.open(tmp_path / "absent.bits")


def version_1(dense) -> bytes:
    """The file as consilience wrote it at first, from its description."""
    words = BitMatrix.from_array(dense).words
    told = {"n_features": dense.shape[1], "n_samples": dense.shape[0], "words": "uint64 little"}
    text = json.dumps(told, sort_keys=True).encode()
    length = -(-(48 + len(text)) // 64) * 64
    body = text.ljust(length - 48) + words.astype("<u8").tobytes()
    prefix = struct.pack("<8sII32s", b"\x93CBITS\r\n", 1, length, hashlib.sha256(body).digest())
    return prefix + body


def test_files_of_version_1_are_still_read(tmp_path):
    path = tmp_path / "x.bits"
    path.write_bytes(version_1(EYE))
    assert_array_equal(BitMatrix.open(path).toarray(), EYE)
    assert bits_file.read_labels(path).y is None
    path.write_bytes(version_1(EYE)[:-1] + b"\x80")
    with pytest.raises(DataError, match="damaged"):
        BitMatrix.open(path)


def test_words_are_checked_once_for_each_state_of_a_file(path, monkeypatch):
    passes = []
    real = bits_file.check_words
    monkeypatch.setattr(bits_file, "check_words", lambda *parts: (passes.append(1), real(*parts)))
    for _ in range(3):
        BitMatrix.open(path)
    assert len(passes) == 1
    BitMatrix.open(path, verify=True)
    assert len(passes) == 2
    os.utime(path, ns=(1, 1))
    BitMatrix.open(path)
    assert len(passes) == 3
    BitMatrix.open(path, verify=False)
    assert len(passes) == 3


# -- classes and names --------------------------------------------------------------------------


def test_a_file_with_classes_and_names_needs_no_other(path, tmp_path):
    table = read_table(path, drop=["MYC"])
    assert isinstance(table.X, BitMatrix)
    assert_array_equal(table.X.toarray(), EYE[:, [0, 2, 3, 4]])
    assert_array_equal(table.y, ["ill", "well"] * 35)
    assert_array_equal(table.feature_names, [name for name in NAMES if name != "MYC"])
    (tmp_path / "y.txt").write_text("1\n0\n" * 35)
    assert_array_equal(read_table(path, labels=tmp_path / "y.txt").y, [1, 0] * 35)


@pytest.mark.parametrize("y", [[0, 1] * 35, [True, False] * 35, ["007", "7"] * 35, [2.0, 1.0] * 35])
def test_classes_keep_their_type(tmp_path, y):
    BitMatrix.from_array(EYE).save(tmp_path / "x.bits", y=y, target="state", sample_names=range(70))
    table = read_table(tmp_path / "x.bits")
    assert table.y.tolist() == y
    assert table.y.dtype.kind == ("i" if y[0] == 2.0 else np.asarray(y).dtype.kind)
    assert table.target == "state"
    assert table.sample_names[69] == "69"
    assert read_table(tmp_path / "x.bits", "state").target == "state"
    with pytest.raises(UsageError, match="called 'state', and not 'stage'"):
        read_table(tmp_path / "x.bits", "stage")


def test_groups_in_the_file_hold_without_being_asked_for(tmp_path):
    X, groups = BitMatrix.from_array(EYE), np.arange(70) // 2
    X.save(tmp_path / "x.bits", y=np.arange(70) % 2, groups=groups)
    assert_array_equal(read_table(tmp_path / "x.bits").groups, groups)
    (tmp_path / "other.txt").write_text("\n".join(str(i // 10) for i in range(70)))
    table = read_table(tmp_path / "x.bits", groups=tmp_path / "other.txt")
    assert len(set(table.groups)) == 7


def test_classes_and_names_must_fit(tmp_path):
    X = BitMatrix.from_array(EYE)
    with pytest.raises(DataError, match="y has 3 values for 70 rows"):
        X.save(tmp_path / "x.bits", y=[0, 1, 1])
    with pytest.raises(DataError, match="feature_names has 1 values for 5 columns"):
        X.save(tmp_path / "x.bits", feature_names=["a"])
    with pytest.raises(DataError, match=r"holds the number 0\.5 in row 1"):
        X.save(tmp_path / "x.bits", y=[0.5, 1.5] * 35)
    assert not list(tmp_path.iterdir())


def test_labels_hold_nothing_where_nothing_is_known():
    assert BitsLabels().to_json() == b""
    assert BitsLabels.from_json(b"").feature_names is None


# -- the disk -----------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file_and_no_other(path, tmp_path, monkeypatch):
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ConsilienceError, match=r"x\.bits': No space left on device"):
        BitMatrix.from_array(np.eye(5)).save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ConsilienceError, match="Cannot write"):
        BitMatrix.from_array(np.eye(5)).save(tmp_path / "no" / "such" / "place.bits")


WRITE_TOO_MUCH = """
import resource, sys
from consilience import BitMatrix, make_planted_bits
from consilience.exceptions import ConsilienceError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
for n_features in (5_000, 100_000):  # fits into the buffer of the file, or does not
    try:
        make_planted_bits(sys.argv[1], 200, n_features)
    except ConsilienceError as error:
        print(error)
"""


def test_a_disk_that_fills_while_it_is_written_leaves_the_old_file(path, tmp_path):
    pytest.importorskip("resource")
    before = path.read_bytes()
    words = [sys.executable, "-c", WRITE_TOO_MUCH, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    sentences = done.stdout.splitlines()
    assert len(sentences) == 2
    for sentence in sentences:
        assert sentence.startswith(f"Cannot write '{path}': ")
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_the_disk_is_asked_before_the_first_byte(path, tmp_path, monkeypatch):
    before = path.read_bytes()
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda place: usage._replace(free=10**9))
    with pytest.raises(ConsilienceError, match=r"needs 1\.26 GB and its disk has 1 GB free"):
        BitsWriter(path, 10_000, 1_000_000)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_a_writer_that_is_stopped_leaves_the_old_file(path, tmp_path):
    before = path.read_bytes()
    words = BitMatrix.from_array(EYE).words

    def stopped():
        with BitsWriter(path, 70, 5) as writer:
            writer.write(words[:2])
            raise KeyboardInterrupt

    def unfinished():
        with BitsWriter(path, 70, 5) as writer:
            writer.write(words[:2])

    with pytest.raises(KeyboardInterrupt):
        stopped()
    with pytest.raises(UsageError, match="promised 5 columns and got 2"):
        unfinished()
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_columns_that_do_not_fit_are_refused(path):
    words = BitMatrix.from_array(EYE).words
    with BitsWriter(path, 70, 5) as writer:
        writer.write(words[:3])
        with pytest.raises(UsageError, match="room for 2 more of 5 columns, and got 3"):
            writer.write(words[:3])
        with pytest.raises(UsageError, match="uint64 words of shape"):
            writer.write(words[:, :1])
        writer.write(words[3:])
    assert_array_equal(BitMatrix.open(path).toarray(), EYE)


# -- files that change --------------------------------------------------------------------------


def test_a_changed_file_is_noticed(path):
    X = BitMatrix.open(path)
    assert X.source.path == path.absolute()
    assert X.source.size == path.stat().st_size
    X.check_unchanged()
    X[:, 1:3].check_unchanged()
    assert X[:, 1:3].source == X.source
    assert X[[0, 1]].source is None  # a copy in memory hangs on no file
    os.utime(path, ns=(1, 1))
    with pytest.raises(DataError, match=r"x\.bits' was changed while it is in use"):
        X.check_unchanged()
    with pytest.raises(DataError, match="was changed"):
        X[:, 1:3].check_unchanged()
    X[[0, 1]].check_unchanged()


def test_a_file_put_in_its_place_or_taken_away_is_noticed(path):
    X = BitMatrix.open(path)
    BitMatrix.from_array(np.eye(70, 6)).save(path, y=["ill", "well"] * 35)
    with pytest.raises(DataError, match=r"was changed while it is in use \(from \d+ bytes to"):
        X.check_unchanged()
    X = BitMatrix.open(path)
    path.unlink()
    with pytest.raises(DataError, match="is gone while it is in use"):
        X.check_unchanged()


def test_a_matrix_in_memory_has_no_file():
    X = BitMatrix.from_array(EYE)
    assert X.source is None
    X.check_unchanged()


def test_words_in_a_file_can_be_mapped_at_their_place(tmp_path):
    bits = BitMatrix.from_array(np.random.default_rng(0).integers(0, 2, (300, 40)))
    bits.save(tmp_path / "x.bits")
    content = (tmp_path / "x.bits").read_bytes()[4096 : 4096 + bits.nbytes]
    assert_array_equal(np.frombuffer(content, "<u8").reshape(bits.words.shape), bits.words)
