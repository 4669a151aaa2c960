"""The catch-all view and the headers of every response."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client


@pytest.mark.parametrize("path", ["/", "/newsletter", "/newsletter/"])
def test_route_is_answered_with_200(path: str) -> None:
    assert Client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/nowhere", "/forgot-password"])
def test_unknown_path_is_answered_with_the_404_page(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 404
    assert b'<div id="root">' in response.content


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/about", "not-found.about"),
        ("/races/", "not-found.races"),
        ("/about/us", "not-found"),
        ("/", "crossroad"),
    ],
)
def test_404_page_is_prerendered_for_each_path_that_it_helps_with(path: str, page: str) -> None:
    assert f"<h1>{page}</h1>" in Client().get(path).content.decode()


def test_settings_are_escaped_in_prerendered_pages(settings: Any) -> None:
    settings.OPERATOR_NAME = "<b>Sailing</b>"
    html = Client().get("/").content.decode()
    assert f"2025 &lt;b&gt;Sailing&lt;/b&gt; {settings.OPERATOR_ADDRESS} {settings.CONTACT_EMAIL}" in html


def test_unknown_host_is_refused_except_for_health() -> None:
    client = Client(headers={"Host": "evil.example"})
    refused = client.get("/")
    assert refused.status_code == 400
    assert "Content-Security-Policy" in refused.headers
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
def test_page_is_revalidated_by_its_etag(encoding: str) -> None:
    first = Client().get("/", headers={"Accept-Encoding": encoding})
    assert first.headers["Cache-Control"] == "no-cache"
    again = Client().get("/", headers={"Accept-Encoding": encoding, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert "Content-Length" not in again.headers


def test_each_encoding_has_its_own_etag() -> None:
    answers = {
        header: Client().get("/", headers={"Accept-Encoding": header})
        for header in ("gzip, deflate, br, zstd", "gzip;q=0.8, broken", "identity")
    }
    assert [answer.headers.get("Content-Encoding") for answer in answers.values()] == ["br", "gzip", None]
    assert len({answer.headers["ETag"] for answer in answers.values()}) == 3
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in answers.values())


def test_language_follows_the_choice_of_the_visitor_not_of_the_browser() -> None:
    client = Client(headers={"Accept-Language": "cs"})
    assert b'<html lang="en" data-language="en">' in client.get("/").content
    chosen = client.get("/?lang=cs")
    assert b'<html lang="cs" data-language="cs">' in chosen.content
    assert chosen.cookies["django_language"].value == "cs"
    assert b'<html lang="cs" data-language="cs">' in client.get("/newsletter").content


def test_public_page_needs_no_database(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0, connection=connection):
        Client().get("/")


@pytest.mark.parametrize(
    ("path", "chunks"),
    [
        ("/", ["page-crossroad", "messages-en-public", "messages-en-crossroad"]),
        (
            "/profile",
            [
                *("page-profile", "messages-en-public", "messages-en-components"),
                *("messages-en-app", "messages-en-sample-notifications"),
                *("require-auth", "session", "member-controls"),
            ],
        ),
    ],
)
def test_page_links_all_chunks_that_it_needs_at_once(path: str, chunks: list[str]) -> None:
    html = Client().get(path).content.decode()
    assert re.findall(r"/static/app/([\w-]+)\.\w+\.js", html.partition("data-scripts=")[2])[1:] == chunks
