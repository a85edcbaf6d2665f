"""Data to cluster: the study's 32 real sets, those that scikit-learn carries, and one's own.

`load` reads a set that is on this machine, `fetch` brings it there, `catalogue` has all that is
known about each, and `scale` puts attributes on one scale.
"""

from __future__ import annotations

from seedbed._scaling import scale
from seedbed.data._catalogue import Entry, Recipe, WrongCopy, catalogue
from seedbed.data._dataset import DataSet
from seedbed.data._fetch import fetch
from seedbed.data._folders import folders, set_folder
from seedbed.data._load import load
from seedbed.data._own import add
from seedbed.data._verify import Fingerprint, fingerprint
from seedbed.data._where import Whereabouts, present, whereabouts

__all__ = [
    "DataSet",
    "Entry",
    "Fingerprint",
    "Recipe",
    "Whereabouts",
    "WrongCopy",
    "add",
    "catalogue",
    "fetch",
    "fingerprint",
    "folders",
    "load",
    "present",
    "scale",
    "set_folder",
    "whereabouts",
]
