"""Advice on one's own data: the methods compared on it, and how many clusters it may have."""

from __future__ import annotations

from seedbed.advise._choose_k import choose_k
from seedbed.advise._choose_k_result import KChoice
from seedbed.advise._compare import compare
from seedbed.advise._compare_result import Comparison, MethodRuns

__all__ = ["Comparison", "KChoice", "MethodRuns", "choose_k", "compare"]
