"""Where data sets are kept and looked for: a setting, an environment variable, or the user's cache.

The first folder is seedbed's own: what it fetches or reads is kept there. It and any further ones
are searched for files that were put there by hand.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "SEEDBED_DATA"

_chosen: tuple[Path, ...] | None = None


def set_folder(*paths: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Choose the folders of this process; without any, go back to the default.

    Parameters
    ----------
    *paths : path-like
        The first is where data sets are kept (it is made when needed); the others are only
        searched for files put there by hand.

    Returns
    -------
    tuple of Path
        The folders now in use, as `folders` gives them.
    """
    global _chosen
    _chosen = tuple(Path(path).expanduser() for path in paths) or None
    return folders()


def folders() -> tuple[Path, ...]:
    """The folders in use: those set, else those in ``SEEDBED_DATA``, else the user's cache.

    Returns
    -------
    tuple of Path
        The first is where data sets are kept; the others are only searched.
    """
    if _chosen is not None:
        return _chosen
    listed = [part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return tuple(Path(part).expanduser() for part in listed) or (_default(),)


def _default() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "seedbed/data"
    if sys.platform == "darwin":
        return home / "Library/Caches/seedbed/data"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "seedbed/data"
