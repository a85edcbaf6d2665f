"""A made-up study with all groups, failures and data sets that are not done; its report."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("polars")
pytest.importorskip("jinja2")

from made_study import make_study

from seedbed.report import Written, write
from seedbed.study import RealSets, Study, SyntheticSets

SETS = ("ecoli", "glass", "heart", "ionosphere", "wine-quality", "yeast", "pima", "vehicle")


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_study(
        tmp_path_factory.mktemp("made") / "study",
        data=(RealSets(sets=SETS), SyntheticSets(count=6, step=32)),
        failed=("yeast",),
        missing=("vehicle", "easy-0032"),
    )


@pytest.fixture(scope="session")
def written(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(study, tmp_path_factory.mktemp("report"), figures=False)


@pytest.fixture(scope="session")
def html(written: Written) -> str:
    return written.page.read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "report"
