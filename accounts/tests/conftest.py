"""Fixtures of the accounts tests."""

from typing import Any

import pytest

from accounts import tokens
from accounts.models import User
from accounts.tests.factories import MemberFactory


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com")


@pytest.fixture
def token(member: User) -> str:
    return tokens.issue(member)
