"""Hostile GraphQL requests: each gets a clear 4xx in JSON, and no traceback is logged."""

import json
from typing import Any

import pytest
from django.test import Client

SUBSCRIBE = 'subscribeNewsletter(input: {email: "a@b.cz", userType: "sailor"}) { success }'
DOUBLING = "".join(f"fragment f{n} on User {{ ...f{n + 1} ...f{n + 1} }} " for n in range(10))

DOCUMENTS = {
    "fragment in itself": "{ me { ...a } } fragment a on User { ...a }",
    "fragments in each other": "{ me { ...a } } fragment a on User { ...b } fragment b on User { ...a }",
    "unused circular fragment": "{ me { id } } fragment a on User { id ...a }",
    "200 aliases": "{ me { " + " ".join(f"a{n}: id" for n in range(200)) + " } }",
    "200 aliased mutations": "mutation { " + " ".join(f"a{n}: {SUBSCRIBE}" for n in range(20)) + " }",
    "two mutations": f"mutation {{ a: {SUBSCRIBE} b: {SUBSCRIBE} }}",
    "two by fragment": f"mutation {{ ...m }} fragment m on Mutation {{ a: {SUBSCRIBE} {SUBSCRIBE} }}",
    "3,000 equal fields": "{ me { " + "id " * 3000 + "} }",
    "300 equal fields": "{ me { " + "id " * 300 + "} }",
    "5,000 directives": "{ me { id " + "@a " * 5000 + "} }",
    "11 directives": "{ me { id " + "@include(if: true) " * 11 + "} }",
    "six root fields": "{ " + "me { id } " * 6 + "}",
    "depth 300": "{ me " + "{ me " * 300 + "}" * 300 + " }",
    "depth 9": "{ me " + "{ me " * 8 + "{ id }" + "}" * 8 + " }",
    "doubling fragments": "{ me { ...f0 } } " + DOUBLING + "fragment f10 on User { id }",
    "brackets": "[" * 20_000,
    "NUL": "{ me { id } }\0",
    "introspection": "{ __schema { types { name } } }",
    "no such field": "{ mee { id } }",
    "empty": "",
}

BODIES: dict[str, tuple[bytes, int]] = {
    "no JSON": (b"query { me }", 400),
    "100,000 deep": (b'{"query": ' + b"[" * 15_000 + b"]" * 15_000 + b"}", 400),
    "query is a number": (b'{"query": 1}', 400),
    "variables are a list": (b'{"query": "{ me { id } }", "variables": []}', 400),
    "variables are a number": (b'{"query": "{ me { id } }", "variables": 7}', 400),
    "operationName is a list": (b'{"query": "{ me { id } }", "operationName": []}', 400),
    "a batch": (b'[{"query": "{ me { id } }"}]', 400),
    "invalid UTF-8": (b'{"query": "\xff"}', 400),
    "a byte order mark": (b'\xef\xbb\xbf{"query": "{ me { id } }"}', 400),
    "1 MB": (b'{"query": "' + b"a" * 1_000_000 + b'"}', 413),
    "200,000 brackets": (b"[" * 200_000, 413),
    "nothing": (b" ", 400),
}


def post(body: bytes, content_type: str = "application/json", **headers: str) -> Any:
    return Client().post("/graphql", body, content_type=content_type, headers=headers)


def codes(response: Any) -> set[str]:
    return {error["extensions"]["code"] for error in response.json()["errors"]}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    response = post(json.dumps({"query": DOCUMENTS[name]}).encode())
    assert response.status_code in {400, 413}
    assert codes(response) <= {
        "LIMIT_EXCEEDED",
        "GRAPHQL_PARSE_FAILED",
        "GRAPHQL_VALIDATION_FAILED",
        "BAD_REQUEST",
    }
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_body_is_refused(name: str, caplog: pytest.LogCaptureFixture) -> None:
    body, status = BODIES[name]
    response = post(body)
    assert response.status_code == status
    assert codes(response) == {"BAD_REQUEST"}
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_only_json_is_taken(content_type: str) -> None:
    response = Client().post(
        "/graphql?query={me{id}}", b'{"query": "{ me { id } }"}', content_type=content_type
    )
    assert response.status_code == 415
    assert codes(response) == {"BAD_REQUEST"}


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete", "options"])
def test_only_post_is_taken(method: str) -> None:
    response = getattr(Client(), method)("/graphql?query={me{id}}")
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST"


def test_nothing_suggests_what_the_schema_holds() -> None:
    assert "Did you mean" not in post(b'{"query": "{ mee { id } }"}').content.decode()


def test_answers_are_never_cached_and_set_no_cookie() -> None:
    response = post(b'{"query": "{ __typename }"}')
    assert response.json() == {"data": {"__typename": "Query"}}
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


def test_the_answer_has_the_type_that_was_asked_for() -> None:
    accept = "application/graphql-response+json, application/json"
    response = post(b'{"query": "{ __typename }"}', Accept=accept)
    assert response.headers["Content-Type"].startswith("application/graphql-response+json")


def test_an_unexpected_error_shows_nothing_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("a secret of the database")

    monkeypatch.setattr("newsletter.schema.throttle.count", broken)
    response = post(json.dumps({"query": f"mutation {{ {SUBSCRIBE} }}"}).encode())
    assert response.status_code == 500
    assert "secret" not in response.content.decode()
    error = response.json()["errors"][0]
    assert error["extensions"] == {"code": "INTERNAL", "requestId": response.headers["X-Request-ID"]}
