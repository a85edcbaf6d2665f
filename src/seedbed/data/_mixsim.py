"""MixSim's public names: mixtures with a given overlap, their points, and the study's sets."""

from seedbed.data._complexity import complexity, complexity_class
from seedbed.data._mixture import Mixture, mixture
from seedbed.data._mixture_plot import plot_mixture
from seedbed.data._overlap import Overlap, overlap
from seedbed.data._sample import Sample, sample
from seedbed.data._synthetic import SyntheticSet, synthetic
from seedbed.exceptions import OverlapUnreachable

mixsim = mixture
"""`mixture` by the name that the literature and the R package know it by."""

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
