"""Bad input gets an error that says what was given, what is allowed and what to do."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from lloyd_twin import blobs

from seedbed import KMeans

X = blobs(n=30, d=3, k=3)[0]


def spoiled(value, row=4, column=1):
    bad = X.copy()
    bad[row, column] = value
    return bad


DATA = [
    (spoiled(np.nan), ValueError, r"X contains NaN at row 4, column 1"),
    (spoiled(np.inf), ValueError, r"X contains infinity at row 4, column 1"),
    (spoiled(-np.inf).astype(np.float32), ValueError, r"infinity at row 4, column 1"),
    (pd.DataFrame(spoiled(np.nan), columns=list("abc")), ValueError, r"column 1 \('b'\)"),
    (X[0], ValueError, r"X has 1 dimension.*Reshape your data"),
    (X[None], ValueError, r"X has 3 dimension"),
    (X[:0], ValueError, r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required"),
    (X[:, :0], ValueError, r"0 feature\(s\) \(shape=\(30, 0\)\) while a minimum of 1"),
    (X[:2], ValueError, r"n_clusters=3.*n_samples=2"),
    (scipy.sparse.csr_array(X), TypeError, r"sparse.*X.toarray\(\)"),
    (X + 1j, ValueError, "Complex data not supported"),
    (X.astype(str), ValueError, "dtype <U32"),
    (np.array([["a", 1.0]] * 5, dtype=object), ValueError, r"object.*row 0, column 0 holds 'a'"),
]


@pytest.mark.parametrize(("data", "error", "message"), DATA)
def test_bad_data(data, error, message):
    with pytest.raises(error, match=message):
        KMeans(3, init="macqueen", random_state=0).fit(data)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(29), r"sample_weight has shape \(29,\).*30 rows"),
        (np.ones((30, 1)), r"sample_weight has shape \(30, 1\)"),
        (np.r_[np.ones(29), -1], r"sample_weight\[29\]=-1.0 is negative"),
        (np.r_[np.nan, np.ones(29)], r"sample_weight\[0\]=nan is not finite"),
        (np.zeros(30), "sample_weight is zero everywhere"),
        (np.ones(30) + 1j, "sample_weight has dtype complex128; weights must be real numbers"),
        (np.full(30, 1e307), r"sample_weight of up to 1e\+307.*only their ratios matter"),
        (np.full(30, 1e-300), "sample_weight of up to 1e-300.*only their ratios matter"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        KMeans(3).fit(X, sample_weight=weight)
    fitted = KMeans(3, random_state=0).fit(X)
    with pytest.raises(ValueError, match=message):
        fitted.score(X, sample_weight=weight)


PARAMETERS = [
    ("n_clusters", 0, "n_clusters=0 is not allowed in KMeans; use an int >= 1"),
    ("n_clusters", 2.0, "n_clusters=2.0 is not allowed"),
    ("n_clusters", True, "n_clusters=True is not allowed"),
    ("n_init", 0, "n_init=0 is not allowed in KMeans; use 'auto' or an int >= 1"),
    ("n_init", "many", "n_init='many' is not allowed"),
    ("max_iter", 0, "max_iter=0 is not allowed"),
    ("tol", -1e-9, "tol=-1e-09 is not allowed in KMeans; use 'auto' or a finite number >= 0"),
    ("tol", np.nan, "tol=nan is not allowed"),
    ("tol", "low", "tol='low' is not allowed"),
    ("verbose", -1, "verbose=-1 is not allowed"),
    ("random_state", -1, "random_state=-1 is not allowed"),
    ("random_state", "x", "random_state='x' is not allowed.*numpy.random.Generator"),
    ("copy_x", "yes", "copy_x='yes' is not allowed"),
    ("algorithm", "elkann", r"one of 'auto', 'lloyd'.*did you mean 'elkan'\?"),
    ("algorithm", None, "algorithm=None is not allowed"),
    ("stop", "centres", r"one of 'centers', 'sse', 'labels' \(did you mean 'centers'\?\)"),
    ("empty_cluster", "kept", r"did you mean 'keep'\?"),
    ("n_threads", 0, "n_threads=0 is not allowed in KMeans; use None or an int >= 1"),
    ("n_threads", -1, "n_threads=-1 is not allowed"),
    ("n_threads", 2**40, f"n_threads={2**40} is not allowed in KMeans.*1024 at most"),
    ("tol", 10**400, "is not allowed in KMeans; use 'auto' or a finite number >= 0"),
    ("order_labels", "sizes", r"'size', 'lexicographic' or None \(did you mean 'size'\?\)"),
    ("init", "kmeans+++", r"unknown method 'kmeans\+\+\+'; did you mean 'k-means\+\+'"),
    ("init", "pcapart2", "did you mean 'pca-part'"),
    ("init", None, r"init of type NoneType has shape \(\); use the name of a method"),
    ("init", 3, r"init of type int has shape \(\)"),
    ("init", X[:4], r"init of type ndarray has shape \(4, 3\).*here \(3, 3\)"),
    ("init", X[:3, :2], r"init has 2 feature\(s\) \(shape \(3, 2\)\), X has 3"),
    ("init", np.full((3, 3), np.inf), "init contains NaN or infinity"),
    ("init", [[1.0, 2.0, 3.0], [1.0]], "is not an array"),
    (
        "init",
        lambda X, k, random_state: X[:2],
        r"result of <lambda>\(\) has shape \(2, 3\).*\(3, 3\)",
    ),
    ("init", lambda X, k, random_state: X[:3] * np.nan, r"result of <lambda>\(\) contains NaN"),
]


@pytest.mark.parametrize(("name", "value", "message"), PARAMETERS)
def test_bad_parameters(name, value, message):
    with pytest.raises(ValueError, match=message):
        KMeans(**{"n_clusters": 3, name: value}).fit(X)


def test_a_constructor_checks_nothing_and_a_failed_fit_leaves_nothing():
    km = KMeans(n_clusters=-3, algorithm=object)
    with pytest.raises(ValueError, match="n_clusters"):
        km.fit(X)
    assert not [name for name in vars(km) if name.endswith("_")]


def test_wrong_number_of_features():
    km = KMeans(3, random_state=0).fit(X)
    for method in (km.predict, km.transform, km.score):
        with pytest.raises(ValueError, match="X has 2 features, but KMeans is expecting 3"):
            method(X[:, :2])


def test_before_fit():
    for method in (KMeans().predict, KMeans().transform, KMeans().score):
        with pytest.raises(ValueError, match="not fitted"):
            method(X)
