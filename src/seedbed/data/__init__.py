"""Data sets with known clusters."""

from seedbed.data._mixsim import (
    Mixture,
    Overlap,
    OverlapUnreachable,
    Sample,
    SyntheticSet,
    complexity,
    complexity_class,
    mixsim,
    mixture,
    overlap,
    plot_mixture,
    sample,
    synthetic,
)

__all__ = [
    "Mixture",
    "Overlap",
    "OverlapUnreachable",
    "Sample",
    "SyntheticSet",
    "complexity",
    "complexity_class",
    "mixsim",
    "mixture",
    "overlap",
    "plot_mixture",
    "sample",
    "synthetic",
]
