"""Pages for what went wrong: ours, in both languages, and standing when nothing else does."""

from pathlib import Path

import pytest
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation
from django.views import defaults
from django.views.csrf import csrf_failure
from pytest_django import Settings

from sailing.email.tokens import EmailToken
from sailing.pages import manifest

HEADINGS = {
    "en": {
        400: "This request was not understood",
        403: "This is not for you",
        404: "Page not found",
        500: "Something went wrong",
    },
    "cs": {
        400: "Tomuto požadavku nerozumíme",
        403: "Sem nemáte přístup",
        404: "Stránka nenalezena",
        500: "Něco se pokazilo",
    },
}


@pytest.fixture
def request_of_nobody() -> HttpRequest:
    """Without a session and a user, as when the request failed before they were there."""
    return RequestFactory().get("/")


@pytest.mark.parametrize("language", HEADINGS)
def test_each_error_has_a_page_of_ours(language: str, request_of_nobody: HttpRequest) -> None:
    with translation.override(language):
        responses = [
            defaults.bad_request(request_of_nobody, Exception()),
            defaults.permission_denied(request_of_nobody, Exception()),
            defaults.page_not_found(request_of_nobody, Exception()),
            defaults.server_error(request_of_nobody),
        ]
    for response in responses:
        text = response.content.decode()
        assert HEADINGS[language][response.status_code] in text
        assert f'<html lang="{language}">' in text
        assert "© 2025 Sailing" in text


def test_a_refused_form_has_a_page_of_ours(request_of_nobody: HttpRequest) -> None:
    response = csrf_failure(request_of_nobody)
    assert response.status_code == 403
    assert "Please send the form again" in response.content.decode()


def test_the_page_for_our_own_fault_needs_no_bundle_and_no_collected_files(
    settings: Settings, tmp_path: Path
) -> None:
    settings.BUNDLE_DIR = tmp_path / "never-built"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "sailing.server.static_files.BundleStaticFilesStorage"},
    }
    manifest._read_once.cache_clear()
    assert "Something went wrong" in render_to_string("500.html")


def test_a_page_links_the_style_sheet_of_the_bundle(request_of_nobody: HttpRequest) -> None:
    text = defaults.page_not_found(request_of_nobody, Exception()).content.decode()
    assert '<link rel="stylesheet" href="/static/app/one.0123456789abcdef.css">' in text
    assert "<script" not in text
    assert " style=" not in text


@pytest.mark.parametrize("error", [InterfaceError, InternalError, OperationalError])
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_the_database_a_link_in_a_mail_says_to_try_again(
    method: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_args: object, **_: object) -> None:
        raise error

    monkeypatch.setattr(EmailToken, "find", away)
    response = getattr(Client(), method)("/newsletter/unsubscribe/token/?lang=cs")

    assert response.status_code == 503
    assert response["Retry-After"]
    assert response["Cache-Control"] == "no-store"
    assert HEADINGS["cs"][500] in response.content.decode()
