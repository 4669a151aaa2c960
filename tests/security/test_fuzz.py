"""Every request is answered, and any value stored cleanly or refused by a rule. `make fuzz` tries more."""

import json
import os
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from graphql import GraphQLInputObjectType, GraphQLNonNull, get_nullable_type
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from accounts import tokens
from accounts.models import User
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, MemberFactory, form
from newsletter.models import Subscription
from sailing.graphql.view import schema
from sailing.mail.addresses import validate_public
from tests.api import post_graphql
from tests.security.corpus import MUTATIONS, write_mutation

EXAMPLES = int(os.environ.get("EXAMPLES", "10"))
"""Of each test."""

RATE = "1000000/s"
QUERIES = [
    "{ me { id email firstName } newsletterSettingsUrl }",
    "query Go($a: Boolean!) { me { ...f id @skip(if: $a) } } fragment f on User { b: email }",
    "mutation { logout }",
]
ODD_TEXTS = [
    *("", " ", "\x00", "a\x00b", "\u202e", "\ufeff", "null", "9" * 400, "x" * 300, "x" * 5000),
    *("\U0001f6a4" * 40, "e\u0301" * 80, "\u0130\u0131\ufb01", "a@b.cz\r\nBcc: c@d.cz"),
    *("<script>alert(1)</script>", "'; DROP TABLE accounts_user; --", "{{ 7 * 7 }}{% debug %}", "%s%n%x"),
]
JUNK = ["{", "}", '"', "$", "...", "@", "\\", "\u2028", "#", "(", "!", '"""', "\ud800", "0", "{" * 200]
TEXTS = st.text(max_size=200) | st.sampled_from(ODD_TEXTS) | st.text(st.characters(categories=["Cc", "Cf"]))
EMAILS = st.emails() | st.emails().map(str.upper) | st.just("jana@example.com") | TEXTS
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "String": TEXTS,
    "Boolean": st.booleans(),
    "Int": st.integers(-(2**31), 2**31 - 1),
}
GOOD_VALUES: dict[str, list[Any]] = {
    **{name: [value] for name, value in form().items() if name != "email"},
    "currentPassword": [PASSWORD],
    "newPassword": [NEW_PASSWORD],
    "phone": ["+420 777 123 456", ""],
    "userType": ["sailor", "company"],
    "source": ["landing-sailors", ""],
    "website": [""],
    "fillTime": [4000],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)
CODES = {"BAD_USER_INPUT", "INVALID_CREDENTIALS", "RATE_LIMITED"}

pytestmark = pytest.mark.django_db
fuzzed = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def _unlimited(settings: Settings) -> None:
    settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = settings.SIGNIN_RATE = settings.MEMBER_RATE = RATE
    settings.MAIL_RATES, settings.SIGNIN_FAILURE_RATE = [RATE], RATE


@contextmanager
def member_token() -> Iterator[str]:
    """Yield the token of a new member, and undo all changes of the database at the end of the block."""
    with transaction.atomic():
        member = MemberFactory(email="member@example.com", is_email_verified=True)
        yield tokens.issue(member)
        transaction.set_rollback(True)


@st.composite
def corrupt_documents(draw: st.DrawFn) -> str:
    """Return a valid document with a part replaced, doubled or removed."""
    text = draw(st.sampled_from([*map(write_mutation, MUTATIONS), *QUERIES]))
    start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 5))
    junk = draw(st.sampled_from([*JUNK, text]) | TEXTS)
    return f"{text[:start]}{junk}{text[start + length :]}"


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Return the body of a request: a corrupt document, members of any type, or any bytes."""
    documents = corrupt_documents() | st.sampled_from(QUERIES)
    body = draw(
        st.fixed_dictionaries({"query": documents}, optional={"variables": JSON, "operationName": JSON})
        | st.fixed_dictionaries({"query": JSON | documents, "variables": st.dictionaries(TEXTS, JSON)})
        | JSON
    )
    encoded = json.dumps(body, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    at = draw(st.integers(0, len(encoded)))
    return draw(
        st.just(encoded) | st.binary(max_size=3).map(lambda junk: encoded[:at] + junk + encoded[at + 1 :])
    )


@given(
    body=bodies(),
    authorization=st.sampled_from(
        ["", "Bearer {token}", "Bearer {token}x", "Bearer", "Basic x", "Bearer \u00ff"]
    ),
    content_type=st.sampled_from(["application/json"] * 20 + ["text/plain", ""]),
)
@fuzzed
def test_every_request_is_answered_without_a_failure(
    caplog: pytest.LogCaptureFixture, body: bytes, authorization: str, content_type: str
) -> None:
    caplog.clear()
    with member_token() as token:
        headers = {"Authorization": authorization.format(token=token)}
        client = Client(raise_request_exception=False, headers=headers)
        response: Any = client.post("/graphql", body, content_type=content_type)
    assert response.status_code < 500
    assert all(error["extensions"]["code"] for error in response.json().get("errors", ()))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def values(kind: GraphQLInputObjectType) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for values of an input type, valid and invalid ones."""
    required, optional = {}, {}
    for name, described in kind.fields.items():
        any_value = EMAILS if name == "email" else SCALARS[str(get_nullable_type(described.type))]
        good = GOOD_VALUES.get(name)
        strategy = st.sampled_from(good) | any_value if good else any_value
        if isinstance(described.type, GraphQLNonNull):
            required[name] = strategy
        else:
            optional[name] = strategy | st.none()
    return st.fixed_dictionaries(required, optional=optional)


def is_plain(text: str) -> bool:
    """Return whether a text is trimmed, normalized and free of control characters."""
    normal = unicodedata.normalize("NFC", text.strip())
    return text == normal and not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)


def test_every_input_type_is_covered() -> None:
    types = schema().type_map.items()
    found = {name for name, kind in types if isinstance(kind, GraphQLInputObjectType)}
    assert found == {input_type for input_type, _selection in MUTATIONS.values()}


@pytest.mark.parametrize("name", sorted(MUTATIONS))
@given(data=st.data())
@fuzzed
def test_any_value_is_accepted_or_refused_by_a_rule(name: str, data: st.DataObject) -> None:
    kind: Any = schema().type_map[MUTATIONS[name][0]]
    with member_token() as token:
        answer = post_graphql(write_mutation(name), {"input": data.draw(values(kind))}, token=token)
        for error in answer.body.get("errors", ()):
            assert error["extensions"]["code"] in CODES
            assert error["extensions"].get("field") in {None, *kind.fields}
            assert answer.http.status_code in (200, 429)
        for user in User.objects.all():
            for text in (user.first_name, user.last_name, user.nickname, user.phone, user.nationality):
                assert is_plain(text)
                assert len(text) <= 150
        for row in (*User.objects.all(), *Subscription.objects.all()):
            validate_public(row.email)
            assert row.email == row.email.lower()
