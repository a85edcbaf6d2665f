"""
Mixtures with a given overlap
=============================

Three mixtures of six components, easy, moderate and difficult for k-means, as in the study. Ω is
the disagreement between the true classes and what k-means makes of the points from the true
centres. The script writes a file where it is given one::

    python examples/plot_mixtures.py
    python examples/plot_mixtures.py docs/images/mixtures.png
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import seedbed as sb

CASES = ((0.01, 5), (0.05, 35), (0.15, 27))  # mean overlap and seed of each picture


def save(figure: Figure, file: Path) -> None:
    """Write the figure with a palette of its own, which takes a third of the space."""
    figure.canvas.draw()
    image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    file.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def main(file: Path | None) -> None:
    figure, axes = plt.subplots(1, 3, figsize=(11, 4), dpi=100, layout="constrained")
    for ax, (overlap, seed) in zip(axes, CASES, strict=True):
        mixture = sb.data.mixture(6, 2, mean_overlap=overlap, random_state=seed)
        points = sb.data.sample(mixture, 1024, random_state=seed)
        omega = sb.data.complexity(points.X, points.y, mixture.means)
        sb.data.plot_mixture(mixture, points, ax=ax)
        name = sb.data.complexity_class(omega)
        ax.set_title(f"{name}: mean overlap {overlap}, Ω = {omega:.3f}", fontsize=10)
        ax.set(xticks=[], yticks=[])
        ax.set_aspect("equal", adjustable="datalim")  # boxes of one size
    if file is None:
        plt.show()
    else:
        save(figure, file)
        print(f"wrote {file}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
