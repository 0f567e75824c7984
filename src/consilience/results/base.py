"""The result of any method: panels, what they were found in, and how it is kept on disk.

A method's own class adds its evidence: arrays as fields, their part of the document, and how both
are read again. Which class reads a directory, the document says.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from ..exceptions import DataError
from ..execution.atomic import atomic_writer, write_bytes
from .panel_rows import panel_rows
from .plain import clean

SCHEMA, SCHEMA_VERSION = "consilience.result", 1
# Results from before there was a choice do not say which method made them.
FIRST_METHOD = "ensemble"
TOLD = (
    "settings", "data", "evaluation", "warnings", "seconds", "command", "created", "versions"
)  # fmt: skip
KEPT = ("y_codes", "profiled", "panel_values", "nominal")
FOREIGN_ARRAYS = "models.npz belongs to another result.json"


class NotReadable(DataError):
    """A result that is whole but not for this version, or this class, to read."""


@dataclass(frozen=True, kw_only=True)
class Result(ABC):
    """What was selected, from what and how, whichever method did it.

    A child sets `method`, and writes `feature_facts`, `evidence`, `arrays` and `from_parts`.

    Attributes
    ----------
    panels : list of int arrays
        Column indices, best panel first, in order of importance.
    feature_names : ndarray of str
        Names of all columns.
    classes : list of str
        Class labels.
    y_codes : int array of shape (n_samples,)
        Class of each row as an index into `classes`.
    profiled : int array
        The columns whose values are kept: those of the panels.
    panel_values : float array of shape (n_samples, len(profiled))
        Their values.
    nominal : bool array of shape (len(profiled),)
        Which of them hold codes of categories.
    categories : dict of str to list of str
        Names of the categories of nominal features, where they are known.
    settings, data, seconds : dict
        How it was made, from what, and how long it took.
    evaluation : dict or None
        Nested cross-validation of the whole procedure, where it was done.
    warnings : list of str
        What the user should know.
    command : str or None
        The command line that made it.
    created : str or None
        When, in ISO 8601.
    versions : dict
        What it was made with.
    """

    method: ClassVar[str]
    _classes_by_method: ClassVar[dict[str, type["Result"]]] = {}

    panels: list[np.ndarray]
    feature_names: np.ndarray
    classes: list[str]
    y_codes: np.ndarray
    profiled: np.ndarray
    panel_values: np.ndarray
    nominal: np.ndarray
    settings: dict[str, Any]
    data: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] | None = None
    warnings: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    command: str | None = None
    created: str | None = None
    versions: dict[str, str] = field(default_factory=dict)
    categories: dict[str, list[str]] = field(default_factory=dict)

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "method" in vars(cls):
            Result._classes_by_method[cls.method] = cls

    @property
    def panel(self):
        """The best panel as a pandas DataFrame, features in order of importance."""
        import pandas as pd

        best = self.panels[0]
        facts = {key: values[best] for key, values in self.feature_facts().items()}
        return pd.DataFrame({"feature": self.feature_names[best], "index": best, **facts})

    @abstractmethod
    def feature_facts(self) -> dict[str, np.ndarray]:
        """What the method knows of each feature, by the names that `result.json` uses."""

    @abstractmethod
    def evidence(self) -> dict[str, Any]:
        """The method's own part of the document."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The method's own part of `models.npz`."""

    @classmethod
    @abstractmethod
    def from_parts(cls, document: dict, arrays: dict, common: dict) -> Self:
        """The result again, from its files and the attributes that all results have."""

    def described(self, **facts) -> Self:
        """A copy with some attributes replaced: names, data, evaluation, command, ..."""
        return replace(self, **facts)

    def may_have(self, **facts) -> Self:
        """The same for what only some methods have; what this one has not is left out."""
        known = {field.name for field in fields(self)}
        return replace(self, **{key: value for key, value in facts.items() if key in known})

    def to_dict(self) -> dict[str, Any]:
        """The document of `result.json`, as docs/result-schema.md describes it."""
        return clean(
            {
                "schema": SCHEMA,
                "schema_version": SCHEMA_VERSION,
                "method": self.method,
                "created": self.created,
                "seconds": self.seconds,
                "command": self.command,
                "versions": self.versions,
                "settings": self.settings,
                "data": self.data,
                "panels": panel_rows(self),
                **self.evidence(),
                "evaluation": self.evaluation,
                "warnings": list(self.warnings),
            }
        )

    def save(self, directory) -> Path:
        """Write `result.json` and `models.npz` into a directory, each whole or not at all.

        Parameters
        ----------
        directory : str or Path
            Made if it does not exist.

        Returns
        -------
        Path
            The JSON file.
        """
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        # ASCII, so that any name can be written, half a surrogate pair included.
        text = json.dumps(self.to_dict(), indent=1, allow_nan=False)
        kept = {name: getattr(self, name) for name in KEPT}
        names = np.asarray(self.feature_names, dtype=np.str_)
        with atomic_writer(directory / "models.npz") as file:
            np.savez_compressed(file, **kept, feature_names=names, **self.arrays())
        path = directory / "result.json"
        write_bytes(path, text.encode("ascii"))
        return path

    @classmethod
    def load(cls, directory) -> Self:
        """Read what `save` wrote; nothing in the files is executed.

        Parameters
        ----------
        directory : str or Path
            The directory, or its `result.json`.
        """
        directory = Path(directory)
        if directory.name == "result.json":
            directory = directory.parent
        try:
            document = json.loads((directory / "result.json").read_text("utf-8"))
            # Opened here, because NumPy leaves a damaged file open.
            with (
                (directory / "models.npz").open("rb") as file,
                np.load(file, allow_pickle=False) as arrays,
            ):
                return cls._read(document, dict(arrays))
        except FileNotFoundError as error:
            name = Path(error.filename).name
            raise DataError(
                f"{directory} holds no {name}; give a directory that `consilience select` wrote."
            ) from error
        except NotReadable:
            raise
        except Exception as error:  # json, zipfile, zlib and numpy raise a dozen kinds
            cause = " ".join(str(error).split()) or type(error).__name__
            raise DataError(
                f"The result in {directory} is damaged ({cause}); run the selection again."
            ) from error

    @classmethod
    def _read(cls, document: dict, arrays: dict) -> Self:
        """Find the class that reads a document, and let it."""
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise NotReadable("result.json was not written by consilience; give a run directory.")
        if document["schema_version"] > SCHEMA_VERSION:
            raise NotReadable(
                f"result.json has schema version {document['schema_version']} and this consilience "
                f"reads up to {SCHEMA_VERSION}; install a newer one."
            )
        method = document.get("method", FIRST_METHOD)
        reader = Result._classes_by_method.get(method)
        if reader is None:
            raise NotReadable(
                f"result.json is by the method '{method}', which this consilience does not know; "
                "install a newer one."
            )
        if not issubclass(reader, cls):
            raise NotReadable(
                f"result.json is by the method '{method}' and {cls.__name__} cannot hold it; read "
                "it with consilience.load_result."
            )
        return reader.from_parts(document, arrays, _common(document, arrays))


def _common(document: dict, arrays: dict) -> dict[str, Any]:
    """The attributes that every result has, from its files."""
    panels = [
        np.array([row["index"] for row in panel["features"]], dtype=np.intp)
        for panel in document["panels"]
    ]
    names = arrays["feature_names"].astype(object)
    in_panel = [row["feature"] for row in document["panels"][0]["features"]]
    if names[panels[0]].tolist() != in_panel:
        raise ValueError(FOREIGN_ARRAYS)
    return {
        "panels": panels,
        "feature_names": names,
        "classes": [row["name"] for row in document["data"]["classes"]],
        "categories": {
            row["feature"]: row["categories"]
            for panel in document["panels"]
            for row in panel["features"]
            if row["categories"] is not None
        },
        **{key: arrays[key] for key in KEPT},
        **{key: document[key] for key in TOLD},
    }
