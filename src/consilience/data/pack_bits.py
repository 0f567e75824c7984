"""Packing what is packed: a file with other labels, or with rows or columns added to it."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from ..exceptions import DataError, UsageError
from . import bits_file
from .bits_join import put_below
from .bits_labels import BitsLabels
from .pack_block import PackedBlock
from .pack_source import PackOptions, Source, Tell, silent
from .request import Request
from .table import default_names, first_repeated


class BitsSource(Source):
    """A file of packed columns; read and not mapped, so that it can be replaced by its heir."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, replace(options, threshold=None))
        bits_file.read(request.path, verify="once")
        self.header, _ = bits_file.read_header(request.path)
        self.n_samples, self.width = self.header.n_samples, self.header.n_features
        known = bits_file.read_labels(request.path)
        self.describe(
            y=known.y,
            feature_names=known.feature_names,
            sample_names=known.sample_names,
            groups=known.groups,
            target=known.target,
        )

    def _fill(self, block: PackedBlock, tell: Tell) -> None:
        with self.request.path.open("rb") as file:
            file.seek(self.header.length + 8 * self.n_words * block.start)
            file.readinto(memoryview(block.words).cast("B"))  # straight to where they belong
        if sys.byteorder == "big":
            block.words.byteswap(inplace=True)
        tell(1.0)


class Joined:
    """Rows of one source below, or columns beside, those of a packed file.

    What the old file knows of its rows and columns must be known of the new ones as well; what
    it does not know is left out.

    Parameters
    ----------
    old : BitsSource
        The file as it is.
    new : Source
        What is added to it.
    along : {"rows", "columns"}
        Where.
    """

    copies = 3  # the words of both and of the whole

    def __init__(self, old: BitsSource, new: Source, along: str):
        self.old, self.new, self.along = old, new, along
        if along not in ("rows", "columns"):
            raise UsageError(f"One can append rows or columns, and not {along!r}.")
        counts = ("n_features", "n_samples") if along == "rows" else ("n_samples", "n_features")
        self._of_old, self._of_new = f"'{old.request.path}'", f"'{new.request.path}'"
        fixed = [getattr(source, counts[0]) for source in (old, new)]
        if fixed[0] != fixed[1]:
            what = "features" if along == "rows" else "samples"
            raise DataError(
                f"{self._of_old} has {fixed[0]} {what} and {self._of_new} has {fixed[1]}; both "
                f"must have the same to append {along}."
            )
        total = sum(getattr(source, counts[1]) for source in (old, new))
        self.n_samples = total if along == "rows" else old.n_samples
        self.n_features = old.n_features if along == "rows" else total
        self.labels = self._below() if along == "rows" else self._beside()

    @property
    def n_words(self) -> int:
        """Words of a packed column."""
        return (self.n_samples + 63) >> 6

    def words(self, start: int, stop: int, tell: Tell) -> np.ndarray:
        """Features `start` to `stop` as uint64[stop - start, n_words]."""
        if self.along == "rows":
            words = np.zeros((stop - start, self.n_words), dtype=np.uint64)
            words[:, : self.old.n_words] = self.old.words(start, stop, silent)
            put_below(words, self.old.n_samples, self.new.words(start, stop, tell))
            return words
        border = self.old.n_features
        if stop <= border:
            return self.old.words(start, stop, tell)
        if start >= border:
            return self.new.words(start - border, stop - border, tell)
        before = self.old.words(start, border, silent)
        return np.concatenate([before, self.new.words(0, stop - border, tell)])

    def _below(self) -> BitsLabels:
        old, new = self.old.labels, self.new.labels
        names = new.feature_names
        if names is None and getattr(self.new, "zero_based", None) is False:
            # The piece of a file that counts from 0 may lack that index, and all would be shifted.
            if old.feature_names is not None and old.feature_names[0] == "x0":
                names = default_names(self.n_features)
        self._agree("feature_names", old.feature_names, names)
        joined = {}
        for name in ("y", "sample_names", "groups"):
            above, below = getattr(old, name), getattr(new, name)
            if above is None:
                continue
            if below is None or (name == "y" and above.dtype.kind != below.dtype.kind):
                lacks = "has none" if below is None else f"has {_kind(below)}"
                raise DataError(
                    f"{self._of_old} has {_WORDS[name]} ({_kind(above)}) and {self._of_new} "
                    f"{lacks}; give the new rows theirs."
                )
            if name == "sample_names":
                self._refuse_twice(above, below)
            joined[name] = np.concatenate([above, below])  # text, if either is
        return replace(old, **joined, notes=None)

    def _refuse_twice(self, above: np.ndarray, below: np.ndarray) -> None:
        """Refuse samples that are there: one in training and in test would flatter the test."""
        known = set(above.tolist())
        both = [name for name in below.tolist() if name in known]
        if both:
            count = f" ({len(both)} such samples in all)" if len(both) > 1 else ""
            raise DataError(
                f"{self._of_old} and {self._of_new} both have a sample '{both[0]}'{count}; rename "
                "or leave out such rows."
            )

    def _beside(self) -> BitsLabels:
        old, new = self.old.labels, self.new.labels
        for name in ("y", "sample_names", "groups"):
            self._agree(name, getattr(old, name), getattr(new, name))
        if old.feature_names is None and new.feature_names is None:
            return replace(old, notes=None)
        made = default_names(self.n_features)
        parts = [made[: self.old.n_features], made[self.old.n_features :]]
        given = (old.feature_names, new.feature_names)
        names = np.concatenate(
            [made if given is None else given for made, given in zip(parts, given, strict=True)]
        )
        repeated = first_repeated(names)
        if repeated is not None:
            raise DataError(
                f"{self._of_old} and {self._of_new} both have a feature '{repeated}'; rename or "
                "drop one."
            )
        return replace(old, feature_names=names, notes=None)

    def _agree(self, name: str, old: np.ndarray | None, new: np.ndarray | None) -> None:
        """Refuse to append where both tell of the same rows or columns, and differ."""
        if old is None or new is None:
            return
        differ = np.flatnonzero(old.astype(str) != new.astype(str))
        if differ.size:
            k = int(differ[0])
            raise DataError(
                f"{self._of_old} and {self._of_new} have different {_WORDS[name]}: number {k + 1} "
                f"is '{old[k]}' in one and '{new[k]}' in the other; bring them into the same order."
            )


_WORDS = {
    "y": "classes",
    "sample_names": "names of samples",
    "groups": "groups",
    "feature_names": "names of features",
}


def _kind(values: np.ndarray) -> str:
    return {"U": "text", "b": "true and false"}.get(values.dtype.kind, "numbers")
