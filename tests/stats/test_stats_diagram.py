"""The critical difference diagram: what is drawn is what was found, and nothing overlaps."""

import itertools

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402

from seedbed import stats  # noqa: E402


def make(n, step=0.1, seed=0, blocks=32, **options):
    rng = np.random.default_rng(seed)
    scores = 20 + rng.normal(size=(blocks, n)) + step * np.arange(n)
    names = [f"method {i}, and some more of it" if i % 5 == 0 else f"m{i}" for i in range(n)]
    return stats.pairwise(scores, names=names, **options)


def bars(ax):
    """Ends of the thick lines."""
    return [tuple(line.get_xdata()) for line in ax.lines if line.get_linewidth() == 3]


def labels(ax, result):
    return [t for t in ax.texts if any(name in t.get_text() for name in result.names)]


@pytest.mark.parametrize("n", [3, 4, 8, 15, 30])
@pytest.mark.parametrize("step", [0.0, 0.1])
def test_labels_do_not_overlap_and_stay_in_the_figure(n, step):
    result = make(n, step)
    ax = stats.critical_difference_diagram(result)
    ax.figure.canvas.draw()
    texts = labels(ax, result)
    assert len(texts) == n
    boxes = [text.get_window_extent() for text in ax.texts]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    frame = ax.figure.bbox
    for box in boxes:
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1


@pytest.mark.parametrize("adjust", stats.ADJUSTMENTS)
@pytest.mark.parametrize("n", [5, 12, 30])
def test_bars_cover_exactly_their_group(n, adjust):
    result = make(n, adjust=adjust)
    mean = dict(zip(result.names, result.ranks.mean_ranks, strict=True))
    drawn = bars(stats.critical_difference_diagram(result))
    covered = {frozenset(name for name in mean if lo < mean[name] < hi) for lo, hi in drawn}
    assert covered == {frozenset(group) for group in result.groups.sets if len(group) > 1}
    assert len(drawn) == len(covered)


def test_bars_do_not_run_into_each_other():
    ax = stats.critical_difference_diagram(make(30))
    lines = [line for line in ax.lines if line.get_linewidth() == 3]
    for one, other in itertools.combinations(lines, 2):
        if one.get_ydata()[0] == other.get_ydata()[0]:
            (a, b), (c, d) = one.get_xdata(), other.get_xdata()
            assert b < c or d < a


def test_members_are_dotted_where_bars_are_no_intervals():
    for seed in range(200):
        result = make(6, 0.2, seed, blocks=14, test="wilcoxon", adjust="none", gate=False)
        if not result.groups.totally_ordered:
            break
    ax = stats.critical_difference_diagram(result)
    mean = dict(zip(result.names, result.ranks.mean_ranks, strict=True))
    dots = [set(line.get_xdata()) for line in ax.lines if line.get_marker() == "o"]
    expected = [{mean[name] for name in c} for c in result.groups.cliques if len(c) > 1]
    assert sorted(map(sorted, dots)) == sorted(map(sorted, expected))


def test_critical_difference_only_where_there_is_one():
    nemenyi = make(8, adjust="nemenyi")
    ax = stats.critical_difference_diagram(nemenyi)
    assert any(t.get_text() == f"CD = {nemenyi.critical_difference:.3g}" for t in ax.texts)
    holm = make(8, adjust="holm")
    assert holm.critical_difference is None
    ax = stats.critical_difference_diagram(holm)
    assert not any("CD" in t.get_text() for t in ax.texts)


def test_drawing_into_axes_that_are_given():
    figure, ax = plt.subplots()
    assert stats.critical_difference_diagram(make(8), ax=ax) is ax
    assert tuple(figure.get_size_inches()) == tuple(plt.rcParams["figure.figsize"])
    assert len(plt.get_fignums()) == 1
