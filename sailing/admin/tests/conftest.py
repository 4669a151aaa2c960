"""Fixtures of sign-in and of the second factor."""

import pytest
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.admin.tests.helpers import PASSWORD


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss@example.com", PASSWORD)


@pytest.fixture
def still_clock(time_machine: TimeMachineFixture) -> None:
    """Stop the clock, because codes change with time."""
    time_machine.move_to("2026-03-01T12:00:00+00:00", tick=False)
