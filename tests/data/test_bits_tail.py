"""Ones behind the last row: refused where words come in, left out where a file changed later."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from consilience import BitMatrix, EIFSClassifier, InformationGain
from consilience.data import bits_file
from consilience.data.bits_tail import last_rows
from consilience.data.bits_writer import BitsWriter
from consilience.exceptions import DataError, UsageError
from consilience.kernels.bit_sums import list_ones
from consilience.kernels.bits import list_bits
from consilience.kernels.content_keys import add_packed
from consilience.kernels.mutual_information import repeat_bits
from consilience.learners.bit_base import list_columns
from consilience.learners.bit_bayes import BitBernoulliNB
from consilience.learners.bit_svm import BitLinearSVC
from consilience.learners.bit_tree import BitTreeClassifier
from consilience.sampling.row_keys import row_keys

N, P = 200, 300
Y = np.arange(N) % 2


def random_words():
    return np.random.default_rng(0).integers(2**64 - 1, size=(P, 4), dtype=np.uint64)


def clean(words):
    words = words.copy()
    words[:, -1] &= last_rows(N)
    return BitMatrix(words, N)


@pytest.fixture
def overwritten(tmp_path):
    """A mapped file into which random bits were written after it had been opened."""
    path, words = tmp_path / "x.bits", random_words()
    BitMatrix.from_array(np.zeros((N, P))).save(path)
    X = BitMatrix.open(path)
    with path.open("r+b") as file:
        file.seek(bits_file.HEADER)
        file.write(bits_file.as_bytes(words))
    if not (X.words == words).all():  # a system whose maps do not show what is written later
        X = BitMatrix.open(path, verify=False)
    return X


def test_words_in_memory_are_refused():
    words = random_words()
    words[:5, -1] = 0b11
    with pytest.raises(UsageError, match=r"ones behind the last of 200 rows, and column 5 "):
        BitMatrix(words, N)
    BitMatrix(words, 256)  # all bits are rows
    BitMatrix(np.zeros((0, 4), dtype=np.uint64), N)
    BitMatrix(np.zeros((3, 0), dtype=np.uint64), 0)


def test_no_file_is_written_with_them(tmp_path):
    words = random_words()
    words[:5, -1] = 0

    def write():
        with BitsWriter(tmp_path / "x.bits", N, P) as writer:
            writer.write(words[:4])
            writer.write(words[4:])

    with pytest.raises(UsageError, match=r"last of its 200 rows, and column 5 .* set these bits"):
        write()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_is_refused_although_its_checksums_agree(tmp_path, monkeypatch, version):
    path, words = tmp_path / "x.bits", random_words()
    words[:7, -1] = 0
    if version == 1:
        import hashlib
        import json

        text = json.dumps({"n_samples": N, "n_features": P, "words": "uint64 little"})
        text = text.encode().ljust(4096 - 48)
        digest = hashlib.sha256(text + words.astype("<u8").tobytes()).digest()
        head = bits_file._PREFIX.pack(bits_file.MAGIC, 1, 4096, digest)
        path.write_bytes(head + text + words.astype("<u8").tobytes())
    else:
        monkeypatch.setattr("consilience.data.bits_writer.past_the_end", lambda *_: None)
        monkeypatch.setattr("consilience.data.bits_file._BLOCK", 128)  # several blocks of columns
        with BitsWriter(path, N, P) as writer:
            writer.write(words)
    with pytest.raises(DataError, match=r"x\.bits' is damaged: its column 8 holds ones behind"):
        BitMatrix.open(path)
    BitMatrix.open(path, verify=False)


def test_what_lists_rows_leaves_them_out(overwritten):
    X, twin = overwritten, clean(overwritten.words)
    assert X.source is not None
    assert_array_equal(X.column_sums(), twin.column_sums())
    assert_array_equal(X.tocsc().toarray(), twin.toarray())
    assert_array_equal(X.toarray(), twin.toarray())
    assert_array_equal(row_keys(X), row_keys(twin))
    for over_rows in (True, False):
        factors, keys = np.arange(N if over_rows else P, dtype=np.uint64), np.zeros((2, P), "u8")
        room = P if over_rows else N
        add_packed(X.words, over_rows, factors, keys[0, :room])
        add_packed(twin.words, over_rows, factors, keys[1, :room])
        assert_array_equal(keys[0], keys[1])
    for mine, other in zip(list_columns(X), list_columns(twin), strict=True):
        assert_array_equal(mine, other)
    for rows in (np.arange(3, N, 2), np.arange(N)[::-1]):
        assert_array_equal(X.take(rows=rows).words, twin.take(rows=rows).words)
    first_copy = np.concatenate([[0], np.cumsum(np.arange(N) % 3)])
    copied = np.zeros((2, P, -(-first_copy[-1] // 64)), dtype=np.uint64)
    repeat_bits(X.words, first_copy, copied[0])
    repeat_bits(twin.words, first_copy, copied[1])
    assert_array_equal(copied[0], copied[1])


def test_methods_leave_them_out(overwritten):
    X, twin = overwritten, clean(overwritten.words)
    scores = InformationGain(5).fit(X, Y).scores_
    assert_array_equal(scores, InformationGain(5).fit(twin, Y).scores_)
    for learner in (
        BitLinearSVC(random_state=0),
        BitTreeClassifier(random_state=0),
        BitBernoulliNB(),
    ):
        mine, other = clone(learner).fit(X, Y), clone(learner).fit(twin, Y)
        assert_array_equal(mine.predict(X), other.predict(twin))


def test_copies_of_such_a_file_are_refused(overwritten):
    with pytest.raises(DataError, match="holds ones behind the last of its 200 rows"):
        overwritten[:, [1, 5]]
    with pytest.raises(DataError, match="holds ones behind"):
        overwritten.append_rows(clean(overwritten.words))
    with pytest.raises(DataError):  # by this sentence or by that of a file that changed
        EIFSClassifier("svm", n_rounds=2, n_features=100, random_state=0).fit(overwritten, Y)


def test_lists_end_where_their_room_ends():
    """A file may change between counting its ones and listing them."""
    words = clean(random_words()).words
    rows = np.full(70, -1, dtype=np.int32)
    list_bits(words, N, rows[:50])
    assert (rows[:50] >= 0).all()
    assert (rows[50:] == -1).all()
    listed, ends = np.full(50 + 64 * 4 + 20, -1, dtype=np.int32), np.zeros(P, dtype=np.int64)
    list_ones(words, N, listed[:-20], ends)
    assert (listed[-20:] == -1).all()
    assert ends.max() == 50
