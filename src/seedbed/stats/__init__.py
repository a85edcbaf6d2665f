"""Statistics for comparing many methods on many data sets.

Scores come as a table, data sets × methods (NumPy, pandas or polars):

- `friedman`, `iman_davenport`: does any method differ?
- `bergmann_hommel`, `pairwise`: which ones, adjusted for the number of pairs;
- `groups`: the answer as ``{F,M} < K < {V,P}``;
- `effects`: how large the differences are;
- `pool_dependence`: whether the verdict on two methods hangs on a third;
- `critical_difference_diagram`: the familiar picture;
- `rank`: the ranks that all of them work on.
"""

from seedbed.stats._diagram import critical_difference_diagram
from seedbed.stats._effects import Effects, effects
from seedbed.stats._groups import Groups, groups
from seedbed.stats._omnibus import Omnibus, friedman, iman_davenport
from seedbed.stats._pairwise import bergmann_hommel, pairwise
from seedbed.stats._pool import PoolDependence, pool_dependence
from seedbed.stats._ranks import Ranks, rank
from seedbed.stats._result import ADJUSTMENTS, TESTS, Pairwise

__all__ = [
    "ADJUSTMENTS",
    "TESTS",
    "Effects",
    "Groups",
    "Omnibus",
    "Pairwise",
    "PoolDependence",
    "Ranks",
    "bergmann_hommel",
    "critical_difference_diagram",
    "effects",
    "friedman",
    "groups",
    "iman_davenport",
    "pairwise",
    "pool_dependence",
    "rank",
]
