"""Tables, figures and pages from results that are already computed."""

from seedbed.report._page import (
    Block,
    Cell,
    Details,
    Facts,
    Figure,
    Page,
    Picker,
    Raw,
    Section,
    Table,
    Text,
    render,
)
from seedbed.report._palette import Style, style

__all__ = [
    "Block",
    "Cell",
    "Details",
    "Facts",
    "Figure",
    "Page",
    "Picker",
    "Raw",
    "Section",
    "Style",
    "Table",
    "Text",
    "render",
    "style",
]
