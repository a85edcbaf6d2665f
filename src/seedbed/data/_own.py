"""One's own data sets, kept beside the catalogue's and loaded by name like them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from seedbed._validation import as_n_clusters, as_points
from seedbed.data import _store
from seedbed.data._catalogue import catalogue
from seedbed.data._dataset import DataSet
from seedbed.data._folders import folders
from seedbed.data._verify import ordered_hash
from seedbed.exceptions import ParameterError, WrongDataError

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def add(
    slug: str,
    X: npt.ArrayLike,
    y: npt.ArrayLike | None = None,
    *,
    name: str | None = None,
    feature_names: Sequence[str] | None = None,
    n_clusters: int | None = None,
    citation: str = "",
    licence: str = "",
    origin: str = "given as arrays",
    replace: bool = False,
) -> DataSet:
    """Keep a data set of one's own, to be loaded by name from now on.

    Parameters
    ----------
    slug : str
        Its name for `load`: small letters, digits and hyphens, and not one of the catalogue's.
    X : array-like of shape (n, d)
        Attributes: finite numbers.
    y : array-like of shape (n,), optional
        Classes of any kind; they are coded from 0 in sorted order.
    name : str, optional
        Its name in full; the slug by default.
    feature_names : sequence of str, optional
        One for each column; taken from a data frame, else numbered.
    n_clusters : int, optional
        How many clusters to look for; the number of classes by default, unknown without classes.
    citation, licence, origin : str
        What to cite, the terms, and where the data come from.
    replace : bool
        Whether a set of this name may be replaced.

    Returns
    -------
    DataSet
        As `load` will give it.
    """
    _check_slug(slug, replace)
    points = as_points(X, n_threads=1)
    names = _feature_names(X, feature_names, points.d)
    codes, classes = _coded(y, points.n)
    k = len(classes) or None
    if n_clusters is not None:
        k = as_n_clusters(n_clusters, points.n)
    values = np.ascontiguousarray(points.x, dtype=np.float64)
    meta = {
        "slug": slug,
        "name": name or slug,
        "feature_names": names,
        "class_names": classes,
        "n_clusters": k,
        "citation": citation,
        "licence": licence,
        "origin": origin,
        "sha256": ordered_hash(values, codes),
        "shape": list(values.shape),
        "class_counts": None if codes is None else np.bincount(codes).tolist(),
    }
    folder = folders()[0] / "own" / slug
    _store.write(folder, values, codes, meta)
    return read(folder)


def own_folders() -> dict[str, Path]:
    """Where each of one's own sets is kept, by its slug."""
    found: dict[str, Path] = {}
    for folder in folders():
        own = folder / "own"
        for path in sorted(own.iterdir()) if own.is_dir() else ():
            if not path.name.startswith(".") and _store.has(path):
                found.setdefault(path.name, path)
    return found


def facts(slug: str) -> dict[str, Any]:
    """All that is kept about a set of one's own, without its arrays."""
    return _store.read_meta(own_folders()[slug])


def read(folder: Path) -> DataSet:
    """A set of one's own, from where it is kept."""
    stored = _store.read(folder)
    meta = stored.meta
    if not stored.untouched and ordered_hash(stored.X, stored.y) != meta["sha256"]:
        raise WrongDataError(
            f"the data set kept in {folder} was changed after it was added; add it again"
        )
    return DataSet(
        slug=meta["slug"],
        name=meta["name"],
        X=stored.X,
        y=stored.y,
        feature_names=tuple(meta["feature_names"]),
        class_names=tuple(meta["class_names"]),
        n_clusters=meta["n_clusters"],
        citation=meta["citation"],
        licence=meta["licence"],
        number=None,
        origin=meta["origin"],
        verified=True,
        in_order=True,
    )


def _check_slug(slug: str, replace: bool) -> None:
    if not isinstance(slug, str) or not _SLUG.fullmatch(slug):
        raise ParameterError(
            f"slug={slug!r} cannot name a data set; use small letters, digits and single hyphens, "
            "such as 'my-data'"
        )
    if slug in catalogue():
        raise ParameterError(f"slug={slug!r} is a data set of the catalogue; choose another name")
    if slug in own_folders() and not replace:
        raise ParameterError(
            f"slug={slug!r} is already one of your data sets; choose another name or replace it"
        )


def _feature_names(X: object, given: Sequence[str] | None, d: int) -> list[str]:
    if given is None:
        given = [str(name) for name in getattr(X, "columns", ())]
        return given or [f"column {i}" for i in range(1, d + 1)]
    if isinstance(given, str) or len(given) != d:
        raise ParameterError(f"feature_names={given!r} must name each of the {d} columns of X")
    return [str(name) for name in given]


def _coded(y: npt.ArrayLike | None, n: int) -> tuple[npt.NDArray[np.int64] | None, list[str]]:
    if y is None:
        return None, []
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise ParameterError(f"y has shape {labels.shape}; give one class for each of the {n} rows")
    classes, codes = np.unique(labels, return_inverse=True)
    return codes.astype(np.int64), [str(value) for value in classes.tolist()]
