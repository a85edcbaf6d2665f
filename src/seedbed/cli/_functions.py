"""Methods as they are named on the command line: by name, or as ``module:function``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from seedbed.cli._errors import UserError, one_line
from seedbed.init import Method, as_method

_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def method_of(given: str, *, option: str = "--init", **parameters: Any) -> Method:
    """The method of that name, or the user's own function (or `Method`) ``module:function``.

    A module in the current directory is found too. ``option`` is named in errors.
    """
    if _FUNCTION.fullmatch(given) is None:
        return as_method(given, **parameters)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = resolve_name(given)
    except (ImportError, AttributeError) as error:
        raise UserError(f"{option} {given}: {one_line(error)}") from error
    if not callable(found):
        raise UserError(f"{option} {given} is of type {type(found).__name__}, not a function")
    return as_method(found, **parameters)
