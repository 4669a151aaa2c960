"""Validity of bearer tokens, tested with `me`."""

from datetime import timedelta
from typing import Any

import jwt
import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from tests.api import Answer, post_graphql

pytestmark = pytest.mark.django_db
KEY = str(settings.JWT_SECRET_KEY)


@pytest.fixture
def user() -> User:
    return User.objects.create_user("Jana@Example.org", "a long password", first_name="Jana")


def me(token: str, client: Client | None = None) -> Answer:
    return post_graphql("{ me { email } }", token=token, client=client)


def is_refused(answer: Answer) -> bool:
    return answer.body["data"] is None and answer.error["code"] == "UNAUTHENTICATED"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_valid_token_authenticates_its_owner(user: User, scheme: str) -> None:
    client = Client(headers={"Authorization": f"{scheme} {tokens.issue(user)}"})
    assert me("", client).data == {"email": "jana@example.org"}


@pytest.mark.parametrize("scheme", ["JWT", "Basic", "Token"])
def test_other_schemes_are_refused(user: User, scheme: str) -> None:
    client = Client(headers={"Authorization": f"{scheme} {tokens.issue(user)}"})
    assert is_refused(me("", client))


def test_expired_token_is_refused(user: User) -> None:
    token = tokens.issue(user)
    with time_machine.travel(timezone.now() + timedelta(days=15)):
        assert is_refused(me(token))


def test_token_of_a_machine_with_a_fast_clock_is_valid(user: User) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        token = tokens.issue(user)
    assert me(token).data


@pytest.mark.parametrize("claim", tokens.CLAIMS)
def test_token_without_a_claim_is_refused(user: User, claim: str) -> None:
    claims = tokens.build_claims(user)
    del claims[claim]
    assert is_refused(me(jwt.encode(claims, KEY, "HS256")))


@pytest.mark.parametrize("change", [{"aud": "other"}, {"iss": "other"}, {"sub": "x"}, {"ver": "1"}])
def test_token_with_a_wrong_claim_is_refused(user: User, change: dict[str, str]) -> None:
    assert is_refused(me(jwt.encode(tokens.build_claims(user) | change, KEY, "HS256")))


def test_unsigned_or_wrongly_signed_token_is_refused(user: User) -> None:
    claims = tokens.build_claims(user)
    assert is_refused(me(jwt.encode(claims, "", algorithm="none")))
    assert is_refused(me(jwt.encode(claims, "another key of the same length" * 2, "HS256")))
    assert is_refused(me(jwt.encode(claims, KEY * 2, "HS512")))
    assert is_refused(me(jwt.encode(claims, KEY, "HS256")[:-4] + "AAAA"))


def test_revoked_token_is_refused_and_others_stay_valid(user: User) -> None:
    token, other = tokens.issue(user), tokens.issue(user)
    tokens.revoke(token)
    tokens.revoke(token)
    assert is_refused(me(token))
    assert me(other).data


def test_changed_password_invalidates_all_tokens(user: User) -> None:
    token = tokens.issue(user)
    user.set_password("another long password")
    user.save()
    assert is_refused(me(token))


def test_deactivated_or_deleted_member_is_refused(user: User) -> None:
    token = tokens.issue(user)
    user.is_active = False
    user.save()
    assert is_refused(me(token))
    user.delete()
    assert is_refused(me(token))


def test_session_or_cookie_signs_nobody_in(user: User) -> None:
    client = Client()
    client.force_login(user)
    client.cookies["JWT"] = tokens.issue(user)
    assert is_refused(me("", client))


def test_public_fields_work_with_an_invalid_token() -> None:
    assert post_graphql("{ __typename }", token="nonsense").data == "Query"


def test_me_costs_one_query(user: User, django_assert_num_queries: Any) -> None:
    token = tokens.issue(user)
    with django_assert_num_queries(1):
        me(token)
