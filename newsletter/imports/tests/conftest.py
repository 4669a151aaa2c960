"""Fixtures of the import tests."""

import pytest

from newsletter.tests.conftest import subscribe
from sailing.jobs import runner

__all__ = ["subscribe"]


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the steps of jobs without pauses."""
    monkeypatch.setattr(runner, "PAUSE_SECONDS", 0)
