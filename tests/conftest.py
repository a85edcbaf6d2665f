"""Makes the modules beside this file (fixtures) importable from every test."""

import sys

import pytest

from seedbed.init import _registry


@pytest.fixture(autouse=True)
def _no_figure_is_left_open():
    """Tests count figures, and which tests share a process is not certain."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    fresh = _registry._Registry()
    for cls in _registry.classes():
        fresh.add(cls)
    monkeypatch.setattr(_registry, "_registry", fresh)
