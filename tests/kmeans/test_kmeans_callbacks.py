"""scikit-learn's callback protocol."""

import numpy as np
import pytest
from lloyd_twin import blobs, sse

from seedbed import KMeans
from seedbed._compat import HAS_CALLBACKS

if not HAS_CALLBACKS:
    pytest.skip(
        "the installed scikit-learn has no callbacks (1.9 and later do)", allow_module_level=True
    )

from sklearn.callback import ProgressBar, ScoringMonitor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


class Recorder:
    """Writes down every call; stops where `stop_at` says so."""

    def __init__(self, stop_at=lambda context: False):
        self.calls, self.errors, self.given, self.stop_at = [], [], [], stop_at

    def setup(self, estimator, context):
        self.calls.append(("setup", "", 0))

    def teardown(self, estimator, context):
        self.calls.append(("teardown", "", 0))

    def on_fit_task_begin(self, estimator, context):
        self.calls.append(("begin", context.task_name, context.task_id))

    def on_fit_task_end(self, estimator, context, *, X=None, fitted_estimator=None, metadata=None):
        self.calls.append(("end", context.task_name, context.task_id))
        self.errors.append((context.task_name, -fitted_estimator.score(X, **(metadata or {}))))
        self.given.append(X)
        return self.stop_at(context)

    def count(self, hook, task):
        return sum(call[:2] == (hook, task) for call in self.calls)


def test_tasks_and_errors():
    X, _ = blobs()
    recorder = Recorder()
    km = KMeans(6, init="macqueen", n_init=3, random_state=0).set_callbacks(recorder).fit(X)
    plain = KMeans(6, init="macqueen", n_init=3, random_state=0).fit(X)
    assert km.labels_.tobytes() == plain.labels_.tobytes()
    assert km.cluster_centers_.tobytes() == plain.cluster_centers_.tobytes()
    np.testing.assert_array_equal(km.runs_.sse, plain.runs_.sse)
    assert recorder.calls[0][0] == "setup"
    assert recorder.calls[1] == ("begin", "fit", 0)
    assert recorder.calls[-2:] == [("end", "fit", 0), ("teardown", "", 0)]
    for task, times in {"fit": 1, "run": 3, "iteration": int(km.runs_.n_iter.sum())}.items():
        assert recorder.count("begin", task) == recorder.count("end", task) == times
    runs = [error for task, error in recorder.errors if task == "run"]
    np.testing.assert_allclose(runs, km.runs_.sse, rtol=1e-12)
    first = [error for task, error in recorder.errors if task == "iteration"][: km.runs_[0].n_iter]
    np.testing.assert_allclose(first, km.runs_.histories[0].sse, rtol=1e-9)
    assert recorder.errors[-1] == ("fit", km.inertia_)


@pytest.mark.parametrize("far", [False, True])
def test_a_callback_stops_a_run(far):
    X, start = blobs()
    if far:
        start[0] = 1e6  # an empty cluster in the very iteration that is to be the last
    stop_at = 0 if far else 2
    recorder = Recorder(lambda c: c.task_name == "iteration" and c.task_id == stop_at)
    km = KMeans(6, init=start).set_callbacks(recorder).fit(X)
    assert (km.stop_reason_, km.converged_, km.n_iter_) == ("callback", False, stop_at + 1)
    np.testing.assert_array_equal(km.labels_, km.predict(X))
    assert km.inertia_ == pytest.approx(sse(X, km.cluster_centers_, km.labels_), rel=1e-12)
    assert np.abs(km.cluster_centers_).max() < 100


def test_a_callback_stops_the_runs():
    X, _ = blobs()
    recorder = Recorder(lambda c: c.task_name == "run" and c.task_id == 1)
    km = KMeans(6, init="macqueen", n_init=5, random_state=0).set_callbacks(recorder).fit(X)
    assert len(km.runs_) == 2
    assert km.inertia_ == km.runs_.sse.min()


def test_weights_reach_the_callback():
    X, start = blobs()
    weight = np.linspace(1, 3, len(X))
    recorder = Recorder()
    km = KMeans(6, init=start).set_callbacks(recorder).fit(X, sample_weight=weight)
    assert recorder.errors[-1] == ("fit", km.inertia_)


def test_an_error_in_a_callback_ends_the_fit_and_tears_down():
    class Broken(Recorder):
        def on_fit_task_end(self, estimator, context):
            raise RuntimeError("broken callback")

    X, start = blobs()
    broken = Broken()
    with pytest.raises(RuntimeError, match="broken callback"):
        KMeans(6, init=start).set_callbacks(broken).fit(X)
    assert broken.calls[-1][0] == "teardown"


def test_progress_bar(capsys):
    X, _ = blobs()
    km = KMeans(6, init="macqueen", n_init=2, random_state=0).set_callbacks(ProgressBar()).fit(X)
    shown = capsys.readouterr().out
    assert "KMeans - fit" in shown
    assert "KMeans - run #1" in shown
    assert km.set_callbacks().fit(X).converged_
    assert capsys.readouterr().out == ""


def test_scoring_monitor():
    X, start = blobs()
    monitor = ScoringMonitor(scoring="adjusted_rand_score")
    truth = KMeans(6, init=start).fit(X).labels_
    km = KMeans(6, init=start).set_callbacks(monitor).fit(X, truth)
    scores = [
        row["adjusted_rand_score"]
        for row in monitor.get_logs().data
        if row["task_name"] == "iteration"
    ]
    assert len(scores) == km.n_iter_
    assert scores[-1] == pytest.approx(1.0)


def test_inside_a_pipeline_and_a_search(capsys):
    X, _ = blobs(n=120)
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0))
    pipeline.set_callbacks(ProgressBar()).fit(X)
    assert "KMeans" in capsys.readouterr().out
    search = GridSearchCV(KMeans(random_state=0), {"n_clusters": [2, 3]}, cv=2)
    search.set_callbacks(ProgressBar(max_propagation_depth=None)).fit(X)
    assert search.best_params_ == {"n_clusters": 3}


def test_nothing_is_paid_without_callbacks(monkeypatch):
    monkeypatch.setattr("seedbed.kmeans._callbacks.fit_watched", None)
    X, start = blobs()
    assert KMeans(6, init=start).fit(X).converged_
