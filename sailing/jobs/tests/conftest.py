import pytest

from sailing.jobs import queue


@pytest.fixture
def no_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the kinds of jobs, so that a test can register its own."""
    monkeypatch.setattr(queue, "kinds", {})
