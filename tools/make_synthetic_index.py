"""Makes the index of the study's synthetic data sets that comes with the package.

    python tools/make_synthetic_index.py                      # about an hour on one core
    python tools/make_synthetic_index.py --seed 7 --per-class 64 --output index-7.npz

Outcomes are kept in a journal (beside the output unless --journal says otherwise), so that the work
can be stopped and taken up again. The same seed gives the same file.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from seedbed.data._synthetic_index import PER_CLASS, STUDY_SEED, make_index

PACKAGED = Path(__file__).resolve().parents[1] / "src/seedbed/data/synthetic_index.npz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=STUDY_SEED)
    parser.add_argument("--per-class", type=int, default=PER_CLASS)
    parser.add_argument("--output", type=Path, default=PACKAGED)
    parser.add_argument("--journal", type=Path)
    arguments = parser.parse_args()
    journal = arguments.journal or arguments.output.with_suffix(".journal")
    started = time.perf_counter()

    def show(draws: int, found: dict[str, int]) -> None:
        if draws % 500 == 0:
            counts = ", ".join(f"{name} {n}" for name, n in found.items())
            print(f"{time.perf_counter() - started:7.0f} s  {draws} draws: {counts}", flush=True)

    index = make_index(arguments.seed, arguments.per_class, journal, progress=show)
    index.save(arguments.output)
    print(
        f"written to {arguments.output}: {index.n_draws} draws, {index.n_unreachable} unreachable, "
        f"beyond the full classes {index.n_surplus}"
    )


if __name__ == "__main__":
    main()
