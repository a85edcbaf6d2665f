"""The reference values of R's MixSim package, where ``../shared`` is there."""

import json
from pathlib import Path

import numpy as np
import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "../shared/golden/golden_overlap.json"


def golden(part, *, having="id"):
    """The cases of one part of the file that have an entry, as test parameters; one that is
    skipped where the file is absent."""
    if not GOLDEN.exists():
        skip = pytest.mark.skip(reason="the reference values of ../shared are not on this machine")
        return [pytest.param(None, marks=skip)]
    cases = json.loads(GOLDEN.read_text())[part]
    wanted = [case for case in cases if having in case]
    return [pytest.param(case, id=f"{case['id']}-{case.get('target', '')}") for case in wanted]


def golden_case(name):
    cases = json.loads(GOLDEN.read_text())["cases"]
    return next(case for case in cases if case["id"] == name)


def parameters(case):
    """Weights, means and covariances of a case or a draw."""
    k, p, form, data = case["K"], case["p"], case["S"]["form"], case["S"]["data"]
    means = np.array(case["Mu"], dtype=float).reshape(k, p)
    weights = np.array(case["Pi"], dtype=float)
    if form == "scalar":
        return weights, means, np.ravel(data).astype(float)
    triangles = np.array(data, dtype=float).reshape(-1, p * (p + 1) // 2)
    matrices = np.zeros((len(triangles), p, p))
    rows, columns = np.tril_indices(p)
    matrices[:, rows, columns] = triangles
    matrices[:, columns, rows] = triangles
    return weights, means, matrices[0] if form == "shared_lower" else matrices
