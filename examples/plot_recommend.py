"""
What is recommended, and what comes of it
=========================================

What ``recommend`` offers for a data set: expected error against time. Every option is carried out a
few times on the handwritten digits of scikit-learn, so that the expectation, which is from other
data, can be seen beside what happens on these. The script writes the picture where it is given a
file::

    python examples/plot_recommend.py
    python examples/plot_recommend.py docs/images/recommend.png
"""

from __future__ import annotations

import sys
from pathlib import Path

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
    words = str(option).split(":")[0]
    return f"{words.removeprefix('the ')}, {1000 * option.seconds:.0f} ms"


def main(file: Path | None) -> None:
    X = load_digits().data
    advice = sb.recommend(X, CLUSTERS)
    print(advice)
    options = advice.alternatives
    found = [sse(X, option.method, option.runs) for option in options]
    least = min(map(min, found))
    figure, ax = plt.subplots(figsize=(9, 4.5), dpi=100, layout="constrained")
    for place, (option, errors) in enumerate(zip(options, found, strict=True)):
        excess = [100 * (error / least - 1) for error in errors]
        ax.plot(excess, [place] * len(excess), "o", color=BLUE, alpha=0.4)
        ax.plot(100 * option.excess, place, "D", color=ORANGE)
    ax.plot([], [], "D", color=ORANGE, label="expected from other data")
    ax.plot([], [], "o", color=BLUE, alpha=0.4, label=f"found here, {len(SEEDS)} seeds")
    ax.set_yticks(range(len(options)), map(label, options))
    for option, name in zip(options, ax.get_yticklabels(), strict=True):
        name.set_weight("bold" if option == advice.chosen else "normal")
    ax.invert_yaxis()
    ax.grid(axis="y", alpha=0.3)
    ax.set(
        xlabel="final SSE above the best known, %",
        title=f"Digits, K = {CLUSTERS}: from cheap to good",
    )
    ax.legend()
    if file is None:
        plt.show()
    else:
        figure.savefig(file)
        print(f"wrote {file}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
