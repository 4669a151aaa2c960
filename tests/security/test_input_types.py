"""Property-based tests of every input type: any value is stored cleanly or refused by a rule."""

import unicodedata
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from graphql import GraphQLInputObjectType, GraphQLNonNull
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from accounts import tokens
from accounts.models import User
from accounts.tests.factories import PASSWORD
from newsletter.models import ConsentEvent, Subscription
from sailing.graphql.view import schema
from sailing.mail.addresses import validate_public
from tests.api import post_graphql
from tests.security.fuzz import RATE
from tests.security.random_requests import GOOD_FIELDS, ODD_TEXTS

OPERATIONS = {
    "SignUpInput": "mutation Go($input: SignUpInput!) { signUp(input: $input) { token user { id } } }",
    "SignInInput": "mutation Go($input: SignInInput!) { signIn(input: $input) { token user { id } } }",
    "UpdateProfileInput": "mutation Go($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }",
    "ChangePasswordInput": """mutation Go($input: ChangePasswordInput!) {
        changePassword(input: $input) { token user { id } } }""",
    "EmailChangeInput": "mutation Go($input: EmailChangeInput!) { requestEmailChange(input: $input) }",
    "DeleteAccountInput": "mutation Go($input: DeleteAccountInput!) { deleteAccount(input: $input) }",
    "SubscribeNewsletterInput": """mutation Go($input: SubscribeNewsletterInput!) {
        subscribeNewsletter(input: $input) { success subscription { email userType source } } }""",
    "NewsletterPreferencesInput": """mutation Go($input: NewsletterPreferencesInput!) {
        updateNewsletterPreferences(input: $input) { audiences language pausedUntil } }""",
}
TEXTS = st.text(max_size=200) | st.sampled_from(ODD_TEXTS) | st.text(st.characters(categories=["Cc", "Cf"]))
EMAILS = st.emails() | st.emails().map(str.upper) | st.just("jana@example.com") | TEXTS
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "String": TEXTS,
    "[String!]": st.lists(st.sampled_from(["sailor", "company"]) | TEXTS, max_size=3),
    "Boolean": st.booleans(),
    "Int": st.integers(-(2**31), 2**31 - 1),
}
GOOD_VALUES = GOOD_FIELDS | {"currentPassword": [PASSWORD], "newPassword": ["New winds, 2026!"]}
CODES = {"BAD_USER_INPUT", "INVALID_CREDENTIALS", "RATE_LIMITED"}

pytestmark = pytest.mark.django_db


def input_types() -> dict[str, GraphQLInputObjectType]:
    found = schema().type_map.items()
    return {name: kind for name, kind in found if isinstance(kind, GraphQLInputObjectType)}


def values(kind: GraphQLInputObjectType) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for values of an input type, valid and invalid ones."""
    required, optional = {}, {}
    for name, described in kind.fields.items():
        is_required = isinstance(described.type, GraphQLNonNull)
        bare: Any = described.type.of_type if isinstance(described.type, GraphQLNonNull) else described.type
        any_value = EMAILS if name == "email" else SCALARS[str(bare)]
        good = [value for value in GOOD_VALUES.get(name, []) if value is not None or not is_required]
        strategy = st.sampled_from(good) | any_value if good else any_value
        if is_required:
            required[name] = strategy
        else:
            optional[name] = strategy | st.none()
    return st.fixed_dictionaries(required, optional=optional)


def is_plain(text: str) -> bool:
    """Return whether a text is trimmed, normalised and free of control characters."""
    normal = unicodedata.normalize("NFC", text.strip())
    return text == normal and not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)


@pytest.fixture(autouse=True)
def _unlimited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = settings.SIGNIN_RATE = settings.MEMBER_RATE = RATE
    settings.MAIL_RATES = [RATE]
    monkeypatch.setattr("sailing.ratelimit.limits.FAILURE_LIMIT", 10**6)


def test_every_input_type_is_covered() -> None:
    assert set(input_types()) == set(OPERATIONS)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_value_is_accepted_or_refused_by_a_rule(name: str, data: st.DataObject) -> None:
    kind = input_types()[name]
    member, _new = User.objects.update_or_create(
        email="member@example.com",
        defaults={
            "first_name": "Jana",
            "last_name": "Nov",
            "password": make_password(PASSWORD),
            "is_email_verified": True,
        },
    )
    answer = post_graphql(OPERATIONS[name], {"input": data.draw(values(kind))}, token=tokens.issue(member))
    for error in answer.body.get("errors", ()):
        assert error["extensions"]["code"] in CODES
        assert error["extensions"].get("field") in {None, *kind.fields}
        assert answer.http.status_code in (200, 429)
    for user in User.objects.all():
        for text in (user.first_name, user.last_name, user.nickname, user.phone, user.nationality):
            assert is_plain(text)
            assert len(text) <= 150
        validate_public(user.email)
        assert user.email == user.email.lower()
    for subscription in Subscription.objects.all():
        validate_public(subscription.email)
        assert subscription.email == subscription.email.lower()
    for event in ConsentEvent.objects.exclude(comment=""):
        assert is_plain(event.comment)
        assert len(event.comment) <= 500
