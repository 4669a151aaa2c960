"""Fixtures of the import tests."""

from typing import Any

import pytest


@pytest.fixture
def admin(admin_user: Any) -> Any:
    return admin_user
