"""The estimator: its attributes, its options, and its place among scikit-learn's tools."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.cluster
from lloyd_twin import blobs, sse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import seedbed
from seedbed import KMeans
from seedbed.kmeans import History, Runs

FITTED = [
    "algorithm_",
    "cluster_centers_",
    "converged_",
    "history_",
    "inertia_",
    "init_centers_",
    "init_choice_",
    "init_inertia_",
    "init_info_",
    "labels_",
    "n_distances_",
    "n_features_in_",
    "n_iter_",
    "n_moved_",
    "runs_",
    "stop_reason_",
]


@pytest.fixture(scope="module")
def X():
    return blobs(n=400, d=4, k=5)[0]


def same_fit(a, b):
    return (
        a.labels_.tobytes() == b.labels_.tobytes()
        and a.cluster_centers_.tobytes() == b.cluster_centers_.tobytes()
        and a.inertia_ == b.inertia_
    )


def test_attributes(X):
    km = KMeans(5, random_state=0).fit(X)
    assert sorted(name for name in vars(km) if name.endswith("_")) == FITTED
    assert km.labels_.dtype == np.int32
    assert km.cluster_centers_.shape == km.init_centers_.shape == (5, 4)
    assert km.converged_ is True
    assert km.stop_reason_ in ("centers", "labels")
    assert isinstance(km.history_, History)
    assert isinstance(km.runs_, Runs)
    assert len(km.history_) == km.n_iter_
    assert km.history_.sse[0] == km.init_inertia_ >= km.inertia_
    first = KMeans(5, init=km.init_centers_).fit(X)
    assert same_fit(km, first)
    assert km.algorithm_ in seedbed._core._engine.ALGORITHMS
    assert km.algorithm_ != "auto"
    assert km.n_features_in_ == 4


def test_max_iter_ends_without_convergence(X):
    km = KMeans(5, random_state=0, max_iter=1).fit(X)
    assert (km.converged_, km.stop_reason_, km.n_iter_) == (False, "max_iter", 1)
    np.testing.assert_array_equal(km.labels_, km.predict(X))
    assert km.inertia_ == pytest.approx(sse(X, km.cluster_centers_, km.labels_), rel=1e-12)


def test_init_may_be_anything_that_gives_centres(X):
    seeds = seedbed.seed(X, 5, "greedy-k-means++", random_state=0)
    by_array = KMeans(5, init=seeds.centers).fit(X)
    assert same_fit(by_array, KMeans(5, init=seeds.centers.tolist()).fit(X))
    assert same_fit(by_array, KMeans(5, init=pd.DataFrame(seeds.centers)).fit(X))
    assert same_fit(by_array, KMeans(5, init=lambda X, k, random_state: seeds.centers).fit(X))
    for name in ("greedy-k-means++", "G", "Greedy K-Means++", seedbed.init.GreedyKMeansPlusPlus()):
        assert same_fit(
            KMeans(5, init=name, random_state=1).fit(X), KMeans(5, random_state=1).fit(X)
        )


def test_three_axes_of_init_are_runs(X):
    cube = np.stack([X[:5], X[5:10], X[10:15]])
    km = KMeans(5, init=cube).fit(X)
    singles = [KMeans(5, init=start).fit(X) for start in cube]
    assert len(km.runs_) == 3
    np.testing.assert_array_equal(km.runs_.sse, [s.inertia_ for s in singles])
    assert same_fit(km, min(singles, key=lambda s: s.inertia_))
    np.testing.assert_array_equal(km.init_centers_, cube[km.runs_.best])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_given_centres_are_not_shared(X, dtype):
    X = X.astype(dtype)
    for given in (X[:5].copy(), np.stack([X[:5], X[5:10]])):
        km = KMeans(5, init=given).fit(X)
        kept = km.init_centers_.copy()
        given[:] = 0
        np.testing.assert_array_equal(km.init_centers_, kept)


def test_a_function_gets_the_data_as_they_are(X):
    given = {}

    def init(X, n_clusters, random_state, sample_weight):
        given.update(X=X.copy(), weight=sample_weight, random_state=random_state)
        return X[random_state.permutation(len(X))[:n_clusters]]

    weight = np.linspace(1, 2, len(X))
    KMeans(5, init=init, n_init=1, random_state=0).fit(X + 100, sample_weight=weight)
    np.testing.assert_array_equal(given["X"], X + 100)
    np.testing.assert_array_equal(given["weight"], weight)
    assert isinstance(given["random_state"], np.random.RandomState)


def test_a_function_cannot_write_to_the_data(X):
    def subtract(X, n_clusters, random_state, sample_weight):
        X -= X.mean(axis=0)

    def weigh(X, n_clusters, random_state, sample_weight):
        sample_weight /= 2

    before, weight = X.copy(), np.ones(len(X))
    for init in (subtract, weigh):
        with pytest.raises(ValueError, match="read-only"):
            KMeans(5, init=init).fit(X, sample_weight=weight)
    np.testing.assert_array_equal(X, before)
    assert X.flags.writeable
    assert (weight == 1).all()


def test_our_methods_work_in_scikit_learn(X):
    theirs = sklearn.cluster.KMeans(5, init=seedbed.init.get("var-part"), n_init=1).fit(X)
    ours = KMeans(5, init="var-part").fit(X)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-6)


@pytest.mark.parametrize(
    ("init", "n_runs"),
    [
        ("greedy-k-means++", 1),
        ("k-means++", 1),
        ("bradley-fayyad", 1),
        ("var-part", 1),
        ("pca-part", 1),
        ("macqueen", 10),
        ("forgy", 10),
        ("maximin", 10),
        ("kkz", 1),
    ],
)
def test_n_init_auto(X, init, n_runs):
    assert len(KMeans(3, init=init, random_state=0).fit(X).runs_) == n_runs


def test_deterministic_methods_run_once_and_quietly(X, recwarn):
    assert len(KMeans(3, init="var-part", n_init=7).fit(X).runs_) == 1
    assert len(KMeans(3, init=X[:3], n_init=7).fit(X).runs_) == 1
    assert not recwarn


@pytest.mark.parametrize("init", ["macqueen", "greedy-k-means++", "forgy"])
def test_a_run_does_not_depend_on_the_number_of_runs(X, init):
    many = KMeans(4, init=init, n_init=6, random_state=5).fit(X).runs_
    few = KMeans(4, init=init, n_init=2, random_state=5).fit(X).runs_
    np.testing.assert_array_equal(many.sse[:2], few.sse)
    assert len(set(many.initial_sse)) == 6


def test_the_best_run_is_kept(X):
    km = KMeans(7, init="macqueen", n_init=12, random_state=0).fit(X)
    assert km.inertia_ == km.runs_.sse.min() == -km.score(X)
    assert km.runs_[km.runs_.best].sse == km.inertia_


@pytest.mark.parametrize("make", [lambda: 7, lambda: np.random.RandomState(7), None])
def test_random_state(X, make):
    if make is None:
        make = lambda: np.random.default_rng(7)  # noqa: E731
    a, b = (KMeans(5, n_init=3, init="macqueen", random_state=make()).fit(X) for _ in "ab")
    assert same_fit(a, b)


def test_data_are_not_modified(X):
    before, weight = X.copy(), np.ones(len(X))
    X.flags.writeable = weight.flags.writeable = False
    try:
        km = KMeans(5, random_state=0, copy_x=False).fit(X, sample_weight=weight)
        km.predict(X), km.transform(X), km.score(X, sample_weight=weight)
    finally:
        X.flags.writeable = True
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("layout", ["fortran", "strided", "list", "int", "float16", "bool"])
def test_other_layouts_and_types(X, layout):
    made = {
        "fortran": np.asfortranarray,
        "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
        "list": lambda a: a.tolist(),
        "int": lambda a: (10 * a).astype(int),
        "float16": lambda a: a.astype(np.float16),
        "bool": lambda a: a > 0,
    }[layout](X)
    km = KMeans(4, init=np.asarray(made, dtype=float)[[0, 1, 2, 3]], empty_cluster="relocate")
    assert same_fit(km.fit(made), clone(km).fit(np.array(made, dtype=np.float64, order="C")))


@pytest.mark.parametrize("order", ["size", "lexicographic"])
def test_order_of_labels(order):
    lattice = np.stack(np.meshgrid(*[np.arange(5.0)] * 2), -1).reshape(-1, 2)  # full of ties
    for data in (blobs(n=500, d=3, k=6)[0], lattice):
        km = KMeans(6, random_state=2, order_labels=order).fit(data)
        plain = KMeans(6, random_state=2).fit(data)
        assert km.inertia_ == plain.inertia_
        np.testing.assert_array_equal(km.labels_, km.predict(data))
        assert km.inertia_ == -km.score(data)
        if order == "lexicographic":
            centers = km.cluster_centers_.tolist()
            assert centers == sorted(centers)
    sizes = np.bincount(KMeans(6, random_state=2, order_labels="size").fit(blobs()[0]).labels_)
    assert (np.diff(sizes) <= 0).all()


def test_one_weight_for_all_rows(X):
    km, expected = (
        KMeans(5, random_state=0).fit(X, sample_weight=w) for w in (2.0, np.full(len(X), 2.0))
    )
    assert km.inertia_ == expected.inertia_
    assert km.score(X, sample_weight=2) == pytest.approx(-km.inertia_)


def test_order_by_size_counts_weights():
    X = np.array([[0.0], [0.1], [0.2], [9.0]])
    km = KMeans(2, init=[[0.0], [9.0]], order_labels="size").fit(X, sample_weight=[1, 1, 1, 5])
    np.testing.assert_array_equal(km.labels_, [1, 1, 1, 0])
    np.testing.assert_allclose(km.init_centers_, [[9.0], [0.0]])


def test_transform_and_score(X):
    km = KMeans(5, random_state=0).fit(X)
    expected = np.sqrt(((X[:, None] - km.cluster_centers_) ** 2).sum(axis=2))
    np.testing.assert_allclose(km.transform(X), expected, rtol=1e-14)
    np.testing.assert_array_equal(km.fit_transform(X), km.transform(X))
    np.testing.assert_array_equal(km.fit_predict(X), km.labels_)
    weight = np.linspace(0.5, 2, len(X))
    expected = -sse(X, km.cluster_centers_, km.predict(X), weight)
    assert km.score(X, sample_weight=weight) == pytest.approx(expected, rel=1e-12)
    assert km.transform(X.astype(np.float32)).dtype == np.float32


def test_predict_in_another_precision_rounds_nothing():
    X = np.array([[0.0], [1.0]])
    km = KMeans(2, init=X).fit(X)
    km.cluster_centers_ = np.array([[0.0], [1.0 + 1e-12]])
    halfway = np.array([[0.5]], dtype=np.float32)
    assert km.predict(halfway)[0] == 0
    km.cluster_centers_ = np.array([[0.0], [1.0 - 1e-12]])
    assert km.predict(halfway)[0] == 1


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(X, frame):
    columns = ["a", "b", "c", "d"]
    given = frame(dict(zip(columns, X.T, strict=True)))
    km = KMeans(5, random_state=0).fit(given)
    assert same_fit(km, KMeans(5, random_state=0).fit(X))
    assert list(km.feature_names_in_) == columns
    np.testing.assert_array_equal(km.predict(given), km.labels_)
    with pytest.raises(ValueError, match="feature names should match"):
        km.predict(given[["b", "a", "c", "d"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        km.predict(X)
    assert not hasattr(km.fit(X), "feature_names_in_")


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_out(X, kind):
    km = KMeans(3, random_state=0).set_output(transform=kind).fit(X)
    out = km.transform(X)
    assert list(out.columns) == ["kmeans0", "kmeans1", "kmeans2"]
    assert type(out).__module__.startswith(kind)


def test_pickle_and_clone(X):
    km = KMeans(4, init=seedbed.init.get("pca-part"), order_labels="size").fit(X)
    back = pickle.loads(pickle.dumps(km))
    assert same_fit(km, back)
    np.testing.assert_array_equal(back.predict(X), km.labels_)
    assert repr(back.history_) == repr(km.history_)
    assert repr(back.runs_) == repr(km.runs_)
    fresh = clone(km)
    assert not hasattr(fresh, "labels_")
    assert same_fit(fresh.fit(X), km)
    assert fresh.set_params(n_clusters=2).fit(X).cluster_centers_.shape == (2, 4)


def test_pipeline_and_grid_search(X):
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0))
    labels = pipeline.fit_predict(X)
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_array_equal(labels, KMeans(3, random_state=0).fit(scaled).labels_)
    search = GridSearchCV(
        pipeline, {"kmeans__n_clusters": [2, 6], "kmeans__init": ["var-part", "macqueen"]}, cv=3
    ).fit(X)
    assert search.best_params_["kmeans__n_clusters"] == 6  # the score is minus the error


def test_parameters_of_scikit_learn_work(X):
    theirs = sklearn.cluster.KMeans(
        4, init="random", n_init=3, max_iter=50, tol=1e-3, verbose=0, random_state=0, copy_x=True
    )
    km = KMeans(**{**theirs.get_params(), "algorithm": "lloyd"}).fit(X)
    assert len(km.runs_) == 3
    assert KMeans(4, algorithm="elkan", random_state=0).fit(X).algorithm_ == "elkan"


def test_verbose_prints_a_line_per_run(X, capsys):
    KMeans(3, init="macqueen", n_init=2, random_state=0, verbose=1).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("macqueen, run 2 of 2: SSE ")
    assert " iterations, stopped by " in lines[1]


def test_representations(X):
    km = KMeans(3, init="macqueen", n_init=4, random_state=0, max_iter=30).fit(X)
    assert repr(km.runs_).startswith("Runs(4 runs, SSE ")
    lines = repr(km.history_).splitlines()
    assert lines[0].split() == ["iteration", "SSE", "changed", "distances", "relocated"]
    assert len(lines) == 1 + min(len(km.history_), 11)


def test_records_are_frozen(X):
    km = KMeans(3, random_state=0).fit(X)
    with pytest.raises(AttributeError):
        km.runs_.records = ()
    with pytest.raises(AttributeError):
        km.history_.sse = None
    with pytest.raises(AttributeError):
        km.runs_[0].sse = 0.0


def test_import_is_light():
    code = "import sys, seedbed; assert not {'numpy', 'sklearn', 'scipy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert set(seedbed.__all__) == set(dir(seedbed))
