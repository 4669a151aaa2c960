"""Every field: members only, a rate, few statements, and long texts are refused before any processing."""

import hashlib
import unicodedata
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from graphql import GraphQLObjectType, get_nullable_type
from pytest_django import DjangoAssertNumQueries, Settings

from accounts import tokens
from accounts.models import AccountLink, LinkPurpose, User
from accounts.tests.api import OPERATIONS, PRESSES, call
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, MemberFactory, form
from newsletter.tests.factories import SubscriptionFactory
from sailing.graphql.view import schema
from sailing.mail import links, mailboxes
from tests.api import post_graphql
from tests.database import before_statement

pytestmark = pytest.mark.django_db

COMBINING = "a" + "\u0344\u0316" * 7900
"""31 KB that Python normalizes in half a second."""
LONG = 2_400_000


@pytest.fixture
def _unprocessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test when a long text is normalized, matched or hashed."""

    def unless_long(name: str, function: Any, position: int) -> Any:
        def checked(*args: Any, **kwargs: Any) -> Any:
            if args[position:] and len(args[position]) > 2000:
                pytest.fail(f"{name} was given {len(args[position])} characters")
            return function(*args, **kwargs)

        return checked

    for owner, name, position in (
        (unicodedata, "normalize", 1),
        (CommonPasswordValidator, "validate", 1),
        (hashlib, "sha256", 0),
        (Argon2PasswordHasher, "encode", 1),
        (Argon2PasswordHasher, "verify", 1),
    ):
        monkeypatch.setattr(owner, name, unless_long(name, getattr(owner, name), position))


CURRENT = {"currentPassword": PASSWORD}
MUTATIONS: dict[str, tuple[dict[str, Any], str]] = {
    "updateProfile": ({"nickname": "Jana"}, "firstName lastName nickname nationality phone"),
    "signUp": (form(), "firstName lastName captainLicenseNumber email password favoritePosition"),
    "signIn": ({"email": "jana@example.com", "password": PASSWORD}, "email password"),
    "requestEmailChange": (CURRENT | {"email": "new@example.com"}, "email currentPassword"),
    "changePassword": (CURRENT | {"newPassword": NEW_PASSWORD}, "currentPassword newPassword"),
    "subscribeNewsletter": ({"email": "a@example.com", "userType": "sailor"}, "email userType source"),
    "deleteAccount": (CURRENT | {"keepNewsletter": False}, "currentPassword"),
    **dict.fromkeys(PRESSES, ({}, "")),
    "requestPasswordReset": ({"email": "jana@example.com"}, ""),
}
"""Each mutation with valid values, and its fields with a limit."""
PUBLIC_FIELDS = {"signUp", "signIn", "logout", "requestPasswordReset", "subscribeNewsletter"}
"""Signing out needs a token, but not that of a member who may still sign in."""
UNAUTHENTICATED = {"message": "Please sign in.", "code": "UNAUTHENTICATED"}


@pytest.mark.usefixtures("_unprocessed")
@pytest.mark.parametrize(
    ("mutation", "field"),
    [(name, field) for name, (_values, fields) in MUTATIONS.items() for field in fields.split()],
)
def test_oversized_value_is_refused_before_it_is_normalized(mutation: str, field: str) -> None:
    member = MemberFactory(is_email_verified=True)
    before = User.objects.values().get()
    error = call(mutation, token=tokens.issue(member), **MUTATIONS[mutation][0] | {field: COMBINING}).error
    assert (error["code"], error["field"]) == ("BAD_USER_INPUT", field)
    assert User.objects.values().get() == before


def test_padding_that_is_not_oversized_is_trimmed() -> None:
    member = MemberFactory()
    call("updateProfile", token=tokens.issue(member), nickname=f"Jana{' ' * 596}")
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
    mutations: Any = schema().mutation_type
    assert mutations.fields.keys() == MUTATIONS.keys()


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutation_is_refused_past_its_rate(name: str, settings: Settings) -> None:
    settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = settings.SIGNIN_RATE = settings.MEMBER_RATE = "0/m"
    error = call(name, token=tokens.issue(MemberFactory()), **MUTATIONS[name][0]).error
    assert (error["code"], error["retryAfter"]) == ("RATE_LIMITED", 1)


def test_queries_need_a_valid_bearer_token(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    root: Any = schema().query_type
    for name, field in root.fields.items():
        is_object = isinstance(get_nullable_type(field.type), GraphQLObjectType)
        for token in ("", "nonsense"):
            with django_assert_num_queries(0):
                answer = post_graphql(f"{{ {name} {'{ __typename }' if is_object else ''} }}", token=token)
            assert answer.error == UNAUTHENTICATED, name


OF_MEMBERS = pytest.mark.parametrize("name", sorted(MUTATIONS.keys() - PUBLIC_FIELDS))


@OF_MEMBERS
def test_mutation_needs_a_valid_bearer_token(
    name: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for token in ("", "nonsense"):
        with django_assert_num_queries(0):
            assert call(name, token=token, **MUTATIONS[name][0]).error == UNAUTHENTICATED


@OF_MEMBERS
def test_member_erased_after_the_authentication_is_unauthenticated(name: str) -> None:
    token = tokens.issue(MemberFactory())
    with before_statement("ratelimit_ratecounter", User.objects.all().delete):
        assert call(name, token=token, **MUTATIONS[name][0]).error == UNAUTHENTICATED


def count_statements(document: str, values: Any = None, *, token: str = "") -> int:
    """Return the number of statements of one operation, but for those that begin and end transactions."""
    mailboxes.read_salt()  # once for each process
    with CaptureQueriesContext(connection) as captured:
        answer = post_graphql(document, {"input": values}, token=token)
    assert "errors" not in answer.body
    ignored = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(ignored) for query in captured)


def test_number_of_statements_for_visitors() -> None:
    SubscriptionFactory(email="known@example.org", confirmed=True)
    known = {"email": "known@example.org", "userType": "sailor"}
    for field, values, limit in (
        ("subscribeNewsletter", MUTATIONS["subscribeNewsletter"][0], 11),
        ("subscribeNewsletter", MUTATIONS["subscribeNewsletter"][0], 4),
        ("subscribeNewsletter", known, 7),
        ("signUp", form(), 8),
        ("signIn", MUTATIONS["signIn"][0], 4),
    ):
        assert count_statements(OPERATIONS[field], values) <= limit, field


@pytest.mark.parametrize(
    ("document", "limit"),
    [
        ("{ me { id email firstName } }", 1),
        ('mutation { updateProfile(input: {firstName: "Eva"}) { id } }', 4),
        ("mutation { logout }", 5),
        ("mutation { resendVerification }", 9),
        ("{ newsletterSettingsUrl }", 2),
        ('mutation { requestPasswordReset(email: "jana@example.org") }', 9),
        ("{ account { pendingEmail } }", 3),
        ("mutation { signOutEverywhere }", 6),
    ],
)
def test_number_of_statements_for_members(document: str, limit: int) -> None:
    token = tokens.issue(MemberFactory(is_email_verified=False))
    assert count_statements(document, token=token) <= limit
