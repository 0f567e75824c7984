"""Made binary data of known truth, as large as the disk: written block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..exceptions import UsageError
from . import bits_file
from .bits import BitMatrix
from .bits_labels import BitsLabels
from .bits_writer import BitsWriter
from .table import Table

# Columns whose cells come from one seed. A block is 5 MB of words at 10,000 rows, which fits
# caches; the number is part of what a seed means, so that it must not change.
_BLOCK = 4096
_DRAWN = 1 << 16  # gaps drawn at once


@dataclass(frozen=True, eq=False)
class PlantedBits:
    """Binary data with the features that matter; what `make_planted_bits` returns.

    Attributes
    ----------
    X : BitMatrix of shape (n_samples, n_features)
        Ones at random but for what is planted; mapped if it was written to a file.
    y : ndarray of shape (n_samples,)
        1 is active, 0 is not.
    modes : list of ndarray
        Positions of the features of each mode of action.
    sample_modes : ndarray of shape (n_samples,)
        The mode by which each sample is active; -1 where it is not.
    """

    X: BitMatrix
    y: np.ndarray
    modes: list[np.ndarray]
    sample_modes: np.ndarray

    @property
    def relevant(self) -> np.ndarray:
        """Mask of the features that belong to a mode."""
        mask = np.zeros(self.X.shape[1], dtype=bool)
        mask[np.concatenate(self.modes)] = True
        return mask

    @property
    def table(self) -> Table:
        """The data as a reader would give them, without the truth."""
        source = str(self.X.source.path) if self.X.source else "planted"
        return Table(self.X, self.y, target="active", source=source)

    @classmethod
    def open(cls, path: str | Path, *, verify: bool | str = "once") -> PlantedBits:
        """Map a file that `make_planted_bits` wrote, with the truth that it holds."""
        labels = bits_file.read_labels(Path(path))
        truth = (labels.notes or {}).get("planted")
        if truth is None:
            raise UsageError(f"'{path}' was not made by make_planted_bits: it tells no truth.")
        modes = [np.array(features, dtype=np.int64) for features in truth["modes"]]
        sample_modes = np.array(truth["sample_modes"], dtype=np.int64)
        return cls(BitMatrix.open(path, verify=verify), labels.y, modes, sample_modes)


def make_planted_bits(
    path: str | Path | None = None,
    n_samples: int = 1000,
    n_features: int = 10_000,
    *,
    density: float = 0.01,
    n_informative: int = 100,
    n_modes: int = 4,
    effect: float = 0.3,
    class_share: float = 0.1,
    random_state=None,
    tell: Callable[[int, int], None] | None = None,
) -> PlantedBits:
    """Make fingerprints of which some tell why a sample is active, and all others are noise.

    An active sample is active by one of several modes, as compounds bind in several ways: the
    features of its mode are frequent in it, and as rare as all others in every other sample. No
    feature tells all of the class, and those of one mode can replace each other.

    Columns are made in blocks of about 4,000, each from a seed of its own, and written as they
    come: a million columns of 10,000 rows (1.25 GB) need some megabytes of memory.

    Parameters
    ----------
    path : str or Path, default=None
        File to write, which then also holds the classes and the truth; None stays in memory.
    n_samples, n_features : int, default=1000, 10000
        Size of the table.
    density : float, default=0.01
        Probability of a one wherever nothing is planted.
    n_informative : int, default=100
        Features that belong to a mode, dealt out among the modes.
    n_modes : int, default=4
        Modes of action.
    effect : float, default=0.3
        Probability of a one in a feature of the mode by which a sample is active, beside what the
        density gives: 0 plants nothing, 1 sets all.
    class_share : float, default=0.1
        Share of active samples.
    random_state : int, SeedSequence or None, default=None
        Seed; the same one gives the same data, in memory or in a file.
    tell : callable, default=None
        Called with the numbers of columns done and wanted, after each block.

    Returns
    -------
    PlantedBits

    See Also
    --------
    make_planted : continuous data with correlated blocks and interactions.

    Examples
    --------
    >>> from consilience import make_planted_bits
    >>> planted = make_planted_bits(n_samples=500, n_features=2000, random_state=0)
    >>> planted.X
    BitMatrix of 500 samples x 2000 features (128000 bytes)
    >>> planted.y.sum(), planted.relevant.sum(), len(planted.modes)
    (np.int64(50), np.int64(100), 4)
    """
    _check(n_samples, n_features, density, n_informative, n_modes, effect, class_share)
    root = random_state
    if not isinstance(root, np.random.SeedSequence):
        root = np.random.SeedSequence(random_state)
    n_blocks = -(-n_features // _BLOCK)
    truth_seed, *seeds = root.spawn(1 + n_blocks)
    rng = np.random.default_rng(truth_seed)
    n_active = min(n_samples - 1, max(n_modes, round(class_share * n_samples)))
    sample_modes = np.full(n_samples, -1)
    sample_modes[rng.permutation(n_samples)[:n_active]] = np.arange(n_active) % n_modes
    # Scattered: the order of columns tells nothing.
    places = rng.permutation(n_features)[:n_informative]
    modes = [np.sort(places[mode::n_modes]) for mode in range(n_modes)]
    y = (sample_modes >= 0).astype(np.int64)

    def blocks():
        for block, seed in enumerate(seeds):
            first = block * _BLOCK
            size = min(_BLOCK, n_features - first)
            words = np.zeros((size, (n_samples + 63) >> 6), dtype=np.uint64)
            rng = np.random.default_rng(seed)
            _scatter(words, np.arange(n_samples), np.arange(size), density, rng)
            for mode, features in enumerate(modes):
                inside = features[(features >= first) & (features < first + size)] - first
                _scatter(words, np.flatnonzero(sample_modes == mode), inside, effect, rng)
            yield words
            if tell is not None:
                tell(first + size, n_features)

    if path is None:
        words = np.empty((n_features, (n_samples + 63) >> 6), dtype=np.uint64)
        for block, made in enumerate(blocks()):
            words[block * _BLOCK : block * _BLOCK + len(made)] = made
        return PlantedBits(BitMatrix(words, n_samples), y, modes, sample_modes)
    truth = {"modes": [mode.tolist() for mode in modes], "sample_modes": sample_modes.tolist()}
    labels = BitsLabels(y, target="active", notes={"planted": truth})
    with BitsWriter(path, n_samples, n_features, labels=labels) as writer:
        for words in blocks():
            writer.write(words)
    return PlantedBits(BitMatrix.open(path, verify=False), y, modes, sample_modes)


def _scatter(words, rows, columns, density: float, rng) -> None:
    """Set each of the given cells with the given probability."""
    from ..kernels.random_bits import scatter_bits

    if density <= 0 or rows.size == 0 or columns.size == 0:
        return
    # Gaps between ones are geometric: exponential ones, rounded down. At density 1 there are none.
    scale = 0.0 if density >= 1 else -1.0 / np.log1p(-density)
    n_cells, place = rows.size * columns.size, 0
    while 0 <= place < n_cells:
        n_left = 1.05 * density * (n_cells - place) + 64  # enough in most cases
        gaps = rng.standard_exponential(int(min(_DRAWN, n_left)))
        place = scatter_bits(gaps, scale, rows, columns, place, words)


def _check(n_samples, n_features, density, n_informative, n_modes, effect, class_share) -> None:
    for name, share in (("density", density), ("effect", effect), ("class_share", class_share)):
        if not 0 <= share <= 1:
            raise UsageError(f"{name} is a share from 0 to 1, and not {share}.")
    if n_modes < 1 or n_samples <= n_modes:
        raise UsageError(
            f"{n_modes} modes of action need one or more, and more samples than {n_samples}."
        )
    if not n_modes <= n_informative <= n_features:
        raise UsageError(
            f"{n_informative} informative features cannot be given to {n_modes} modes among "
            f"{n_features} features."
        )
