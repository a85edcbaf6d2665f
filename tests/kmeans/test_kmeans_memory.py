"""A fit needs little memory beyond the data."""

import subprocess
import sys

import pytest

GROWTH = """
import numpy as np
from pathlib import Path
from seedbed import KMeans

def growth(work):
    '''How far the resident size rises above what it is now, in sizes of the data.'''
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = peak()
    work()
    return (peak() - before) / X.nbytes

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])

X = np.random.default_rng(0).standard_normal((200_000, 16), dtype=np.{dtype})
KMeans(5, init=X[:5], max_iter=2).fit(X[:1000])  # what is loaded once is loaded now
model = KMeans(5, init="{init}", max_iter=5, random_state=0)
print(growth(lambda: model.fit(X)), growth(lambda: X + 1))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
@pytest.mark.parametrize(
    ("dtype", "init"), [("float32", "greedy-k-means++"), ("float64", "pca-part")]
)
def test_a_fit_does_not_copy_the_data(dtype, init):
    code = GROWTH.format(dtype=dtype, init=init)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    fit, copy = map(float, done.stdout.split())
    assert fit < 0.5
    assert copy > 0.9  # so a copy would have been noticed
