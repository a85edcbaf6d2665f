"""Every method has one look, which can be told from others and seen on both grounds."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from seedbed import methods
from seedbed.init import PCAPart
from seedbed.report import style
from seedbed.report._palette import DARK, LIGHT, contrast

# Machado, Oliveira & Fernandes (2009), severity 1, for linear RGB; and normal sight.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def cielab(rgb: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(TO_XYZ @ np.clip(rgb, 1e-6, 1) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_contrast_is_that_of_the_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ground", [LIGHT, DARK])
def test_every_registered_method_is_seen_on_the_ground(ground: str) -> None:
    faint = {m.id for m in methods() if contrast(style(m.id).colour, ground) < 3}
    assert not faint


def test_no_two_registered_methods_look_alike() -> None:
    looks = [(style(m.id).colour, style(m.id).marker) for m in methods()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_studied_methods_stay_apart_for_every_sight(sight: str) -> None:
    view = np.array(SIGHTS[sight])
    colours = {m.id: cielab(view @ linear(style(m.id).colour)) for m in methods() if m.letter}
    assert len(colours) == 8
    nearest = min(np.linalg.norm(a - b) for a, b in combinations(colours.values(), 2))
    assert nearest > 15  # a difference of about 2 is just visible
    assert len({style(m).marker for m in colours}) == 8


def test_a_method_has_one_look_by_any_of_its_names() -> None:
    assert style("K") == style("k-means++") == style("K-Means++")
    assert style(PCAPart()) == style("P")
    assert style(PCAPart(threshold="otsu")) != style("P")


def test_the_look_of_an_unknown_method_is_the_same_in_every_process() -> None:
    code = "from seedbed.report import style; print(style('my own method'))"
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == str(style("my own method"))
