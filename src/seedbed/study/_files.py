"""A table of one's own as a data set of a study, named in the design by its file."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from seedbed import data as _data
from seedbed.study._sources import SCALINGS, Loaded, Source, Unit, check_count, check_scaling


@dataclass(frozen=True, kw_only=True)
class FileSet(Source):
    """One data set, from a file that `seedbed.data.read_table` reads.

    Parameters
    ----------
    file : str
        Its name: .csv, .tsv (also .gz), .parquet or .npy.
    label : str or None, default=None
        The column with known classes.
    clusters : int or None, default=None
        How many clusters; None for the number of classes.
    columns : tuple of str, default=()
        Attributes to take; all by default.
    drop : tuple of str, default=()
        Columns to leave out.
    scaling : {"minmax", "zscore", "none"}, default="minmax"
        How attributes are scaled; "minmax" is the publication's.
    separator : str or None, default=None
        That of a CSV file, where its name does not tell.
    header : bool or None, default=None
        Whether a CSV file has one, where its first row does not tell.
    name : str, default=""
        Of the data set; by default that of the file without its ending.
    sha256 : str, default=""
        A hash of the file's content. A study notes it when it begins, so that a file that was
        changed since is refused rather than mixed in.
    """

    file: str
    label: str | None = None
    clusters: int | None = None
    columns: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    scaling: str = "minmax"
    separator: str | None = None
    header: bool | None = None
    name: str = ""
    sha256: str = ""

    def __post_init__(self) -> None:
        check_scaling(self.scaling, SCALINGS)
        check_count("clusters", self.clusters)
        if not isinstance(self.file, str) or not self.file:
            raise ValueError(f"file={self.file!r} is not usable; give the name of one file")
        for key in ("columns", "drop"):
            given = getattr(self, key)
            object.__setattr__(self, key, (given,) if isinstance(given, str) else tuple(given))
        object.__setattr__(self, "name", self.name or _name_of(self.file))
        if not re.fullmatch(r"[\w.-]+", self.name):
            raise ValueError(
                f"name={self.name!r} cannot name a data set; use letters, digits, '-', '_' and '.'"
            )

    def settled(self) -> FileSet:
        """The same with the file's whole path and a hash of its content.

        Returns
        -------
        FileSet
            It can be written down.
        """
        path = Path(self.file).resolve()
        return replace(self, file=str(path), sha256=self.sha256 or _hash_of(path))

    def units(self) -> list[Unit]:
        """The one data set.

        Returns
        -------
        list of Unit
            Of one.
        """
        return [Unit(self.name, "own", self, self.file)]

    def load(self, unit: Unit) -> Loaded:
        """Read the file and scale it.

        Parameters
        ----------
        unit : Unit
            That of `units`.

        Returns
        -------
        Loaded
            ``X``, ``y`` (or None) and ``n_clusters``.
        """
        if self.sha256 and _hash_of(Path(self.file)) != self.sha256:
            raise ValueError(
                f"{self.file} was changed since the study began; begin another one, in another "
                "folder"
            )
        table = _data.read_table(
            self.file,
            columns=self.columns,
            drop=self.drop,
            label=self.label,
            separator=self.separator,
            header=self.header,
        )
        k = self.clusters or len(table.class_names)
        if not k:
            raise ValueError(
                f"{self.file} has no classes; say how many clusters it has, clusters = …, or in "
                "which column the classes are, label = …"
            )
        return Loaded(_data.scale(table.X, self.scaling), table.y, k)

    def extent(self, unit: Unit) -> tuple[int, int, int]:
        """Rows, attributes and clusters.

        Parameters
        ----------
        unit : Unit
            That of `units`.

        Returns
        -------
        tuple of int
            N, D and K.
        """
        return _extent_of(self)

    def as_dict(self) -> dict[str, Any]:
        """The source as it is written to TOML.

        Returns
        -------
        dict
            Plain values only.
        """
        plain = {
            "file": self.file,
            "name": self.name,
            "label": self.label,
            "clusters": self.clusters or "classes",
            "columns": list(self.columns),
            "drop": list(self.drop),
            "scaling": self.scaling,
            "separator": self.separator,
            "header": self.header,
            "sha256": self.sha256,
        }
        return {key: value for key, value in plain.items() if value not in (None, [], "")}


@lru_cache(maxsize=64)
def _extent_of(source: FileSet) -> tuple[int, int, int]:
    (unit,) = source.units()
    loaded = source.load(unit)
    return (*loaded.X.shape, loaded.n_clusters)


def _name_of(file: str) -> str:
    stem = Path(file).name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", stem).strip("-") or "file"


def _hash_of(path: Path) -> str:
    try:
        with open(path, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from error
