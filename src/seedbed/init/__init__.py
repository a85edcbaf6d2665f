"""Initialisation methods for k-means: one protocol, one registry, one module per idea."""

from __future__ import annotations

from seedbed.init._base import Meta, Method, Parameter, Reference, Seeds, parameter
from seedbed.init._registry import Methods, get, methods, register

__all__ = [
    "Meta",
    "Method",
    "Methods",
    "Parameter",
    "Reference",
    "Seeds",
    "get",
    "methods",
    "parameter",
    "register",
]
