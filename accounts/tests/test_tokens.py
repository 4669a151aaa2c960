"""Validity of bearer tokens, tested with `me`, and of sessions when keys change."""

from datetime import timedelta
from typing import Any

import jwt
import pytest
import time_machine
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import tokens
from accounts.models import User
from tests.api import Answer, post_graphql

pytestmark = pytest.mark.django_db
KEY = str(configured.JWT_SECRET_KEY)
NEW = "a new key for these tests " + "0123456789abcdef" * 2


@pytest.fixture
def user() -> User:
    return User.objects.create_superuser("Jana@Example.org", "a long password", first_name="Jana")


def me(token: str, client: Client | None = None) -> Answer:
    return post_graphql("{ me { email } }", token=token, client=client)


def is_refused(answer: Answer) -> bool:
    return answer.body["data"] is None and answer.error["code"] == "UNAUTHENTICATED"


def test_valid_token_authenticates_its_owner_in_one_query(user: User, django_assert_num_queries: Any) -> None:
    token = tokens.issue(user)
    with django_assert_num_queries(1):
        answer = me("", Client(headers={"Authorization": f"bearer {token}"}))
    assert answer.data == {"email": "jana@example.org"}
    assert is_refused(me("", Client(headers={"Authorization": f"JWT {token}"})))


@pytest.mark.parametrize(("at", "is_valid"), [(timedelta(days=-15), False), (timedelta(minutes=5), True)])
def test_expired_token_is_refused_and_one_of_a_machine_with_a_fast_clock_valid(
    user: User, at: timedelta, is_valid: bool
) -> None:
    with time_machine.travel(timezone.now() + at):
        token = tokens.issue(user)
    assert is_refused(me(token)) is not is_valid


@pytest.mark.parametrize("claim", tokens.CLAIMS)
def test_token_without_a_claim_is_refused(user: User, claim: str) -> None:
    claims = tokens.build_claims(user)
    del claims[claim]
    assert is_refused(me(jwt.encode(claims, KEY, "HS256")))


def test_changed_password_deactivation_or_deletion_ends_all_tokens(user: User) -> None:
    older = tokens.issue(user)
    user.set_password("another long password")
    user.save()
    assert is_refused(me(older))
    token = tokens.issue(user)
    user.is_active = False
    user.save()
    assert is_refused(me(token))
    user.delete()
    assert is_refused(me(token))


class TestKeyRotation:
    """Tokens and sessions stay valid while their key is a fallback."""

    def replace_key(self, settings: Settings, *fallbacks: str) -> None:
        settings.GRAPHQL_JWT = settings.GRAPHQL_JWT | {"JWT_SECRET_KEY": NEW}
        settings.JWT_SECRET_KEY_FALLBACKS = list(fallbacks)

    def test_token_is_valid_while_its_key_is_a_fallback(self, user: User, settings: Settings) -> None:
        older = tokens.issue(user)
        self.replace_key(settings, "another key that was in use before", KEY)
        assert me(older).data
        token = tokens.issue(user)
        self.replace_key(settings)
        assert me(token).data
        assert is_refused(me(older))

    @pytest.mark.parametrize("is_fallback", [True, False])
    def test_session_is_valid_while_its_key_is_a_fallback_and_the_password_the_same(
        self, user: User, settings: Settings, is_fallback: bool
    ) -> None:
        client = Client()
        client.force_login(user)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if is_fallback else []
        settings.SECRET_KEY = NEW
        assert client.get("/admin/").status_code == (200 if is_fallback else 302)
        user.set_password("another long password")
        user.save()
        assert client.get("/admin/").status_code == 302
