"""What all results share: a table as a data frame, as LaTeX, and in a notebook."""

from __future__ import annotations

import html
import math
import re
from abc import ABC, abstractmethod
from typing import Any

KINDS = ("polars", "pandas")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_NUMBER = re.compile(r"[-+]?(\d|inf)")
_SMALLEST = -700.0  # log of about 1e-304: below, a double loses digits


class Shown(ABC):
    """A result that is a table: subclasses supply its columns, for programs and for readers."""

    @abstractmethod
    def _columns(self) -> dict[str, list[Any]]:
        """What a data frame holds, in full precision."""

    def _for_readers(self) -> dict[str, list[Any]]:
        """What is printed; fewer columns and digits where there are many."""
        return self._columns()

    def to_frame(self, kind: str = "polars") -> Any:
        """The result as a data frame of "polars" or "pandas"."""
        if kind not in KINDS:
            raise ValueError(f"kind={kind!r} is unknown; use one of {', '.join(KINDS)}")
        if kind == "pandas":
            import pandas  # type: ignore[import-untyped]

            return pandas.DataFrame(self._columns())
        import polars

        return polars.DataFrame(self._columns(), strict=False)

    def to_latex(self) -> str:
        """The result as a LaTeX tabular with the rules of the package booktabs."""
        columns = self._for_readers()
        kinds = "".join("l" if _is_text(values) else "r" for values in columns.values())
        lines = [f"\\begin{{tabular}}{{{kinds}}}", r"\toprule", _row(columns), r"\midrule"]
        lines += [_row(map(_cell, values)) for values in zip(*columns.values(), strict=True)]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def _repr_html_(self) -> str:
        columns = self._for_readers()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(v))}</td>" for v in values) + "</tr>"
            for values in zip(*columns.values(), strict=True)
        )
        summary = html.escape(str(self).split("\n\n")[0])
        return (
            f"<div><pre>{summary}</pre><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )


def text_table(columns: dict[str, list[Any]]) -> str:
    """Columns as aligned text: words to the left, numbers to the right."""
    cells = {name: [name, *map(_cell, values)] for name, values in columns.items()}
    padded = []
    for name, values in columns.items():
        width = max(map(len, cells[name]))
        left = _is_text(values)
        padded.append([c.ljust(width) if left else c.rjust(width) for c in cells[name]])
    return "\n".join("  ".join(row).rstrip() for row in zip(*padded, strict=True))


def format_probability(log_p: float) -> str:
    """A probability from its logarithm, however small."""
    if log_p == -math.inf:
        return "0"
    if log_p == 0.0:
        return "1"
    if log_p > math.log(1e-3):
        return f"{math.exp(log_p):.4f}"
    if log_p > _SMALLEST:
        return f"{math.exp(log_p):.2e}"
    exponent = math.floor(log_p / math.log(10.0))
    return f"{math.exp(log_p - exponent * math.log(10.0)):.2f}e{exponent}"


def format_percent(share: float) -> str:
    """A relative difference in percent, with its sign."""
    return f"{100.0 * share:+.2f}%" if share else "0%"


def _is_text(values: list[Any]) -> bool:
    return not all(_NUMBER.match(_cell(v)) for v in values)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def _row(cells: Any) -> str:
    return " & ".join("".join(_LATEX.get(c, c) for c in str(cell)) for cell in cells) + r" \\"
