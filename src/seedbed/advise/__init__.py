"""Advice on one's own data: the methods compared on it, and how many clusters it may have."""

from __future__ import annotations

from seedbed.advise._choose_k import choose_k
from seedbed.advise._choose_k_result import KChoice
from seedbed.advise._compare import compare
from seedbed.advise._compare_result import Comparison, MethodRuns
from seedbed.advise._compare_time import Within

__all__ = [
    "Comparison",
    "KChoice",
    "MethodRuns",
    "Within",
    "choose_k",
    "compare",
]
