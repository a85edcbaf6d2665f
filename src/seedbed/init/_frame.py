"""The rows as arithmetic wants them: in double precision, of a size whose squares neither overflow
nor vanish, and where all pairs are looked at, without repetitions and not too many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedbed._core._attributes import largest_magnitude, mean_of_attributes
from seedbed._core._seeding import distinct_rows
from seedbed._validation import FloatArray, Points, is_integer, points_of
from seedbed.exceptions import TooManyRowsError
from seedbed.init._base import Seeds, parameter, rows_as_seeds
from seedbed.init._shortfall import add_farthest, complete_rows

ADVICE = (
    "choose a method of linear cost such as 'pca-part' or 'greedy-k-means++' (seedbed.methods() "
    "lists them), or seed on a sample of your own"
)
_SAFE = 100  # values between 2⁻¹⁰⁰ and 2¹⁰⁰ are left as they are


@dataclass(frozen=True, eq=False)
class Frame:
    """Rows scaled by a power of two (which is exact), and the way back.

    Attributes
    ----------
    given : the points the frame was made of
    points : the rows of the frame, float64, with their weights
    rows : the place of each row of the frame among those given; equal rows have the first
    exponent : lengths here times 2 to this power are lengths there
    """

    given: Points
    points: Points
    rows: NDArray[np.int64]
    exponent: int

    @property
    def x(self) -> NDArray[np.float64]:
        scaled: Any = self.points.x
        return scaled  # type: ignore[no-any-return]

    @property
    def mass(self) -> NDArray[np.float64]:
        """The weight of each row, one where there are none."""
        weight = self.points.weight
        return np.ones(self.points.n) if weight is None else weight

    def mean(self) -> NDArray[np.float64]:
        """The mean of all rows, the same for any order of them."""
        return mean_of_attributes(self.points.data, 1)

    def centers(self, found: NDArray[np.float64]) -> FloatArray:
        """Centres of the frame as centres of the data."""
        there: Any = np.ldexp(found, self.exponent).astype(self.given.x.dtype)
        return there  # type: ignore[no-any-return]

    def squares(self, values: Any) -> Any:
        """Squared lengths of the frame as squared lengths of the data."""
        with np.errstate(over="ignore", under="ignore"):
            there = np.ldexp(values, 2 * self.exponent)
        return float(there) if np.ndim(values) == 0 else there

    def length(self, value: float) -> float:
        """A length of the frame as a length of the data."""
        return math.ldexp(value, self.exponent)

    def length_here(self, value: float) -> float:
        """A length of the data as a length of the frame."""
        return math.ldexp(value, -self.exponent)

    def user_rows(self, chosen: Any) -> NDArray[np.int64]:
        """Rows of the frame as rows of the user's data."""
        rows = self.rows[np.asarray(chosen, dtype=np.int64)]
        return rows if self.given.kept is None else self.given.kept[rows].astype(np.int64)

    def row_seeds(self, chosen: Any, n_clusters: int, n_threads: int, **info: Any) -> Seeds:
        """Chosen rows as seeds; the farthest rows complete them where some are missing or equal."""
        rows = self.rows[np.asarray(chosen, dtype=np.int64)]
        rows, shortfall = complete_rows(self.given, rows, n_clusters, n_threads)
        return rows_as_seeds(self.given, rows, **info, shortfall=shortfall)

    def mean_seeds(
        self, found: NDArray[np.float64], n_clusters: int, n_threads: int, **info: Any
    ) -> Seeds:
        """Centres as seeds; where they are too few or coincide, the farthest rows complete them."""
        centers = self.centers(found)
        kept = distinct_rows(points_of(centers, None).data, n_clusters)
        shortfall = n_clusters - len(kept)
        if shortfall:
            centers, _ = add_farthest(self.given, centers[kept], n_clusters, n_threads)
        return Seeds(centers, info=info | {"shortfall": shortfall})


def frame(points: Points, n_threads: int) -> Frame:
    """All rows, in a frame."""
    return _framed(points, points, np.arange(points.n), n_threads)


def at_most(
    points: Points, n_max: int, method: str, why: str, advice: str = ADVICE
) -> NDArray[np.int64]:
    """The distinct rows, or TooManyRowsError with a reason where there are more than ``n_max``."""
    rows = distinct_rows(points.data, n_max + 1)
    if len(rows) > n_max:
        raise TooManyRowsError(
            f"{method} takes on at most n_max={n_max} distinct rows, because {why}, and X has more "
            f"(of {points.n} rows); raise n_max if you can wait, {advice}",
            n_max,
        )
    return rows


def distinct_frame(
    points: Points,
    n_max: int,
    method: str,
    n_threads: int,
    why: str = "it looks at all pairs of rows",
    advice: str = ADVICE,
) -> Frame:
    """The distinct rows in a frame, each with the weight of all that equal it.

    Raises TooManyRowsError where there are more than ``n_max``.
    """
    rows = at_most(points, n_max, method, why, advice)
    if len(rows) == points.n:
        return _framed(points, points, rows, n_threads)
    return _framed(points, _merged(points, rows, n_threads), rows, n_threads)


def n_max_parameter(default: int) -> Any:
    """The parameter that says how many rows are too many."""
    return parameter(
        default,
        "distinct rows up to which the method runs; more are refused rather than sampled",
        allowed="an int >= 1",
        accepts=lambda v: is_integer(v) and v >= 1,
    )


def _merged(points: Points, rows: NDArray[np.int64], n_threads: int) -> Points:
    """The given distinct rows, each with the weight of all that equal it."""
    # Adding zero makes -0 and 0 the same; np.unique numbers the kinds in the order of their values.
    kinds = np.unique(points.x + 0, axis=0, return_inverse=True)[1].reshape(-1)
    total = np.bincount(kinds, weights=points.weight)
    return points_of(points.x[rows], total[kinds[rows]].astype(np.float64), n_threads=n_threads)


def _framed(given: Points, kept: Points, rows: NDArray[np.int64], n_threads: int) -> Frame:
    largest = largest_magnitude(kept.data)
    exponent = math.frexp(largest)[1]
    if largest == 0.0 or abs(exponent) <= _SAFE:
        exponent = 0
    if exponent or kept.x.dtype != np.float64:
        x: Any = np.ldexp(kept.x.astype(np.float64), -exponent)
        kept = points_of(x, kept.weight, n_threads=n_threads)
    return Frame(given, kept, rows, exponent)
