"""What a file of packed columns may say of its rows and columns: classes, groups and names."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

import numpy as np

from ..exceptions import DataError
from .labels import as_labels


@dataclass(frozen=True, eq=False)
class BitsLabels:
    """Classes and names that stand in the file of a BitMatrix, each None where it holds none.

    Parameters
    ----------
    y : array-like of shape (n_samples,), default=None
        Class of each row: text, whole numbers or booleans.
    feature_names, sample_names : array-like of str, default=None
        One for each column, one for each row.
    groups : array-like of shape (n_samples,), default=None
        What each row belongs to, such as its patient.
    target : str, default=None
        What `y` is called.
    notes : dict, default=None
        Anything else that JSON can hold, such as how the data were made.
    categories : dict of str to list of str, default=None
        What the numbers of nominal columns stand for, by the name of the column.

    Examples
    --------
    >>> from consilience.data.bits_labels import BitsLabels
    >>> BitsLabels.from_json(BitsLabels(y=["ill", "well"], target="state").to_json()).y
    array(['ill', 'well'], dtype='<U4')
    """

    y: np.ndarray | None = None
    feature_names: np.ndarray | None = None
    sample_names: np.ndarray | None = None
    groups: np.ndarray | None = None
    target: str | None = None
    notes: dict | None = None
    categories: dict[str, list[str]] | None = None

    def __post_init__(self):
        def put(name, value):
            object.__setattr__(self, name, value)  # the dataclass is frozen to everybody else

        if self.target is not None:
            put("target", str(self.target))
        if self.y is not None:
            put("y", _plain(as_labels(np.asarray(self.y), self.target, "BitMatrix")))
        for name in ("feature_names", "sample_names"):
            if getattr(self, name) is not None:
                put(name, np.array([str(each) for each in getattr(self, name)], dtype=str))
        if self.groups is not None:
            put("groups", _plain(np.asarray(self.groups)))

    def check(self, n_samples: int, n_features: int, path) -> BitsLabels:
        """Refuse names and classes of another number than there are rows or columns."""
        for name, size, of in (
            ("y", n_samples, "rows"),
            ("sample_names", n_samples, "rows"),
            ("groups", n_samples, "rows"),
            ("feature_names", n_features, "columns"),
        ):
            values = getattr(self, name)
            if values is not None and values.shape != (size,):
                raise DataError(
                    f"'{path}': {name} has {values.size} values for {size} {of}; give one for each."
                )
        return self

    def to_json(self) -> bytes:
        """All that is known as JSON in ASCII; empty where nothing is."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        known = {name: value for name, value in known.items() if value is not None}
        arrays = {name: v.tolist() for name, v in known.items() if isinstance(v, np.ndarray)}
        return json.dumps(known | arrays, sort_keys=True).encode("ascii") if known else b""

    @classmethod
    def from_json(cls, text: bytes) -> BitsLabels:
        """Read what `to_json` wrote."""
        known = json.loads(text) if text else {}
        return cls(**{field.name: known.get(field.name) for field in fields(cls)})


def _plain(values: np.ndarray) -> np.ndarray:
    """Whole numbers, booleans, numbers or text: what JSON can hold."""
    if values.dtype.kind == "S":
        return np.char.decode(values, "utf-8", "replace")
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    if values.dtype.kind in "biuU":
        return values
    return np.array(["" if each is None else str(each) for each in values], dtype=str)
