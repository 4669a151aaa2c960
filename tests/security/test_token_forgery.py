"""Forged bearer tokens are refused without an error (RFC 8725)."""

import base64
import json
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from django.conf import settings

from accounts import tokens
from accounts.models import User
from tests.api import post_graphql

pytestmark = pytest.mark.django_db

KEY = str(settings.JWT_SECRET_KEY)
OTHER_KEY = "0123456789abcdef" * 4


def encoded(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value, default=str).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unsigned(claims: dict[str, Any], algorithm: str) -> str:
    return f"{encoded({'alg': algorithm, 'typ': 'JWT'})}.{encoded(claims)}."


def signed(claims: dict[str, Any], key: str = KEY, **headers: Any) -> str:
    return jwt.encode(claims, key, "HS256", headers=headers)


def swapped(claims: dict[str, Any], **changes: Any) -> str:
    """Return a valid token's head and signature around other claims."""
    head, _body, signature = signed(claims).split(".")
    return f"{head}.{encoded(claims | changes)}.{signature}"


FORGERIES: dict[str, Callable[[dict[str, Any]], str]] = {
    "no algorithm": lambda claims: unsigned(claims, "none"),
    "an empty signature": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "the key of sessions": lambda claims: signed(claims, str(settings.SECRET_KEY)),
    "another algorithm": lambda claims: jwt.encode(claims, KEY, "HS512"),
    "a key in its own head": lambda claims: signed(
        claims, OTHER_KEY, jwk={"kty": "oct", "k": encoded(OTHER_KEY.encode())}
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
}


@pytest.fixture
def claims() -> dict[str, Any]:
    member = User.objects.create_user("jana@example.com", "a long password")
    return tokens.build_claims(member)


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_token_is_refused(claims: dict[str, Any], name: str, caplog: pytest.LogCaptureFixture) -> None:
    token = FORGERIES[name](claims)
    answer = post_graphql("{ me { email } }", token=token)
    assert answer.http.status_code == 200, answer.body
    assert answer.error["code"] == "UNAUTHENTICATED"
    assert "Traceback" not in caplog.text
