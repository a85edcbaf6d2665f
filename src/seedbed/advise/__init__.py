"""Advice on one's own data: what to use for it, on which evidence, and at what cost."""

from __future__ import annotations

from seedbed.advise._recommend import Option, Recommendation, recommend

__all__ = [
    "Option",
    "Recommendation",
    "recommend",
]
