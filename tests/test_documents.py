"""Every page that Django renders itself, in both languages, before and after its buttons."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.utils import timezone, translation
from django.views import defaults
from django.views.csrf import csrf_failure

from accounts.models import AccountLink
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.invitations.models import Milestone
from newsletter.models import SubscriptionLink
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from tests.mailbox import english_left, text

ROOT = Path(__file__).parents[1]
STYLES = (ROOT / "frontend/src/styles/documents.css").read_text()
PATHS = ["static/accounts/password.js", "accounts/forms.py", "newsletter/forms.py"]
SOURCES = [*(ROOT / "templates").rglob("*.html"), *(ROOT / path for path in PATHS)]

PASSWORDS = {"new_password1": "New winds, 2026!", "new_password2": "New winds, 2026!"}
PRESSES: list[dict[str, str]] = [
    *(
        {},
        {"password": "Foul winds, 2025!"},
        {"new_password1": "weak"},
        PASSWORDS,
        {"not_me": "1"},
        {"renew": "1"},
    ),
    *(
        {"preferences": "1", "audience": "company", "pause": "30"},
        {"reason": "too-many"},
        {"comment": "x" * 999},
    ),
]


@pytest.mark.parametrize("path", re.findall(r"\.\./(.+)\.module\.css", STYLES))
def test_each_class_of_a_module_exists(path: str) -> None:
    classes = re.findall(r"\.(\w+)", (ROOT / f"frontend/src/{path}.module.css").read_text())
    module = Path(path).name
    used = {name for source in SOURCES for name in re.findall(rf"\b{module}-(\w+)", source.read_text())}
    assert used
    assert used <= set(classes)


def assert_complete(response: Any, language: str, statuses: set[int]) -> None:
    page = text(response)
    assert response.status_code in statuses
    assert f'<html lang="{language}">' in page
    assert response.headers.get("Content-Language", language) == language
    (title,), (heading,) = (
        re.findall("<title>(.+) · Sailing</title>", page),
        re.findall("<h1.*?>(.+)</h1>", page),
    )
    assert heading.strip()
    assert "{" not in title + heading
    assert not re.search("<script(?![^>]+src=)| style=| on[a-z]+=", page)
    if language == "cs":
        assert [line for app in ("accounts", "newsletter") for line in english_left(page, app)] == []


def write_links(purpose: str, language: str) -> list[str]:
    """Return the paths of an open link, and of one that has expired."""
    path, lifetimes = f"/account/{purpose}/", (None, timedelta(days=-1))
    model = SubscriptionLink if purpose == "confirm" else AccountLink
    if purpose == "manage":
        standings = ({"confirmed": True}, {"confirmed": True, "paused": True}, {"unsubscribed": True})
        return [manage_address(SubscriptionFactory(language=language, **each)) for each in standings]
    if purpose == "confirm":
        path = "/newsletter/confirm/"
        owners: list[dict[str, Any]] = [
            {"subscription": SubscriptionFactory(language=language)} for _ in lifetimes
        ]
    else:
        members = [MemberFactory(language=language) for _ in lifetimes]
        owners = [{"user": member, "email": f"new-{member.email}"} for member in members]
    name = {"email": "change-email"}.get(purpose, purpose)
    tokens = [
        model.issue(name, lifetime=time, **owner) for time, owner in zip(lifetimes, owners, strict=True)
    ]
    return [f"{path}{token}/" for token in tokens]


@pytest.mark.django_db
@pytest.mark.parametrize("press", PRESSES, ids=lambda press: ",".join(press) or "main button")
@pytest.mark.parametrize("purpose", ["verify", "reset", "email", "confirm", "manage"])
@pytest.mark.parametrize("language", ["en", "cs"])
def test_pages_behind_links_are_complete(language: str, purpose: str, press: dict[str, str]) -> None:
    """In the language of the link's owner."""
    InterestFactory(name_en="Regattas", name_cs="Regaty")
    Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
    for path in write_links(purpose, language):
        for query in ("", "?not-me=1"):
            assert_complete(Client().get(path + query), language, {200})
        for query in ("", f"?lang={language}"):  # the first may delete the owner
            assert_complete(Client().post(path + query, press), language, {200, 401, 422})


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "cs"])
def test_other_documents_are_complete(language: str) -> None:
    public = {"state": CampaignState.SENT, "started_at": timezone.now(), "is_public": True}
    issue = CampaignFactory(**public)
    for path in (f"issues/{issue.key}/", "issues/", "subscribed/"):
        assert_complete(Client().get(f"/newsletter/{path}", {"lang": language}), language, {200})
    for document in ("privacy", "terms"):
        assert_complete(Client().get(f"/legal/{document}/", {"lang": language}), language, {200})
    assert_complete(Client().post(f"/newsletter/subscribe/?lang={language}"), language, {422})
    assert_complete(Client().get("/newsletter/confirm/x/", {"lang": language}), language, {404})


@pytest.mark.parametrize("language", ["en", "cs"])
def test_errors_before_there_is_a_session_have_complete_pages(language: str) -> None:
    request, error = RequestFactory().get("/"), PermissionDenied()
    with translation.override(language):
        assert_complete(defaults.bad_request(request, error), language, {400})
        assert_complete(defaults.permission_denied(request, error), language, {403})
        assert_complete(csrf_failure(request), language, {403})
        assert_complete(defaults.page_not_found(request, error), language, {404})
        assert_complete(defaults.server_error(request), language, {500})
