"""`seedbed cluster`: that it does what the library does, and says so."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score

import seedbed as sb
from seedbed._scaling import scale

NUMBERS = ("--columns", "width,height")


@pytest.fixture
def cluster_json(seedbed, data):
    def run(*arguments):
        code, out, err = seedbed("cluster", data, "--json", *arguments)
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


def test_labels_centres_and_errors_are_those_of_the_library(cluster_json, frame, tmp_path):
    labels, centers = tmp_path / "labels.csv", tmp_path / "centers.csv"
    record = cluster_json(
        *("-k", 4, *NUMBERS, "--init", "forgy", "--n-init", 7, "--seed", 3, "--stop", "sse"),
        *("-o", labels, "--centers", centers),
    )
    X = frame.select("width", "height").to_numpy()
    model = sb.KMeans(4, init="forgy", n_init=7, random_state=3, stop="sse").fit(X)
    assert pl.read_csv(labels)["cluster"].to_list() == model.labels_.tolist()
    np.testing.assert_array_equal(pl.read_csv(centers).to_numpy(), model.cluster_centers_)
    assert record["sse"] == model.inertia_
    assert record["initial_sse"] == model.init_inertia_
    assert record["n_iter"] == model.n_iter_
    assert record["stop_reason"] == model.stop_reason_
    assert record["runs"]["sse"] == model.runs_.sse.tolist()
    assert record["runs"]["best"] == model.runs_.best


def test_a_refined_run_is_that_of_the_library(cluster_json, seedbed, data, frame):
    arguments = ("-k", 6, *NUMBERS, "--init", "macqueen", "--n-init", 1, "--refine", "hartigan")
    record = cluster_json(*arguments)
    X = frame.select("width", "height").to_numpy()
    model = sb.KMeans(6, init="macqueen", n_init=1, random_state=0, refine="hartigan").fit(X)
    assert record["sse"] == model.inertia_
    assert record["stop_reason"] == model.stop_reason_ == "hartigan"
    assert record["n_moved"] == model.n_moved_
    assert record["options"]["refine"] == "hartigan"
    code, out, _ = seedbed("cluster", data, *arguments)
    assert code == 0
    assert "no row could move to another cluster and lower the SSE" in out
    assert f"{model.n_moved_} row" in out


@pytest.mark.parametrize("how", ["none", "minmax", "zscore"])
def test_centres_come_in_the_units_of_the_data(cluster_json, frame, how, tmp_path):
    labels = tmp_path / "labels.npy"
    record = cluster_json("-k", 3, *NUMBERS, "--scale", how, "-o", labels, "--init", "kkz")
    X, found = frame.select("width", "height").to_numpy(), np.load(labels)
    means = np.array([X[found == j].mean(axis=0) for j in range(3)])
    np.testing.assert_allclose(record["centers"], means, rtol=1e-6)
    error = scale(X, how) - np.array(record["scaled_centers"])[found]
    assert record["sse"] == pytest.approx(float((error**2).sum()), rel=1e-9)
    assert record["sizes"] == np.bincount(found, minlength=3).tolist()


def test_known_classes_are_compared_and_not_clustered(cluster_json, frame, tmp_path):
    labels = tmp_path / "labels.npy"
    record = cluster_json(
        *("-k", 3, "--label-column", "kind", "--drop-columns", "count", "--scale", "minmax"),
        *("-o", labels),
    )
    assert record["attributes"] == ["width", "height"]
    assert set(record["criteria"]) == {
        "normalised_rand",
        "van_dongen",
        "variation_of_information",
    }
    expected = adjusted_rand_score(frame["kind"], np.load(labels))
    assert record["criteria"]["normalised_rand"] == pytest.approx(expected)


def test_weights_count_as_repetitions(cluster_json, frame, data, seedbed):
    start = ("-k", 3, *NUMBERS, "--init", "kkz", "--stop", "labels")
    weighted = cluster_json(*start, "--weight-column", "count")
    repeated = data.with_name("repeated.csv")
    frame.select(pl.all().repeat_by("count")).explode(pl.all()).write_csv(repeated)
    code, out, _ = seedbed("cluster", repeated, *start, "--json")
    assert code == 0
    assert weighted["sse"] == pytest.approx(json.loads(out)["sse"], rel=1e-12)


def test_parameters_reach_the_method(cluster_json):
    record = cluster_json("-k", 3, *NUMBERS, "--init", "maximin", "--param", "first=kkz")
    assert record["method"]["parameters"] == {"first": "kkz"}
    assert record["method"]["deterministic"] is True
    assert cluster_json("-k", 3, *NUMBERS, "--init", "G", "--param", "trials=2")["method"][
        "parameters"
    ] == {"trials": 2}


def test_single_precision_is_used_when_asked_for(cluster_json):
    assert cluster_json("-k", 3, *NUMBERS)["dtype"] == "float64"
    assert cluster_json("-k", 3, *NUMBERS, "--float32")["dtype"] == "float32"


def test_threads_and_repetition_change_nothing(cluster_json):
    runs = [
        cluster_json("-k", 5, *NUMBERS, "--init", "macqueen", "--threads", t) for t in (1, 2, 2)
    ]
    for run in runs:
        del run["seconds"], run["options"]["n_threads"]
    assert runs[0] == runs[1] == runs[2]


def test_any_number_of_iterations_may_be_allowed(cluster_json):
    record = cluster_json("-k", 3, *NUMBERS, "--max-iter", 2**31)
    assert record["options"]["max_iter"] == 2**31
    assert record["converged"] is True


def test_json_says_everything(cluster_json, data):
    record = cluster_json("-k", 3, *NUMBERS, "--tol", 0.001)
    assert record["file"] == str(data)
    assert (record["n_rows"], record["n_attributes"]) == (60, 2)
    assert record["method"]["id"] == "greedy-k-means++"
    assert "2007" in record["method"]["reference"]
    assert record["options"] == {
        "n_clusters": 3,
        "n_init": "auto",
        "max_iter": 300,
        "tol": 0.001,
        "random_state": 0,
        "algorithm": "auto",
        "stop": "centers",
        "empty_cluster": "relocate",
        "refine": None,
        "n_threads": None,
    }
    assert record["converged"] is True
    assert set(record["seconds"]) == {"reading", "scaling", "seeding", "clustering"}
    assert all(seconds >= 0 for seconds in record["seconds"].values())
    assert np.shape(record["centers"]) == np.shape(record["scaled_centers"]) == (3, 2)
    assert record["outputs"] == {"labels": None, "centres": None}
    assert record["criteria"] is None
    assert record["notes"] == []
    assert record["scaling"] == {"how": "none", "offset": [0.0, 0.0], "unit": [1.0, 1.0]}


def test_numbers_that_are_not_finite_are_null_in_json(seedbed, tmp_path):
    path, labels = tmp_path / "huge.csv", tmp_path / "labels.csv"
    path.write_text("a,b\n1e300,1\n-1e300,2\n3e299,7\n0,1\n")
    code, out, err = seedbed("cluster", path, "-k", 2, "--json", "-o", labels)
    assert (code, err) == (0, "")
    record = json.loads(out, parse_constant=pytest.fail)
    assert record["sse"] is record["initial_sse"] is None
    assert record["runs"]["sse"] == [None]
    assert record["sizes"] == [3, 1]
    assert pl.read_csv(labels).height == 4
    code, out, err = seedbed("cluster", path, "-k", 2)
    assert (code, err) == (0, "")
    assert "nan" not in out


def test_the_summary_tells_what_was_done(seedbed, data):
    code, out, err = seedbed(
        *("cluster", data, "-k", 3, "--label-column", "kind", "--drop-columns", "count"),
        *("--scale", "zscore", "--n-init", 4),
    )
    assert (code, err) == (0, "")
    for expected in (
        "60 rows × 2 attributes",
        "z-score",
        "Greedy k-means++ (Arthur & Vassilvitskii 2007)",
        "initial SSE",
        "final SSE",
        "iterations",
        "stopped",
        "seeding",
        "clustering",
        "normalised Rand",
        "van Dongen",
        "VI",
        "cluster  rows  share",
        "4, final SSE",
    ):
        assert expected in out


def test_the_summary_of_many_clusters_stays_short(seedbed, data):
    code, out, _ = seedbed("cluster", data, "-k", 20, *NUMBERS)
    assert code == 0
    assert "cluster sizes" in out
    assert len(out.splitlines()) < 15


def test_quiet_prints_nothing_and_still_writes(seedbed, data, tmp_path):
    labels = tmp_path / "labels.csv"
    assert seedbed("cluster", data, "-k", 3, *NUMBERS, "-q", "-o", labels) == (0, "", "")
    assert pl.read_csv(labels).height == 60


def test_a_run_cut_short_says_so(seedbed, data):
    code, out, _ = seedbed("cluster", data, "-k", 9, *NUMBERS, "--max-iter", 1, "--init", "forgy")
    assert code == 0
    assert "--max-iter" in out


def test_what_the_library_warns_of_is_a_note(seedbed, tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("a,b\n" + "1,2\n3,4\n" * 5)
    code, out, err = seedbed("cluster", path, "-k", 3, "--empty-cluster", "keep")
    assert code == 0
    assert "2 distinct rows" in " ".join(err.split())
    assert "Traceback" not in err
    code, out, err = seedbed("cluster", path, "-k", 3, "--empty-cluster", "keep", "--json")
    assert err == ""
    assert any("distinct" in note for note in json.loads(out)["notes"])
