"""Signatures of the native module, one section per part of it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

# engine

_T = TypeVar("_T", np.float32, np.float64)

class _Dataset(Generic[_T]):
    def __init__(
        self, x: npt.NDArray[_T], weight: npt.NDArray[np.float64] | None, n_threads: int
    ) -> None: ...
    def run_many(
        self,
        centers: npt.NDArray[Any],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[[int, float, int, int, npt.NDArray[_T]], bool] | None,
    ) -> list[tuple[Any, ...]]: ...
    def assign(self, centers: npt.NDArray[Any], n_threads: int) -> npt.NDArray[np.int32]: ...
    def distances(self, centers: npt.NDArray[Any], n_threads: int) -> npt.NDArray[_T]: ...
    def sse(
        self, centers: npt.NDArray[Any], labels: npt.NDArray[np.int32], n_threads: int
    ) -> float: ...

class DatasetFloat(_Dataset[np.float32]): ...
class DatasetDouble(_Dataset[np.float64]): ...
class EmptyCluster(Exception): ...
class TooFewDistinct(Exception): ...

def instruction_set() -> str: ...

# seeding

def distinct_rows(data: DatasetFloat | DatasetDouble, limit: int) -> npt.NDArray[np.int64]: ...
def count_distinct(data: DatasetFloat | DatasetDouble, limit: int) -> int: ...
def distinct_among(
    data: DatasetFloat | DatasetDouble, limit: int, among: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]: ...
def count_labels(labels: npt.NDArray[np.uint16], n_labels: int) -> npt.NDArray[np.int64]: ...
def deal_rows(
    labels: npt.NDArray[np.uint16],
    number: npt.NDArray[np.int64],
    to: npt.NDArray[np.int64],
    exception_ends: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]: ...
def cluster_parts(
    data: DatasetFloat | DatasetDouble,
    rows: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    *,
    tol: float,
    max_iter: int,
    n_threads: int,
) -> npt.NDArray[np.float32] | npt.NDArray[np.float64]: ...
def draw_seeds(
    data: DatasetFloat | DatasetDouble,
    uniforms: npt.NDArray[np.float64],
    given: npt.NDArray[np.int64],
    n_threads: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], int]: ...
def draw_starts(
    data: DatasetFloat | DatasetDouble, uniforms: npt.NDArray[np.float64], n_threads: int
) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], int]]: ...
def draw_streams(
    data: DatasetFloat | DatasetDouble,
    words: npt.NDArray[np.uint64],
    n_rounds: int,
    n_trials: int,
    n_threads: int,
) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], int]]: ...
def farthest_seeds(
    data: DatasetFloat | DatasetDouble, n_clusters: int, first: int, n_threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], int]: ...
def spread_seeds(
    data: DatasetFloat | DatasetDouble, rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], int]: ...
def longest_row(data: DatasetFloat | DatasetDouble) -> int: ...
def label_means(
    data: DatasetFloat | DatasetDouble, labels: npt.NDArray[np.int32], n_labels: int
) -> npt.NDArray[np.float32] | npt.NDArray[np.float64]: ...

# partition

def partition(
    data: DatasetFloat | DatasetDouble,
    *,
    k: int,
    axis: int,
    threshold: int,
    bins: int,
    n_threads: int,
) -> dict[str, npt.NDArray[Any]]: ...

# attributes

def describe_attributes(
    data: DatasetFloat | DatasetDouble, n_threads: int
) -> dict[str, npt.NDArray[Any]]: ...
def mean_of_attributes(
    data: DatasetFloat | DatasetDouble, n_threads: int
) -> npt.NDArray[np.float64]: ...
def range_of_attributes(
    data: DatasetFloat | DatasetDouble,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]: ...
def unit_of(data: DatasetFloat | DatasetDouble) -> float: ...
def largest_magnitude(data: DatasetFloat | DatasetDouble) -> float: ...
def grid_positions(
    data: DatasetFloat | DatasetDouble,
    attributes: npt.NDArray[np.int64],
    *,
    steps: float,
    offset: float,
    top: int,
    n_threads: int,
) -> npt.NDArray[np.uint16]: ...
def group_rows(
    rows: npt.NDArray[np.uint16], shift: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
def argsort(
    keys: npt.NDArray[Any], n_threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]: ...
def select_rows(
    keys: npt.NDArray[Any], places: npt.NDArray[np.int64], n_threads: int
) -> npt.NDArray[np.int64]: ...
def fewest_groups(rows: npt.NDArray[np.uint16], shift: int) -> int: ...

NEVER_JOINS: int

def sort_cells(
    positions: npt.NDArray[np.uint16],
    bits: int,
    keys: npt.NDArray[np.int64],
    weight: npt.NDArray[np.float64] | None,
    *,
    least: int,
    most: float,
) -> tuple[int, npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.uint8]]: ...
def make_picture(
    cells: npt.NDArray[np.float64],
    mass: npt.NDArray[np.float64],
    joins: npt.NDArray[np.uint8],
    level: int,
    means: npt.NDArray[np.float64],
    masses: npt.NDArray[np.float64],
    left: npt.NDArray[np.uint8],
) -> None: ...

# search

def nearest(
    data: DatasetFloat | DatasetDouble, centers: npt.NDArray[Any], n_threads: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...
def lower_nearest(
    data: DatasetFloat | DatasetDouble,
    old: npt.NDArray[Any],
    fresh: npt.NDArray[Any],
    labels: npt.NDArray[np.int32],
    squares: npt.NDArray[np.float64],
    n_threads: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...
def two_nearest(
    data: DatasetFloat | DatasetDouble, centers: npt.NDArray[Any], n_threads: int
) -> tuple[
    npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.float64]
]: ...
def swap_search(
    data: DatasetFloat | DatasetDouble,
    centers: npt.NDArray[Any],
    uniforms: npt.NDArray[np.float64],
    n_threads: int,
) -> dict[str, Any]: ...
def best_mean_swap(
    data: DatasetFloat | DatasetDouble, centers: npt.NDArray[Any], row: int, n_threads: int
) -> tuple[int, npt.NDArray[Any]]: ...
def hartigan(
    data: DatasetFloat | DatasetDouble,
    centers: npt.NDArray[Any],
    labels: npt.NDArray[np.int32],
    max_passes: int,
    n_threads: int,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...

# FastICA

TILE_ROWS: int

def second_moments(
    data: DatasetDouble, origin: npt.NDArray[np.float64], n_threads: int
) -> npt.NDArray[np.float64]: ...
def fourth_moments(
    data: DatasetDouble,
    origin: npt.NDArray[np.float64],
    axes: npt.NDArray[np.float64],
    n_threads: int,
) -> npt.NDArray[np.float64]: ...
def whiten(
    data: DatasetDouble,
    origin: npt.NDArray[np.float64],
    axes: npt.NDArray[np.float64],
    n_threads: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def contrast(
    tiles: npt.NDArray[np.float64],
    share: npt.NDArray[np.float64],
    rotation: npt.NDArray[np.float64],
    *,
    cube: bool,
    n_threads: int,
) -> npt.NDArray[np.float64]: ...
def leading_rows(
    data: DatasetDouble,
    origin: npt.NDArray[np.float64],
    axes: npt.NDArray[np.float64],
    ceiling: npt.NDArray[np.float64],
    *,
    absolute: bool,
    tie: float,
    n_threads: int,
) -> list[tuple[float, npt.NDArray[np.int64]]]: ...

# criteria

def contingency(
    truth: npt.NDArray[Any], predicted: npt.NDArray[Any]
) -> tuple[
    npt.NDArray[np.int64],  # classes
    npt.NDArray[np.int64],  # clusters
    npt.NDArray[np.int64],  # rows
    npt.NDArray[np.int64],  # columns
    npt.NDArray[np.int64],  # counts
    npt.NDArray[np.int64],  # row margins
    npt.NDArray[np.int64],  # column margins
]: ...
def sum_of_largest(
    counts: npt.NDArray[np.int64], groups: npt.NDArray[np.int64], n_groups: int
) -> int: ...
def pairs(counts: npt.NDArray[np.int64]) -> int: ...

# overlap

class NotPositiveDefinite(ValueError): ...

class OverlapModel:
    def __init__(
        self, means: npt.NDArray[np.float64], covariances: npt.NDArray[np.float64]
    ) -> None: ...
    def map(
        self, weights: npt.NDArray[np.float64], scale: npt.NDArray[np.float64], limit: bool
    ) -> npt.NDArray[np.float64]: ...

def normals(uniforms: npt.NDArray[np.float64]) -> None: ...
def draw_covariances(
    points: npt.NDArray[np.float64], eccentricity: float
) -> npt.NDArray[np.float64]: ...
def place_points(
    points: npt.NDArray[np.float64],
    component: npt.NDArray[np.int32],
    means: npt.NDArray[np.float64],
    covariances: npt.NDArray[np.float64],
) -> None: ...
