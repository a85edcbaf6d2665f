"""Exact k-means: an estimator with scikit-learn's interface, and many runs in one call."""

from __future__ import annotations

from seedbed._core._engine import Run
from seedbed.kmeans._estimator import KMeans
from seedbed.kmeans._runs import History, Runs, run_many

__all__ = ["History", "KMeans", "Run", "Runs", "run_many"]
