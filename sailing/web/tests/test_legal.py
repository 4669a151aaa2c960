"""The privacy notice states what the code does: its texts name the periods, and none types one."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override

from sailing.jobs import retention
from sailing.web.pages.legal import ANALYTICS_COOKIES


def read(document: str, language: str) -> str:
    response = Client().get(f"/legal/{document}/?lang={language}")
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("language", "stated"),
    [
        ("en", ["deleted 14 days after the sign-up", "as a rule within 1 hour."]),
        ("cs", ["smažeme 14 dní po registraci", "nejpozději za 1 hodinu."]),
    ],
)
def test_notice_names_every_period_and_types_none(language: str, stated: list[str]) -> None:
    template = settings.BASE_DIR / "templates" / "legal" / f"privacy.{language}.html"
    source = template.read_text(encoding="utf-8")
    assert set(re.findall(r"{{ periods\.(\w+) }}", source)) == {*retention.periods, "analyticsCookies"}
    typed = r"\d+ (?:second|minute|hour|day|week|month|year|sekund|minut|hod|dn|týd|měs|rok|let)"
    assert re.findall(typed, source) == []
    notice = read("privacy", language)
    assert [text for text in stated if text not in notice] == []
    quoted = re.findall("[“„](.*?)[”“]", notice)
    with override(language):
        assert quoted[:2] == [gettext("Unsubscribe"), gettext("Preferences")], "as newsletters name them"


def test_cookies_of_analytics_live_as_long_as_their_script_says() -> None:
    script = (settings.BASE_DIR / "frontend/src/consent/tag.ts").read_text(encoding="utf-8")
    assert f"COOKIE_LIFETIME_SECONDS = {ANALYTICS_COOKIES.days} * 24 * 60 * 60" in script


def test_notice_names_only_the_recipients_that_this_site_has(settings: Any) -> None:
    settings.GA_MEASUREMENT_ID = settings.SENTRY_DSN = settings.EMAIL_PROVIDER = ""
    notice = read("privacy", "en")
    assert not re.search("Google|Sentry|Postmark", notice)
    assert "The operator of our mail server, which delivers our emails" in notice
    settings.GA_MEASUREMENT_ID, settings.EMAIL_PROVIDER = "G-TEST", "postmark"
    settings.SENTRY_DSN = "https://a@sentry.example/1"
    notice = read("privacy", "en")
    for name in ("Google", "Sentry", "Postmark, which delivers our emails"):
        assert name in notice


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("document", ["privacy", "terms"])
def test_documents_name_the_operator(document: str, language: str, settings: Any) -> None:
    settings.OPERATOR_NAME = "Sailing & Co."
    text = read(document, language)
    assert "Sailing &amp; Co." in text
    assert settings.CONTACT_EMAIL in text
