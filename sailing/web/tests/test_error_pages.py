"""Error pages: in our design, in both languages, without dependencies that can fail."""

from pathlib import Path

import pytest
from django.db import InterfaceError, InternalError, OperationalError, connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation
from django.views import defaults
from pytest_django import Settings

from sailing.mail.links import EmailToken
from sailing.templatetags.site import prevent_breaks

CZECH = "Něco se pokazilo"


@pytest.fixture
def bare_request() -> HttpRequest:
    """Return a request that failed before it had a session and a user."""
    return RequestFactory().get("/")


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", '<a class="a b">I talk to a <b>sailor</b></a> by e-mail'),
        ("cs", '<a class="a b">I\u00a0talk to a\u00a0<b>sailor</b></a> by e-\u2060mail'),
    ],
)
def test_czech_lines_do_not_end_with_one_letter(language: str, shown: str) -> None:
    with translation.override(language):
        assert prevent_breaks('<a class="a b">I talk to a <b>sailor</b></a> by e-mail') == shown


def test_address_with_a_hyphen_can_be_copied() -> None:
    html = "<b>e-mail@example.org</b> <b>e-mail.team@example.org</b> <b>live-mail.example</b>"
    with translation.override("cs"):
        assert prevent_breaks(html) == html


def test_500_page_needs_no_built_files(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE_DIR = tmp_path / "never-built"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "sailing.web.pages.frontend.BundleStaticFilesStorage"},
    }
    assert "Something went wrong" in render_to_string("500.html")


def test_error_page_links_the_style_sheet(bare_request: HttpRequest) -> None:
    text = defaults.page_not_found(bare_request, Exception()).content.decode()
    assert '<link rel="stylesheet" href="/static/app/one.0123456789abcdef.css">' in text
    assert "<script" not in text
    assert " style=" not in text


@pytest.mark.parametrize(
    ("method", "error"), [("get", InterfaceError), ("get", InternalError), ("post", OperationalError)]
)
def test_mail_link_answers_503_without_the_database(
    method: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_args: object, **_: object) -> None:
        raise error

    monkeypatch.setattr(EmailToken, "find", away)
    response = getattr(Client(), method)("/newsletter/confirm/token/?lang=cs")

    assert response.status_code == 503
    assert response["Retry-After"]
    assert response["Cache-Control"] == "no-store"
    assert CZECH in response.content.decode()


@pytest.mark.parametrize("error", [OperationalError, InternalError])
def test_django_admin_answers_503_without_the_database(
    admin_client: Client, caplog: pytest.LogCaptureFixture, error: type[Exception]
) -> None:
    def fail(*_args: object) -> None:
        raise error("connection to server at 10.0.0.7 failed")

    with connection.execute_wrapper(fail):
        response = admin_client.get("/admin/?lang=cs")

    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response["Cache-Control"] == "no-store"
    assert CZECH in response.content.decode()
    assert "database_failed" in caplog.text
