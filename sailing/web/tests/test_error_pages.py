"""Error pages: in our design, in both languages, without dependencies that can fail."""

from pathlib import Path

import pytest
from django.db import InterfaceError, InternalError, OperationalError
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from sailing.templatetags.site import prevent_breaks
from tests.database import failing_database

SENTENCE = '<a class="a b">I talk to a <b>sailor</b></a> by e-mail'


@pytest.mark.parametrize(
    ("language", "html", "shown"),
    [
        ("en", SENTENCE, SENTENCE),
        ("cs", SENTENCE, '<a class="a b">I\u00a0talk to a\u00a0<b>sailor</b></a> by e-\u2060mail'),
        *(("cs", f"<b>{name}</b>", f"<b>{name}</b>") for name in ("e-mail.team@example.org", "live-mail.cz")),
    ],
)
def test_czech_lines_do_not_end_with_one_letter(language: str, html: str, shown: str) -> None:
    with translation.override(language):
        assert prevent_breaks(html) == shown


def test_500_page_needs_no_built_files(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE_DIR = tmp_path / "never-built"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "sailing.web.pages.frontend.BundleStaticFilesStorage"},
    }
    assert "Something went wrong" in render_to_string("500.html")


@pytest.mark.parametrize("error", [InterfaceError, InternalError, OperationalError])
@pytest.mark.parametrize("path", ["/admin/", "/newsletter/confirm/token/"])
def test_page_answers_503_without_the_database(
    admin_client: Client, caplog: pytest.LogCaptureFixture, path: str, error: type[Exception]
) -> None:
    with failing_database(error):
        response = admin_client.get(f"{path}?lang=cs")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response["Cache-Control"] == "no-store"
    assert "Něco se pokazilo" in response.content.decode()
    assert "database_failed" in caplog.text
