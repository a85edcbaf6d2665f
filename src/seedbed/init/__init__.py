"""Initialisation methods for k-means: one protocol, one registry, one module per idea.

>>> import numpy as np
>>> X = np.array([[0.0], [1], [2], [10], [11], [12]])
>>> seed(X, 2, "maximin", first="kkz").indices.tolist()
[5, 0]
"""

from __future__ import annotations

from typing import Any

from seedbed._random import RandomState
from seedbed.init._annealing import Annealing
from seedbed.init._astrahan import Astrahan
from seedbed.init._auto import Auto, Choice, choose
from seedbed.init._auto_evidence import Shape, Way
from seedbed.init._base import Meta, Method, Parameter, Reference, Seeds, parameter
from seedbed.init._bradley_fayyad import BradleyFayyad
from seedbed.init._breathing import BreathingKMeans
from seedbed.init._cao import Cao
from seedbed.init._cluster_seeking import BallHall, SimpleClusterSeeking
from seedbed.init._coreset import LightweightCoreset
from seedbed.init._density_cells import AlDaoudDensity
from seedbed.init._first_rows import FirstRows
from seedbed.init._foresight import FLSPlusPlus
from seedbed.init._forgy import Forgy
from seedbed.init._genetic import Genetic
from seedbed.init._given import as_method
from seedbed.init._global import FastGlobalKMeans, GlobalKMeans, GlobalKMeansPlusPlus
from seedbed.init._hg_means import HGMeans
from seedbed.init._hierarchical import Hierarchical
from seedbed.init._jancey import Jancey
from seedbed.init._kaufman import KaufmanRousseeuw
from seedbed.init._local_search import LSPlusPlus
from seedbed.init._lu import Lu
from seedbed.init._macqueen import MacQueen
from seedbed.init._markov import AFKMC2
from seedbed.init._maximin import Maximin
from seedbed.init._onoda import Onoda
from seedbed.init._optimal import Optimal
from seedbed.init._ostrovsky import Ostrovsky
from seedbed.init._parallel import KMeansParallel
from seedbed.init._partition import PCAPart, VarPart
from seedbed.init._pizzuti import Pizzuti
from seedbed.init._plus_plus import GreedyKMeansPlusPlus, KMeansPlusPlus
from seedbed.init._prone import PRONE
from seedbed.init._random_swap import RandomSwap
from seedbed.init._redmond import RedmondHeneghan
from seedbed.init._registry import Methods, get, methods, register
from seedbed.init._rejection import RejectionKMeansPlusPlus
from seedbed.init._robin import ROBIN
from seedbed.init._sorted_rows import AlDaoudVariance, Hartigan
from seedbed.init._spath import Spath
from seedbed.init._splitting import BinarySplitting, DirectedSplitting

__all__ = [
    "AFKMC2",
    "PRONE",
    "ROBIN",
    "AlDaoudDensity",
    "AlDaoudVariance",
    "Annealing",
    "Astrahan",
    "Auto",
    "BallHall",
    "BinarySplitting",
    "BradleyFayyad",
    "BreathingKMeans",
    "Cao",
    "Choice",
    "DirectedSplitting",
    "FLSPlusPlus",
    "FastGlobalKMeans",
    "FirstRows",
    "Forgy",
    "Genetic",
    "GlobalKMeans",
    "GlobalKMeansPlusPlus",
    "GreedyKMeansPlusPlus",
    "HGMeans",
    "Hartigan",
    "Hierarchical",
    "Jancey",
    "KMeansParallel",
    "KMeansPlusPlus",
    "KaufmanRousseeuw",
    "LSPlusPlus",
    "LightweightCoreset",
    "Lu",
    "MacQueen",
    "Maximin",
    "Meta",
    "Method",
    "Methods",
    "Onoda",
    "Optimal",
    "Ostrovsky",
    "PCAPart",
    "Parameter",
    "Pizzuti",
    "RandomSwap",
    "RedmondHeneghan",
    "Reference",
    "RejectionKMeansPlusPlus",
    "Seeds",
    "Shape",
    "SimpleClusterSeeking",
    "Spath",
    "VarPart",
    "Way",
    "as_method",
    "choose",
    "get",
    "methods",
    "parameter",
    "register",
    "seed",
]


def seed(
    X: Any,
    n_clusters: int,
    method: Any = "greedy-k-means++",
    *,
    sample_weight: Any = None,
    random_state: RandomState = None,
    n_threads: int | None = None,
    strict: bool = False,
    **parameters: Any,
) -> Seeds:
    """Choose ``n_clusters`` starting centres for k-means.

    Parameters
    ----------
    X : array or data frame, rows × features
        Finite numbers.
    n_clusters : int
        How many seeds, at most the number of rows.
    method : str, Method, array or function, default="greedy-k-means++"
        A name, letter or alias (`methods` lists them), a `Method`, an array of centres, or a
        function ``f(X, n_clusters, random_state)``. Note that "k-means++" is the plain method, one
        draw per seed; scikit-learn's is "greedy-k-means++". "random" is "macqueen": rows without
        replacement. "auto" is the method that our studies favour for data of this shape.
    sample_weight : array of one weight per row, or a number, optional
        Rows of weight zero are never chosen.
    random_state : int, Generator, RandomState or None, default=None
        The same number gives the same seeds.
    n_threads : int or None, default=None
        None for all available; the result does not depend on it.
    strict : bool, default=False
        Raise, rather than warn, where X has fewer distinct rows than ``n_clusters``.
    **parameters
        Of the method, where it is given by name.

    Returns
    -------
    Seeds
        The centres, the rows they are, and what the method has to say.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1], [2], [10], [11], [12]])
    >>> seed(X, 2, "var-part").centers.ravel().tolist()
    [1.0, 11.0]
    """
    return as_method(method, **parameters).seed(
        X,
        n_clusters,
        sample_weight=sample_weight,
        random_state=random_state,
        n_threads=n_threads,
        strict=strict,
    )
