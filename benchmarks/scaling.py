"""How the time of seeding grows with the number of rows, and how it compares with k-means itself;
writes benchmarks/scaling.md.

    python benchmarks/scaling.py                       # everything, minutes on a quiet machine
    python benchmarks/scaling.py --methods forgy kkz --smallest 4096
    python benchmarks/scaling.py --only growth         # one section, the others stay as they are
    python benchmarks/scaling.py --only growth --methods prone    # some rows of it, likewise

growth: every linear and loglinear method while N doubles four times, and the exponent of N. The
        rows fill any cache from the start, as on the way out of it even reading them grows faster
        than N. The first rows of the table show what the machine does by itself.
lloyd:  every linear method on 581012 × 10, K = 7, as a multiple of one Lloyd iteration there.
many:   the scalable relatives of k-means++ against it, at K = 500.

Processor time on one thread, the least of several rounds (fewer where they take long); for random
methods the mean over the same few random states. What is compared is measured in turns, as the
speed of a shared machine changes from second to second. Each measurement has a time limit.
"""

from __future__ import annotations

import argparse
import ctypes
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _worker import Failed, TooSlow, Worker
from methods import SHARED, machine, names, partly

import seedbed as sb
from seedbed._scaling import Scaling
from seedbed._validation import as_points
from seedbed.kmeans._runs import run_points

HERE = Path(__file__).resolve().parent
SHAPE = (581012, 10, 7)
AIM_EXPONENT, AIM_MULTIPLE = 1.15, 10.0
RIVALS = ("k-means||", "afk-mc2")
MANY = 500
SMALLEST = 2**19  # × 8 float64: 32 MiB, as much as large caches hold
SLOW = {"redmond-heneghan": 8, "robin": 8}  # start with that much less: they hardly wait for rows
ROUNDS, STATES = (3, 30), 3  # at least and at most; random states per round
ROUND_SECONDS = (2.0, 5.0)  # after which the least number is enough, and after which any is
LLOYD_ITERATIONS = 10
LLOYD = "one Lloyd iteration"
MMAP_THRESHOLD = -3  # of malloc.h
READING, FILLING = "reading the rows once", "filling a new array of N numbers"

Task = tuple[tuple[str, ...], int, int]  # methods or some of the above in turns, rows, clusters


def blobs(n: int, d: int, k: int) -> np.ndarray:
    """Overlapping round groups; the first rows of more are not those of fewer."""
    rng = np.random.default_rng(0)
    return rng.random((k, d))[rng.integers(k, size=n)] + 0.1 * rng.standard_normal((n, d))


def plane_of(source: str) -> np.ndarray:
    """The data of a section: "blobs N D K", or "covertype" scaled as in the study."""
    if source.startswith("blobs"):
        n, d, k = map(int, source.split()[1:])
        return blobs(n, d, k)
    (file,) = (SHARED / "datasets" / "clean").glob("*_covertype.npz")
    raw = np.asarray(np.load(file)["X"], dtype=np.float64)
    return Scaling.of(raw, "minmax").apply(raw)


def large_data() -> str:
    """The study's Covertype where it is at hand, else groups of the same shape."""
    there = list((SHARED / "datasets" / "clean").glob("*_covertype.npz"))
    return "covertype" if there else "blobs {} {} {}".format(*SHAPE)


class Round(NamedTuple):
    """What is timed, and how many times it does what is asked about."""

    call: Callable[[], object]
    times: int = 1


class Clock:
    """In the worker: data of one section, and the times that a task takes on the first rows."""

    def __init__(self, source: str) -> None:
        self.x = np.ascontiguousarray(plane_of(source))

    def __call__(self, task: Task) -> list[float]:
        names, n, k = task
        return least([self.round(name, n, k) for name in names])

    def round(self, name: str, n: int, k: int) -> Round:
        if name == READING:
            return Round(self.x[:n].sum)
        if name == FILLING:
            return Round(lambda: np.ones(n))
        points = as_points(self.x[:n], n_threads=1)
        if name == LLOYD:
            return Round(lambda: lloyd(points, k), times=LLOYD_ITERATIONS)
        method = sb.init.get(name)
        states = range(1 if method.deterministic else STATES)

        def seed() -> None:
            for state in states:
                method.seed_points(points, k, random_state=state, n_threads=1)

        return Round(seed, times=len(states))


def steady_clock(source: str) -> Clock:
    """One for which arrays of every size are got from the system and given back. By itself glibc
    does so beyond 32 MiB only and keeps smaller ones at hand, which looks like growth."""
    if platform.libc_ver()[0] == "glibc":
        assert ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 2**20)
    return Clock(source)


def lloyd(points: Any, k: int) -> None:
    start = points.x[np.random.default_rng(0).choice(points.n, k, replace=False)]
    (run,) = run_points(
        points,
        np.ascontiguousarray(start)[None],
        algorithm="lloyd",
        stop="labels",
        tol=0.0,
        max_iter=LLOYD_ITERATIONS,
        empty_cluster="keep",
        n_threads=1,
        history=False,
    )
    assert run.n_iter == LLOYD_ITERATIONS  # else the time per iteration is wrong


def least(rounds: Sequence[Round]) -> list[float]:
    """The least seconds of each, in turns; short rounds are repeated more often, long ones less."""
    seconds: list[list[float]] = []
    while not enough(len(seconds), sum(map(sum, seconds)) / len(rounds)):
        seconds.append([spent(r.call) for r in rounds])
    return [min(s) / r.times for s, r in zip(zip(*seconds, strict=True), rounds, strict=True)]


def spent(call: Callable[[], object]) -> float:
    before = time.process_time()
    call()
    return time.process_time() - before


def enough(rounds: int, seconds: float) -> bool:
    if rounds < ROUNDS[0]:
        return seconds > ROUND_SECONDS[1]
    return rounds == ROUNDS[1] or seconds > ROUND_SECONDS[0]


def timed(worker: Worker, task: Task, limit: float) -> list[float] | str:
    """Seconds, or why there are none."""
    try:
        found: list[float] = worker.call(task, limit=limit)
        return found
    except TooSlow as error:
        return str(error)
    except Failed as error:
        return str(error).strip().splitlines()[-1]


def growth(chosen: Sequence[str], smallest: int, limit: float) -> Iterator[str]:
    """The exponent of N for every method."""
    doublings = 2 ** np.arange(5)
    yield (
        "Milliseconds on N × 8, 8 groups, K = 8, while N doubles; the aim: an exponent of "
        f"{AIM_EXPONENT} at most. Temporary arrays are got from the system at every size. By "
        "itself glibc keeps those of up to 32 MiB at hand: small sizes then take less time, and "
        "methods that need such arrays have higher exponents."
    )
    yield ""
    yield "| method | cost | N | " + " | ".join(f"{i} N" for i in doublings) + " | exponent | |"
    yield "|---" * (len(doublings) + 5) + "|"
    with Worker(steady_clock, f"blobs {smallest * doublings[-1]} 8 8") as worker:
        for name in (READING, FILLING, *chosen):
            first = smallest // SLOW.get(name, 1)
            sizes = [int(n) for n in first * doublings]
            found = [timed(worker, ((name,), n, 8), limit) for n in sizes]
            seconds = [s if isinstance(s, str) else s[0] for s in found]
            cells = [f"{1e3 * s:.3g}" if isinstance(s, float) else cell(s) for s in seconds]
            exponent = slope(sizes, seconds)
            shown = "" if exponent is None else f"{exponent:.2f}"
            cost = sb.init.get(name).meta.cost if name in chosen else ""
            above = cost and exponent is not None and exponent > AIM_EXPONENT
            verdict = "above the aim" if above else ""
            yield f"| {cell(name)} | {cost} | {first} | {' | '.join(cells)} | {shown} | {verdict} |"


def slope(sizes: Sequence[int], seconds: Sequence[float | str]) -> float | None:
    """Of log time over log N, by least squares; None where a time is missing."""
    times = [s for s in seconds if isinstance(s, float)]
    if len(times) < len(sizes):
        return None
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def lloyd_multiples(chosen: Sequence[str], limit: float) -> Iterator[str]:
    """Seeding as a multiple of one iteration."""
    source, (_, _, k) = large_data(), SHAPE
    yield (
        f"{source}, {SHAPE[0]} × {SHAPE[1]}, K = {k}: milliseconds, and as a multiple of one Lloyd "
        f"iteration of the engine on the same rows, in turns with it. At most {AIM_MULTIPLE:g} is "
        "the aim."
    )
    yield ""
    yield "| method | ms | one Lloyd iteration | that many | |"
    yield "|---|---|---|---|---|"
    with Worker(Clock, source) as worker:
        for name in chosen:
            found = timed(worker, ((LLOYD, name), SHAPE[0], k), limit)
            if isinstance(found, str):
                yield f"| {cell(name)} | | | | {cell(found)} |"
                continue
            one, seeding = found
            verdict = "" if seeding <= AIM_MULTIPLE * one else "above the aim"
            times = f"{1e3 * seeding:.3g} | {1e3 * one:.3g} | {seeding / one:.2f}"
            yield f"| {cell(name)} | {times} | {verdict} |"


def many_clusters(limit: float) -> Iterator[str]:
    """The relatives of k-means++ that are made for many clusters."""
    source = large_data()
    yield f"{source}, {SHAPE[0]} × {SHAPE[1]}: milliseconds, in turns with those of k-means++."
    yield ""
    yield "| method | ms | k-means++ | takes so many times that | |"
    yield "|---|---|---|---|---|"
    known = set(names())
    with Worker(Clock, source) as worker:
        for name in RIVALS:
            task = (("k-means++", name), SHAPE[0], MANY)
            found = timed(worker, task, limit) if name in known else "no method"
            if isinstance(found, str):
                yield f"| {cell(name)} | | | | {cell(found)} |"
                continue
            plain, rival = found
            verdict = "" if rival < plain else "slower, against the aim"
            times = f"{1e3 * rival:.4g} | {1e3 * plain:.4g} | {plain / rival:.2f}"
            yield f"| {cell(name)} | {times} | {verdict} |"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def sections_of(page: Path) -> dict[str, list[str]]:
    """The lines of a page's sections by their titles; none where there is no page."""
    text = page.read_text("utf-8") if page.is_file() else ""
    return {lines[0]: lines[1:] for lines in map(str.splitlines, text.split("\n## ")[1:])}


def with_new_rows(known: list[str], measured: list[str]) -> list[str]:
    """The lines of a section with the rows that were measured anew in place of the old ones."""
    new = {line.split(" | ")[0]: line for line in measured if line.startswith("| ")}
    return [new.pop(line.split(" | ")[0], line) for line in known] + list(new.values())


def main() -> None:
    parser = argparse.ArgumentParser(description="How seeding grows, and what it costs.")
    parser.add_argument("--methods", nargs="*", metavar="NAME", help="ids or presets")
    parser.add_argument("--only", choices=("growth", "lloyd", "many"))
    parser.add_argument("--smallest", type=int, default=SMALLEST, help="rows at first")
    parser.add_argument("--limit", type=float, default=120, help="seconds per measurement")
    parser.add_argument("--output", type=Path, default=HERE / "scaling.md")
    given = parser.parse_args()
    cost = {name: sb.init.get(name).meta.cost for name in names()}
    chosen = given.methods or list(cost)
    scalable = [n for n in chosen if cost[n] in ("linear", "loglinear")]
    linear = [n for n in chosen if cost[n] == "linear"]
    sections = {
        "growth": ("Growth", lambda: growth(scalable, given.smallest, given.limit)),
        "lloyd": ("In Lloyd iterations", lambda: lloyd_multiples(linear, given.limit)),
        "many": (f"K = {MANY}", lambda: many_clusters(given.limit)),
    }
    known = sections_of(given.output)
    for name, (title, section) in sections.items():
        if given.only in (None, name):
            measured = ["", f"On {machine()}, one thread."]
            for line in section():
                print(line, flush=True)
                measured.append(line)
            some = given.methods and title in known
            known[title] = with_new_rows(known[title], measured) if some else measured
    measured_first = [title for title, _ in sections.values() if title in known]
    written = "Written by `python benchmarks/scaling.py`. Processor time, float64."
    if given.methods:
        written += partly(*(("--only", given.only) if given.only else ()), "--methods", *chosen)
    page = ["# Scaling", "", written]
    for title in dict.fromkeys([*measured_first, *known]):  # then what was written by hand
        page += ["", f"## {title}", *known[title]]
    given.output.write_text("\n".join(page) + "\n", "utf-8")
    print(f"wrote {given.output}")


if __name__ == "__main__":
    main()
