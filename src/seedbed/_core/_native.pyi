"""Signatures of the compiled module, one section per file of native/bind_*.cpp."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

# engine

_T = TypeVar("_T", np.float32, np.float64)

class _Dataset(Generic[_T]):
    def __init__(
        self, x: NDArray[_T], weight: NDArray[np.float64] | None, n_threads: int
    ) -> None: ...
    def run_many(
        self,
        centers: NDArray[Any],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[[int, float, int, int, NDArray[_T]], bool] | None,
    ) -> list[dict[str, Any]]: ...
    def assign(self, centers: NDArray[Any], n_threads: int) -> NDArray[np.int32]: ...
    def distances(self, centers: NDArray[Any], n_threads: int) -> NDArray[_T]: ...
    def sse(self, centers: NDArray[Any], labels: NDArray[np.int32], n_threads: int) -> float: ...

class DatasetFloat(_Dataset[np.float32]): ...
class DatasetDouble(_Dataset[np.float64]): ...
class EmptyCluster(Exception): ...
class TooFewDistinct(Exception): ...

def instruction_set() -> str: ...

# seeding

def distinct_rows(data: DatasetFloat | DatasetDouble, limit: int) -> NDArray[np.int64]: ...
def draw_seeds(
    data: DatasetFloat | DatasetDouble, uniforms: NDArray[np.float64], n_threads: int
) -> dict[str, Any]: ...
def farthest_seeds(
    data: DatasetFloat | DatasetDouble, n_clusters: int, first: int, n_threads: int
) -> dict[str, Any]: ...
def longest_row(data: DatasetFloat | DatasetDouble) -> int: ...
def label_means(
    data: DatasetFloat | DatasetDouble, labels: NDArray[np.int32], n_labels: int
) -> NDArray[np.float32] | NDArray[np.float64]: ...

# criteria

def contingency(
    truth: NDArray[Any], predicted: NDArray[Any]
) -> tuple[
    NDArray[np.int64],  # classes
    NDArray[np.int64],  # clusters
    NDArray[np.int64],  # rows
    NDArray[np.int64],  # columns
    NDArray[np.int64],  # counts
    NDArray[np.int64],  # row margins
    NDArray[np.int64],  # column margins
]: ...
def pairs(counts: NDArray[np.int64]) -> int: ...
