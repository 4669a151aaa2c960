"""Texts far beyond their limit are refused before any processing, and every mutation has a rate limit."""

import unicodedata
from typing import Any

import idna
import pytest
from django.contrib.auth.password_validation import validate_password
from django.test import Client

from accounts import tokens
from accounts.hashers import Argon2idHasher
from accounts.models import AccountLink, LinkPurpose, User
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, MemberFactory, form
from sailing.errors import RateLimited
from sailing.graphql.view import schema
from sailing.mail import links
from sailing.ratelimit import limits
from tests.api import post_graphql
from tests.security.corpus import write_mutation

pytestmark = pytest.mark.django_db

COMBINING = "a" + "\u0344\u0316" * 7900
"""31 KB that Python normalizes in half a second."""
LONG = 2_400_000


def post(field: str, values: dict[str, Any] | None, *, token: str = "") -> dict[str, Any]:
    document = f"mutation {{ {field} }}" if values is None else write_mutation(field)
    return post_graphql(document, {"input": values}, token=token).body


@pytest.fixture
def _unprocessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test when a long text is normalized, matched or hashed."""

    def unless_long(name: str, function: Any, position: int) -> Any:
        def checked(*args: Any, **kwargs: Any) -> Any:
            if len(args[position]) > 2000:
                pytest.fail(f"{name} was given {len(args[position])} characters")
            return function(*args, **kwargs)

        return checked

    normalize = unless_long("normalize", unicodedata.normalize, 1)
    monkeypatch.setattr("unicodedata.normalize", normalize)
    monkeypatch.setattr("idna.encode", unless_long("idna", idna.encode, 0))
    rules = unless_long("password rules", validate_password, 0)
    monkeypatch.setattr("accounts.validation.validate_password", rules)
    monkeypatch.setattr(links, "_hash", unless_long("hash", links._hash, 0))
    for method in ("encode", "verify"):
        original = getattr(Argon2idHasher, method)
        monkeypatch.setattr(Argon2idHasher, method, unless_long("hasher", original, 1))


SIGN_UP_FIELDS = "firstName lastName captainLicenseNumber email password favoritePosition"
MUTATIONS: dict[str, tuple[dict[str, Any] | None, str]] = {
    "updateProfile": ({"nickname": "Jana"}, "firstName lastName nickname nationality phone"),
    "signUp": (form(), SIGN_UP_FIELDS),
    "signIn": ({"email": "jana@example.com", "password": PASSWORD}, "email password"),
    "requestEmailChange": (
        {"email": "new@example.com", "currentPassword": PASSWORD},
        "email currentPassword",
    ),
    "changePassword": (
        {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD},
        "currentPassword newPassword",
    ),
    "subscribeNewsletter": (
        {"email": "sailor@example.com", "userType": "sailor"},
        "email userType source",
    ),
    "deleteAccount": ({"currentPassword": PASSWORD, "keepNewsletter": False}, "currentPassword"),
    **dict.fromkeys(("logout", "resendVerification", "cancelEmailChange", "signOutEverywhere"), (None, "")),
    'requestPasswordReset(email: "jana@example.com")': (None, ""),
}
"""Each mutation with valid values, and its fields with a limit."""


@pytest.mark.usefixtures("_unprocessed")
@pytest.mark.parametrize(
    ("mutation", "field"),
    [(name, field) for name, (_values, fields) in MUTATIONS.items() for field in fields.split()],
)
def test_oversized_value_is_refused_before_it_is_normalized(mutation: str, field: str) -> None:
    member = MemberFactory(is_email_verified=True)
    before = User.objects.values().get()
    values = MUTATIONS[mutation][0] or {}
    (error,) = post(mutation, values | {field: COMBINING}, token=tokens.issue(member))["errors"]
    assert error["extensions"] == {"code": "BAD_USER_INPUT", "field": field}
    assert User.objects.values().get() == before


def test_padding_that_is_not_oversized_is_trimmed() -> None:
    member = MemberFactory()
    post("updateProfile", {"nickname": f"Jana{' ' * 596}"}, token=tokens.issue(member))
    member.refresh_from_db()
    assert member.nickname == "Jana"


@pytest.mark.usefixtures("_unprocessed")
@pytest.mark.parametrize(
    ("page", "values", "message"),
    [
        ("login/", {"username": "a@example.com", "password": "x" * LONG}, "at most 128 characters"),
        ("login/", {"username": "x" * LONG, "password": PASSWORD}, "at most 254 characters"),
        ("password_change/", {"old_password": "x" * LONG}, "at most 128 characters"),
        ("accounts/user/add/", {"email": f"{'x' * LONG}@example.com"}, "Enter a valid email"),
        ("accounts/user/add/", {"email": "b@example.com", "first_name": COMBINING}, "at most 150 characters"),
    ],
)
def test_oversized_value_in_admin_is_refused(
    admin_client: Client, page: str, values: dict[str, str], message: str
) -> None:
    client = Client() if page == "login/" else admin_client
    assert message in client.post(f"/admin/{page}", values).content.decode()
    assert User.objects.count() == 1


@pytest.mark.usefixtures("_unprocessed")
def test_oversized_token_is_not_hashed() -> None:
    for path in ("account/verify", "newsletter/confirm"):
        assert Client().get(f"/{path}/{'a' * 8000}/").status_code == 404
    assert AccountLink.find_locked("a" * 8000, purpose=LinkPurpose.VERIFY) is None
    token = AccountLink.issue(LinkPurpose.VERIFY, user=MemberFactory(), email="x")
    assert len(token) == links.TOKEN_LENGTH


def test_every_mutation_is_covered() -> None:
    mutations = schema().mutation_type
    assert mutations
    assert set(mutations.fields) == {name.partition("(")[0] for name in MUTATIONS}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutation_is_refused_past_its_rate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(budgets: list[limits.Budget], _now: Any) -> None:
        assert budgets
        assert all(0 < budget.limit < 10_000 for budget in budgets)
        raise RateLimited(retry_after=7)

    monkeypatch.setattr(limits, "_count", refuse)
    (found,) = post(name, MUTATIONS[name][0], token=tokens.issue(MemberFactory()))["errors"]
    assert found["extensions"] == {"code": "RATE_LIMITED", "retryAfter": 7}
