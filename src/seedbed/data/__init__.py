"""Data to cluster: the study's real and synthetic sets, those that scikit-learn carries, one's own.

`load` reads a set that is on this machine, `fetch` brings it there, `catalogue` has all that is
known about each, `read_table` reads a file, and `scale` puts attributes on one scale.
"""

from __future__ import annotations

from seedbed._scaling import scale
from seedbed.data._catalogue import Entry, Recipe, WrongCopy, catalogue
from seedbed.data._dataset import DataSet
from seedbed.data._fetch import fetch
from seedbed.data._folders import folders, set_folder
from seedbed.data._load import load
from seedbed.data._mixsim import (
    Mixture,
    Overlap,
    OverlapUnreachable,
    Sample,
    SyntheticSet,
    complexity,
    complexity_class,
    mixsim,
    mixture,
    overlap,
    plot_mixture,
    sample,
    synthetic,
)
from seedbed.data._own import add
from seedbed.data._table import Table, read_table
from seedbed.data._verify import Fingerprint, fingerprint
from seedbed.data._where import Whereabouts, present, whereabouts

__all__ = [
    "DataSet",
    "Entry",
    "Fingerprint",
    "Mixture",
    "Overlap",
    "OverlapUnreachable",
    "Recipe",
    "Sample",
    "SyntheticSet",
    "Table",
    "Whereabouts",
    "WrongCopy",
    "add",
    "catalogue",
    "complexity",
    "complexity_class",
    "fetch",
    "fingerprint",
    "folders",
    "load",
    "mixsim",
    "mixture",
    "overlap",
    "plot_mixture",
    "present",
    "read_table",
    "sample",
    "scale",
    "set_folder",
    "synthetic",
    "whereabouts",
]
