"""Fixtures of the campaign tests."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from sailing.mail.tests.conftest import server

__all__ = ["server"]


def create_user(email: str, **values: Any) -> Any:
    return get_user_model()._default_manager.create(email=email, **values)


@pytest.fixture
def admin() -> Any:
    return create_user("admin@sailing.example", is_staff=True)
