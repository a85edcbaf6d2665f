"""Names, letters, aliases, parameters, and methods of third parties."""

import pickle
import re
from dataclasses import dataclass

import numpy as np
import pytest
from fixtures import F9, RUSP
from sklearn.base import clone
from sklearn.cluster import KMeans

import seedbed
import seedbed.init as init
from seedbed._validation import as_points
from seedbed._warn import warn
from seedbed.exceptions import DistinctRowsError, DistinctRowsWarning
from seedbed.init import _registry
from seedbed.init._base import rows_as_seeds

SIX = {
    "F": init.Forgy,
    "M": init.MacQueen,
    "X": init.Maximin,
    "B": init.BradleyFayyad,
    "K": init.KMeansPlusPlus,
    "G": init.GreedyKMeansPlusPlus,
}


@pytest.mark.parametrize("letter", SIX)
def test_letters_ids_and_names(letter):
    cls = SIX[letter]
    for name in (letter, letter.lower(), cls.meta.id, cls.meta.name, cls.meta.id.upper()):
        assert init.get(name) == cls()
    assert init.get(cls) == cls()
    assert init.get(cls()) == cls()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("random", init.MacQueen()),  # as in scikit-learn: rows without replacement
        ("kmeans++", init.KMeansPlusPlus()),
        ("K_Means++", init.KMeansPlusPlus()),
        ("greedy k-means++", init.GreedyKMeansPlusPlus()),
        ("random_partition", init.Forgy()),
        ("kkz", init.Maximin(first="kkz")),
        ("Bradley-Fayyad", init.BradleyFayyad()),
    ],
)
def test_aliases(name, expected):
    assert init.get(name) == expected


def test_unknown_names_say_the_nearest():
    with pytest.raises(ValueError, match=r"unknown method 'k-mean\+\+'.*'k-means\+\+'"):
        init.get("k-mean++")
    with pytest.raises(ValueError, match="use one of forgy, macqueen"):
        init.get("zzzzzzzz")


@pytest.mark.parametrize("name", ["hartigan-wong", "Lloyd", "furthest", "uniform"])
def test_ambiguous_names_raise_and_say_why(name):
    with pytest.raises(ValueError, match="ambiguous: it"):
        init.get(name)


def test_parameters():
    assert init.get("maximin", first=3) == init.Maximin(first=3)
    assert init.get("kkz", first=3) == init.Maximin(first=3)
    (only,) = init.Maximin.parameters()
    assert (only.name, only.default) == ("first", "random")
    assert "kkz" in only.allowed
    with pytest.raises(TypeError, match="maximin has no parameter 'start'; its parameters: first"):
        init.get("maximin", start=3)
    with pytest.raises(ValueError, match="cannot be added"):
        init.get(init.Maximin(), first=3)
    with pytest.raises(TypeError, match="not usable; give a name"):
        init.get(3.5)


@pytest.mark.parametrize(
    ("cls", "bad"),
    [
        (init.Maximin, {"first": "last"}),
        (init.Maximin, {"first": -1}),
        (init.Maximin, {"first": True}),
        (init.GreedyKMeansPlusPlus, {"trials": 0}),
        (init.GreedyKMeansPlusPlus, {"trials": 2.5}),
        (init.BradleyFayyad, {"subsamples": 1}),
    ],
)
def test_bad_parameters_say_what_is_allowed(cls, bad):
    ((name, value),) = bad.items()
    message = f"{name}={value!r} is not allowed for {cls.meta.id}; use "
    with pytest.raises(ValueError, match=re.escape(message)):
        cls(**bad)


def test_the_table_of_methods():
    table = init.methods()
    letters = "".join(meta.letter or "" for meta in table)
    assert letters.startswith("FMXBKG")
    text = str(table)
    assert len(text.splitlines()) == len(table) + 1
    assert max(map(len, text.splitlines())) <= 80
    for meta in table:
        assert meta.id in text
        assert str(meta.year) in str(meta.reference)
        assert meta.cost in ("linear", "loglinear", "quadratic", "other")
        assert meta.use
        assert meta.avoid
    assert table.to_frame()["id"].tolist() == [meta.id for meta in table]
    assert table._repr_html_().count("<tr>") == len(table) + 1


def test_some_of_the_methods():
    every = init.methods()
    for deterministic in (True, False):
        some = init.methods(deterministic=deterministic)
        assert [m.id for m in some] == [m.id for m in every if m.deterministic is deterministic]
    for meta in every:
        some = init.methods(family=meta.family, cost=meta.cost)
        assert meta in some
        assert {(m.family, m.cost) for m in some} == {(meta.family, meta.cost)}
    with pytest.raises(ValueError, match=r"no method has cost='linaer'; did you mean 'linear'\?"):
        init.methods(cost="linaer")
    with pytest.raises(ValueError, match="no method has family='zzz'; use one of "):
        init.methods(family="zzz")


def test_the_order_of_the_methods(registry):
    init.register(first_rows())
    ours = [cls for cls in _registry.classes() if _registry.is_ours(cls)]
    assert "".join(cls.meta.letter for cls in ours[:8]) == "FMXBKGVP"
    families = ["linear", "loglinear", "quadratic", "other", "modern"]
    places = [(families.index(cls.meta.family), cls.meta.year) for cls in ours[8:]]
    assert places == sorted(places)
    assert _registry.classes()[len(ours) :] == (registry.classes["first-rows"],)


@pytest.fixture
def registry(monkeypatch):
    fresh = _registry._Registry()
    for cls in _registry.classes():
        fresh.add(cls)
    monkeypatch.setattr(_registry, "_registry", fresh)
    return fresh


def first_rows(**changes):
    facts = {
        "id": "first-rows",
        "name": "First rows",
        "reference": init.Reference(authors="A", title="T", venue="V", year=1967),
        "summary": "the first rows",
        "family": "linear",
        "complexity": "O(KD)",
        "cost": "linear",
        "deterministic": True,
        "order_sensitive": True,
        "weights": "no",
        "selects_rows": True,
    }

    @dataclass(frozen=True, kw_only=True)
    class FirstRows(init.Method):
        meta = init.Meta(**(facts | changes))

        def _seed(self, points, n_clusters, rng, n_threads):
            return rows_as_seeds(points, np.arange(n_clusters))

    return FirstRows


def test_third_parties_can_register_a_method(registry):
    init.register(first_rows())
    assert init.seed(F9, 2, "First_Rows").indices.tolist() == [0, 1]
    assert init.methods()[-1].id == "first-rows"


def test_names_that_are_taken_cannot_be_registered(registry):
    for changes in ({"id": "forgy"}, {"aliases": ("k-means++",)}, {"aliases": ("lloyd",)}):
        with pytest.raises(ValueError, match=r"exists already \(seedbed|is taken"):
            init.register(first_rows(**changes))
    assert "first-rows" not in registry.classes


def test_seed_takes_names_methods_arrays_and_functions():
    by_name = init.seed(RUSP, 4, "maximin", first="kkz")
    by_method = init.seed(RUSP, 4, init.Maximin(first="kkz"))
    assert by_name.centers.tobytes() == by_method.centers.tobytes()
    assert init.seed(RUSP, 3, RUSP[:3].tolist()).centers.tolist() == RUSP[:3].tolist()

    def last_rows(X, n_clusters, random_state):
        assert isinstance(random_state, np.random.RandomState)
        return X[-n_clusters:]

    def heaviest(X, n_clusters, random_state, sample_weight):
        return X[np.argsort(-sample_weight)[:n_clusters]]

    assert init.seed(RUSP, 3, last_rows).centers.tolist() == RUSP[-3:].tolist()
    weight = np.arange(75)
    found = init.seed(RUSP, 3, heaviest, sample_weight=weight)
    assert found.centers.tolist() == RUSP[:-4:-1].tolist()
    assert init.seed(RUSP.astype(np.float32), 3, RUSP[:3]).centers.dtype == np.float32
    with pytest.raises(TypeError, match="need a method given by name"):
        init.seed(RUSP, 3, last_rows, first=3)
    for nothing in (None, 3.5, RUSP[0]):
        with pytest.raises(TypeError, match=r"not usable; .* a function f\(X, n_clusters"):
            init.seed(RUSP, 3, nothing)


def test_functions_get_the_data_as_they_are():
    """Not centred, zero weights and repeated rows included; and they cannot hand back our data."""
    X = np.vstack([RUSP, RUSP[:1]]) + 1e3
    weight = np.r_[np.zeros(5), np.ones(71)]
    seen = []

    def look(data, n_clusters, random_state, sample_weight):
        seen.append((data.copy(), sample_weight.copy()))
        return data[:n_clusters]

    seeds = init.seed(X, 3, look, sample_weight=weight)
    model = seedbed.KMeans(3, init=look, n_init=1).fit(X, sample_weight=weight)
    assert len(seen) == 2
    for data, weights in seen:
        np.testing.assert_array_equal(data, X)
        np.testing.assert_array_equal(weights, weight)
    assert not np.shares_memory(seeds.centers, X)
    np.testing.assert_array_equal(model.init_centers_, X[:3])
    assert init.as_method(look).meta.id == "look"
    assert pickle.loads(pickle.dumps(init.as_method(named_f))).meta == init.as_method(named_f).meta


def test_centres_brought_along_must_fit():
    with pytest.raises(ValueError, match=r"shape \(2, 2\), but n_clusters=3 .*\(3, 2\)"):
        init.seed(RUSP, 3, RUSP[:2])
    with pytest.raises(ValueError, match=r"result of named_f\(\) has shape \(1, 2\)"):
        init.seed(RUSP, 3, named_f)
    with pytest.raises(ValueError, match="array of centres contains NaN"):
        init.seed(RUSP, 1, [[0.0, np.nan]])


def named_f(X, n_clusters, random_state):
    return X[:1]


def test_default_is_greedy():
    assert init.seed(RUSP, 4, random_state=0).info["trials"] == 3


@pytest.mark.parametrize("method", [cls() for cls in _registry.classes()], ids=repr)
def test_inside_scikit_learn(method):
    X = F9 if method.meta.id == "optimal" else RUSP
    model = KMeans(4, init=method, n_init=2, random_state=0)
    fitted = clone(model).fit(X)
    assert fitted.cluster_centers_.shape == (4, 2)
    assert fitted.inertia_ == KMeans(4, init=method, n_init=2, random_state=0).fit(X).inertia_
    assert pickle.loads(pickle.dumps(method)) == method


def test_seeds_show_and_pickle():
    seeds = init.seed(RUSP, 10, "kkz")
    assert repr(seeds).startswith("Seeds(10 seeds in 2 dimensions; rows [57, 0, 20, 62")
    assert "…" in repr(seeds)
    again = pickle.loads(pickle.dumps(seeds))
    assert again.centers.tobytes() == seeds.centers.tobytes()
    assert again.info["distances"] == seeds.info["distances"]
    with pytest.raises(TypeError):
        seeds.info["distances"] = 0


def test_warnings_point_at_the_caller():
    with pytest.warns(UserWarning, match="distinct") as caught:
        init.seed(np.zeros((3, 1)), 2)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="hello") as caught:
        warn("hello", UserWarning)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("method", seedbed.methods(deterministic=False), ids=lambda meta: meta.id)
@pytest.mark.parametrize("weighted", [False, True])
def test_starts_made_together_are_those_made_alone(method, weighted):
    weight = np.arange(len(RUSP)) % 4.0 if weighted else None  # some rows are left out
    points = as_points(RUSP, weight, n_threads=1)
    method = init.get(method.id)
    together = method.seed_starts(
        points, 4, [np.random.default_rng(r) for r in range(3)], n_threads=2
    )
    assert len(together) == 3
    for r, seeds in enumerate(together):
        alone = method.seed_points(points, 4, random_state=np.random.default_rng(r), n_threads=1)
        assert seeds.centers.tobytes() == alone.centers.tobytes()
        np.testing.assert_array_equal(seeds.indices, alone.indices)


def test_starts_of_too_few_distinct_rows():
    points = as_points(np.repeat(F9[:2], 3, axis=0), n_threads=1)
    rngs = [np.random.default_rng(r) for r in range(2)]
    with pytest.raises(DistinctRowsError, match="2 distinct rows"):
        init.get("greedy-k-means++").seed_starts(points, 3, rngs, strict=True)
    with pytest.warns(DistinctRowsWarning, match="some seeds coincide"):
        a, b = init.get("greedy-k-means++").seed_starts(points, 3, rngs)
    assert a.indices.tolist() == b.indices.tolist() == [0, 3, 0]
