"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Separator = Annotated[
    str | None, typer.Option(help="Separator of a CSV file, if not that of its extension.")
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="Whether a CSV file has a header.", show_default="auto"
    ),
]
