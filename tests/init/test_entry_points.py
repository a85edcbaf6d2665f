"""Methods that installed distributions announce in the entry point group ``seedbed.init``."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from fixtures import F9, RUSP
from sklearn.cluster import KMeans as TheirKMeans

import seedbed
import seedbed.init as init
from seedbed.exceptions import EntryPointWarning
from seedbed.init import _registry

METHOD = '''
from dataclasses import dataclass

import numpy as np

from seedbed.init import Meta, Method, Reference, Seeds, register


@dataclass(frozen=True, kw_only=True)
class {cls}(Method):
    """The last rows."""

    meta = Meta(
        id="{id}",
        name="{cls}",
        reference=Reference(authors="A", title="T", venue="V", year=2025),
        summary="the last rows",
        family="order",
        complexity="O(KD)",
        cost="linear",
        deterministic=True,
        order_sensitive=True,
        weights="no",
        selects_rows=True,
    )

    def _seed(self, points, n_clusters, rng, n_threads):
        rows = np.arange(points.n)[-n_clusters:]
        return Seeds(points.x[rows], rows)
'''


def install(where: Path, name: str, announced: dict[str, str], **modules: str) -> None:
    """Lay out a distribution as pip would: its modules and its metadata."""
    for module, text in modules.items():
        (where / f"{module}.py").write_text(textwrap.dedent(text))
    info = where / f"{name}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    lines = [f"{point} = {value}" for point, value in announced.items()]
    (info / "entry_points.txt").write_text("\n".join(["[seedbed.init]", *lines, ""]))


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages, and a registry that has not looked for any yet."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    fresh = _registry._Registry()
    for cls in filter(_registry.is_ours, _registry.classes()):
        fresh.add(cls)
    monkeypatch.setattr(_registry, "_registry", fresh)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_a_class_of_an_installed_distribution_is_a_method(site):
    install(
        site,
        "their-seeds",
        {"last-rows": "their_seeds:LastRows"},
        their_seeds=METHOD.format(cls="LastRows", id="last-rows"),
    )
    expected = RUSP[-4:]
    np.testing.assert_array_equal(init.seed(RUSP, 4, "last_rows").centers, expected)
    model = seedbed.KMeans(4, init="LastRows").fit(RUSP)
    np.testing.assert_array_equal(model.init_centers_, expected)
    assert len(model.runs_) == 1  # it says that it is deterministic
    assert init.methods()[-1].id == "last-rows"
    assert [m.id for m in init.methods(family="order")] == ["last-rows"]
    theirs = TheirKMeans(4, init=init.get("last-rows"), n_init=1).fit(RUSP)
    assert theirs.inertia_ == pytest.approx(model.inertia_)


def test_a_module_that_registers_its_methods_is_enough(site):
    module = METHOD.replace("@dataclass", "@register\n@dataclass").format(cls="Ends", id="ends")
    install(site, "ends", {"all": "their_ends"}, their_ends=module)
    assert init.seed(F9, 2, "ends").indices.tolist() == [7, 8]


def test_a_class_may_be_both_registered_and_announced(site):
    module = METHOD.replace("@dataclass", "@register\n@dataclass").format(cls="Ends", id="ends")
    install(site, "ends", {"ends": "their_ends:Ends"}, their_ends=module)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert init.methods()[-1].id == "ends"


@pytest.mark.parametrize(
    ("point", "module", "complaint"),
    [
        ("gone:Method", "", "ModuleNotFoundError: No module named 'gone'"),
        ("theirs:Missing", "", "AttributeError"),
        ("theirs:f", "def f(X, n_clusters, random_state): ...", "TypeError: <function f"),
        ("theirs", "1 / 0", "ZeroDivisionError: division by zero"),
        ("theirs:Own", METHOD.format(cls="Own", id="forgy"), "a method 'forgy' exists already"),
        ("theirs:Own", METHOD.format(cls="Own", id="lloyd"), "the name 'lloyd'"),
    ],
)
def test_what_is_broken_is_named_and_breaks_nothing_else(site, point, module, complaint):
    install(site, "broken-seeds", {"bad": point}, theirs=module)
    good = METHOD.format(cls="LastRows", id="last-rows")
    install(site, "good-seeds", {"last-rows": "good:LastRows"}, good=good)
    with pytest.warns(EntryPointWarning) as caught:
        found = [meta.id for meta in init.methods()]
    (warning,) = caught
    for part in ("'bad'", repr(point), "broken-seeds 1.2", "seedbed.init", complaint):
        assert part in str(warning.message)
    assert warning.filename == __file__
    assert found[-1] == "last-rows"
    assert init.get("forgy") == init.Forgy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once is enough
        init.methods()


def test_our_own_names_do_not_wait_for_others(site):
    install(site, "broken", {"bad": "gone:Method"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seedbed.KMeans(3, init="pca-part").fit(F9)
    with (
        pytest.warns(EntryPointWarning, match="'bad'"),
        pytest.raises(ValueError, match="unknown method 'zzz'"),
    ):
        init.get("zzz")


def test_a_method_may_ask_for_others_while_it_is_loaded(site):
    asking = METHOD + "\nfrom seedbed.init import methods\nKNOWN = len(methods())\n"
    install(site, "asking", {"asks": "asks:Asks"}, asks=asking.format(cls="Asks", id="asks"))
    assert init.methods()[-1].id == "asks"


def test_the_command_lists_installed_methods(tmp_path):
    """In a process of its own, as a user would."""
    module = METHOD.format(cls="LastRows", id="last-rows")
    install(tmp_path, "theirs", {"last-rows": "theirs:LastRows", "bad": "gone:X"}, theirs=module)
    (tmp_path / "data.csv").write_text("a,b\n" + "\n".join(f"{x},{y}" for x, y in RUSP))
    home = str(Path(seedbed.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), home])}

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "seedbed.cli", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    listed = command("methods", "--family", "order")
    assert listed.returncode == 0
    assert "last-rows" in listed.stdout
    assert "1 method." in listed.stdout
    assert listed.stderr.startswith("note: the entry point 'bad' = 'gone:X' of theirs 1.2")
    clustered = command("cluster", "data.csv", "-k", "4", "--init", "last-rows")
    assert clustered.returncode == 0
    assert "LastRows (A 2025)" in clustered.stdout
    assert clustered.stderr.startswith("note: the entry point 'bad'")
    assert "Warning" not in clustered.stderr
