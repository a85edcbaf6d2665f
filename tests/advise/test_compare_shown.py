"""Comparisons and criteria in pictures, notebooks and pages: complete, escaped, self-contained."""

from __future__ import annotations

from html.parser import HTMLParser

import matplotlib
import numpy as np
import pytest
from fixtures import RUSP

import seedbed as sb

matplotlib.use("Agg")
import matplotlib.pyplot as plt

EVIL = '<script>alert("x")</script>'


class Parsed(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def comparison():
    def own(X, n_clusters, random_state):
        return X[random_state.choice(len(X), n_clusters, replace=False)]

    methods = {"k-means++": "K", "pca-part": "P", EVIL: own, "_under $x$": "M"}
    return sb.compare(RUSP, 4, methods=methods, runs=4, random_state=0)


@pytest.fixture(scope="module")
def choice():
    return sb.choose_k(RUSP, range(1, 8), random_state=0)


@pytest.mark.parametrize("which", ["comparison", "choice"])
def test_a_notebook_shows_a_table_that_runs_nothing(request, which):
    found = request.getfixturevalue(which)
    parsed = Parsed(found._repr_html_())
    tags = [tag for tag, _ in parsed.tags]
    assert tags.count("table") == 1
    assert "script" not in tags
    rows = len(found) + 1
    assert tags.count("tr") == rows


def test_a_notebook_says_the_verdict(comparison, choice):
    assert comparison.verdict in "".join(Parsed(comparison._repr_html_()).words)
    assert choice.reading.splitlines()[0] in "".join(Parsed(choice._repr_html_()).words)


@pytest.mark.parametrize("which", ["comparison", "choice"])
def test_a_page_stands_by_itself_and_escapes_names(request, which):
    found = request.getfixturevalue(which)
    page = found.to_html(EVIL)
    assert EVIL not in page
    parsed = Parsed(page)
    words = "".join(parsed.words)
    assert EVIL in words  # it is shown, as text
    for tag, attributes in parsed.tags:
        assert "src" not in attributes or str(attributes["src"]).startswith("data:"), tag
        if tag in ("link", "a", "use", "image"):
            reference = attributes.get("href") or attributes.get("xlink:href") or "#"
            assert reference.startswith(("#", "data:")), (tag, reference)
    ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert len(page) < 1_000_000
    assert not plt.get_fignums()


def test_the_same_page_twice(choice):
    assert choice.to_html("x") == choice.to_html("x")


def test_what_to_expect_against_time(comparison):
    ax = comparison.plot()
    curves = [line for line in ax.lines if len(line.get_xdata()) and line.get_marker() != "None"]
    first = curves[0]
    np.testing.assert_allclose(
        first.get_xdata(), np.arange(1, 5) * comparison["k-means++"].seconds_per_run
    )
    assert (np.diff(first.get_ydata()) <= 1e-12).all()
    assert len(curves[1].get_xdata()) == 1  # deterministic
    legend = [text.get_text().lstrip("\u200b") for text in ax.get_legend().get_texts()]
    assert legend == list(comparison.names)


def test_pictures_on_given_axes(comparison, choice):
    _, (left, right) = plt.subplots(1, 2)
    assert comparison.plot(left) is left
    assert comparison.plot_runs(right) is right
    labels = [text.get_text() for text in right.get_yticklabels()]
    assert labels[0] == "k-means++ (4)"
    _, axes = plt.subplots(1, 4)
    assert choice.plot(axes).size == 4
    with pytest.raises(ValueError, match="axes has 2 axes; give four"):
        choice.plot(np.array([left, right]))


def test_every_run_is_drawn(comparison):
    ax = comparison.plot_runs()
    drawn = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert [len(line.get_xdata()) for line in drawn] == [4, 1, 4, 4]


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_figures_can_be_saved(comparison, choice, tmp_path, kind):
    for found in (comparison, choice):
        path = tmp_path / f"x.{kind}"
        found.figure().savefig(path)
        assert path.stat().st_size > 1000


def test_a_criterion_that_was_left_out_is_said_to_be():
    found = sb.choose_k(RUSP, range(2, 5), references=0, silhouette_rows=0, random_state=0)
    words = [text.get_text() for ax in found.plot().flat for text in ax.texts]
    assert words.count("left out") == 2
    assert "gap" not in found._for_readers()
    assert "left out" in found.to_html("x")
