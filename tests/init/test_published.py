"""Var-Part and PCA-Part, then k-means with the study's stopping rule, against the final SSE that
Celebi, Kingravi & Vela (2013) printed for real data. Nothing is random here: any difference shows.
"""

import csv
from pathlib import Path

import numpy as np
import pytest
from partition_twin import divide, lloyd, minmax
from sklearn import datasets

from seedbed import run_many
from seedbed.init import get

SHARED = Path(__file__).resolve().parents[2] / "../shared"
CLEAN = SHARED / "datasets/clean"
# Two entries of column P are not reproduced by an exact eigenvector (which gives 118380 and 2746):
# perhaps the authors' own iteration ended earlier.
UNEXPLAINED = {("isolet", "P"), ("letter", "P")}


def study(X, k, letter):
    """Final SSE after min-max scaling, one start, tolerance 1e-6 on the gain, 100 iterations."""
    seeds = get(letter).seed(X, k, n_threads=1)
    return run_many(X, seeds.centers[None], stop="sse", tol=1e-6, max_iter=100, n_threads=1).sse[0]


def published(letter):
    path = SHARED / "paper/paper_final_sse.csv"
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == letter]
    return {int(row["dataset_id"]): int(row["min"]) for row in rows}


def clusters():
    with (SHARED / "paper/paper_datasets.csv").open() as file:
        return {int(row["id"]): int(row["k"]) for row in csv.DictReader(file)}


def real_sets():
    return sorted(CLEAN.glob("*.npz")) if CLEAN.is_dir() else []


@pytest.mark.skipif(not CLEAN.is_dir(), reason="the real data sets (../shared) are not here")
def test_all_the_verified_sets_are_there():
    assert len(real_sets()) == 28


@pytest.mark.skipif(not CLEAN.is_dir(), reason="the real data sets (../shared) are not here")
@pytest.mark.parametrize("path", real_sets(), ids=lambda path: path.stem)
def test_published_final_sse(path):
    number, name = int(path.stem[:2]), path.stem[3:]
    X = minmax(np.load(path)["X"])
    for letter in "VP":
        found, printed = study(X, clusters()[number], letter), published(letter)[number]
        assert (round(found) == printed) == ((name, letter) not in UNEXPLAINED), (found, printed)


def published_means(letter):
    with (SHARED / "paper/paper_final_sse.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == letter]
    return {int(row["dataset_id"]): (int(row["mean"]), int(row["std"])) for row in rows}


def small_sets():
    return [path for path in real_sets() if path.stat().st_size < 150_000]


@pytest.mark.skipif(not CLEAN.is_dir(), reason="the real data sets (../shared) are not here")
@pytest.mark.parametrize("path", small_sets(), ids=lambda path: path.stem)
def test_greedy_means_agree_with_the_published_ones(path):
    number = int(path.stem[:2])
    X, k = minmax(np.load(path)["X"]), clusters()[number]
    starts = [get("G").seed(X, k, random_state=run, n_threads=1).centers for run in range(100)]
    sse = run_many(X, np.stack(starts), stop="sse", tol=1e-6, max_iter=100).sse
    mean, std = published_means("G")[number]
    standard_error = np.sqrt((sse.var(ddof=1) + std**2) / 100)
    assert abs(sse.mean() - mean) <= 0.5 + 3 * standard_error  # printed without decimals


@pytest.mark.parametrize("letter", "VP")
@pytest.mark.parametrize(
    ("load", "k"),
    [
        (datasets.load_iris, 3),
        (datasets.load_wine, 3),
        (datasets.load_breast_cancer, 2),
        (datasets.load_digits, 10),
    ],
    ids=["iris", "wine", "breast-cancer", "digits"],
)
def test_the_same_with_data_that_any_machine_has(load, k, letter):
    X = minmax(load().data)
    centers, _ = divide(X, k, get(letter).axis)
    assert study(X, k, letter) == pytest.approx(lloyd(X, centers), rel=1e-10)
