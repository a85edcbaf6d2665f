"""Signatures of the native module, one section per part of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

# engine

class DatasetFloat:
    def __init__(
        self,
        x: npt.NDArray[np.float32],
        weight: npt.NDArray[np.float64] | None,
        n_threads: int,
    ) -> None: ...
    def run_many(
        self,
        centers: npt.NDArray[np.float32],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[[int, float, int, int], bool] | None,
    ) -> list[dict[str, Any]]: ...
    def assign(self, centers: npt.NDArray[np.float32], n_threads: int) -> npt.NDArray[np.int32]: ...
    def sse(
        self,
        centers: npt.NDArray[np.float32],
        labels: npt.NDArray[np.int32],
        n_threads: int,
    ) -> float: ...

class DatasetDouble:
    def __init__(
        self,
        x: npt.NDArray[np.float64],
        weight: npt.NDArray[np.float64] | None,
        n_threads: int,
    ) -> None: ...
    def run_many(
        self,
        centers: npt.NDArray[np.float64],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[[int, float, int, int], bool] | None,
    ) -> list[dict[str, Any]]: ...
    def assign(self, centers: npt.NDArray[np.float64], n_threads: int) -> npt.NDArray[np.int32]: ...
    def sse(
        self,
        centers: npt.NDArray[np.float64],
        labels: npt.NDArray[np.int32],
        n_threads: int,
    ) -> float: ...

class EmptyCluster(Exception): ...
class TooFewDistinct(Exception): ...

def instruction_set() -> str: ...

# seeding

def distinct_rows(data: DatasetFloat | DatasetDouble, limit: int) -> npt.NDArray[np.int64]: ...
def draw_seeds(
    data: DatasetFloat | DatasetDouble, uniforms: npt.NDArray[np.float64], n_threads: int
) -> dict[str, Any]: ...
def farthest_seeds(
    data: DatasetFloat | DatasetDouble, n_clusters: int, first: int, n_threads: int
) -> dict[str, Any]: ...
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
def pairs(counts: npt.NDArray[np.int64]) -> int: ...
