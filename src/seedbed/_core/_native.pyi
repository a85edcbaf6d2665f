"""Signatures of the native module, one section per part of it."""

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
    def sse(
        self,
        centers: npt.NDArray[np.float64],
        labels: npt.NDArray[np.int32],
        n_threads: int,
    ) -> float: ...

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
