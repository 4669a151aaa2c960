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


def ask(query: str, **values: Any) -> Any:
    return post(json.dumps({"query": query, **values}).encode())


def send(**environ: Any) -> Any:
    """Post a small body with changes of the WSGI environment."""
    return Client().generic("POST", "/graphql", b"{}", content_type="application/json", **environ)


def codes(response: Any) -> set[str]:
    return {error["extensions"]["code"] for error in response.json()["errors"]}


def assert_refused(response: Any, status: int, code: str) -> None:
    assert response.status_code == status
    assert codes(response) == {code}
    assert response.headers["Cache-Control"] == "no-store"
    assert "Did you mean" not in response.content.decode()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hostile_document_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    text, code, reason = DOCUMENTS[name]
    response = ask(text)
    assert_refused(response, 400, code)
    assert reason in response.json()["errors"][0]["message"]
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("name", BODIES)
def test_hostile_body_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    body, status = BODIES[name]
    assert_refused(post(body), status, "BAD_REQUEST")
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("name", VARIABLES)
def test_hostile_variables_are_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert_refused(post(with_input(VARIABLES[name])), 400, "BAD_USER_INPUT")
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


@pytest.mark.parametrize(
    "place", ["newsletter.services.subscriptions.check_rate", "sailing.graphql.view.authenticate"]
)
def test_unexpected_error_is_not_disclosed(
    place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("a secret of the database")

    monkeypatch.setattr(place, broken)
    response = ask(f"mutation {{ {SUBSCRIBE} }}")
    assert response.status_code == 500
    assert "secret" not in response.content.decode()
    (error,) = response.json()["errors"]
    assert error["message"] == "Something went wrong. Please try again."
    assert error["extensions"] == {"code": "INTERNAL", "requestId": response.headers["X-Request-ID"]}
    assert "a secret of the database" in caplog.text
