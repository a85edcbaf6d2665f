"""Binary splitting: from one cluster to K by cutting clusters in two and iterating between.

Linde, Buzo and Gray shift both halves by a small vector; Huang and Harris send them out along the
principal axis. How K is reached that is no power of two, and how long the vectors are, is ours.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from seedbed._validation import Points
from seedbed.init._base import Meta, Method, Reference, Seeds, parameter
from seedbed.init._frame import Frame, frame
from seedbed.init._inner import run_inner
from seedbed.init._pairs import Floats
from seedbed.init._principal import principal_axis
from seedbed.init._registry import register


def _scale(default: float, doc: str) -> Any:
    return parameter(
        default,
        doc,
        allowed="a number > 0",
        accepts=lambda v: isinstance(v, int | float) and 0 < v < np.inf,
    )


@dataclass(frozen=True, kw_only=True)
class _Splitting(Method):
    """What the two methods share: everything but the vector between a centre and its halves."""

    def _seed(
        self, points: Points, n_clusters: int, rng: np.random.Generator, n_threads: int
    ) -> Seeds:
        whole = frame(points, n_threads)
        centers = whole.mean()[np.newaxis]
        labels: Any = np.zeros(whole.points.n, dtype=np.int32)
        errors, rounds = list[float](), list[int]()
        while len(centers) < n_clusters:
            starts = self._split(whole, centers, labels, n_clusters - len(centers))
            if len(starts) == len(centers):
                break
            (run,) = run_inner(whole.points, starts[np.newaxis], n_threads, keep_labels=True)
            found: Any = run.centers
            centers, labels = found, run.labels
            rounds.append(len(centers))
            errors.append(run.sse)
        info = {"rounds": np.array(rounds), "sse": whole.squares(np.array(errors))}
        return whole.mean_seeds(centers, n_clusters, n_threads, **info)

    def _split(self, whole: Frame, centers: Floats, labels: Any, missing: int) -> Floats:
        """The centres with up to ``missing`` of them, those of largest error, cut in two."""
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(1, len(centers)))
        errors, offsets = np.zeros(len(centers)), np.zeros_like(centers)
        for c, rows in enumerate(np.split(order, ends)):
            if len(rows) > 1:
                mass = whole.mass[rows]
                share = mass / mass.sum()
                spread = whole.x[rows] - share @ whole.x[rows]
                error = float((share[:, np.newaxis] * np.square(spread)).sum())
                if error > 0.0:
                    errors[c] = error * mass.sum()
                    offsets[c] = self._offset(spread, share)
        worst = np.argsort(-errors, kind="stable")[:missing]
        cut = np.zeros(len(centers), dtype=bool)
        cut[worst] = errors[worst] > 0.0
        halves = [
            part
            for c, center in enumerate(centers)
            for part in ([center - offsets[c], center + offsets[c]] if cut[c] else [center])
        ]
        return np.stack(halves)

    @abstractmethod
    def _offset(self, spread: Floats, share: Floats) -> Floats:
        """The vector from a centre to one of its halves, given how its rows lie about it."""


@register
@dataclass(frozen=True, kw_only=True)
class BinarySplitting(_Splitting):
    """Every centre becomes two, a small vector apart; k-means; and again.

    The vector is a small part of the cluster's standard deviation in each attribute, so the cut
    runs across the diagonal on which all attributes grow: clusters that lie across it are not
    separated. Directed-search splitting mends that.
    """

    meta = Meta(
        id="binary-splitting",
        name="Binary splitting",
        aliases=("lbg", "linde-buzo-gray"),
        family="other",
        reference=Reference(
            authors="Linde, Y., Buzo, A. & Gray, R. M.",
            title="An algorithm for vector quantizer design",
            venue="IEEE Transactions on Communications 28, 84–95",
            year=1980,
            doi="10.1109/TCOM.1980.1094577",
        ),
        summary="cut every cluster in two by a small shift, iterate, until there are K",
        complexity="O(NKD) per inner iteration, log K runs of k-means",
        cost="other",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for codebooks whose size is a power of two",
        avoid="where attributes are negatively correlated: the shift points along their diagonal",
    )

    scale: float = _scale(0.01, "length of the shift in standard deviations of the cluster")

    def _offset(self, spread: Floats, share: Floats) -> Floats:
        variance: Floats = (share[:, np.newaxis] * np.square(spread)).sum(axis=0)
        return np.sqrt(variance) * self.scale


@register
@dataclass(frozen=True, kw_only=True)
class DirectedSplitting(_Splitting):
    """Every centre becomes two, one standard deviation out on either side of the principal axis."""

    meta = Meta(
        id="directed-splitting",
        name="Directed-search binary splitting",
        aliases=("dsbs", "directed-search", "directed-binary-splitting"),
        family="other",
        reference=Reference(
            authors="Huang, C.-M. & Harris, R. W.",
            title="A comparison of several vector quantization codebook generation approaches",
            venue="IEEE Transactions on Image Processing 2, 108–112",
            year=1993,
        ),
        summary="cut every cluster in two along its principal axis, iterate, until there are K",
        complexity="O(NKD) per inner iteration, log K runs of k-means, and O(ND² + KD³) for axes",
        cost="other",
        deterministic=True,
        order_sensitive=False,
        weights="yes",
        selects_rows=False,
        use="for one careful start, always the same, a few runs of k-means long",
        avoid="with thousands of attributes: each cluster's principal axis costs D³",
    )

    scale: float = _scale(1.0, "length of the shift in standard deviations along the axis")

    def _offset(self, spread: Floats, share: Floats) -> Floats:
        variance, axis = principal_axis(spread, share)
        return axis * (self.scale * math.sqrt(variance))
