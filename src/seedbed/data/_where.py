"""Which data sets are on this machine, told without reading them."""

from __future__ import annotations

from dataclasses import dataclass

from seedbed.data import _store
from seedbed.data._catalogue import catalogue, find
from seedbed.data._folders import folders
from seedbed.data._load import store_folder
from seedbed.data._local import find_copy
from seedbed.data._own import own_folders


@dataclass(frozen=True)
class Whereabouts:
    """Where a data set would be loaded from.

    Attributes
    ----------
    slug : str
        The name of the set.
    kind : str
        "store" (fetched or read before), "by hand", "package", "scikit-learn", "own", or "" for one
        that is not here.
    origin : str
        The place itself.
    """

    slug: str
    kind: str
    origin: str


def whereabouts(slug: str) -> Whereabouts:
    """Where a data set of the catalogue, or one's own, is.

    Parameters
    ----------
    slug : str
        Its name.

    Returns
    -------
    Whereabouts
        Its ``kind`` is "" where the set is not here.
    """
    own = own_folders()
    if slug in own and slug not in catalogue():
        return Whereabouts(slug, "own", str(own[slug]))
    entry = find(slug, also=own)
    if _store.has(store_folder(entry)):
        return Whereabouts(slug, "store", str(store_folder(entry)))
    copy = find_copy(entry, folders())
    return Whereabouts(slug, copy.kind if copy else "", copy.origin if copy else "")


def present() -> list[Whereabouts]:
    """Where each data set is: those of the catalogue in its order, then one's own.

    Returns
    -------
    list of Whereabouts
        Also of sets that are not here, whose ``kind`` is "".
    """
    own = [slug for slug in own_folders() if slug not in catalogue()]
    return [whereabouts(slug) for slug in (*catalogue(), *own)]
