"""The page on which a campaign is sent or scheduled."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from pytest_django import Settings

from newsletter.campaigns.models import CampaignState, Segment
from newsletter.campaigns.tests.admin_pages import (
    SEND_LATER,
    SEND_NOW,
    editor,
    get_messages,
    get_path,
    get_state,
    history,
    post,
    read,
    save,
    sender,
)
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db


class TestSendPage:
    def test_errors_hide_the_buttons_and_lead_to_their_lines_in_the_editor(self) -> None:
        campaign, client = CampaignFactory(), sender()
        page = read(client, campaign, "send")
        assert "Nobody is in this audience" in page
        assert "expected_version" not in page
        SubscriptionFactory(confirmed=True)
        assert "expected_version" in read(client, campaign, "send")
        campaign.texts.filter(language="cs").update(body="Ahoj\n\n<b>vy</b>")
        campaign.texts.filter(language="en").update(subject="")
        address = get_path(campaign)
        links = (f'<a class="button" href="{address}">Fix the text</a>', f'href="{address}#id_body_cs:3"')
        page, page_of_editor = (read(each, campaign, "send") for each in (client, editor()))
        assert "2 errors to fix before it can be sent" in page
        assert "expected_version" not in page
        for link in links:
            assert link not in page
            assert link in page_of_editor

    @pytest.mark.parametrize(("user_type", "is_explained"), [("", True), ("company", False)])
    def test_copies_are_explained_if_the_segment_has_both_audiences(
        self, user_type: str, is_explained: bool
    ) -> None:
        segment = Segment.objects.create(name="Charter", user_type=user_type)
        page = read(sender(), CampaignFactory(segment=segment), "send")
        assert ("gets one copy" in page) is is_explained

    def test_campaign_is_sent_now_and_a_second_click_changes_nothing(self) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = CampaignFactory(), sender()
        page = post(client, campaign, "send", **SEND_NOW)
        assert page.redirect_chain[-1][0] == get_path(campaign, "results")
        assert get_messages(page) == ["The campaign is on its way."]
        assert get_state(campaign) == CampaignState.SENDING
        started_at = campaign.started_at
        assert get_messages(post(client, campaign, "send", **SEND_NOW)) == []
        assert get_state(campaign) == CampaignState.SENDING
        assert campaign.started_at == started_at
        assert history() == ["Sending started."]

    @pytest.mark.parametrize(
        ("change", "button"), [({"body_en": "Other news"}, SEND_NOW), ({"is_public": "on"}, SEND_LATER)]
    )
    def test_what_was_changed_meanwhile_is_shown_before_anything_is_sent(
        self, change: dict[str, str], button: dict[str, str]
    ) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = CampaignFactory(), sender()
        version = client.get(get_path(campaign, "send")).context["version"]
        assert save(editor(), campaign, **change).status_code == 302
        page = post(client, campaign, "send", expected_version=version, **button)
        assert "The campaign has changed" in page.context["refusal"]
        assert get_state(campaign) == CampaignState.DRAFT
        version = page.context["version"]
        assert f'name="expected_version" value="{version}"' in page.content.decode()
        post(client, campaign, "send", expected_version=version, **button)
        assert get_state(campaign) != CampaignState.DRAFT


class TestSchedule:
    @pytest.fixture
    def client(self, settings: Settings) -> Client:
        settings.TIME_ZONE = "Europe/Prague"
        SubscriptionFactory(confirmed=True)
        return sender()

    def test_time_is_that_of_the_zone_on_the_page(self, client: Client) -> None:
        campaign = CampaignFactory()
        assert "Time zone: Europe/Prague" in read(client, campaign, "send")
        page = post(client, campaign, "send", **SEND_LATER)
        [message] = get_messages(page)
        assert "10:30 (Europe/Prague)." in message
        assert history() == ["Scheduled."]
        assert get_state(campaign) == CampaignState.SCHEDULED
        assert campaign.scheduled_at == datetime(2100, 1, 1, 9, 30, tzinfo=UTC)
        html, recipients = page.content.decode(), "<dt>Recipients as of today</dt><dd>1</dd>"
        for part in ("10:30 (Europe/Prague)", recipients):
            assert part in html
        assert 'value="10:30"' in read(client, campaign, "send")  # the fields begin with it

    @pytest.mark.parametrize(
        ("day", "time", "error"),
        [
            ("2020-01-01", "10:30", "That time is in the past."),
            ("2100-01-01", "", "Choose the date and the time."),
            ("2100-03-28", "02:30", "it may be ambiguous or it may not exist."),
            ("2100-10-31", "02:30", "it may be ambiguous or it may not exist."),
            ("0001-01-01", "00:00", "That time is in the past."),
        ],
        ids=["past", "no time", "skipped by the clocks", "twice on the clocks", "first year"],
    )
    def test_time_is_refused(self, client: Client, day: str, time: str, error: str) -> None:
        campaign = CampaignFactory()
        page = post(client, campaign, "send", schedule="at", at_0=day, at_1=time)
        assert error in page.content.decode()
        assert get_state(campaign) == CampaignState.DRAFT
