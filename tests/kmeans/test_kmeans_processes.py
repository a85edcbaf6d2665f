"""Signals, forks, threads of the caller, and instruction sets."""

import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from lloyd_twin import blobs

from seedbed import KMeans
from seedbed._core._engine import instruction_set

LONG_FIT = """
import numpy as np
from seedbed import KMeans
rng = np.random.default_rng(0)
X = rng.normal(size=(600_000, 24))  # many seconds on any machine
print("ready", flush=True)
try:
    KMeans(200, init=X[:200], stop="labels", max_iter=10_000, {options}).fit(X)
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("finished", flush=True)
"""


@pytest.mark.parametrize("options", ["n_threads=1", "n_threads=2", "algorithm='lloyd'"])
def test_interrupt_ends_a_fit_promptly(options):
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_FIT.format(options=options)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - started < 2.0
    finally:
        process.kill()
        process.wait()


def digest(n_threads):
    X, start = blobs(n=30_000, d=9, k=8)
    km = KMeans(8, init=start, max_iter=5, n_threads=n_threads).fit(X)
    return hashlib.sha256(km.labels_.tobytes() + km.cluster_centers_.tobytes()).hexdigest()


def _send_digest(connection, n_threads):
    connection.send(digest(n_threads))
    connection.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_has_threads_too():
    expected = digest(2)  # the parent's pool has a thread now
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_send_digest, args=(there, 2))
    child.start()
    assert here.poll(60), "the child hangs"
    assert here.recv() == expected
    child.join(10)
    assert child.exitcode == 0


def test_fits_in_several_threads_at_once():
    expected, found = digest(1), []
    threads = [threading.Thread(target=lambda: found.append(digest(2))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [expected] * 4


BYTES = """
import hashlib, sys
import numpy as np
sys.path.insert(0, {here!r})
from lloyd_twin import blobs
from seedbed import KMeans
from seedbed._core._engine import ALGORITHMS, instruction_set
total = hashlib.sha256()
for dtype in (np.float32, np.float64):
    for n, d, k in ((500, 1, 4), (700, 7, 6), (400, 33, 13), (900, 2, 60)):
        X, start = blobs(n=n, d=d, k=k, dtype=dtype)
        for algorithm in ALGORITHMS:
            for weight in (None, np.linspace(0.1, 2, n)):
                km = KMeans(k, init=start, algorithm=algorithm).fit(X, sample_weight=weight)
                for a in (km.labels_, km.cluster_centers_, km.history_.sse, km.transform(X)):
                    total.update(a.tobytes())
                total.update(repr(km.inertia_).encode())
        total.update(KMeans(k, n_init=2, random_state=0).fit(X).cluster_centers_.tobytes())
print(instruction_set(), total.hexdigest())
"""


def bytes_with(isa):
    code = BYTES.format(here=os.path.dirname(__file__))
    environment = {**os.environ, "SEEDBED_ISA": isa}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    if "is not available here" in done.stderr:
        pytest.skip(f"this processor has no {isa}")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("isa", ["baseline", "avx2"])
def test_instruction_sets_give_the_same_bytes(isa):
    if instruction_set() == isa:
        pytest.skip(f"{isa} is the default here")
    used, narrow = bytes_with(isa)
    default, wide = bytes_with("")
    assert (used, default) == (isa, instruction_set())
    assert narrow == wide


def test_an_unknown_instruction_set_is_refused():
    environment = {**os.environ, "SEEDBED_ISA": "mmx"}
    code = "import numpy as np, seedbed; seedbed.run_many(np.eye(2), np.eye(2)[None])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "SEEDBED_ISA=mmx is not available here" in done.stderr


def test_threads_sleep_between_fits():
    """They may look out for the next job for a moment, but not for long."""
    X, start = blobs(n=30_000, d=9, k=8)
    KMeans(8, init=start, n_threads=4).fit(X)
    time.sleep(0.01)
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.03


def test_a_small_fit_is_not_slowed_by_threads():
    """A fit of 1024 × 8 takes well under a millisecond; waking threads for it would take more."""
    X, start = blobs(n=1024, d=8)
    km = KMeans(6, init=start, n_threads=8)
    before = threading.active_count()
    times = []
    for _ in range(20):
        started = time.perf_counter()
        km.fit(X)
        times.append(time.perf_counter() - started)
    assert min(times) < 0.01
    assert threading.active_count() == before
    assert np.isfinite(km.inertia_)
