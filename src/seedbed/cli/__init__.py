"""The `seedbed` command.

Nothing heavy is imported before a command needs it, so that ``seedbed --help`` is instant, and
nothing at all beyond the standard library before it is known that the extra ``cli`` is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

INTERRUPTED = 130  # what shells report for a process that Ctrl-C ended

_NEEDED = ("typer", "rich", "polars")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (those of the process by default); the exit code."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        print(
            f"seedbed: the command needs {', '.join(missing)}; "
            'install what is missing with: pip install "seedbed[cli]"',
            file=sys.stderr,
        )
        return 2
    try:
        from seedbed.cli._app import run

        code = run(arguments)
    except KeyboardInterrupt:  # wherever it comes, while modules are imported included
        code = INTERRUPTED
    if code == INTERRUPTED:
        print("seedbed: interrupted", file=sys.stderr)
    return code
