"""Warnings that seedbed issues, so that they can be filtered by class."""

from __future__ import annotations

__all__ = ["DistinctRowsWarning"]


class DistinctRowsWarning(UserWarning):
    """The data have fewer distinct rows than clusters were asked for, so some seeds coincide."""
