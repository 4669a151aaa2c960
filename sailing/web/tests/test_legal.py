"""The privacy notice states what the code does: its texts name the periods, and the server provides them."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import gettext, override

from accounts.retention import UNVERIFIED_LIFETIME
from newsletter.retention import UNANSWERED_LIFETIME
from sailing.mail import outbox
from sailing.web.pages.frontend import FRONTEND

OTHER_VALUES = {"analyticsCookies", "count", "date", "email", "provider"}
"""Placeholders that frontend/src/legal fills without the server's periods."""


def read_messages(language: str) -> dict[str, str]:
    path = FRONTEND / f"messages/{language}.json"
    messages: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {key: text for key, text in messages.items() if key.startswith("legal.")}


def read_config() -> dict[str, Any]:
    page = Client().get("/").content.decode()
    found = re.search(r'<script id="site-config" type="application/json">(.*?)</script>', page)
    assert found
    config: dict[str, Any] = json.loads(found[1])
    return config


def test_page_has_the_operator_and_the_periods_of_the_code(settings: Any) -> None:
    config = read_config()
    assert config["operator"] == {
        "name": settings.OPERATOR_NAME,
        "address": settings.OPERATOR_ADDRESS,
        "email": settings.CONTACT_EMAIL,
    }
    expected = {
        "unverifiedAccounts": UNVERIFIED_LIFETIME,
        "unansweredSubscriptions": UNANSWERED_LIFETIME,
        "mails": outbox.RETENTION,
    }
    assert config["periods"].items() >= {
        (name, int(period.total_seconds())) for name, period in expected.items()
    }


@pytest.mark.parametrize("language", ["en", "cs"])
def test_notice_names_every_period_and_types_none(language: str) -> None:
    messages = read_messages(language)
    text = "\n".join(messages.values())
    named = set(re.findall(r"\{([a-z]\w*)[},]", text))
    assert named - OTHER_VALUES == set(read_config()["periods"])
    assert (
        re.findall(
            r"\d+ (?:second|minute|hour|day|week|month|year|sekund|minut|hod|dn|týd|měs|rok|let)", text
        )
        == []
    )


@pytest.mark.parametrize("language", ["en", "cs"])
def test_notice_names_the_links_of_newsletters_as_they_are_called_there(language: str) -> None:
    text = read_messages(language)["legal.withdraw"]
    with override(language):
        assert re.findall("[“„](.*?)[”“]", text) == [gettext("Unsubscribe"), gettext("Preferences")]
