"""One small registry per family: the names that the command line and configs use.

Python users import classes; only the command line, configs, the common tests and the docs table
need names. Registering a class puts it into all of these at once.
"""

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .exceptions import UsageError


@dataclass(frozen=True)
class Entry:
    """What a registry knows of one method."""

    name: str
    cls: type
    paper: str
    source: str

    @property
    def summary(self) -> str:
        """First line of the class's docstring."""
        return (self.cls.__doc__ or "").strip().splitlines()[0]


class Registry:
    """Methods of one family by name, in the order of registration.

    Examples
    --------
    >>> from consilience.registry import Registry
    >>> shapes = Registry("shape")
    >>> @shapes.add(paper="SQ", source="Euclid")
    ... class FairSquare:
    ...     "Four equal sides."
    >>> shapes["fair-square"].cls is shapes["sq"].cls
    True
    >>> shapes["fair-sqare"]
    Traceback (most recent call last):
    ...
    consilience.exceptions.UsageError: Unknown shape 'fair-sqare'; did you mean 'fair-square'?
    """

    def __init__(self, family: str):
        self.family = family
        self._entries: dict[str, Entry] = {}

    def add(self, *, name: str | None = None, paper: str, source: str) -> Callable[[type], type]:
        """Register the decorated class.

        Parameters
        ----------
        name : str, default=None
            Name for the command line; None takes the kebab case of the class name.
        paper : str
            What the original paper calls the method; accepted as a name too.
        source : str
            Where it comes from, as author and year.
        """

        def register(cls: type) -> type:
            entry = Entry(name or kebab_case(cls.__name__), cls, paper, source)
            self._entries[entry.name] = entry
            return cls

        return register

    def __getitem__(self, name: str) -> Entry:
        wanted = name.casefold()
        for entry in self:
            if wanted in (entry.name, entry.paper.casefold(), entry.cls.__name__.casefold()):
                return entry
        known = self.names()
        near = difflib.get_close_matches(wanted, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}."
        raise UsageError(f"Unknown {self.family} {name!r}; {hint}")

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def joined(self, other: "Registry") -> "Registry":
        """One registry with the methods of both, for whoever looks a name up in either."""
        both = Registry(self.family)
        both._entries = self._entries | other._entries
        return both

    def names(self) -> list[str]:
        """Names for the command line, in the order of registration."""
        return list(self._entries)

    def name_of(self, cls: type) -> str:
        """Name of a registered class; the class's own name where it is not registered."""
        return next((entry.name for entry in self if entry.cls is cls), cls.__name__)


def kebab_case(name: str) -> str:
    """Turn `MostFrequent` into `most-frequent`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
