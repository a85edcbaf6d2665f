"""``KMeans(init="auto")``: what it chooses is done, recorded, and the same every time."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator

from seedbed import KMeans
from seedbed._compat import HAS_CALLBACKS
from seedbed.init import Auto
from seedbed.init._auto import choose
from seedbed.init._auto_evidence import Shape


@pytest.fixture
def X():
    rng = np.random.default_rng(5)
    return np.concatenate([rng.normal(size=(60, 3)) + 3 * rng.normal(size=3) for _ in range(6)])


def test_it_does_what_the_rule_says(X):
    km = KMeans(6, init="auto", random_state=0).fit(X)
    choice = choose(Shape(n=360, d=3, k=6))
    assert km.init_choice_ == choice
    assert len(km.runs_) == choice.runs
    same = KMeans(6, init=choice.method, n_init=choice.runs, random_state=0).fit(X)
    assert km.cluster_centers_.tobytes() == same.cluster_centers_.tobytes()
    assert km.inertia_ == same.inertia_
    assert same.init_choice_ is None


def test_it_is_no_worse_than_a_run_of_the_standard(X):
    ours = KMeans(6, init="auto", random_state=0).fit(X).inertia_
    standard = [KMeans(6, random_state=s).fit(X).inertia_ for s in range(20)]
    assert ours <= np.median(standard) * (1 + 1e-9)


@pytest.mark.parametrize("n_threads", [2, 5])
def test_the_same_bytes_for_any_number_of_threads(X, n_threads):
    one = KMeans(6, init="auto", random_state=3, n_threads=1).fit(X)
    many = KMeans(6, init="auto", random_state=3, n_threads=n_threads).fit(X)
    assert one.cluster_centers_.tobytes() == many.cluster_centers_.tobytes()
    assert one.labels_.tobytes() == many.labels_.tobytes()


def test_the_number_of_runs_can_be_given(X):
    km = KMeans(6, init="auto", n_init=4, random_state=0).fit(X)
    assert len(km.runs_) == (1 if km.init_choice_.method.deterministic else 4)
    assert km.init_choice_ == choose(Shape(n=360, d=3, k=6), most_runs=4)


def test_deterministic_choices_do_not_depend_on_the_seed(X):
    one, two = (
        KMeans(6, init=Auto(deterministic=True), random_state=s).fit(X).cluster_centers_
        for s in (0, 1)
    )
    assert one.tobytes() == two.tobytes()


def test_one_feature_is_clustered_optimally():
    values = np.sort(np.random.default_rng(2).normal(size=12))
    km = KMeans(3, init="auto", stop="labels").fit(values[:, None])
    best = min(
        sum(np.square(part - part.mean()).sum() for part in np.split(values, [i, j]))
        for i in range(1, 11)
        for j in range(i + 1, 12)
    )
    assert km.inertia_ == pytest.approx(best, rel=1e-12)


def test_unit_weights_change_nothing(X):
    plain = KMeans(6, init="auto", random_state=0).fit(X)
    ones = KMeans(6, init="auto", random_state=0).fit(X, sample_weight=np.ones(len(X)))
    assert plain.init_choice_ == ones.init_choice_
    np.testing.assert_allclose(plain.cluster_centers_, ones.cluster_centers_, rtol=1e-12)


def test_weights_that_differ_get_a_method_that_respects_them(X):
    weight = np.arange(1.0, len(X) + 1)
    km = KMeans(6, init="auto", random_state=0).fit(X, sample_weight=weight)
    assert km.init_choice_.shape.weighted
    assert km.init_choice_.method.meta.weights == "yes"


def test_clone_pickle_and_parameters(X):
    km = KMeans(6, init="auto", random_state=0)
    assert clone(km).get_params() == km.get_params()
    fitted = pickle.loads(pickle.dumps(km.fit(X)))
    assert fitted.init_choice_ == km.init_choice_
    np.testing.assert_array_equal(fitted.predict(X), km.labels_)
    km.set_params(init="var-part").fit(X)
    assert km.init_choice_ is None


def test_grid_search(X):
    inits = ["auto", Auto(deterministic=True), "greedy-k-means++"]
    search = GridSearchCV(KMeans(random_state=0), {"init": inits, "n_clusters": [2, 6]}, cv=2)
    search.fit(X)
    assert search.best_params_["n_clusters"] == 6


def test_more_clusters_than_distinct_rows_is_refused():
    with pytest.raises(ValueError, match="2 distinct rows"):
        KMeans(3, init="auto").fit(np.repeat([[0.0, 1.0], [1.0, 0.0]], 5, axis=0))


@pytest.mark.skipif(not HAS_CALLBACKS, reason="this scikit-learn has no callbacks")
def test_a_choice_is_recorded_under_callbacks():
    from sklearn.callback import ProgressBar

    X = load_iris().data
    km = KMeans(3, init="auto", random_state=0)
    km.set_callbacks(ProgressBar())
    assert km.fit(X).init_choice_ == choose(Shape(n=150, d=4, k=3))


def test_scikit_learn_checks():
    expected = {
        "check_sample_weight_equivalence_on_dense_data": "repeated rows are more rows, for which "
        "another choice may be right, and the check reorders them"
    }
    check_estimator(
        KMeans(n_clusters=3, init="auto", random_state=0), expected_failed_checks=expected
    )
