"""Web version, archive and clicks."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, CampaignText
from newsletter.campaigns.tests.factories import CampaignFactory, CampaignTextFactory
from newsletter.models import LinkPurpose, SubscriptionLink
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from tests.concurrency import run_at_once
from tests.database import failing_database

pytestmark = pytest.mark.django_db

ARCHIVE = "/newsletter/issues/"


def text(response: Any) -> str:
    return str(response.content.decode())


def issue(state: CampaignState = CampaignState.SENT, **values: Any) -> Campaign:
    """Return a campaign of the archive."""
    values = {"is_public": True, "started_at": timezone.now(), **values}
    campaign: Campaign = CampaignFactory(state=state, **values)
    return campaign


def address(campaign: Campaign) -> str:
    return f"{ARCHIVE}{campaign.key}/"


def head_links(response: Any) -> str:
    return "".join(line for line in text(response).splitlines() if 'rel="alternate"' in line)


@pytest.mark.parametrize("is_public", [True, False])
def test_new_subscriber_is_led_to_the_archive_if_it_has_an_issue(client: Client, is_public: bool) -> None:
    issue(is_public=is_public)
    subscription = SubscriptionFactory()
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    page = text(client.post(f"/newsletter/confirm/{token}/"))
    assert "You are aboard" in page
    assert ("Read past issues" in page) is is_public


class TestWebVersion:
    @pytest.mark.parametrize("state", [CampaignState.SENDING, CampaignState.CANCELLED])
    def test_campaign_can_be_read_once_sending_has_begun(self, client: Client, state: CampaignState) -> None:
        page = text(client.get(address(issue(state, is_public=False))))
        assert '<span lang="en">Ahoy</span></h1>' in page
        assert 'href="https://sailing.example/regatta"' in page

    def test_reader_chooses_the_language(self, client: Client) -> None:
        campaign = issue()
        CampaignText.objects.filter(language="cs").update(body="# Ahoj\n\nPřijďte na regatu.")
        page = text(client.get(address(campaign), {"lang": "cs"}))
        assert '<html lang="cs">' in page
        assert "Přijďte na regatu." in page
        assert 'href="?lang=en' in page

    def test_missing_language_shows_the_other_and_says_so(self, client: Client) -> None:
        page = text(client.get(address(issue(languages=("en",))), {"lang": "cs"}))
        assert '<span lang="en">Ahoy</span>' in page
        assert "jen anglicky" in page
        assert f'rel="canonical" href="{settings.SITE_URL}{ARCHIVE}' in page
        assert "?lang=cs" not in page.split("canonical")[1].split(">")[0]

    @pytest.mark.parametrize("state", [CampaignState.DRAFT, CampaignState.SCHEDULED, CampaignState.CANCELLED])
    def test_unsent_campaign_is_hidden(self, client: Client, state: CampaignState) -> None:
        assert client.get(address(issue(state, started_at=None))).status_code == 404

    @pytest.mark.parametrize(
        ("permissions", "status"), [(["view_campaign"], 200), (["change_campaign"], 200), ([], 404)]
    )
    def test_draft_is_previewed_by_admins_who_may_view_campaigns(
        self, django_user_model: Any, permissions: list[str], status: int
    ) -> None:
        path, client = address(issue(CampaignState.DRAFT, started_at=None)), staff_client(*permissions)
        response = client.get(path)
        assert response.status_code == status
        if status == 200:
            assert "A preview" in text(response)
            assert response.headers["Cache-Control"] == "private, no-store"
        django_user_model.objects.update(is_staff=False)
        assert client.get(path).status_code == 404

    def test_only_a_public_issue_is_indexed(self, client: Client) -> None:
        public, private = issue(), issue(is_public=False)
        page = text(client.get(address(public), {"lang": "cs"}))
        assert "noindex" not in page
        assert f'rel="canonical" href="{settings.SITE_URL}{address(public)}?lang=cs"' in page
        assert f'hreflang="en" href="{settings.SITE_URL}{address(public)}"' in page
        assert '<meta name="description" content="Three days of racing">' in page
        assert '<meta property="og:title" content="Ahoy">' in page
        assert '<meta property="og:description" content="Three days of racing">' in page
        assert f'<meta property="og:url" content="{settings.SITE_URL}{address(public)}?lang=cs">' in page
        assert '<meta property="og:locale" content="cs_CZ">' in page
        assert '<meta property="og:locale:alternate" content="en_US">' in page
        page = text(client.get(address(private)))
        assert '<meta name="robots" content="noindex">' in page
        assert "canonical" not in page
        assert "og:" not in page

    def test_pictures_of_other_sites_are_allowed_and_scripts_are_not(self, client: Client) -> None:
        campaign = issue(languages=())
        CampaignTextFactory(
            campaign=campaign, body="<script>alert(1)</script>\n\n![Boat](https://a.example/b.png)"
        )
        response = client.get(address(campaign))
        assert "<script" not in text(response)
        policy = response.headers["Content-Security-Policy"]
        assert "img-src 'self' https:" in policy
        assert "unsafe" not in policy


class TestArchive:
    def test_lists_public_sent_issues_only(self, client: Client) -> None:
        assert "No issues yet" in text(client.get(ARCHIVE))
        shown = issue()
        hidden = [
            issue(is_public=False),
            issue(CampaignState.SENDING),
            issue(CampaignState.CANCELLED),
            issue(CampaignState.DRAFT, started_at=None),
        ]
        page = text(client.get(ARCHIVE))
        assert address(shown) in page
        assert not [campaign for campaign in hidden if campaign.key in page]

    def test_fields_of_the_subject_and_preheader_are_filled_in(self, client: Client) -> None:
        campaign = issue()
        campaign.texts.update(subject="News for {first_name|sailors}", preheader="Ahoy {first_name|crew}")
        archive, page = text(client.get(ARCHIVE)), text(client.get(address(campaign)))
        assert ">News for sailors</a>" in archive
        assert ">Ahoy crew</p>" in archive
        assert '<meta name="description" content="Ahoy crew">' in page

    def test_page_in_czech_has_the_texts_and_address_of_that_language(self, client: Client) -> None:
        issue()
        CampaignText.objects.filter(language="cs").update(body="Přijďte.", preheader="Tři dny závodů")
        page = text(client.get(ARCHIVE, {"lang": "cs"}))
        assert "Regata začíná" in page
        assert "Archiv newsletteru" in page
        assert "noindex" not in page
        assert f'rel="canonical" href="{settings.SITE_URL}{ARCHIVE}?lang=cs"' in page

    def test_language_whose_text_was_emptied_is_not_offered(self, client: Client) -> None:
        emptied = issue()
        emptied.texts.filter(language="cs").update(subject="", preheader="", body="")
        assert 'hreflang="cs"' not in head_links(client.get(address(emptied)))

    def test_takes_as_many_queries_for_many_issues_as_for_one(self, client: Client) -> None:
        issue()
        with CaptureQueriesContext(connection) as one:
            client.get(ARCHIVE)
        for _number in range(5):
            issue()
        with CaptureQueriesContext(connection) as many:
            client.get(ARCHIVE)
        assert len(many) == len(one)


class TestClicks:
    @pytest.fixture
    def link(self) -> CampaignLink:
        return CampaignLink.objects.create(
            campaign=issue(), url="https://sailing.example/regatta?year=2025&utm=x#programme"
        )

    def clicks(self) -> list[int]:
        return list(CampaignLink.objects.order_by("pk").values_list("clicks", flat=True))

    def test_redirects_to_the_stored_address_and_counts(self, client: Client, link: CampaignLink) -> None:
        response = client.get(f"/newsletter/go/{link.key}/?url=https://evil.example")
        assert response.status_code == 302
        assert response.headers["Location"] == link.url
        assert self.clicks() == [1]
        # Nothing about the reader is stored or passed on.
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert not response.cookies

    def test_looking_ahead_is_no_click(self, client: Client, link: CampaignLink) -> None:
        path = f"/newsletter/go/{link.key}/"
        for response in (client.head(path), client.get(path, headers={"Sec-Purpose": "prefetch;prerender"})):
            assert response.headers["Location"] == link.url
        assert self.clicks() == [0]

    def test_other_methods_and_links_are_refused(self, client: Client, link: CampaignLink) -> None:
        assert client.post(f"/newsletter/go/{link.key}/").status_code == 405
        assert client.get("/newsletter/go/unknown/").status_code == 404
        assert self.clicks() == [0]

    def test_client_counts_once_a_day_for_each_link(
        self, client: Client, link: CampaignLink, time_machine: TimeMachineFixture
    ) -> None:
        path = f"/newsletter/go/{link.key}/"
        assert [client.get(path).headers["Location"] for _number in range(3)] == [link.url] * 3
        client.get(path, REMOTE_ADDR="192.0.2.7")
        assert self.clicks() == [2]
        other = CampaignLink.objects.create(campaign=link.campaign, url="https://sailing.example/")
        client.get(f"/newsletter/go/{other.key}/")
        assert self.clicks() == [2, 1]
        time_machine.move_to(timezone.now() + timedelta(days=1, minutes=1))
        client.get(path)
        assert self.clicks() == [3, 1]

    def test_reader_arrives_even_if_the_click_cannot_be_counted(
        self, client: Client, link: CampaignLink
    ) -> None:
        with failing_database(after=1):  # it finds the link
            assert client.get(f"/newsletter/go/{link.key}/").headers["Location"] == link.url


@pytest.mark.usefixtures("shared_database")
def test_simultaneous_clicks_all_count() -> None:
    link = CampaignLink.objects.create(campaign=issue(), url="https://sailing.example/")

    def click(number: int) -> None:
        for click in range(4):
            Client(REMOTE_ADDR=f"192.0.{number}.{click}").get(f"/newsletter/go/{link.key}/")

    run_at_once(4, click)
    assert CampaignLink.objects.get().clicks == 16
