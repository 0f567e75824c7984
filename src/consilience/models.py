"""The table of many feature models: what was selected from each sample of the rows."""

import zipfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path

import numpy as np
from scipy import sparse

from .exceptions import DataError, UsageError
from .heard import remark


class FeatureModels:
    """Many selections of the same features, and their rankings where the selector ranks.

    What an ensemble learns before it agrees on a panel. Aggregators, stability measures and
    reports all put their questions to this table.

    Parameters
    ----------
    subsets : sequence of integer arrays
        The features that each model selected, as column indices, best first where that is known.
        Models without any feature are dropped with a warning.
    n_features : int
        Number of features that could be selected.
    rankings : array-like of shape (n_models, n_features), default=None
        Rank of every feature in every model: 1 is best, ties share their mean rank. Kept as
        float32, which holds such ranks exactly up to 8 million features.
    weights : array-like of shape (n_models,), default=None
        How much each model counts, 0 or more: for bootstraps, how well its features predict the
        rows that are not in it. None where nothing is known; aggregators that use no weights
        count all models alike either way.

    Attributes
    ----------
    subsets : list of int arrays
        The selections, without empty ones.
    rankings : float32 array of shape (n_models, n_features) or None
        The rankings of the same models.
    weights : float array of shape (n_models,) or None
        The weights of the same models.

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> models = FeatureModels([[0, 2], [2, 3], [2, 0]], n_features=5)
    >>> models.frequencies.round(2)
    array([0.67, 0.  , 1.  , 0.33, 0.  ])
    >>> models
    FeatureModels(3 models of 5 features, no rankings)
    """

    def __init__(self, subsets: Sequence, n_features: int, rankings=None, weights=None):
        self.n_features = int(n_features)
        indices, sizes = _check_subsets(subsets, self.n_features)
        self.rankings = (
            None if rankings is None else _check_rankings(rankings, sizes.size, n_features)
        )
        self.weights = None if weights is None else _check_weights(weights, sizes.size)
        if (empty := np.count_nonzero(sizes == 0)) > 0:
            if empty == sizes.size:
                raise DataError(
                    f"None of the {empty} models selected any feature; "
                    "the data may hold no signal, or the selector may be too strict."
                )
            remark(
                f"{empty} of {sizes.size} models selected no feature and were dropped.",
                stacklevel=2,
            )
            if self.rankings is not None:
                self.rankings = self.rankings[sizes > 0]
            if self.weights is not None:
                self.weights = self.weights[sizes > 0]
            sizes = sizes[sizes > 0]
        self._indices = indices
        self._indptr = np.concatenate([[0], np.cumsum(sizes)])
        self.subsets = np.split(indices, self._indptr[1:-1])

    @property
    def n_models(self) -> int:
        """Number of models."""
        return len(self.subsets)

    @property
    def sizes(self) -> np.ndarray:
        """Number of features that each model selected, int[n_models]."""
        return np.diff(self._indptr)

    @property
    def counts(self) -> np.ndarray:
        """Number of models that selected each feature, int[n_features]."""
        return np.bincount(self._indices, minlength=self.n_features)

    @property
    def frequencies(self) -> np.ndarray:
        """Share of the models that selected each feature, float[n_features]."""
        return self.counts / self.n_models

    @cached_property
    def mean_ranks(self) -> np.ndarray:
        """Mean rank of each feature over the models, float[n_features].

        Without rankings, the selected features of a model share the rank (|s| + 1) / 2 and the
        others (|s| + 1 + n_features) / 2, the mean of the ranks that they could have.
        """
        if self.rankings is not None:
            return self.rankings.mean(axis=0, dtype=np.float64)
        unselected = (self.sizes + 1 + self.n_features).mean() / 2
        return unselected - self.frequencies * self.n_features / 2

    def membership(self) -> sparse.csr_array:
        """Which model selected which feature, sparse bool[n_models, n_features]."""
        marks = np.ones(self._indices.size, dtype=bool)
        shape = (self.n_models, self.n_features)
        return sparse.csr_array((marks, self._indices, self._indptr), shape=shape)

    def top(self, n_features_to_select: int, random_state=0) -> "FeatureModels":
        """Select the best features of each ranking anew, for another size.

        Among equal ranks come first the features that the model had selected, in its order, then
        the others in a random order, drawn for each model: column order would make irrelevant
        features look stable. Sizes are nested: a larger one contains the smaller.

        Parameters
        ----------
        n_features_to_select : int
            Number of features to take from each ranking.
        random_state : int, SeedSequence or Generator, default=0
            Seed of the random order.
        """
        if self.rankings is None:
            raise UsageError(
                "These models are subsets without rankings, so no other size can be read from "
                "them; select again with the size wanted."
            )
        size = check_panel_size(n_features_to_select, self.n_features)
        rng = np.random.default_rng(random_state)
        subsets = []
        for subset, ranks in zip(self.subsets, self.rankings, strict=True):
            order_in_ties = rng.random(self.n_features)
            order_in_ties[subset] = np.arange(-subset.size, 0)
            subsets.append(_best(ranks, order_in_ties, size))
        return FeatureModels(subsets, self.n_features, self.rankings, self.weights)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as plain arrays, for an npz file."""
        arrays = {
            "indices": self._indices,
            "indptr": self._indptr,
            "n_features": np.array(self.n_features),
        }
        known = {"rankings": self.rankings, "weights": self.weights}
        return arrays | {name: array for name, array in known.items() if array is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "FeatureModels":
        """Make the models again from `to_arrays`."""
        subsets = np.split(arrays["indices"], arrays["indptr"][1:-1])
        known = {name: arrays[name] for name in ("rankings", "weights") if name in arrays}
        return cls(subsets, int(arrays["n_features"]), **known)

    def save(self, path: str | Path) -> None:
        """Write an npz file that `load` reads again."""
        with Path(path).open("wb") as file:  # an open file keeps the name as given
            np.savez(file, **self.to_arrays())

    @classmethod
    def load(cls, path: str | Path) -> "FeatureModels":
        """Read what `save` wrote; nothing in the file is executed."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return cls.from_arrays(arrays)
        except (zipfile.BadZipFile, EOFError, KeyError, ValueError, TypeError) as error:
            raise DataError(
                f"{path} does not hold feature models ({error}); give a file that "
                "FeatureModels.save wrote, or select again."
            ) from error

    @classmethod
    def concatenate(cls, parts: Sequence["FeatureModels"]) -> "FeatureModels":
        """Put the models of several tables one after the other.

        Rankings are kept when every part has them, weights likewise.
        """
        parts = list(parts)
        if not parts:
            raise DataError("There are no feature models to put together; give at least one table.")
        if len({part.n_features for part in parts}) > 1:
            found = ", ".join(str(part.n_features) for part in parts)
            raise DataError(f"The models to put together are over different features: {found}.")
        known = {}
        for name in ("rankings", "weights"):
            found = [getattr(part, name) for part in parts]
            if all(array is not None for array in found):
                known[name] = np.concatenate(found)
        return cls([s for part in parts for s in part.subsets], parts[0].n_features, **known)

    def __len__(self) -> int:
        return self.n_models

    def __eq__(self, other) -> bool:
        if not isinstance(other, FeatureModels):
            return NotImplemented
        mine, theirs = self.to_arrays(), other.to_arrays()
        return mine.keys() == theirs.keys() and all(
            np.array_equal(mine[key], theirs[key]) for key in mine
        )

    __hash__ = None

    def __repr__(self) -> str:
        ranked = "no rankings" if self.rankings is None else "with rankings"
        return f"FeatureModels({self.n_models} models of {self.n_features} features, {ranked})"


def check_panel_size(n_features_to_select: int, n_features: int) -> int:
    """Return the size of a panel as an int, or say why it cannot be."""
    if not isinstance(n_features_to_select, Integral) or isinstance(n_features_to_select, bool):
        raise UsageError(
            f"n_features_to_select is {n_features_to_select!r}; give a whole number of features."
        )
    if not 1 <= n_features_to_select <= n_features:
        raise UsageError(
            f"{n_features_to_select} features were asked for, but the data have {n_features}; "
            f"ask for 1 to {n_features}."
        )
    return int(n_features_to_select)


def _best(ranks, order_in_ties, size):
    """Return the indices of the `size` smallest ranks, best first."""
    if size == ranks.size:
        return np.lexsort((order_in_ties, ranks))
    # Thousands of features may share the last rank: only as many as are needed get sorted.
    last = np.partition(ranks, size - 1)[size - 1]
    better = np.flatnonzero(ranks < last)
    better = better[np.lexsort((order_in_ties[better], ranks[better]))]
    tied = np.flatnonzero(ranks == last)
    needed = size - better.size
    if needed < tied.size:
        tied = tied[np.argpartition(order_in_ties[tied], needed - 1)[:needed]]
    return np.concatenate([better, tied[np.argsort(order_in_ties[tied])]])


def _check_subsets(subsets, n_features):
    """Return all indices in one array, and the size of each subset."""
    arrays = [np.asarray(subset) for subset in subsets]
    if not arrays:
        raise DataError("There are no feature models; give at least one subset.")
    for number, array in enumerate(arrays):
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise DataError(
                f"Model {number} is an array of {array.dtype} with {array.ndim} dimensions; give "
                "a flat list of column indices (np.flatnonzero turns a mask into them)."
            )
    sizes = np.array([array.size for array in arrays])
    indices = np.concatenate([array.astype(np.intp) for array in arrays])
    owner = np.repeat(np.arange(sizes.size), sizes)
    outside = (indices < 0) | (indices >= n_features)
    if outside.any():
        at = np.argmax(outside)
        raise DataError(
            f"Model {owner[at]} holds the feature index {indices[at]}, but the indices of "
            f"{n_features} features go from 0 to {n_features - 1}."
        )
    keys = np.sort(owner * n_features + indices)
    twice = keys[1:][keys[1:] == keys[:-1]]
    if twice.size:
        raise DataError(
            f"Model {twice[0] // n_features} holds the feature index {twice[0] % n_features} "
            "twice; list each feature once."
        )
    return indices, sizes


def _check_rankings(rankings, n_models, n_features):
    rankings = np.asarray(rankings, dtype=np.float32)
    if rankings.shape != (n_models, n_features):
        raise DataError(
            f"The rankings have the shape {rankings.shape}, but {n_models} models of "
            f"{n_features} features need ({n_models}, {n_features})."
        )
    # Written so that NaN fails too.
    if not (rankings.min() >= 1 and rankings.max() <= n_features):
        raise DataError(
            f"The rankings go from {rankings.min()} to {rankings.max()}, but ranks of "
            f"{n_features} features go from 1 (best) to {n_features}."
        )
    return rankings


def _check_weights(weights, n_models):
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n_models,):
        raise DataError(
            f"The weights have the shape {weights.shape}, but {n_models} models need one each."
        )
    bad = ~((weights >= 0) & np.isfinite(weights))
    if bad.any():
        at = np.argmax(bad)
        raise DataError(f"Model {at} has the weight {weights[at]}; give a number of 0 or more.")
    return weights
