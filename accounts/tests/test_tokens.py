"""Bearer tokens (also forged ones: RFC 8725), tested with `me`, and sessions when keys change."""

import base64
import json
from collections.abc import Callable
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


def encoded(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value, default=str).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(claims: dict[str, Any], key: str = KEY, **headers: Any) -> str:
    return jwt.encode(claims, key, "HS256", headers=headers)


def without(claims: dict[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in claims.items() if each != name}


def swapped(claims: dict[str, Any], **changes: Any) -> str:
    """Return a valid token's head and signature around other claims."""
    head, _body, signature = signed(claims).split(".")
    return f"{head}.{encoded(claims | changes)}.{signature}"


FORGERIES: dict[str, Callable[..., str]] = {
    "no algorithm": lambda claims: jwt.encode(claims, None, "none"),
    "an empty signature": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "the key of sessions": lambda claims: signed(claims, str(configured.SECRET_KEY)),
    "another algorithm": lambda claims: jwt.encode(claims, KEY, "HS512"),
    "a key in its own head": lambda claims: signed(
        claims, NEW, jwk={"kty": "oct", "k": encoded(NEW.encode())}
    ),
    "another member": lambda claims: swapped(claims, sub="1"),
    "claims that are no JSON": lambda claims: f"{signed(claims).split('.')[0]}.{encoded(b'not json')}.x",
    "a life without end": lambda claims: signed(claims | {"exp": float("inf")}),
    "not to be used yet": lambda claims: signed(claims | {"nbf": 9_999_999_999}),
    "a member by another digit": lambda claims: signed(claims | {"sub": "\u0661"}),
    "a member beyond all numbers": lambda claims: signed(claims | {"sub": "9" * 40}),
    "a version by truth": lambda claims: signed(claims | {"ver": True}),
    "an id that is a list": lambda claims: signed(claims | {"jti": ["x"]}),
    "another audience": lambda claims: signed(claims | {"aud": "other"}),
    "another issuer": lambda claims: signed(claims | {"iss": "other"}),
    "an id of 10,000": lambda claims: signed(claims | {"jti": "x" * 10_000}),
    "an id with a null": lambda claims: signed(claims | {"jti": "\x00"}),
    "not ASCII": lambda claims: "\u011b.\u0161.\u010d",
    "100,000 letters": lambda claims: "a" * 100_000,
    **{f"no {name}": lambda claims, name=name: signed(without(claims, name)) for name in tokens.CLAIMS},
}


@pytest.fixture
def user() -> User:
    return User.objects.create_superuser("Jana@Example.org", "a long password", first_name="Jana")


def me(token: str, client: Client | None = None) -> Answer:
    return post_graphql("{ me { email } }", token=token, client=client)


def is_refused(answer: Answer) -> bool:
    assert answer.http.status_code == 200, answer.body
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


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_token_is_refused(user: User, name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert is_refused(me(FORGERIES[name](tokens.build_claims(user))))
    assert "Traceback" not in caplog.text


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


def test_admin_session_and_cookies_sign_nobody_in_and_a_bearer_token_opens_no_admin(user: User) -> None:
    """OWASP CSRF Prevention Cheat Sheet."""
    client, token = Client(), tokens.issue(user)
    client.force_login(user)
    client.cookies["JWT"] = token
    assert is_refused(me("", client))
    member = User.objects.create_user("petr@example.org", "a long password")
    assert me(tokens.issue(member), client).data == {"email": "petr@example.org"}
    other = Client(headers={"Authorization": f"Bearer {token}"})
    other.cookies["JWT"] = other.cookies["sessionid"] = token
    assert other.get("/admin/accounts/user/").headers["Location"].startswith("/admin/login/")


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
