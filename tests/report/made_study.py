"""Studies with made-up results, in the format of the real ones and without running any k-means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seedbed.study import Design, RealSets, Source, Study, Unit
from seedbed.study._store import Store

EIGHT = ("F", "M", "X", "B", "K", "G", "V", "P")


def make_study(
    folder: Path,
    *,
    data: Sequence[Source] = (RealSets(sets=("ecoli", "glass", "heart", "yeast")),),
    methods: Sequence[Any] = EIGHT,
    runs: int = 12,
    name: str = "made up",
    failed: Sequence[str] = (),
    missing: Sequence[str] = (),
    classes: bool = True,
) -> Study:
    """A study of which the data sets named in ``failed`` failed and those in ``missing`` are not
    done yet. Without ``classes`` the external criteria are not known."""
    design = Design(data=tuple(data), methods=tuple(methods), runs=runs, name=name)
    store = Store.create(folder, design)
    store.add_session(workers=1, units=len(design.units()))
    for number, unit in enumerate(design.units()):
        if unit.name in failed:
            store.keep_failure(unit, "ValueError: no <luck>", "Traceback\n  no <luck>")
        elif unit.name not in missing:
            found = results(design, unit, number)
            for criterion in () if classes else ("rand", "van_dongen", "vi"):
                found[criterion][:] = np.nan
            store.keep(unit, found)
    return Study.open(folder)


def results(design: Design, unit: Unit, number: int) -> dict[str, Any]:
    """Runs whose quality depends on the method: the later in the design, the better."""
    rng = np.random.default_rng(number)
    columns: dict[str, list[Any]] = {}
    for place, entry in enumerate(design.methods):
        n = 1 if entry.build().deterministic else design.runs
        final = 100.0 * (1 + number) * (1 + rng.random(n) / (1 + place))
        part = {
            "dataset": [unit.name] * n,
            "group": [unit.group] * n,
            "n": [150 * (1 + number)] * n,
            "d": [4 + number % 3] * n,
            "k": [2 + number % 4] * n,
            "method": [entry.label] * n,
            "run": list(range(n)),
            "initial_sse": final * (1.5 + rng.random(n)),
            "final_sse": final,
            "rand": rng.random(n),
            "van_dongen": rng.random(n),
            "vi": rng.random(n),
            "iterations": rng.integers(2, 30, n),
            "stop_reason": ["sse"] * n,
            "seed_seconds": 1e-4 * (1 + place) * (1 + rng.random(n)),
            "cluster_seconds": 1e-3 * (1 + rng.random(n)),
        }
        for key, values in part.items():
            columns.setdefault(key, []).extend(values)
    types = {"n": np.int64, "d": np.int64, "k": np.int64, "run": np.int32, "iterations": np.int32}
    return {key: np.array(values, dtype=types.get(key)) for key, values in columns.items()}
