"""Tables, figures and pages from results that are already computed."""

from seedbed.report._page import (
    Block,
    Cell,
    Code,
    Details,
    Facts,
    Figure,
    Grid,
    Page,
    Picker,
    Raw,
    Section,
    Table,
    Text,
    render,
)
from seedbed.report._palette import Style, style
from seedbed.report._write import Written, write

__all__ = [
    "Block",
    "Cell",
    "Code",
    "Details",
    "Facts",
    "Figure",
    "Grid",
    "Page",
    "Picker",
    "Raw",
    "Section",
    "Style",
    "Table",
    "Text",
    "Written",
    "render",
    "style",
    "write",
]
