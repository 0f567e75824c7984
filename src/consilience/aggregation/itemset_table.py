"""The models as transactions: which features the miner sees, as which bits."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..models import FeatureModels
from .base import rank_totals


class Itemset(NamedTuple):
    """Features that were selected together.

    Attributes
    ----------
    features : int array
        The features, those of the core first, then by how often each was selected.
    support : int
        Number of models that selected all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.aggregation.itemsets import Itemset
    >>> Itemset(np.array([4, 1]), support=3).support
    3
    """

    features: np.ndarray
    support: int


@dataclass(frozen=True)
class FeatureOrder:
    """How features stand: by falling count, then mean rank, then a seeded permutation.

    The order of MostFrequent. It sorts the features of a panel and settles ties of itemsets.
    """

    counts: np.ndarray
    keys: tuple  # the last one counts most

    @classmethod
    def of(cls, models: FeatureModels, rng: np.random.Generator) -> "FeatureOrder":
        """Order the features of some models."""
        counts = models.counts
        permutation = rng.permutation(models.n_features)
        if models.rankings is None:
            return cls(counts, (permutation, -counts))
        return cls(counts, (permutation, rank_totals(models), -counts))

    def sort(self, features: np.ndarray) -> np.ndarray:
        """Return the features in this order."""
        return features[np.lexsort([key[features] for key in self.keys])]


class ItemsetTable:
    """The frequent features of some models as bitsets over the models, the core apart.

    Features that were selected by exactly the same models are one item: no closed itemset can
    part them, and near-identical models shrink to a few items.

    Parameters
    ----------
    models : FeatureModels
        The transactions.
    order : FeatureOrder
        How features stand.
    floor : int
        Features in fewer models are left out.
    """

    def __init__(self, models: FeatureModels, order: FeatureOrder, floor: int):
        from ..kernels.itemsets_table import pack_items, turn

        counts = order.counts
        self.n_models = models.n_models
        self.core = order.sort(np.flatnonzero(counts == self.n_models))
        self.features = order.sort(
            np.flatnonzero((counts >= floor) & (counts > 0) & (counts < self.n_models))
        )
        self.longest = int(models.sizes.max()) - self.core.size
        label = np.full(models.n_features, -1, dtype=np.int64)
        label[self.features] = np.arange(self.features.size)
        n_words = (self.n_models + 63) // 64
        bits = np.zeros((self.features.size, n_words), dtype=np.uint64)
        arrays = models.to_arrays()
        pack_items(arrays["indices"], arrays["indptr"], label, bits)
        leaders, self.item_of = _equal_rows(bits)
        if leaders.size < self.features.size:
            bits = np.ascontiguousarray(bits[leaders])
        self.bits, self.counts = bits, counts[self.features[leaders]]
        self.by_row = np.zeros((self.n_models, (self.n_items + 63) // 64), dtype=np.uint64)
        turn(bits, self.by_row)
        self.sizes = np.bincount(self.item_of, minlength=self.n_items).astype(np.float64)

    @property
    def n_items(self) -> int:
        """Number of items: groups of features with the same models."""
        return self.counts.size

    def holds(self, members: np.ndarray) -> np.ndarray:
        """Which of `features` a set of items holds, from its uint64 words; sets may be rows."""
        little = members.astype("<u8", copy=False).view(np.uint8)  # the same on every machine
        items = np.unpackbits(little, axis=-1, bitorder="little", count=self.n_items)
        return items.astype(bool)[..., self.item_of]

    def itemset(self, holds: np.ndarray, support: int) -> Itemset:
        """Return the features that `holds` marks, after the core, with their support."""
        features = self.features[holds]
        if self.core.size:
            features = np.concatenate([self.core, features])
        return Itemset(features, int(support))

    def models_with(self, holds: np.ndarray) -> np.ndarray:
        """Numbers of the models that hold any of the sets, bool[n_sets, n_features_of_table]."""
        little = self.bits.astype("<u8", copy=False).view(np.uint8)
        selected = np.unpackbits(little, axis=-1, bitorder="little", count=self.n_models)
        selected = selected[self.item_of].astype(bool)
        return np.flatnonzero(np.any([selected[held].all(axis=0) for held in holds], axis=0))


def _equal_rows(bits):
    """First row of each kind, rising, and the kind of each row: sorted, for there may be many."""
    rows = bits.view(np.dtype((np.void, bits.dtype.itemsize * bits.shape[1]))).ravel()
    _, first, kind = np.unique(rows, return_index=True, return_inverse=True)
    place = np.empty_like(first)
    place[np.argsort(first)] = np.arange(first.size)
    return np.sort(first), place[kind]
