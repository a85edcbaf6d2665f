"""Drawings as SVG text: small, in the page's colours, and escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

_POLYGONS = {"^": (3, -90), "v": (3, 90), "<": (3, 180), ">": (3, 0), "p": (5, -90), "h": (6, -90)}


def marker_path(marker: str, radius: float = 7.0) -> str:
    """The outline of a marker, given by matplotlib's letter, around the origin."""
    r = radius
    if marker == "s":
        return f"M{-r * 0.85:g},{-r * 0.85:g}h{r * 1.7:g}v{r * 1.7:g}h{-r * 1.7:g}z"
    if marker == "D":
        return f"M0,{-r:g}L{r:g},0L0,{r:g}L{-r:g},0z"
    if marker in "PX":
        return _cross(r, 0 if marker == "P" else 45)
    if marker == "*":
        radii = (1.15 * r, 0.5 * r)
        return _outline((radii[i % 2], -90 + 36 * i) for i in range(10))
    if marker in _POLYGONS:
        corners, first = _POLYGONS[marker]
        return _outline((1.1 * r, first + 360 * i / corners) for i in range(corners))
    return f"M{-r:g},0a{r:g},{r:g} 0 1 0 {2 * r:g},0a{r:g},{r:g} 0 1 0 {-2 * r:g},0z"


def _outline(corners: Iterable[tuple[float, float]]) -> str:
    """A polygon from radii and angles in degrees."""
    points = [
        f"{_short(r * math.cos(math.radians(a)))},{_short(r * math.sin(math.radians(a)))}"
        for r, a in corners
    ]
    return "M" + "L".join(points) + "z"


def _cross(r: float, turned: float) -> str:
    arm, wide = 1.05 * r, 0.38 * r
    corners = []
    for quarter in range(4):
        for along, across in ((arm, -wide), (arm, wide)):
            angle = math.degrees(math.atan2(across, along)) + 90 * quarter + turned
            corners.append((math.hypot(along, across), angle))
        corners.append((math.hypot(wide, wide), 45 + 90 * quarter + turned))
    return _outline(corners)


def element(name: str, *children: str, **attributes: Any) -> str:
    """An element; children are markup, attributes are escaped. ``stroke_width`` is stroke-width,
    and a trailing underscore is dropped."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{''.join(children)}</{name}>" if children else f"<{name}{shown}/>"


def text(words: str, x: float, y: float, **attributes: Any) -> str:
    """Words at a place; whatever they contain is escaped."""
    return element("text", escape(words), x=x, y=y, **attributes)


def drawing(width: float, height: float, *parts: str, title: str, desc: str = "") -> str:
    """A whole drawing with its title and description for those who do not see it."""
    words = element("title", escape(title)) + (element("desc", escape(desc)) if desc else "")
    size = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:g}"}
    return element("svg", words, *parts, **size)


def _value(value: Any) -> str:
    return _short(value) if isinstance(value, float) else escape(str(value))


def _short(number: float) -> str:
    """To a tenth of a pixel."""
    return f"{round(number, 1) + 0.0:g}"
