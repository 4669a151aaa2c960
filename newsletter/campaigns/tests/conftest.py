"""Fixtures of the campaign tests."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from newsletter.campaigns import sender
from newsletter.campaigns.tests.series_steps import clock
from sailing.mail.tests.conftest import server
from sailing.mail.tests.test_providers import provider, use

__all__ = ["clock", "provider", "server", "use"]


def create_user(email: str, **values: Any) -> Any:
    return get_user_model()._default_manager.create(email=email, **values)


@pytest.fixture(autouse=True)
def _long_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a claim not end because the machine is slow."""
    monkeypatch.setattr(sender, "TURN_SECONDS", 60)


@pytest.fixture
def admin() -> Any:
    return create_user("admin@sailing.example", is_staff=True)
