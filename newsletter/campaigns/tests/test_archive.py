"""The link of the pages to the archive."""

import threading
from collections.abc import Iterator

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connections
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from newsletter.campaigns import archive
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.web.pages import views

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_link(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(connections["default"], "close", lambda: None)
    yield
    views.link_archive(False)


def look_once() -> None:
    """Look once, as at the start of a process."""
    stop = threading.Event()
    stop.set()
    archive.run(stop)


@pytest.mark.parametrize(
    ("state", "is_public", "is_linked"),
    [
        (CampaignState.SENT, True, True),
        (CampaignState.SENT, False, False),
        (CampaignState.SENDING, True, False),
    ],
)
def test_pages_link_the_archive_once_an_issue_is_public(
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    state: CampaignState,
    is_public: bool,
    is_linked: bool,
) -> None:
    CampaignFactory(state=state, is_public=is_public)
    look_once()
    with django_assert_num_queries(0):
        pages = [client.get(path) for path in ("/", "/newsletter?lang=cs", "/nowhere")]
    assert [b" data-archive>" in page.content for page in pages] == [is_linked] * 3


def test_link_follows_what_is_public(client: Client) -> None:
    campaign = CampaignFactory(state=CampaignState.SENT, is_public=True)
    shown = []
    for is_public in (True, False, True):
        Campaign.objects.filter(pk=campaign.pk).update(is_public=is_public)
        look_once()
        shown.append(b" data-archive>" in client.get("/").content)
    assert shown == [True, False, True]


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_pages_stay_as_they_are_during_an_outage(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: type[DatabaseError]
) -> None:
    CampaignFactory(state=CampaignState.SENT, is_public=True)
    look_once()

    def fail() -> None:
        raise error

    monkeypatch.setattr(archive, "list_issues", fail)
    look_once()
    assert b" data-archive>" in client.get("/").content
