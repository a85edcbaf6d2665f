"""Makes the modules beside this file (fixtures) importable from every test."""

import pytest

from seedbed.init import _registry


@pytest.fixture
def own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    fresh = _registry._Registry()
    for cls in _registry.classes():
        fresh.add(cls)
    monkeypatch.setattr(_registry, "_registry", fresh)
