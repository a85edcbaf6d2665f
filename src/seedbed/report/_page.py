"""A self-contained page from plain data: sections of text, tables and figures.

All text is escaped when the page is rendered; only what is `Markup` already, such as the figures
that `seedbed.report._svg` draws, goes in as it is. The page carries its styles and scripts, so that
it works from a file, without a network, and everything on it can be read without scripts.

>>> page = Page("Fruit", [Section("Prices", [Table(["fruit", "price"], [["apple", 1.5]])])])
>>> "<td>apple</td>" in render(page)
True
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from seedbed.report._extras import require
from seedbed.report._palette import DARK, LIGHT, Style
from seedbed.report._svg import marker_path

LONG = 60  # characters from which a cell has a column of reading width


@dataclass(frozen=True)
class Cell:
    """A cell that is shown as a text and sorted by something else.

    Attributes
    ----------
    text : str
        What is shown.
    sort : float, str or None
        What it is sorted by.
    style : Style or None
        The colour and marker of a method.
    tone : str
        "good", "fair", "bad" or none.
    link : str
        An ``https`` address.
    """

    text: str
    sort: float | str | None = None
    style: Style | None = None
    tone: str = ""
    link: str = ""

    def __post_init__(self) -> None:
        if self.link and not self.link.startswith("https://"):
            raise ValueError(f"link={self.link!r} is not usable; give an address with https://")


@dataclass(frozen=True)
class Table:
    """Rows under named columns. Strings, numbers, None and `Cell` may be mixed.

    A reader can sort by any column, search, and choose one value of each column in ``choose``.

    Attributes
    ----------
    columns : sequence of str
        Their names.
    rows : sequence of sequences
        The cells.
    caption : str
        What the table shows.
    choose : sequence of str
        Columns of which a reader may choose a value.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    choose: Sequence[str] = ()

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold numbers, and so are set to the right."""
        return [
            any(value is not None for value in column)
            and all(value is None or _is_number(value) for value in column)
            for column in (zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns))
        ]


@dataclass(frozen=True)
class Figure:
    """A drawing, what it shows in words, and its numbers, which are one click away.

    Attributes
    ----------
    svg : str
        The drawing.
    alt : str
        What it shows, in words.
    numbers : Table or None
        What it is drawn from.
    caption : str
        What stands below it.
    narrow : str
        The same drawing for small screens, where it needs another.
    """

    svg: str
    alt: str
    numbers: Table | None = None
    caption: str = ""
    narrow: str = ""


@dataclass(frozen=True)
class Text:
    """Paragraphs.

    Attributes
    ----------
    paragraphs : sequence of str
        One after another.
    lead : bool
        Whether they are set larger.
    """

    paragraphs: Sequence[str]
    lead: bool = False


@dataclass(frozen=True)
class Code:
    """Text that keeps its lines and spaces.

    Attributes
    ----------
    text : str
        As it is shown.
    """

    text: str


@dataclass(frozen=True)
class Facts:
    """Pairs of a term and what is to be said of it.

    Attributes
    ----------
    pairs : sequence of pairs of str
        In the order in which they are shown.
    """

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Details:
    """Blocks behind a line that opens them.

    Attributes
    ----------
    summary : str
        The line.
    blocks : sequence of Block
        What is behind it.
    open : bool
        Whether they are shown from the start.
    """

    summary: str
    blocks: Sequence[Block]
    open: bool = False


@dataclass(frozen=True)
class Picker:
    """Blocks of which a reader chooses one, by its values on some axes.

    Without scripts, and where printed, the first one or all are shown.

    Attributes
    ----------
    axes : sequence of str
        Their names.
    choices : sequence of pairs
        The values on the axes, and the blocks that belong to them.
    """

    axes: Sequence[str]
    choices: Sequence[tuple[Sequence[str], Sequence[Block]]]


@dataclass(frozen=True)
class Grid:
    """Blocks side by side where there is room.

    Attributes
    ----------
    blocks : sequence of Block
        In reading order.
    """

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Raw:
    """Markup that is trusted: nothing in it is escaped.

    Attributes
    ----------
    html : str
        The markup.
    """

    html: str


Block = Text | Code | Table | Figure | Facts | Details | Picker | Grid | Raw


@dataclass(frozen=True)
class Section:
    """A part of a page with its own heading and place in the table of contents.

    Attributes
    ----------
    title : str
        The heading.
    blocks : sequence of Block
        What it holds.
    """

    title: str
    blocks: Sequence[Block]

    @property
    def anchor(self) -> str:
        """The name that links to it use."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "section"


@dataclass(frozen=True)
class Page:
    """A page that stands alone.

    Attributes
    ----------
    title, subtitle, footer : str
        What stands above and below the sections.
    sections : sequence of Section
        In reading order.
    data : mapping
        Embedded as JSON under its keys, for ``scripts``.
    scripts : sequence of str
        Names of files beside the templates.
    """

    title: str
    sections: Sequence[Section]
    subtitle: str = ""
    footer: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    scripts: Sequence[str] = ()


def render(page: Page) -> str:
    """The page as HTML.

    Parameters
    ----------
    page : Page
        Plain data; everything in it but `Raw` is escaped.

    Returns
    -------
    str
        One file, which needs no other.
    """
    environment = _environment()
    script = "\n".join(_source(name) for name in ("page.js", *page.scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html = environment.get_template("page.html").render(
        page=page,
        light=LIGHT,
        dark=DARK,
        script=require("markupsafe", "to make pages").Markup(script),
        script_source=f"'sha256-{digest}'",  # no other script runs, whatever a name may contain
    )
    return str(html)


def embed(value: Any) -> str:
    """A value as JSON that can stand inside a script element, whatever its strings contain."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def show(value: Any) -> str:
    """A value as a reader wants it: numbers with four digits, nothing for None."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return _float(value)
    return str(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "–")
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e7:
        digits = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.3g}"


def _is_number(value: Any) -> bool:
    if isinstance(value, Cell):
        return isinstance(value.sort, int | float)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sort_key(value: Any) -> Any:
    """What a cell is sorted by, where that is not its text."""
    if isinstance(value, Cell):
        return value.sort
    return value if _is_number(value) else None


@cache
def _environment() -> Any:
    jinja2 = require("jinja2", "to make pages")
    markup = require("markupsafe", "to make pages").Markup
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("seedbed.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )

    environment.filters |= {
        "show": show,
        "sort_key": _sort_key,
        "embed": lambda value: markup(embed(value)),
        "is_long": lambda text: len(text) > LONG,
        "trusted": markup,
        "marker": marker_path,
        "kind": lambda block: type(block).__name__,
    }
    environment.globals["file"] = lambda name: markup(_source(name))
    return environment


def _source(name: str) -> str:
    """A file beside the templates, as it is."""
    source: str = files("seedbed.report").joinpath("templates", name).read_text(encoding="utf-8")
    return source
