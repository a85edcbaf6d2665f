"""The runs of a study as arrays, data sets × runs for every method and criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seedbed.data._draws import Draw
from seedbed.data._synthetic_index import STUDY_SEED, study_index
from seedbed.study import Study, SyntheticSets, Unit
from seedbed.study._tables import CRITERIA

if TYPE_CHECKING:
    import polars as pl

FloatArray = NDArray[np.float64]
SEEDING, CLUSTERING = "seed_seconds", "cluster_seconds"


@dataclass(frozen=True)
class DataSet:
    """What is known of a data set; the overlap only of the study's own synthetic ones."""

    name: str
    group: str
    n: int
    d: int
    k: int
    overlap: float | None


@dataclass(frozen=True, eq=False)
class Cube:
    """Runs of a study, as far as it has come.

    ``values[column][label]`` has a row per data set, in the order of ``sets``, and a column per
    run; criteria that are not known everywhere hold NaN.
    """

    sets: tuple[DataSet, ...]
    labels: tuple[str, ...]
    values: Mapping[str, Mapping[str, FloatArray]]

    @cached_property
    def groups(self) -> dict[str, NDArray[np.intp]]:
        """The places of the data sets of each group, in the design's order of groups."""
        names = np.array([one.group for one in self.sets])
        return {str(group): np.flatnonzero(names == group) for group in dict.fromkeys(names)}

    @cached_property
    def best_sse(self) -> FloatArray:
        """The lowest final SSE that any run of any method reached, per data set."""
        lowest = [array.min(axis=1) for array in self.values["final_sse"].values()]
        return np.asarray(np.min(lowest, axis=0))

    def excess(self, label: str, column: str = "final_sse") -> FloatArray:
        """How much an SSE is above the best known one, relative to it; NaN where that is zero and
        the other is not."""
        best = self.best_sse[:, np.newaxis]
        above = self.values[column][label] - best
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.where(above == 0.0, 0.0, above / best)
        return np.where(np.isfinite(shares), shares, np.nan)

    def runs(self, label: str) -> int:
        return int(self.values["final_sse"][label].shape[1])


def read_cube(study: Study) -> Cube:
    """Read all runs. Each data set that is done has all runs of all methods."""
    import polars as pl

    labels = tuple(entry.label for entry in study.design.methods)
    columns = [c.column for c in CRITERIA if c.column != "seconds"] + [SEEDING, CLUSTERING]
    rows = (
        study.rows()
        .select("dataset", "group", "n", "d", "k", "method", "run", *columns)
        .sort("dataset", "method", "run")
        .collect()
    )
    described = rows.group_by("dataset", maintain_order=True).agg(
        pl.col("group", "n", "d", "k").first()
    )
    units = {unit.name: unit for unit in study.design.units()}
    order = _order(units, described)
    sets = tuple(_described(described.row(i, named=True), units) for i in order)
    by_method = rows.partition_by("method", as_dict=True)
    values: dict[str, dict[str, FloatArray]] = {column: {} for column in [*columns, "seconds"]}
    for label in labels:
        of_method = by_method[(label,)]
        for column in columns:
            array = of_method[column].cast(pl.Float64).fill_null(np.nan).to_numpy()
            values[column][label] = array.reshape(len(sets), -1)[order]
        values["seconds"][label] = values[SEEDING][label] + values[CLUSTERING][label]
    return Cube(sets, labels, values)


def _order(units: Mapping[str, Unit], described: pl.DataFrame) -> list[int]:
    """Groups as the design has them, data sets by name within a group."""
    groups = list(dict.fromkeys(unit.group for unit in units.values()))
    found = described.select("group", "dataset").rows()
    return sorted(range(len(found)), key=lambda i: (groups.index(found[i][0]), found[i][1]))


def _described(row: dict[str, Any], units: Mapping[str, Unit]) -> DataSet:
    name = row.pop("dataset")
    return DataSet(name=name, **row, overlap=_overlap(units[name]))


def _overlap(unit: Unit) -> float | None:
    source = unit.source
    if not isinstance(source, SyntheticSets) or source.seed != STUDY_SEED:
        return None
    outcome = study_index().find(unit.group, int(unit.key))
    return Draw(source.seed, outcome.number).cell.mean_overlap
