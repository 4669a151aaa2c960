"""Web version, archive and clicks, and leaving by the links in the mail of a campaign."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, CampaignText, Delivery
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory, issue_confirm
from newsletter.tests.mailbox import manage_address
from sailing.admin.tests.helpers import staff_client
from sailing.mail import mailboxes
from tests.concurrency import run_at_once
from tests.database import failing_database
from tests.mailbox import open_link, press_button, text

pytestmark = pytest.mark.django_db

ARCHIVE = "/newsletter/issues/"
SITE = "http://testserver"


def issue(state: CampaignState = CampaignState.SENT, **values: Any) -> Campaign:
    values = {"is_public": True, "started_at": timezone.now(), **values}
    return CampaignFactory(state=state, **values)


def address(campaign: Campaign) -> str:
    return f"{ARCHIVE}{campaign.key}/"


class TestWebVersion:
    @pytest.mark.parametrize("state", [CampaignState.SENDING, CampaignState.CANCELLED])
    def test_campaign_can_be_read_once_sending_has_begun(self, state: CampaignState) -> None:
        response = open_link(address(issue(state)))
        page = text(response)
        assert '<span lang="en">The regatta begins</span></h1>' in page
        assert 'href="https://sailing.example/regatta"' in page
        assert '<meta name="robots" content="noindex">' in page
        assert not re.search("canonical|og:", page)
        assert "img-src 'self' https:" in response.headers["Content-Security-Policy"]

    @pytest.mark.parametrize(
        ("czech", "parts", "is_translated"),
        [
            ("# Ahoj\n\nPřijďte.", ["Přijďte.", 'og:locale" content="cs_CZ">', "?lang=cs"], True),
            ("", ['<span lang="en">The regatta begins</span>', "jen anglicky"], False),
        ],
    )
    def test_public_issue_is_found(self, czech: str, parts: Any, is_translated: bool) -> None:
        campaign = issue()
        campaign.texts.filter(language="cs").update(body=czech, subject=czech[:5])
        page, url = text(open_link(f"{address(campaign)}?lang=cs")), f"{SITE}{address(campaign)}"
        own = f"{url}{'?lang=cs' * is_translated}"
        for part in (
            *parts,
            '<html lang="cs">',
            '<meta name="description" content="Three days of racing">',
            f'<meta property="og:url" content="{own}">',
            f'rel="canonical" href="{own}"',
        ):
            assert part in page
        assert (f'hreflang="cs" href="{url}?lang=cs"' in page.partition("</head>")[0]) is is_translated
        assert "noindex" not in page

    @pytest.mark.parametrize(("permission", "status"), [("change_campaign", 200), ("add_campaign", 404)])
    def test_draft_is_shown_to_viewers(self, django_user_model: Any, permission: str, status: int) -> None:
        path, client = address(issue(CampaignState.DRAFT, started_at=None)), staff_client(permission)
        response = open_link(path, client=client)
        assert response.status_code == status
        if status == 200:
            assert response.headers["Cache-Control"] == "private, no-store"
        django_user_model.objects.update(is_staff=False)
        assert client.get(path).status_code == 404


def test_archive_lists_public_sent_issues_and_is_offered_to_new_subscribers(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    hidden = [issue(is_public=False), issue(CampaignState.CANCELLED)]
    hidden.append(issue(CampaignState.DRAFT, started_at=None))
    assert "No issues yet" in text(open_link(ARCHIVE))
    assert "Read past issues" not in text(press_button(path := issue_confirm(SubscriptionFactory())))
    shown = issue()
    shown.texts.update(subject="News for {first_name|sailors}", preheader="Ahoy {first_name|crew}")
    assert "Read past issues" in text(press_button(path))
    page = text(open_link(f"{ARCHIVE}?lang=cs"))
    for part in (address(shown), ">News for sailors</a>", ">Ahoy crew</p>", f"{ARCHIVE}?lang=cs"):
        assert part in page
    assert not [campaign for campaign in hidden if campaign.key in page]
    assert "noindex" not in page
    CampaignText.objects.filter(language="cs").update(subject="", body="")  # emptied
    with django_assert_max_num_queries(2):
        open_link(ARCHIVE)


class TestClicks:
    URL = "https://sailing.example/regatta?year=2025&utm=x#programme"

    @pytest.fixture
    def path(self) -> str:
        return f"/newsletter/go/{CampaignLink.objects.create(campaign=issue(), url=self.URL).key}/"

    def clicks(self) -> list[int]:
        return list(CampaignLink.objects.order_by("pk").values_list("clicks", flat=True))

    def test_reader_arrives_and_counts_daily(self, client: Client, path: str, time_machine: Any) -> None:
        for response in (client.head(path), client.get(path, headers={"Sec-Purpose": "prefetch;prerender"})):
            assert response.headers["Location"] == self.URL
        with failing_database(after=1):  # it finds the link
            assert client.get(path).headers["Location"] == self.URL
        assert self.clicks() == [0]
        response = client.get(f"{path}?url=https://evil.example")
        assert (response.status_code, response.headers["Location"]) == (302, self.URL)
        assert self.clicks() == [1]
        # Nothing about the reader is stored or passed on.
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert not response.cookies
        # A client counts daily.
        assert client.get(path).headers["Location"] == self.URL
        client.get(path, REMOTE_ADDR="192.0.2.7")
        other = CampaignLink.objects.create(campaign=issue(), url="https://sailing.example/")
        client.get(f"/newsletter/go/{other.key}/")
        assert self.clicks() == [2, 1]
        time_machine.move_to(timezone.now() + timedelta(days=1, minutes=1))
        client.get(path)
        assert self.clicks() == [3, 1]

    @pytest.mark.usefixtures("shared_database")
    def test_simultaneous_clicks_all_count(self, path: str) -> None:
        def click(number: int) -> None:
            for click in range(4):
                Client(REMOTE_ADDR=f"192.0.{number}.{click}").get(path)

        run_at_once(4, click)
        assert self.clicks() == [16]


SAVE = {"preferences": "1", "language": "en"}


@pytest.mark.parametrize(
    ("form", "counts"),
    [
        ({}, True),
        ({"everything": "1"}, True),
        ({**SAVE, "audience": "company"}, True),
        ({**SAVE, "audience": "sailor"}, False),  # leaves the other newsletter alone
        ({**SAVE, "audience": ["sailor", "company"], "pause": "30"}, False),
        ({"reason": "too-many"}, False),
        ({"not_me": "1"}, True),  # a forwarded mail must not block the mailbox of its reader
    ],
)
def test_newsletter_of_the_mail_is_counted_once(form: Any, counts: bool) -> None:
    reader: Subscription = SubscriptionFactory(confirmed=True)
    SubscriptionFactory(email=reader.email, user_type=UserType.COMPANY, confirmed=True)
    first, second = DeliveryFactory.create_batch(2, subscription=reader)
    path, other = (manage_address(reader, delivery.pk) for delivery in (first, second))
    assert "not_me" not in text(open_link(f"{path}?not-me=1"))
    press_button(path, **form)
    reader.refresh_from_db()
    assert reader.is_subscribed is not counts
    assert mailboxes.reserve(reader.email)
    if counts:
        assert "You are unsubscribed." in text(press_button(other))
    assert list(Delivery.objects.filter(unsubscribed_at__isnull=False)) == [first] * counts
    Subscription.objects.update(is_active=True, unsubscribed_at=None)
    first.campaign.delete()
    press_button(path)
    reader.refresh_from_db()
    assert reader.state is State.UNSUBSCRIBED


@pytest.mark.parametrize(("audience", "ended"), [("", 2), ("sailor", 1)])
def test_one_click_ends_what_the_list_id_of_the_mail_names(audience: str, ended: int) -> None:
    reader: Subscription = SubscriptionFactory(confirmed=True)
    SubscriptionFactory(email=reader.email, user_type=UserType.COMPANY, confirmed=True)
    delivery = DeliveryFactory(subscription=reader)
    Campaign.objects.update(user_type=audience)
    form: Any = {"List-Unsubscribe": "One-Click"}
    press_button(manage_address(reader, delivery.pk), **form)
    assert Delivery.objects.filter(unsubscribed_at__isnull=False).exists()
    assert Subscription.objects.filter(is_active=False).count() == ended
