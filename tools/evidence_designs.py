"""The studies behind the evidence for ``init="auto"``, and the halves of the data they use.

The halves were fixed before any result of these studies was looked at. "making" is what the rule is
made from: the publication's real sets of odd number, and synthetic sets whose index is a multiple
of 256. "evaluation" is what it is judged on: real sets of even number, and synthetic sets 128
further on.
Besides the publication's numbers of clusters, which are small, each half has its real sets of at
least 1,000 rows, at most 20,000 rows and at most 100 attributes with 16 and with 64 clusters. Sets
of more than 60,000 rows (of the real ones only covertype) take too long for the thorough methods.
"""

from __future__ import annotations

from seedbed import data
from seedbed.study import Design, Entry, RealSets, Source, SyntheticSets

HALVES = ("making", "evaluation")
CLUSTERS = (16, 64)

QUICK = tuple(
    Entry(name, {}, name)
    for name in (
        "greedy-k-means++",
        "bradley-fayyad",
        "ls++",
        "lightweight-coreset",
        "var-part",
        "pca-part",
        "otsu-var-part",
        "otsu-pca-part",
    )
)
THOROUGH = (
    Entry("fls++"),
    Entry("breathing-k-means"),
    Entry("random-swap", {"trials": 100}, "random-swap-100"),
    Entry("hg-means", {"stall": 20}, "hg-means-20"),
)
# Only for the best known error: were it that of a run that is judged by it, the run would look
# better than it is.
REFERENCE = (Entry("breathing-k-means", {}, "reference"),)
POOLS = {
    "quick": (QUICK, 20, 2013),
    "thorough": (THOROUGH, 3, 2013),
    "reference": (REFERENCE, 10, 1),
}
MOST_ROWS = 60_000


def designs(half: str) -> dict[str, Design]:
    """The studies of one half by name."""
    return {
        f"{pool}-{place}": Design(
            name=f"{half}: {pool} methods, {place}",
            data=(source,),
            methods=methods,
            runs=runs,
            seed=seed,
            criteria=(),
        )
        for place, source in sources(half).items()
        for pool, (methods, runs, seed) in POOLS.items()
    }


def sources(half: str) -> dict[str, Source]:
    first = {"making": 0, "evaluation": 128}[half]
    real = _real_sets(half)
    large = tuple(slug for slug in real if _is_moderate(*data.catalogue()[slug].shape))
    return {
        "real": RealSets(sets=real),
        "synthetic": SyntheticSets(count=16, first=first, step=256),
        **{f"real-{k}": RealSets(sets=large, clusters=k) for k in CLUSTERS},
    }


def _real_sets(half: str) -> tuple[str, ...]:
    odd = int(half == "making")
    here = {place.slug for place in data.present() if place.kind}
    known = data.catalogue()
    numbered = [
        slug
        for slug, entry in known.items()
        if entry.number and slug in here and entry.shape[0] <= MOST_ROWS
    ]
    return tuple(slug for slug in numbered if (known[slug].number or 0) % 2 == odd)


def _is_moderate(n: int, d: int) -> bool:
    return 1_000 <= n <= 20_000 and d <= 100
