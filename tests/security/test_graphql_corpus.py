"""Hostile GraphQL requests: each gets a 4xx in JSON without a logged traceback."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from sailing.graphql.documents import MAX_MESSAGE_LENGTH
from tests.security.corpus import BODIES, DOCUMENTS, SUBSCRIBE, VARIABLES, with_input


def post(body: bytes, content_type: str = "application/json", **headers: str) -> Any:
    return Client().post("/graphql", body, content_type=content_type, headers=headers)


def codes(response: Any) -> set[str]:
    return {error["extensions"]["code"] for error in response.json()["errors"]}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hostile_document_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    text, code, reason = DOCUMENTS[name]
    response = post(json.dumps({"query": text}).encode())
    assert response.status_code == 400
    assert codes(response) == {code}
    assert reason in response.json()["errors"][0]["message"]
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("name", BODIES)
def test_hostile_body_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    body, status = BODIES[name]
    response = post(body)
    assert response.status_code == status
    assert codes(response) == {"BAD_REQUEST"}
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("name", VARIABLES)
def test_hostile_variables_are_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    response = post(with_input(VARIABLES[name]))
    assert response.status_code == 400
    assert codes(response) == {"BAD_USER_INPUT"}
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"query": DOCUMENTS["a name of 30,000"][0]}).encode(),
        json.dumps({"query": "{ __typename }", "operationName": "x" * 30_000}).encode(),
        with_input(VARIABLES["an unknown name of 30,000"]),
    ],
)
def test_long_request_is_not_quoted_in_the_message(body: bytes) -> None:
    (error, *_) = post(body).json()["errors"]
    assert len(error["message"]) == MAX_MESSAGE_LENGTH + 1


@pytest.mark.parametrize("length", ["-1", " ", "١٢"])
def test_invalid_content_length_is_refused(length: str) -> None:
    response = Client().generic(
        "POST", "/graphql", b"{}", content_type="application/json", CONTENT_LENGTH=length
    )
    assert response.status_code == 411
    assert codes(response) == {"BAD_REQUEST"}


def test_body_without_a_length_is_refused() -> None:
    assert post(b"{}", **{"Transfer-Encoding": "chunked"}).status_code == 411


@pytest.mark.parametrize("length", ["32769", "9" * 5000])
def test_content_length_above_the_limit_is_refused(length: str) -> None:
    response = Client().generic(
        "POST", "/graphql", b"{}", content_type="application/json", CONTENT_LENGTH=length
    )
    assert response.status_code == 413


def test_body_of_the_maximum_size_is_accepted() -> None:
    shell = b'{"query": "{ __typename }%s"}'
    assert post(shell % (b" " * (32 * 1024 - len(shell) + 2))).status_code == 200
    assert post(shell % (b" " * (32 * 1024 - len(shell) + 3))).status_code == 413


def test_truncated_body_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    class Cut(BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError("connection reset")

    cut: dict[str, Any] = {"wsgi.input": Cut()}
    response = Client().generic("POST", "/graphql", b"{}", content_type="application/json", **cut)
    assert response.status_code == 400
    assert codes(response) == {"BAD_REQUEST"}
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("method", ["get", "head", "put", "options"])
def test_only_post_is_accepted(method: str) -> None:
    response = getattr(Client(), method)("/graphql?query={me{id}}")
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST"


@pytest.mark.parametrize("body", [b'{"query": "{ mee { id } }"}', with_input(VARIABLES["a misspelt name"])])
def test_messages_suggest_no_names_of_the_schema(body: bytes) -> None:
    response = post(body)
    assert response.status_code == 400
    assert "Did you mean" not in response.content.decode()


@pytest.mark.parametrize(("query", "status"), [("{ __typename }", 200), ("{ me { id } }", 200), ("{", 400)])
def test_response_is_not_cached_and_sets_no_cookie(query: str, status: int) -> None:
    response = post(json.dumps({"query": query}).encode())
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


@pytest.mark.parametrize(
    ("given", "status"), [({"operationName": "B"}, 200), ({"operationName": "C"}, 400), ({}, 400)]
)
def test_named_operation_is_executed(given: dict[str, str], status: int) -> None:
    query = "query A { me { id } } query B { __typename }"
    response = post(json.dumps({"query": query, **given}).encode())
    assert response.status_code == status
    assert (response.json().get("data") == {"__typename": "Query"}) is (status == 200)


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


@pytest.mark.parametrize(
    "place", ["newsletter.services.subscriptions.check_rate", "sailing.graphql.view.authenticate"]
)
def test_unexpected_error_is_not_disclosed(
    place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("a secret of the database")

    monkeypatch.setattr(place, broken)
    response = post(json.dumps({"query": f"mutation {{ {SUBSCRIBE} }}"}).encode())
    assert response.status_code == 500
    assert "secret" not in response.content.decode()
    (error,) = response.json()["errors"]
    assert error["message"] == "Something went wrong. Please try again."
    assert error["extensions"] == {"code": "INTERNAL", "requestId": response.headers["X-Request-ID"]}
    assert "a secret of the database" in caplog.text
