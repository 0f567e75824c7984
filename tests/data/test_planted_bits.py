import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience import BitMatrix, make_planted_bits, read_table
from consilience.data.planted_bits import PlantedBits
from consilience.exceptions import UsageError
from consilience.kernels.random_bits import scatter_bits


def test_the_truth_is_in_the_data():
    planted = make_planted_bits(
        n_samples=4000, n_features=5000, n_informative=40, density=0.02, random_state=3
    )
    assert planted.y.sum() == 400
    assert planted.relevant.sum() == 40
    assert [len(mode) for mode in planted.modes] == [10] * 4
    dense = planted.X.toarray()
    noise = dense[:, ~planted.relevant]
    assert abs(noise.mean() - 0.02) < 5 * np.sqrt(0.02 / noise.size)
    # Each column and each row alone, too: no place is favoured.
    for axis in (0, 1):
        spread = noise.mean(axis=axis).std() / np.sqrt(0.02 * 0.98 / noise.shape[axis])
        assert 0.9 < spread < 1.1
    for mode, features in enumerate(planted.modes):
        inside = planted.sample_modes == mode
        assert inside.sum() == 100
        told = dense[np.ix_(inside, features)].mean()
        assert abs(told - (1 - 0.98 * 0.7)) < 0.06
        assert abs(dense[np.ix_(~inside, features)].mean() - 0.02) < 0.005


def test_a_file_holds_the_same_data_and_the_truth(tmp_path):
    path, told = tmp_path / "x.bits", []
    arguments = {"n_samples": 130, "n_features": 9000, "random_state": 1}
    kept = make_planted_bits(**arguments)
    made = make_planted_bits(path, **arguments, tell=lambda *progress: told.append(progress))
    assert told == [(4096, 9000), (8192, 9000), (9000, 9000)]
    opened = PlantedBits.open(path)
    for planted in (made, opened):
        assert planted.X.source.path == path.absolute()
        assert_array_equal(planted.X.words, kept.X.words)
        assert_array_equal(planted.y, kept.y)
        assert_array_equal(planted.sample_modes, kept.sample_modes)
        assert_array_equal(planted.relevant, kept.relevant)
    assert_array_equal(read_table(path).y, kept.y)
    assert opened.table.target == "active"
    assert not np.array_equal(make_planted_bits(**arguments | {"random_state": 2}).y, kept.y)


def test_other_files_tell_no_truth(tmp_path):
    BitMatrix.from_array(np.eye(3)).save(tmp_path / "x.bits")
    with pytest.raises(UsageError, match="tells no truth"):
        PlantedBits.open(tmp_path / "x.bits")


def test_memory_does_not_grow_with_the_file(tmp_path):
    make_planted_bits(n_samples=64, n_features=200)  # compiled
    tracemalloc.start()
    planted = make_planted_bits(tmp_path / "x.bits", 3200, 100_000, random_state=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert planted.X.nbytes == 40_000_000
    assert peak < 6_000_000  # a block of columns, some gaps, the labels


@pytest.mark.parametrize(("density", "count"), [(0.0, 0), (1.0, 130 * 20)])
def test_extreme_densities_set_none_and_all(density, count):
    planted = make_planted_bits(
        n_samples=130, n_features=20, density=density, effect=0.0, n_informative=4
    )
    assert planted.X.column_sums().sum() == count


def test_gaps_are_walked_over_listed_cells():
    words = np.zeros((4, 2), dtype=np.uint64)
    rows, columns = np.array([1, 70, 3]), np.array([2, 0])
    place = scatter_bits(np.array([0.0, 1.0, 1.5]), 1.0, rows, columns, 0, words)
    assert place == 5
    # Cells 0, 2 and 4 of: rows 1, 70, 3 of column 2, then of column 0.
    expected = np.zeros((128, 4), dtype=np.uint8)
    expected[[1, 3, 70], [2, 2, 0]] = 1
    assert_array_equal(BitMatrix(words, 128).toarray(), expected)
    assert scatter_bits(np.array([1.0]), 1.0, rows, columns, place, words) == -1
    assert_array_equal(BitMatrix(words, 128).toarray(), expected)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"density": 1.5}, "density is a share from 0 to 1, and not 1.5"),
        ({"n_informative": 3}, "3 informative features cannot be given to 4 modes"),
        ({"n_informative": 10**6}, "cannot be given"),
        ({"n_samples": 4}, "more samples than 4"),
    ],
)
def test_nonsense_is_refused(wrong, sentence):
    with pytest.raises(UsageError, match=sentence):
        make_planted_bits(**wrong)
