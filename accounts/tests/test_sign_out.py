"""`logout` over HTTP: the token that came with it is useless afterwards."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import RevokedToken, User
from accounts.tests.conftest import Call
from accounts.tests.factories import MemberFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Any:
    return MemberFactory()


def test_the_token_is_refused_afterwards_and_others_stay(call: Call, member: User) -> None:
    token, other = tokens.issue(member), tokens.issue(member)
    assert call("logout", token=token).data is True

    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("me", token=other).data


def test_a_second_click_and_a_retry_after_a_lost_answer_succeed(call: Call, member: User) -> None:
    token = tokens.issue(member)
    assert [call("logout", token=token).data for _ in range(2)] == [True, True]
    assert RevokedToken.objects.count() == 1


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c"])
def test_without_a_token_of_ours_there_is_nobody_to_sign_out(call: Call, token: str) -> None:
    assert call("logout", token=token).error["code"] == "UNAUTHENTICATED"
    assert not RevokedToken.objects.exists()


def test_an_expired_token_is_told_as_what_it_is(call: Call, member: User) -> None:
    token = tokens.issue(member)
    with time_machine.travel(timezone.now() + timedelta(days=15)):
        assert call("logout", token=token).error["code"] == "UNAUTHENTICATED"


def test_a_session_of_django_admin_signs_nobody_out(call: Call, member: User) -> None:
    client = Client()
    client.force_login(member)
    assert call("logout", client=client).error["code"] == "UNAUTHENTICATED"
    assert client.session["_auth_user_id"] == str(member.pk)
