"""What a study found, in plain sentences made from its rankings and recommendations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from seedbed.report._axes import duration, percent
from seedbed.report._measures import Offer
from seedbed.report._methods import StudyMethod
from seedbed.study import Recommendation, Status, Study

NEAR = 0.01  # of the best known SSE: near enough for most purposes
_GROUPS = {"real": "real data sets", "own": "data sets of your own"}


def group_words(group: str, n: int) -> str:
    """A group and how many data sets it has."""
    words = _GROUPS.get(group, f"{group} synthetic data sets")
    return f"the {n:,} {words}" if n != 1 else f"the one of the {words}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence has them: a, b and c."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def verdict(
    study: Study, sizes: Mapping[str, int], methods: Mapping[str, StudyMethod], offers: list[Offer]
) -> list[str]:
    """A paragraph for each group of data sets, and one on how far the study has come."""
    paragraphs = []
    for group, n in sizes.items():
        of_group = [offer for offer in offers if offer.group == group]
        found = {r.statistic: r for r in study.recommendations if r.group == group}
        said = [
            *_ranked(found, group, n, methods, study.design.runs),
            *_cheapest(of_group, methods),
        ]
        if not found:
            said.insert(0, _untested(group, n, len(methods)))
        paragraphs.append(" ".join(said))
    return [*paragraphs, *_unfinished(study.status())]


def _ranked(
    found: Mapping[str, Recommendation],
    group: str,
    n: int,
    methods: Mapping[str, StudyMethod],
    runs: int,
) -> list[str]:
    said = []
    if "mean" in found:
        where = f"On {group_words(group, n)}"
        said.append(
            f"{where}, judged by the mean final SSE of a run, {_winners(found['mean'], methods)}."
        )
        for loser, winners in found["mean"].dominated.items():
            names = listed([methods[w].name for w in winners], "or")
            said.append(f"{methods[loser].name} ends higher than {names} and takes no less time.")
    if "best" in found and runs > 1:
        said.append(
            f"Judged by the best of {runs:,} runs (of one, where a method is deterministic), "
            f"{_winners(found['best'], methods)}."
        )
    return said


def _winners(found: Recommendation, methods: Mapping[str, StudyMethod]) -> str:
    if len(found.never_worse) == len(methods):
        return "no two methods differ significantly"
    names = [methods[label].name for label in found.never_worse]
    if len(names) == 1:
        return f"{names[0]} is first: no other method is significantly better"
    return f"{listed(names)} are ahead: no method is significantly better than any of them"


def _untested(group: str, n: int, n_methods: int) -> str:
    return (
        f"On {group_words(group, n)} nothing can be said about significance: a test takes at "
        f"least three methods (here {n_methods}) and two data sets (here {n:,})."
    )


def _cheapest(offers: Sequence[Offer], methods: Mapping[str, StudyMethod]) -> list[str]:
    """Which way of coming near the best known SSE takes the least time."""
    near = [offer for offer in offers if offer.excess <= NEAR]
    if near:
        best = min(near, key=lambda offer: offer.seconds)
        return [
            f"The cheapest way to come within {percent(NEAR)} of the best known SSE is "
            f"{_runs(best.runs)} of {methods[best.method].name}, about {duration(best.seconds)} "
            "of processor time."
        ]
    known = [offer for offer in offers if math.isfinite(offer.excess)]
    if not known:
        return []
    best = min(known, key=lambda offer: offer.excess)
    return [
        f"No method comes within {percent(NEAR)} of the best known SSE; nearest is "
        f"{_runs(best.runs)} of {methods[best.method].name}, "
        f"{percent(round(best.excess, 4))} above it."
    ]


def _runs(n: int) -> str:
    return "one run" if n == 1 else f"the best of {n:,} runs"


def _unfinished(status: Status) -> list[str]:
    if status.complete:
        return []
    failed = f"; {status.failed:,} failed" if status.failed else ""
    return [
        f"The study is not complete: {status.done:,} of {status.total:,} data sets are "
        f"done{failed}. All figures are of those."
    ]
