"""Where results are kept: a folder with the design, a manifest, and one Parquet file per data set.

A file is written under a temporary name and renamed when it is complete, so that whatever ends the
process, even SIGKILL or a full disk, loses at most the data sets that were being worked on. What is
missing is what remains to be done.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedbed.study._design import Design
from seedbed.study._machine import describe_machine, now
from seedbed.study._sources import Unit
from seedbed.study._toml import read_design, to_toml
from seedbed.study._unit import Columns

if TYPE_CHECKING:
    import polars as pl

RUNS, FAILURES = "runs", "failures"
DESIGN, MANIFEST = "design.toml", "manifest.json"
_BYTES_PER_ROW = 80  # and per file, generously:
_BYTES_PER_FILE = 16 * 1024


class StudyFolderError(ValueError):
    """A folder that cannot be used for a study, and what to do about it."""


@dataclass(frozen=True)
class Failure:
    """A data set on which the study failed.

    Attributes
    ----------
    dataset : str
        Its name.
    error : str
        What happened, in a line.
    traceback : str
        Where.
    when : str
        The time.
    """

    dataset: str
    error: str
    traceback: str
    when: str


@dataclass(frozen=True)
class Store:
    """The results of one design in one folder."""

    folder: Path
    design: Design

    @classmethod
    def create(cls, folder: Path, design: Design) -> Store:
        """Make the folder, or take up the study that is in it if it has the same design."""
        if (folder / MANIFEST).exists():
            store = cls.open(folder)
            _require_same(store, design)
            return store
        if folder.exists() and any(folder.iterdir()):
            raise StudyFolderError(
                f"{folder} is not empty and holds no study; choose another folder with -o"
            )
        try:
            for part in (RUNS, FAILURES):
                (folder / part).mkdir(parents=True, exist_ok=True)
            store = cls(folder, design)
            store._write(folder / DESIGN, to_toml(design).encode())
            manifest = {"digest": design.digest, "created": now(), "sessions": []}
            store._write(folder / MANIFEST, _as_json(manifest))
        except OSError as error:
            raise StudyFolderError(
                f"{folder} cannot be written: {error.strerror}; choose another folder with -o"
            ) from error
        return store

    @classmethod
    def open(cls, folder: str | Path) -> Store:
        """The study in a folder."""
        folder = Path(folder)
        if not (folder / MANIFEST).is_file():
            raise StudyFolderError(
                f"{folder} holds no study (no {MANIFEST}); "
                f"`seedbed study run -o {folder}` makes one"
            )
        return cls(folder, read_design(folder / DESIGN))

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        return found

    def add_session(self, **details: Any) -> None:
        """Note on what machine, with what versions and how the study was run or taken up again."""
        manifest = self.manifest
        manifest["sessions"].append({"started": now(), **describe_machine(), **details})
        self._write(self.folder / MANIFEST, _as_json(manifest))

    def done(self) -> set[str]:
        """The names of the data sets whose results are complete."""
        return {path.stem for path in (self.folder / RUNS).glob("*.parquet")}

    def failures(self) -> list[Failure]:
        paths = sorted((self.folder / FAILURES).glob("*.json"))
        return [Failure(**json.loads(path.read_text(encoding="utf-8"))) for path in paths]

    def missing(self, *, retry_failed: bool = False) -> list[Unit]:
        """What remains to be done; failed data sets only if they shall be tried again."""
        skipped = self.done()
        if not retry_failed:
            skipped |= {failure.dataset for failure in self.failures()}
        return [unit for unit in self.design.units() if unit.name not in skipped]

    def keep(self, unit: Unit, columns: Columns) -> None:
        """Write the results of a data set."""
        import polars as pl

        frame = pl.DataFrame(columns).with_columns(
            pl.col("rand", "van_dongen", "vi").fill_nan(None)
        )
        path = self.folder / RUNS / f"{unit.name}.parquet"
        with _Replacing(path) as temporary:
            frame.write_parquet(temporary, compression="zstd", statistics=False)
        (self.folder / FAILURES / f"{unit.name}.json").unlink(missing_ok=True)

    def keep_failure(self, unit: Unit, error: str, traceback: str) -> None:
        failure = Failure(unit.name, error, traceback, now())
        self._write(self.folder / FAILURES / f"{unit.name}.json", _as_json(vars(failure)))

    def rows(self) -> pl.LazyFrame:
        """All runs so far, one row each."""
        import polars as pl

        if not self.done():
            raise StudyFolderError(
                f"{self.folder} has no results yet; `seedbed study run -o {self.folder}` goes on"
            )
        return pl.scan_parquet(self.folder / RUNS / "*.parquet")

    def require_space(self, units: Iterable[Unit]) -> None:
        """Refuse to start what the disk has no room for."""
        methods = [entry.build() for entry in self.design.methods]
        runs = sum(1 if method.deterministic else self.design.runs for method in methods)
        needed = sum(_BYTES_PER_FILE + _BYTES_PER_ROW * runs for _ in units)
        free = shutil.disk_usage(self.folder).free
        if needed > free:
            raise StudyFolderError(
                f"{self.folder} has {free / 2**20:.0f} MiB free and the results may need "
                f"{needed / 2**20:.0f}; free some space, or choose another folder with -o"
            )

    @staticmethod
    def _write(path: Path, content: bytes) -> None:
        with _Replacing(path) as temporary:
            temporary.write_bytes(content)


class _Replacing:
    """A temporary path beside ``path`` that takes its place when all went well."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")

    def __enter__(self) -> Path:
        return self.temporary

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.temporary.unlink(missing_ok=True)
            return
        with self.temporary.open("rb+") as file:
            os.fsync(file.fileno())
        self.temporary.replace(self.path)


def _as_json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _require_same(store: Store, design: Design) -> None:
    if store.manifest["digest"] == design.digest:
        return
    here, given = store.design.as_dict(), design.as_dict()
    differing = [key for key in given if key != "name" and here[key] != given[key]]
    raise StudyFolderError(
        f"{store.folder} holds another study, which differs in {', '.join(differing)}; its "
        f"results cannot be mixed: choose another folder with -o, or resume that one with "
        f"`seedbed study run {store.folder / DESIGN} -o {store.folder}`"
    )
