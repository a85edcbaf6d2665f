"""What `recommend` offers for a data set: expected error against time, and what comes out.

Every option is carried out a few times on data of scikit-learn, so that the expectation, which is
from other data, can be seen beside what happens on these. Writes docs/images/recommend.png, or the
file given as the only argument. Needs matplotlib.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import seedbed as sb
from seedbed.advise import Option
from seedbed.init import Method

CLUSTERS = 10
SEEDS = range(5)
BLUE, ORANGE = "#0072b2", "#d55e00"  # a pair that colour-blind people can tell apart


def sse(X: np.ndarray, method: Method, runs: int) -> list[float]:
    """The final error of a few repetitions with different random numbers."""
    made = (sb.KMeans(CLUSTERS, init=method, n_init=runs, random_state=s) for s in SEEDS)
    return [km.fit(X).inertia_ for km in made]


def label(option: Option) -> str:
    name = str(option).split(":")[0]
    return name.removeprefix("one run of ").replace("the best of ", "")


def main(file: Path) -> None:
    X = load_digits().data
    advice = sb.recommend(X, CLUSTERS)
    print(advice)
    found = [sse(X, option.method, option.runs) for option in advice.alternatives]
    least = min(map(min, found))
    figure, ax = plt.subplots(figsize=(8, 5), dpi=100, layout="constrained")
    for option, errors in zip(advice.alternatives, found, strict=True):
        chosen = option == advice.chosen
        milliseconds = 1000 * option.seconds
        excess = [100 * (error / least - 1) for error in errors]
        ax.plot([milliseconds] * len(excess), excess, "o", color=BLUE, alpha=0.4, ms=5)
        ax.plot(milliseconds, 100 * option.excess, "D", color=ORANGE, ms=9 if chosen else 6)
        ax.annotate(
            label(option),
            (milliseconds, 100 * option.excess),
            xytext=(7, 7),
            textcoords="offset points",
            fontsize=9,
            weight="bold" if chosen else "normal",
        )
    ax.plot([], [], "D", color=ORANGE, label="expected from other data")
    ax.plot([], [], "o", color=BLUE, alpha=0.4, label=f"digits, {len(SEEDS)} seeds")
    ax.set(
        xscale="log",
        xlabel="time foretold, milliseconds",
        ylabel="final SSE above the best known, %",
        title=f"digits, K = {CLUSTERS}; recommended in bold",
    )
    ax.margins(x=0.25)
    ax.legend()
    figure.savefig(file)
    print(f"wrote {file}")


if __name__ == "__main__":
    default = Path(__file__).resolve().parent.parent / "docs" / "images" / "recommend.png"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
