"""Fixtures of the import tests."""

from typing import Any

import pytest

from newsletter.tests.conftest import subscribe

__all__ = ["subscribe"]


@pytest.fixture
def admin(admin_user: Any) -> Any:
    return admin_user
