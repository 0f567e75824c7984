"""Made data of known truth: which features matter, and in which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..exceptions import UsageError
from .table import Table, default_names


@dataclass(frozen=True, eq=False)
class Planted:
    """Data with the features that matter; what `make_planted` returns.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Standard normal but for what is planted.
    y : ndarray of shape (n_samples,)
        Classes 0, 1, ...
    feature_names : ndarray of shape (n_features,)
        ``x1``, ``x2``, ...: they tell nothing.
    blocks : list of ndarray
        Positions of the features of each correlated block.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the two features of each interacting pair.
    relevant : ndarray of bool of shape (n_features,)
        Features in a block or a pair.
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: np.ndarray
    blocks: list[np.ndarray]
    pairs: np.ndarray
    relevant: np.ndarray

    @property
    def table(self) -> Table:
        """The data as a reader would give them, without the truth."""
        return Table(self.X, self.y, self.feature_names, target="class", source="planted")


def make_planted(
    n_samples: int = 100,
    n_features: int = 1000,
    *,
    n_blocks: int = 5,
    block_size: int = 4,
    correlation: float = 0.7,
    n_pairs: int = 0,
    effect: float = 1.5,
    n_classes: int = 2,
    class_balance: Sequence[float] | None = None,
    random_state=None,
) -> Planted:
    """Make data in which some features matter and all others are noise.

    Blocks stand for genes of one pathway: their features rise together and any of them can
    replace another, which is what makes single selections unstable. Pairs stand for interactions:
    each feature alone has the same distribution in every class, and only both together tell.

    Parameters
    ----------
    n_samples, n_features : int, default=100, 1000
        Size of the table.
    n_blocks, block_size : int, default=5, 4
        How many blocks of how many features.
    correlation : float, default=0.7
        Between two features of a block, inside a class; from 0 to below 1.
    n_pairs : int, default=0
        Interacting pairs: the signs of the two features agree in the classes 0, 2, ... and differ
        in the classes 1, 3, ...
    effect : float, default=1.5
        Block number b is higher in class ``b % n_classes`` than in the others by so many
        standard deviations.
    n_classes : int, default=2
        Number of classes.
    class_balance : sequence of float, default=None
        Share of each class, in proportion; None gives equal shares.
    random_state : int, numpy.random.Generator or None, default=None
        Seed; the same one gives the same data.

    Returns
    -------
    Planted

    Examples
    --------
    >>> from consilience import make_planted
    >>> planted = make_planted(60, 500, n_blocks=2, block_size=3, n_pairs=1, random_state=0)
    >>> planted.table
    Table of 60 samples x 500 features, 2 classes
    >>> [len(block) for block in planted.blocks], planted.pairs.shape, planted.relevant.sum()
    ([3, 3], (1, 2), np.int64(8))
    """
    n_planted = n_blocks * block_size + 2 * n_pairs
    if min(n_blocks, block_size, n_pairs) < 0:
        raise UsageError(
            "Numbers of blocks, of their features and of pairs are not negative, and are "
            f"{n_blocks}, {block_size} and {n_pairs}."
        )
    if n_planted > n_features:
        raise UsageError(
            f"{n_blocks} blocks of {block_size} features and {n_pairs} pairs need {n_planted} "
            f"features, and there are {n_features}."
        )
    if not 0 <= correlation < 1:
        raise UsageError(f"The correlation goes from 0 to below 1, and not to {correlation}.")
    rng = np.random.default_rng(random_state)
    y = rng.permutation(
        np.repeat(np.arange(n_classes), _sizes(n_samples, n_classes, class_balance))
    )
    X = rng.standard_normal((n_samples, n_features))
    places = rng.permutation(n_features)[
        :n_planted
    ]  # scattered: the order of columns tells nothing
    blocks = np.sort(places[: n_blocks * block_size].reshape(n_blocks, block_size), axis=1)
    pairs = np.sort(places[n_blocks * block_size :].reshape(n_pairs, 2), axis=1)

    if blocks.size:
        common = rng.standard_normal((n_samples, n_blocks, 1))
        raised = y[:, None] == np.arange(n_blocks) % n_classes
        X[:, blocks] *= np.sqrt(1 - correlation)
        X[:, blocks] += np.sqrt(correlation) * common + effect * raised[:, :, None]
    if pairs.size:
        # |second| keeps its half-normal size, its sign is that of the first or the opposite.
        agree = np.where(y % 2 == 0, 1.0, -1.0)[:, None]
        X[:, pairs[:, 1]] = np.abs(X[:, pairs[:, 1]]) * np.sign(X[:, pairs[:, 0]]) * agree

    relevant = np.zeros(n_features, dtype=bool)
    relevant[places] = True
    return Planted(X, y, default_names(n_features), list(blocks), pairs, relevant)


def _sizes(n_samples: int, n_classes: int, balance: Sequence[float] | None) -> np.ndarray:
    """Whole numbers of samples per class, nearest to the wanted shares, none empty."""
    shares = np.ones(n_classes) if balance is None else np.asarray(balance, dtype=float)
    if n_classes < 2 or shares.shape != (n_classes,) or not (shares > 0).all():
        raise UsageError(
            f"class_balance needs a positive share for each of {n_classes} classes (2 or more), "
            f"and is {balance}."
        )
    if n_samples < n_classes:
        raise UsageError(f"{n_samples} samples cannot fill {n_classes} classes.")
    wanted = shares / shares.sum() * n_samples
    sizes = np.maximum(1, np.floor(wanted)).astype(int)
    while (lacking := n_samples - sizes.sum()) != 0:  # at most one step per class
        step = np.sign(lacking)
        gain = np.where(sizes + step > 0, step * (wanted - sizes), -np.inf)
        sizes[np.argmax(gain)] += step
    return sizes
