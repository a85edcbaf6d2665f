"""A fit needs little memory beyond the data."""

import subprocess
import sys

import pytest

GROWTH = """
import resource
import numpy as np
from seedbed import KMeans

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * {unit}

X = np.random.default_rng(0).standard_normal((200_000, 16), dtype=np.{dtype})
KMeans(5, init=X[:5], max_iter=2).fit(X[:1000])  # what is loaded once is loaded now
before = peak()
KMeans(5, init="{init}", max_iter=5, random_state=0).fit(X)
after = peak()
Y = X + 1
print((after - before) / X.nbytes, (peak() - before) / X.nbytes)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no resource module")
@pytest.mark.parametrize(
    ("dtype", "init"), [("float32", "greedy-k-means++"), ("float64", "pca-part")]
)
def test_a_fit_does_not_copy_the_data(dtype, init):
    unit = 1 if sys.platform == "darwin" else 1024
    code = GROWTH.format(dtype=dtype, init=init, unit=unit)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    growth, with_a_copy = map(float, done.stdout.split())
    assert growth < 0.5
    assert with_a_copy > 0.5  # so a copy would have been noticed
