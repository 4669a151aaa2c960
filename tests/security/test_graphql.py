"""Hostile GraphQL requests get a 4xx in JSON without a traceback; the limits and the cache of documents."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from graphql import parse
from pytest_django import Settings

from accounts import tokens
from accounts.tests.factories import MemberFactory
from sailing.graphql import documents
from sailing.graphql.documents import InvalidDocument, check_limits, parse_document
from sailing.graphql.view import schema as get_schema
from tests.api import post_graphql
from tests.database import OUTAGE, failing_database
from tests.security.corpus import BODIES, DOCUMENTS, SUBSCRIBE, VARIABLES, bodies


def post(body: bytes, content_type: str = "application/json", **headers: str) -> Any:
    return Client().post("/graphql", body, content_type=content_type, headers=headers)


def ask(query: str, **values: Any) -> Any:
    return post(json.dumps({"query": query, **values}).encode())


def send(**environ: Any) -> Any:
    """Post a small body with changes of the WSGI environment."""
    return Client().generic("POST", "/graphql", b"{}", content_type="application/json", **environ)


def assert_refused(response: Any, status: int, code: str) -> None:
    assert response.status_code == status
    assert {error["extensions"]["code"] for error in response.json()["errors"]} == {code}
    assert response.headers["Cache-Control"] == "no-store"
    assert "Did you mean" not in response.content.decode()
    lengths = {len(error["message"]) for error in response.json()["errors"]}
    assert max(lengths) <= documents.MAX_MESSAGE_LENGTH + 1


@pytest.mark.parametrize("name", bodies())
def test_hostile_request_is_refused_without_a_traceback(name: str, caplog: pytest.LogCaptureFixture) -> None:
    of_others = (None, "BAD_USER_INPUT" if name in VARIABLES else "BAD_REQUEST", "")
    _text, code, reason = DOCUMENTS.get(name, of_others)
    response = post(bodies()[name])
    assert_refused(response, BODIES[name][1] if name in BODIES else 400, code)
    assert reason in response.json()["errors"][0]["message"]
    assert "Traceback" not in caplog.text


def test_parameter_of_a_wrong_type_is_told_the_right_one() -> None:
    assert "`query`: string; " in post(b"{}").json()["errors"][0]["message"]


def test_length_of_the_body_is_required_and_limited() -> None:
    for length, status in (("-1", 411), (" ", 411), ("١٢", 411), ("32769", 413), ("9" * 5000, 413)):
        assert_refused(send(CONTENT_LENGTH=length), status, "BAD_REQUEST")
    assert post(b"{}", **{"Transfer-Encoding": "chunked"}).status_code == 411
    shell = b'{"query": "{ __typename }%s"}'
    assert post(shell % (b" " * (32 * 1024 - len(shell) + 2))).status_code == 200
    assert post(shell % (b" " * (32 * 1024 - len(shell) + 3))).status_code == 413


def test_truncated_body_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    class Cut(BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError("connection reset")

    assert_refused(send(**{"wsgi.input": Cut()}), 400, "BAD_REQUEST")
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("given", "status"), [({"operationName": "B"}, 200), ({"operationName": "C"}, 400), ({}, 400)]
)
def test_named_operation_is_executed(given: dict[str, str], status: int) -> None:
    response = ask("query A { me { id } } query B { __typename }", **given)
    assert response.status_code == status
    assert (response.json().get("data") == {"__typename": "Query"}) is (status == 200)
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


@pytest.mark.parametrize(
    ("accept", "content_type", "status"),
    [
        ("application/graphql-response+json, application/json", "application/graphql-response+json", 400),
        ("application/json", "application/json", 200),
        ("*/*", "application/json", 400),
    ],
)
def test_content_type_and_status_are_negotiated(accept: str, content_type: str, status: int) -> None:
    response = post(b'{"query": "{ x }"}', Accept=accept)
    assert response.headers["Content-Type"] == f"{content_type}; charset=utf-8"
    assert response.status_code == status
    assert post(b"{}", Accept=accept).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("is_member", [False, True])  # whose authentication fails
def test_unexpected_error_is_not_disclosed(is_member: bool, caplog: pytest.LogCaptureFixture) -> None:
    token = tokens.issue(MemberFactory()) if is_member else ""
    with failing_database(ValueError):
        response: Any = post_graphql(f"mutation {{ {SUBSCRIBE} }}", token=token).http
    assert response.status_code == 500
    assert OUTAGE not in response.content.decode()
    (error,) = response.json()["errors"]
    assert error["message"] == "Something went wrong. Please try again."
    assert error["extensions"] == {"code": "INTERNAL", "requestId": response.headers["X-Request-ID"]}
    assert OUTAGE in caplog.text


LIMITS: dict[str, tuple[int, int, str, str, str]] = {
    "aliases": (15, 0, "{ a { ", "b: c ", "} }"),
    "aliases by fragment": (15, 6, "{ a { ...f ...f ", "b: c ", "} } fragment f on A { x: c y: c z: c }"),
    "aliases inline": (15, 0, "{ a { ... { ", "b: c ", "} } }"),
    "root fields": (5, 0, "{ ", "a ", "}"),
    "root fields by fragment": (5, 1, "{ ...f ... { ", "a ", "} } fragment f on Query { a }"),
    "mutations": (1, 0, "mutation { ", "... on Mutation { a } ", "}"),
    "selections": (150, 1, "{ a { ", "b ", "} }"),
    "selections of all operations": (150, 3, "query A { a { b } } query B { a { ", "c ", "} } "),
    "selections where defined and spread": (150, 6, "{ a { ...f ", "b ", "} } fragment f on A { b b }"),
    "directives": (10, 0, "{ a ", "@x ", "}"),
    "directives on a spread": (10, 0, "{ ...f ", "@x ", "} fragment f on A { a }"),
    "directives on a fragment": (10, 0, "{ a } fragment f on A ", "@x ", "{ a }"),
    "directives on an operation": (10, 0, "query ", "@x ", "{ a }"),
    "directives on a variable": (10, 0, "query ($a: Int ", "@x ", ") { a }"),
}
"""The limit, how much the rest of the document counts, and the text before, of and after each repetition."""


def check_limit(document: list[str], limit: int) -> None:
    """Check the documents at the limit and one above it."""
    check_limits(parse(document[0]))
    with pytest.raises(InvalidDocument, match=f"more than {limit} "):
        check_limits(parse(document[1]))


@pytest.mark.parametrize("name", LIMITS)
def test_limit_is_accepted_and_one_more_is_refused(name: str) -> None:
    limit, rest, before, repeated, after = LIMITS[name]
    check_limit([before + repeated * (limit - rest + more) + after for more in (0, 1)], limit)


@pytest.mark.parametrize(("start", "max_levels"), [("query A ", 8), ("{ a { ...f } } fragment f on A ", 7)])
def test_eight_levels_are_accepted_and_a_ninth_is_refused(start: str, max_levels: int) -> None:
    check_limit([start + "{ a " * count + "}" * count for count in (max_levels, max_levels + 1)], 8)


def test_aliases_are_counted_per_operation_and_fragments_may_be_spread_repeatedly() -> None:
    check_limits(parse(" ".join(f"query q{number} {{ {'b: a ' * 5} }}" for number in range(5))))
    check_limits(parse("{ a { ...f } b { ...f ...f } } fragment f on A { ...g } fragment g on A { c }"))


def test_only_short_valid_documents_are_kept_and_few_of_them() -> None:
    schema = get_schema()
    first = parse_document(schema, "{ __typename }")
    assert parse_document(schema, "{ __typename }") is first
    long = "{ __typename }" + " " * documents.MAX_CACHED_LENGTH
    assert parse_document(schema, long) is not parse_document(schema, long)
    for number in range(documents.CACHE_SIZE - 1):
        parse_document(schema, f"query q{number} {{ __typename }}")
    for text in ("{", "{ nothing }", "{ " + "me { id } " * 6 + "}"):
        with pytest.raises(InvalidDocument):
            parse_document(schema, text)
    assert parse_document(schema, "{ __typename }") is first
    for number in range(documents.CACHE_SIZE):
        parse_document(schema, f"query r{number} {{ __typename }}")
    assert parse_document(schema, "{ __typename }") is not first


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_cross_site_form_is_refused(content_type: str) -> None:
    """Browsers send these content types across sites without a preflight request."""
    body = f'{{"query": "mutation {{ {SUBSCRIBE} }}"}}'.encode()
    assert Client().post("/graphql?query={me{id}}", body, content_type=content_type).status_code == 415


def test_cors_allows_configured_origins_only(settings: Settings) -> None:
    partner = settings.CORS_ALLOWED_ORIGINS[0]
    for origin, allowed in (("https://evil.example", None), (partner, partner)):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        headers = Client().options("/graphql", headers=asked).headers
        assert headers.get("Access-Control-Allow-Origin") == allowed
        assert "Access-Control-Allow-Credentials" not in headers
