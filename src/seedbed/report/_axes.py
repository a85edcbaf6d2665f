"""Scales, and how places, amounts and names on them are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from seedbed.report._methods import StudyMethod
from seedbed.report._svg import element, marker_path


@dataclass(frozen=True)
class Scale:
    """From values to places on the drawing."""

    low: float
    high: float
    start: float
    end: float
    log: bool = True

    def __call__(self, value: float) -> float:
        if self.log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def ticks(self) -> list[float]:
        if not self.log:
            step = 10 ** math.floor(math.log10(self.high - self.low))
            step = next(s for s in (step / 2, step, 2 * step) if (self.high - self.low) / s <= 8)
            return [step * i for i in range(math.ceil(self.low / step), int(self.high / step) + 1)]
        powers = range(
            math.ceil(math.log10(self.low) - 1e-9), int(math.log10(self.high) + 1e-9) + 1
        )
        return [10.0**power for power in powers][:: max(1, math.ceil(len(powers) / 7))]


def log_scale(values: Sequence[float], start: float, end: float, least: float = 0.0) -> Scale:
    """From the power of ten below the least value to that above the largest."""
    known = [max(v, least) for v in values if math.isfinite(v) and max(v, least) > 0]
    low = 10.0 ** math.floor(math.log10(min(known, default=0.1)))
    high = 10.0 ** math.ceil(math.log10(max(known, default=1.0)) + 1e-9)
    return Scale(low, high if high > low else 10 * low, start, end)


def percent(share: float) -> str:
    """A share as percent, in as many digits as it needs."""
    return f"{100 * share:,.6f}".rstrip("0").rstrip(".") + " %"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit * 0.9995:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


def shorten(words: str, most: int) -> str:
    """Words that fit; an ellipsis says where some are missing."""
    return words if len(words) <= most else words[: most - 1] + "…"


def point(method: StudyMethod, x: float, y: float, radius: float = 5.0) -> str:
    """The marker of a method at a place."""
    look = method.style
    place = f"translate({x:.1f},{y:.1f})"
    return element("path", d=marker_path(look.marker, radius), fill=look.colour, transform=place)
