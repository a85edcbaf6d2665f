"""
Seeds, and where k-means takes them
===================================

Where the eight methods of the study put their seeds on a plane, and where k-means takes them from
there. The picture at the head of the documentation is made by this script, which writes a file
where it is given one::

    python examples/plot_seeds.py
    python examples/plot_seeds.py docs/images/seeds.png
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from seedbed import KMeans, methods

N_CLUSTERS = 8
OPTIONS = {"n_init": 1, "stop": "labels", "random_state": 3, "order_labels": "lexicographic"}
INK, FAINT, ACCENT = "#1b1f24", "#6e7781", "#d1242f"
PALETTE = ("#8fb3d9", "#f7b26a", "#8ecb87", "#cba6c3", "#e6cf63", "#86cfc8", "#f5a3ab", "#bfa08e")


def patches() -> np.ndarray:
    """Eight round groups of different size and spread on a plane, and a few stray points."""
    rng = np.random.default_rng(5)
    groups = [
        rng.normal((x, y), spread, size=(size, 2))
        for x, y, spread, size in (
            (1.0, 1.0, 0.45, 120),
            (2.3, 4.4, 0.50, 90),
            (4.6, 2.2, 0.60, 200),
            (5.2, 5.6, 0.35, 60),
            (8.3, 1.2, 0.40, 110),
            (9.2, 3.4, 0.35, 90),
            (8.6, 6.2, 0.60, 160),
            (0.6, 6.8, 0.40, 50),
        )
    ]
    return np.vstack([*groups, rng.uniform((-0.5, -0.5), (10.5, 8), size=(20, 2))])


def draw(ax: Axes, X: np.ndarray, model: KMeans, title: str, best: float) -> None:
    """Points by cluster, seeds as rings, final centres as dots, and the way between them."""
    start, end = model.init_centers_, model.cluster_centers_
    ax.scatter(*X.T, s=5, c=np.take(PALETTE, model.labels_), linewidths=0)
    for a, b in zip(start, end, strict=True):
        ax.plot(*zip(a, b, strict=True), color=INK, linewidth=0.9)
    ax.scatter(*start.T, s=34, facecolors="white", edgecolors=INK, linewidths=1.1, zorder=3)
    ax.scatter(*end.T, s=26, color=INK, edgecolors="white", linewidths=0.6, zorder=4)
    ax.set_title(title, loc="left", fontsize=10, fontweight="bold", color=INK, pad=4)
    reached = model.inertia_ <= best * 1.001
    ax.set_title(
        f"{model.init_inertia_:,.0f} → {model.inertia_:,.0f}",
        loc="right",
        fontsize=9,
        color=FAINT if reached else ACCENT,
        pad=4,
    )
    ax.set(xticks=[], yticks=[], aspect="equal", xlim=(-0.9, 10.9), ylim=(-0.9, 8.4))
    ax.spines[:].set_color("#d0d7de")


def save(figure: Figure, file: Path) -> None:
    """Write the figure with a palette of its own, which takes a third of the space."""
    figure.canvas.draw()
    image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    file.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def main(file: Path | None) -> None:
    X = patches()
    studied = [method for method in methods() if method.letter]
    models = [KMeans(N_CLUSTERS, init=method.id, **OPTIONS).fit(X) for method in studied]
    best = min(model.inertia_ for model in models)
    figure, axes = plt.subplots(2, 4, figsize=(11, 5.15), dpi=110, layout="constrained")
    for ax, method, model in zip(axes.flat, studied, models, strict=True):
        draw(ax, X, model, f"{method.letter} {method.name}", best)
    figure.supxlabel(
        "○ seed   ● centre after k-means   SSE before → after, in red where a better one exists",
        fontsize=10,
        color=FAINT,
    )
    if file is None:
        plt.show()
    else:
        save(figure, file)
        print(f"wrote {file}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
