"""Does a verdict depend on who else takes part? For mean-rank tests it does, and this shows it.

The mean-rank test of two methods uses the ranks of all others (Benavoli, Corani & Mangili 2016,
JMLR 17(5)). Here each method in turn is left out, and the verdicts on the remaining pairs are
compared with those in the full pool.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed.stats._adjust import pair_indices
from seedbed.stats._display import Shown, format_probability, text_table
from seedbed.stats._pairwise import pairwise
from seedbed.stats._result import Pairwise


@dataclass(frozen=True, eq=False, repr=False)
class PoolDependence(Shown):
    """For every pair, what becomes of the verdict when a third method is left out.

    Attributes
    ----------
    result : Pairwise
        The pairs in the full pool.
    changed_by : tuple of tuples of str
        Per pair, the methods without which the verdict is the other one.
    log_p_low, log_p_high : ndarray
        Logarithms of the smallest and the largest adjusted p-value over the full pool and all
        smaller ones.
    """

    result: Pairwise
    changed_by: tuple[tuple[str, ...], ...]
    log_p_low: NDArray[np.float64]
    log_p_high: NDArray[np.float64]

    @property
    def changes(self) -> NDArray[np.bool_]:
        """Per pair, whether the verdict changes when some third method is left out."""
        return np.array([bool(names) for names in self.changed_by])

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "first": [first for first, _ in self.result.pairs],
            "second": [second for _, second in self.result.pairs],
            "p_adjusted": self.result.p_adjusted.tolist(),
            "different": self.result.different.tolist(),
            "p_low": np.exp(self.log_p_low).tolist(),
            "p_high": np.exp(self.log_p_high).tolist(),
            "changes": self.changes.tolist(),
            "changed_by": [", ".join(names) for names in self.changed_by],
        }

    def _for_readers(self) -> dict[str, list[Any]]:
        return {
            "pair": [f"{first} – {second}" for first, second in self.result.pairs],
            "adjusted p": [format_probability(p) for p in self.result.log_p_adjusted],
            "lowest": [format_probability(p) for p in self.log_p_low],
            "highest": [format_probability(p) for p in self.log_p_high],
            "different": self.result.different.tolist(),
            "not so without": [", ".join(names) or "–" for names in self.changed_by],
        }

    def remark(self) -> str:
        """The pairs whose verdict changes, in a sentence."""
        hanging = [
            f"{first} – {second} (without {' or '.join(names)})"
            for (first, second), names in zip(self.result.pairs, self.changed_by, strict=True)
            if names
        ]
        if not hanging:
            return "No verdict changes when a third method is left out."
        return f"Verdicts that change when a third method is left out: {'; '.join(hanging)}."

    def __repr__(self) -> str:
        return f"PoolDependence({int(self.changes.sum())} of {len(self.changes)} verdicts change)"

    def __str__(self) -> str:
        return f"{self.remark()}\n\n{text_table(self._for_readers())}"


def pool_dependence(result: Pairwise) -> PoolDependence:
    """Leave out each method in turn and see which verdicts change.

    Parameters
    ----------
    result : Pairwise
        Of four methods or more with mean ranks, of three or more with Wilcoxon's test (whose
        p-values do not depend on the pool, but whose adjustment does).

    Returns
    -------
    PoolDependence
    """
    n = result.ranks.n_methods
    least = result.options.smallest_pool
    if n < least:
        raise ValueError(
            f"of {n} methods none can be left out; give {least} or more with "
            f"test={result.options.test!r}"
        )
    first, second = pair_indices(n)
    low, high = result.log_p_adjusted.copy(), result.log_p_adjusted.copy()
    changed: list[list[str]] = [[] for _ in first]
    for left_out in range(n):
        others = np.flatnonzero((first != left_out) & (second != left_out))
        smaller = pairwise(result.ranks.without(left_out), **asdict(result.options))
        low[others] = np.minimum(low[others], smaller.log_p_adjusted)
        high[others] = np.maximum(high[others], smaller.log_p_adjusted)
        for pair in others[smaller.different != result.different[others]]:
            changed[pair].append(result.names[left_out])
    return PoolDependence(result, tuple(map(tuple, changed)), low, high)
