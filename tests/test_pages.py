"""The catch-all view, health, and the headers on every answer."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

HEADERS = [
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "Referrer-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "X-Request-ID",
]


@pytest.mark.parametrize("path", ["/", "/newsletter", "/newsletter/"])
def test_a_path_of_the_route_table_answers_200(path: str) -> None:
    assert Client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/nowhere", "/about", "/contact", "/forgot-password", "/settings"])
def test_any_other_path_answers_the_react_page_with_404(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 404
    assert b'<div id="root">' in response.content


def test_a_missing_static_file_is_a_plain_404() -> None:
    response = Client().get("/static/app/gone.js")
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "text/plain"


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/gone.js", "/healthz", "/graphql", "/favicon.ico"])
def test_every_answer_carries_the_security_headers(path: str) -> None:
    response = Client().get(path)
    assert [name for name in HEADERS if name not in response.headers] == []
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_an_unknown_host_is_refused_but_health_answers() -> None:
    client = Client(headers={"Host": "evil.example"})
    refused = client.get("/")
    assert refused.status_code == 400
    assert "Content-Security-Policy" in refused.headers
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
def test_a_page_is_asked_for_again_with_its_etag(encoding: str) -> None:
    first = Client().get("/", headers={"Accept-Encoding": encoding})
    assert first.headers["Cache-Control"] == "no-cache"
    again = Client().get("/", headers={"Accept-Encoding": encoding, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_a_page_comes_in_an_encoding_that_the_browser_takes_with_an_etag_of_its_own() -> None:
    answers = {
        header: Client().get("/", headers={"Accept-Encoding": header})
        for header in ("br", "gzip, br;q=0", "gzip;q=0, br;q=0")
    }
    assert [answer.headers.get("Content-Encoding") for answer in answers.values()] == ["br", "gzip", None]
    assert len({answer.headers["ETag"] for answer in answers.values()}) == 3
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in answers.values())


def test_the_language_is_the_visitors_choice_and_never_the_browsers() -> None:
    client = Client(headers={"Accept-Language": "cs"})
    assert b'<html lang="en">' in client.get("/").content
    chosen = client.get("/?lang=cs")
    assert b'<html lang="cs">' in chosen.content
    assert chosen.cookies["django_language"].value == "cs"
    assert b'<html lang="cs">' in client.get("/newsletter").content


def test_public_pages_touch_no_database(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0, connection=connection):
        Client().get("/")


@pytest.mark.parametrize(
    ("path", "chunks"),
    [
        ("/", ["page-crossroad", "messages-public-en", "messages-crossroad-en"]),
        ("/nowhere", ["page-not-found", "messages-public-en", "messages-not-found-en"]),
        ("/signin", ["page-sign-in", "messages-public-en", "messages-app-en", "session"]),
        (
            "/profile",
            [
                *("page-profile", "messages-public-en", "messages-app-en"),
                *("require-auth", "session", "member-controls"),
            ],
        ),
    ],
)
def test_page_links_all_chunks_that_it_needs_at_once(path: str, chunks: list[str]) -> None:
    html = Client().get(path).content.decode()
    assert re.findall(r"/static/app/([\w-]+)\.\w+\.js", html.partition("data-scripts=")[2])[1:] == chunks
