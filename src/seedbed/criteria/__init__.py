"""How good a clustering is: its error, and its agreement with known classes.

The three external criteria of the study come from one contingency table:

- `normalised_rand`: larger is better, 1 is perfect, 0 is chance;
- `van_dongen`: smaller is better, 0 is perfect, at most 1;
- `variation_of_information`: smaller is better, 0 is perfect, at most 1.

`compare` gives all three at once; `sse` is the error that k-means minimises.
"""

from seedbed.criteria._contingency import Contingency, contingency
from seedbed.criteria._external import (
    Comparison,
    compare,
    normalised_rand,
    van_dongen,
    variation_of_information,
)
from seedbed.criteria._sse import sse

__all__ = [
    "Comparison",
    "Contingency",
    "compare",
    "contingency",
    "normalised_rand",
    "sse",
    "van_dongen",
    "variation_of_information",
]
