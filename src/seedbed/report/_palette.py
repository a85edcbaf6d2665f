"""How a method looks: one colour, marker and dash, the same in every figure, table and page.

The eight methods of the study have the colours that are farthest apart: chosen, starting from the
hues of Okabe & Ito (2008), so that any two stay apart for readers with protanopia, deuteranopia or
tritanopia, and all have a contrast of at least 3 to 1 with white and with the page's dark ground.
Any other method, also one's own, has a look made from its name, which no other method can change.
Markers and dashes tell apart what colours alone do not.
"""

from __future__ import annotations

import colorsys
import hashlib
import json
from dataclasses import dataclass

from seedbed.init import Method, get

LIGHT, DARK = "#ffffff", "#0f1216"  # the grounds that figures are drawn on
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "p", "*")
DASHES: tuple[tuple[int, ...], ...] = (
    (),
    (7, 2),
    (2, 2),
    (7, 2, 2, 2),
    (4, 3),
    (10, 3, 2, 3, 2, 3),
)
_LUMINANCES = (0.13, 0.2, 0.285)  # all between 3:1 on white and 3:1 on the dark ground


@dataclass(frozen=True)
class Style:
    """How a method looks, the same everywhere.

    Attributes
    ----------
    colour : str
        As ``#rrggbb``.
    marker : str
        By matplotlib's letter.
    dash : tuple of int
        Lengths of strokes and gaps; empty for a solid line.
    """

    colour: str
    marker: str
    dash: tuple[int, ...] = ()


_STUDIED = {
    "forgy": Style("#835755", "v", (2, 2)),
    "macqueen": Style("#5a691a", "s", (7, 2)),
    "maximin": Style("#f54142", "X", (4, 3)),
    "bradley-fayyad": Style("#2e6a7d", "D"),
    "k-means++": Style("#e3770c", "^", (7, 2, 2, 2)),
    "greedy-k-means++": Style("#00aa57", "o"),
    "var-part": Style("#8887e7", "P", (10, 3, 2, 3, 2, 3)),
    "pca-part": Style("#d96fb8", "*"),
}


def style(method: str | Method) -> Style:
    """How a method looks.

    Parameters
    ----------
    method : str or Method
        Itself, or its name, letter or alias, or any name at all.

    Returns
    -------
    Style
        Colour, marker and dash.

    Examples
    --------
    >>> style("K") == style("k-means++")
    True
    """
    name = _identity(method)
    return _STUDIED.get(name) or _made_from(name)


def _identity(method: str | Method) -> str:
    """The id of a method; with its parameters where they are not the usual ones."""
    if isinstance(method, str):
        try:
            return _identity(get(method))
        except ValueError:
            return method  # not in the registry: one's own
    values = {p.name: getattr(method, p.name) for p in method.parameters()}
    usual = {p.name: p.default for p in method.parameters()}
    if values == usual:
        return method.meta.id
    return json.dumps([method.meta.id, values], sort_keys=True, default=repr)


def _made_from(name: str) -> Style:
    digest = hashlib.sha256(name.encode()).digest()
    return Style(
        _colour(digest[0] / 256, _LUMINANCES[digest[1] % len(_LUMINANCES)]),
        MARKERS[digest[2] % len(MARKERS)],
        DASHES[digest[3] % len(DASHES)],
    )


def _colour(hue: float, wanted: float) -> str:
    """The colour of a hue that has the wanted luminance, which grows with the lightness."""
    low, high = 0.0, 1.0
    for _ in range(20):
        lightness = (low + high) / 2
        shown = "#" + "".join(
            f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, lightness, 0.65)
        )
        low, high = (lightness, high) if luminance(shown) < wanted else (low, lightness)
    return shown


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, as the WCAG define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Contrast of two colours, from 1 to 21, as the WCAG define it."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
