"""What a thread answers that refuses, because more is asked than the site can do."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from sailing import overload
from tests.security.corpus import SUBSCRIBE


@pytest.fixture(autouse=True)
def _refusing() -> Iterator[None]:
    overload.refuse_here()
    yield
    overload._thread.refuses = False


def subscribe(path: str) -> Any:
    body = {"query": f"mutation {{ {SUBSCRIBE} }}"}
    return Client().post(path, body, content_type="application/json")


@pytest.mark.parametrize("path", ["/graphql", "/graphql/"])
def test_a_program_is_told_to_come_again_and_when(path: str) -> None:
    response = subscribe(path)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert response.headers["Cache-Control"] == "no-store"
    (error,) = response.json()["errors"]
    assert error["message"] == "The service is briefly unavailable. Please try again in a moment."
    assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 5}


def test_in_the_language_that_the_visitor_chose() -> None:
    client = Client()
    client.cookies["django_language"] = "cs"
    body = {"query": "{ __typename }"}
    (error,) = client.post("/graphql", body, content_type="application/json").json()["errors"]
    assert error["message"] != "The service is briefly unavailable. Please try again in a moment."
    assert 'lang="cs"' in client.get("/").content.decode()


@pytest.mark.parametrize("path", ["/", "/newsletter", "/admin/", "/static/app/x.js", "/no-such-port"])
def test_a_visitor_sees_a_page(path: str) -> None:
    response = Client().get(path)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert response.headers["Content-Type"].startswith("text/html")
    assert response.headers["Content-Security-Policy"]
    assert response.headers["X-Request-ID"]


def test_that_the_process_is_alive_is_answered() -> None:
    assert Client().get("/healthz").status_code == 200


def test_only_in_that_thread() -> None:
    overload._thread.refuses = False
    assert Client().get("/").status_code == 200
