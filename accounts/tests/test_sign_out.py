"""`logout`."""

from typing import Any

import pytest

from accounts import tokens
from accounts.models import RevokedToken, User
from accounts.tests.conftest import Call
from accounts.tests.factories import MemberFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Any:
    return MemberFactory()


def test_token_is_revoked_and_others_stay_valid(call: Call, member: User) -> None:
    token, other = tokens.issue(member), tokens.issue(member)
    assert call("logout", token=token).data is True

    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("me", token=other).data


def test_second_sign_out_succeeds(call: Call, member: User) -> None:
    token = tokens.issue(member)
    assert [call("logout", token=token).data for _ in range(2)] == [True, True]
    assert RevokedToken.objects.count() == 1


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
def test_invalid_token_is_unauthenticated(call: Call, token: str) -> None:
    assert call("logout", token=token).error["code"] == "UNAUTHENTICATED"
    assert not RevokedToken.objects.exists()
