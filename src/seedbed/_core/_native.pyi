"""Types of the native module, one section per binding file."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# engine

class DatasetFloat:
    def __init__(
        self, x: NDArray[np.float32], weight: NDArray[np.float64] | None, n_threads: int
    ) -> None: ...
    def run_many(
        self,
        centers: NDArray[np.float32],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[..., bool] | None,
    ) -> list[dict[str, Any]]: ...
    def assign(self, centers: NDArray[np.float32], n_threads: int) -> NDArray[np.int32]: ...
    def sse(
        self, centers: NDArray[np.float32], labels: NDArray[np.int32], n_threads: int
    ) -> float: ...

class DatasetDouble:
    def __init__(
        self, x: NDArray[np.float64], weight: NDArray[np.float64] | None, n_threads: int
    ) -> None: ...
    def run_many(
        self,
        centers: NDArray[np.float64],
        *,
        algorithm: int,
        stop: int,
        tol: float,
        max_iter: int,
        empty: int,
        n_threads: int,
        history: bool,
        keep_labels: bool,
        ended: Callable[..., bool] | None,
    ) -> list[dict[str, Any]]: ...
    def assign(self, centers: NDArray[np.float64], n_threads: int) -> NDArray[np.int32]: ...
    def sse(
        self, centers: NDArray[np.float64], labels: NDArray[np.int32], n_threads: int
    ) -> float: ...

class EmptyCluster(Exception): ...
class TooFewDistinct(Exception): ...

def instruction_set() -> str: ...
