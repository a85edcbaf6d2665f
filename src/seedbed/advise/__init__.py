"""Advice on one's own data: the methods compared on it, how many clusters it may have, and what to
use for it."""

from __future__ import annotations

from seedbed.advise._choose_k import choose_k
from seedbed.advise._choose_k_result import KChoice
from seedbed.advise._compare import compare
from seedbed.advise._compare_result import Comparison, MethodRuns
from seedbed.advise._compare_time import Within
from seedbed.advise._recommend import Option, Recommendation, recommend

__all__ = [
    "Comparison",
    "KChoice",
    "MethodRuns",
    "Option",
    "Recommendation",
    "Within",
    "choose_k",
    "compare",
    "recommend",
]
