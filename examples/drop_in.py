"""
One import changed
==================

The same script twice, once with scikit-learn's k-means and once with seedbed's: the error and the
time of both.
"""

import time

import sklearn.cluster
from sklearn.datasets import make_blobs

import seedbed

X, _ = make_blobs(50_000, n_features=8, centers=10, random_state=0)
for KMeans in (sklearn.cluster.KMeans, seedbed.KMeans):
    KMeans(n_clusters=2).fit(X[:50])  # so that neither pays for starting up
    start = time.perf_counter()
    model = KMeans(n_clusters=10, n_init=5, random_state=0).fit(X)
    milliseconds = 1000 * (time.perf_counter() - start)
    print(f"{KMeans.__module__:26} SSE {model.inertia_:.1f} in {milliseconds:.1f} ms")
