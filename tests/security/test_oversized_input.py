"""Texts far beyond their limit are refused before any processing."""

import unicodedata
from typing import Any

import idna
import pytest
from django.contrib.auth.password_validation import validate_password
from django.test import Client

from accounts import tokens
from accounts.hashers import Argon2idHasher
from accounts.models import AccountLink, LinkPurpose, User
from accounts.tests.factories import PASSWORD, MemberFactory, form
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

SUBSCRIPTION = {"email": "sailor@example.com", "userType": "sailor"}


def post(field: str, values: dict[str, Any], *, token: str = "") -> dict[str, Any]:
    return post_graphql(write_mutation(field), {"input": values}, token=token).body


@pytest.fixture
def unprocessed(monkeypatch: pytest.MonkeyPatch) -> None:
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


PASSWORD_LIMIT = "Password must be at most 128 characters"
EMAIL_LIMIT = "Email must be at most 254 characters"
SIGN_IN = {"email": "jana@example.com", "password": PASSWORD}
EMAIL_CHANGE = {"email": "new@example.com", "currentPassword": PASSWORD}
PASSWORD_CHANGE = {"currentPassword": PASSWORD, "newPassword": "New winds, 2026!"}
SIGN_UP_FIELDS = "firstName lastName captainLicenseNumber email password favoritePosition"
OVERSIZED = [
    ("updateProfile", {}, "firstName lastName nickname nationality phone"),
    ("signUp", form(), SIGN_UP_FIELDS),
    ("signIn", SIGN_IN, "email password"),
    ("requestEmailChange", EMAIL_CHANGE, "email currentPassword"),
    ("changePassword", PASSWORD_CHANGE, "currentPassword newPassword"),
    ("subscribeNewsletter", SUBSCRIPTION, "email userType source"),
]
"""Mutations with valid values, and their fields with a limit."""


@pytest.mark.usefixtures("unprocessed")
class TestApi:
    @pytest.mark.parametrize(
        ("mutation", "values", "field"),
        [(mutation, values, field) for mutation, values, fields in OVERSIZED for field in fields.split()],
    )
    def test_oversized_value_is_refused_before_it_is_normalized(
        self, mutation: str, values: dict[str, Any], field: str
    ) -> None:
        member = MemberFactory(is_email_verified=True)
        before = User.objects.values().get()
        body = post(mutation, values | {field: COMBINING}, token=tokens.issue(member))
        (error,) = body["errors"]
        assert error["extensions"] == {"code": "BAD_USER_INPUT", "field": field}
        assert User.objects.values().get() == before

    def test_padding_that_is_not_oversized_is_trimmed(self) -> None:
        member = MemberFactory()
        body = post("updateProfile", {"nickname": f"Jana{' ' * 596}"}, token=tokens.issue(member))
        assert "errors" not in body
        member.refresh_from_db()
        assert member.nickname == "Jana"


@pytest.mark.usefixtures("unprocessed")
class TestForms:
    @pytest.mark.parametrize(
        ("page", "values", "message"),
        [
            ("login/", {"username": "admin@example.com", "password": "x" * LONG}, PASSWORD_LIMIT),
            ("login/", {"username": "x" * LONG, "password": PASSWORD}, EMAIL_LIMIT),
            (
                "password_change/",
                {"old_password": "x" * LONG, "new_password1": PASSWORD, "new_password2": PASSWORD},
                PASSWORD_LIMIT,
            ),
            ("accounts/user/add/", {"email": f"{'x' * LONG}@example.com"}, "Enter a valid email"),
            (
                "accounts/user/add/",
                {"email": "new@example.com", "first_name": COMBINING},
                "at most 150 characters",
            ),
        ],
    )
    def test_oversized_value_in_admin_is_refused(
        self, admin_client: Client, page: str, values: dict[str, str], message: str
    ) -> None:
        member = MemberFactory()
        client = Client() if page == "login/" else admin_client
        response = client.post(f"/admin/{page.format(pk=member.pk)}", values)
        assert message in response.content.decode()
        assert not User.objects.filter(email="new@example.com").exists()


@pytest.mark.usefixtures("unprocessed")
def test_oversized_token_is_not_hashed() -> None:
    for path in ("account/verify", "newsletter/confirm"):
        assert Client().get(f"/{path}/{'a' * 8000}/").status_code == 404
    assert AccountLink.find_locked("a" * 8000, purpose=LinkPurpose.VERIFY) is None


def test_token_length_matches_its_constant() -> None:
    token = AccountLink.issue(LinkPurpose.VERIFY, user=MemberFactory(), email="x")
    assert len(token) == links.TOKEN_LENGTH


class TestEveryMutationIsRateLimited:
    """Fails for a new mutation without a rate limit."""

    DOCUMENTS: dict[str, str | dict[str, Any]] = {
        "logout": "mutation { logout }",
        "resendVerification": "mutation { resendVerification }",
        "deleteAccount": {"currentPassword": PASSWORD, "keepNewsletter": False},
        "requestEmailChange": EMAIL_CHANGE,
        "cancelEmailChange": "mutation { cancelEmailChange }",
        "signOutEverywhere": "mutation { signOutEverywhere }",
        "changePassword": PASSWORD_CHANGE,
        "requestPasswordReset": 'mutation { requestPasswordReset(email: "jana@example.com") }',
        "signUp": form(),
        "signIn": SIGN_IN,
        "updateProfile": {"nickname": "Jana"},
        "subscribeNewsletter": SUBSCRIPTION,
    }

    def test_every_mutation_is_covered(self) -> None:
        mutations = schema().mutation_type
        assert mutations
        assert set(mutations.fields) == set(self.DOCUMENTS)

    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_mutation_is_refused_past_its_rate(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(budgets: list[limits.Budget], _now: Any) -> None:
            assert budgets
            assert all(0 < budget.limit < 10_000 for budget in budgets)
            raise RateLimited(retry_after=7)

        monkeypatch.setattr(limits, "_count", refuse)
        given, token = self.DOCUMENTS[name], tokens.issue(MemberFactory())
        if isinstance(given, str):
            body = post_graphql(given, token=token).body
        else:
            body = post(name, given, token=token)
        (found,) = body["errors"]
        assert found["extensions"] == {"code": "RATE_LIMITED", "retryAfter": 7}
