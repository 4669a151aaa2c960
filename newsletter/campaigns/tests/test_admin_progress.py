"""The pages on which a campaign is followed, paused and cancelled, and its history."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import services
from newsletter.campaigns.admin import sending
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.tests.admin_pages import (
    LIST,
    SEND_LATER,
    SEND_NOW,
    editor,
    get_messages,
    get_path,
    get_state,
    history,
    post,
    read,
    running_campaign,
    save,
    sender,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import row_page
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

User: Any = get_user_model()


class TestProgressPage:
    def test_page_shows_the_numbers_until_the_campaign_ends(self) -> None:
        campaign, client = running_campaign(), staff_client("view_campaign")
        now = timezone.now()
        DeliveryFactory.create_batch(3, campaign=campaign, state=DeliveryState.SENT, ended_at=now)
        DeliveryFactory(campaign=campaign)
        DeliveryFactory(
            campaign=campaign, state=DeliveryState.SKIPPED, skip_reason=SkipReason.BOUNCED, ended_at=now
        )
        for name in ("progress", "progress/status"):
            page = read(client, campaign, name)
            assert 'data-running="sending"' in page
            assert 'max="5" value="4"' in page
            assert "4 of 5 processed" in page
            assert "<strong>1</strong> bounced in the meantime" in page
        Campaign.objects.update(state=CampaignState.SENT, finished_at=now)
        page = read(client, campaign)
        assert "data-running" not in page
        assert "poll.js" not in page
        assert "4 of 5 processed" in page
        assert "5\N{NO-BREAK SPACE}minutes" in page  # the duration

    def test_cancelled_campaign_is_followed_until_the_last_mail_is_through(self) -> None:
        campaign, client = running_campaign(), sender()
        delivery = DeliveryFactory(campaign=campaign, state=DeliveryState.SENDING)
        DeliveryFactory(campaign=campaign)
        page = post(client, campaign, "cancel").content.decode()
        assert 'data-running="cancelled"' in page
        assert "poll.js" in page
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.SENT, ended_at=timezone.now())
        page = read(client, campaign)
        assert "data-running" not in page
        assert "Not sent" in page
        assert "<dt>Canceled</dt>" in page
        assert "(staff@example.com)</dd>" in page
        assert "Finished" not in page

    def test_page_says_when_no_email_leaves(self) -> None:
        campaign, client = running_campaign(), sender()
        DeliveryFactory(campaign=campaign)
        for minutes, state, is_told in ((7, "sending", False), (9, "sending", True), (9, "paused", False)):
            Campaign.objects.update(prepared_at=timezone.now() - timedelta(minutes=minutes), state=state)
            assert ("but no email leaves" in read(client, campaign)) is is_told

    def test_failed_and_unknown_deliveries_are_listed_with_their_reasons(self) -> None:
        campaign = running_campaign()
        eva = SubscriptionFactory(email="eva@example.com", confirmed=True)
        values = {"subscription": eva, "last_error": "550 <eva@example.com> unknown"}
        failed = DeliveryFactory(campaign=campaign, state=DeliveryState.FAILED, **values)
        unknown = DeliveryFactory(campaign=campaign, state=DeliveryState.UNKNOWN)
        DeliveryFactory(campaign=campaign, state=DeliveryState.SENT, ended_at=timezone.now())
        client = staff_client("view_campaign", "view_subscription")
        response = client.get(get_path(campaign, "progress"))
        rows = [(row["delivery"], row["reason"]) for row in response.context["rows"]]
        assert rows == [(unknown, ""), (failed, "550 <eva@example.com> unknown")]
        assert "Unknown: the connection broke" in response.content.decode()
        unknown.delete()
        page = read(staff_client("view_campaign", email="other@example.com"), campaign)
        assert "Unknown" not in page
        assert "550" in page
        assert "eva@example.com" not in page

    def test_time_until_a_campaign_goes_out_is_grammatical_czech(self) -> None:
        at = timezone.now() + timedelta(minutes=60, seconds=50)
        campaign = CampaignFactory(state=CampaignState.SCHEDULED, scheduled_at=at)
        client = staff_client("view_campaign")
        client.cookies["django_language"] = "cs"
        assert "Do odeslání zbývá: 1\xa0hodina." in read(client, campaign)


class TestActions:
    @pytest.mark.parametrize(
        ("before", "name", "after"),
        [
            (CampaignState.SENDING, "pause", {"state": CampaignState.PAUSED}),
            (CampaignState.PAUSED, "resume", {"state": CampaignState.SENDING}),
            (CampaignState.SENDING, "cancel", {"state": CampaignState.CANCELLED}),
            (CampaignState.SCHEDULED, "unschedule", {"state": CampaignState.DRAFT}),
            (CampaignState.SENDING, "withdraw", {"is_public": False}),
            (CampaignState.SENT, "publish", {"is_public": True}),
        ],
    )
    def test_action_is_done_once(self, before: str, name: str, after: dict[str, Any]) -> None:
        campaign, client, action = running_campaign(before), sender(), sending.ACTIONS[name]
        scheduled_at = timezone.now() + timedelta(hours=1)
        Campaign.objects.update(scheduled_at=scheduled_at, is_public=name == "withdraw")
        DeliveryFactory(campaign=campaign)
        assert get_path(campaign, name) in read(client, campaign, action.page)
        for _click in range(2):
            page = post(client, campaign, name)
            assert get_messages(page) == [str(action.done)]
            assert Campaign.objects.filter(**after).exists()
        assert history() == [action.log_entry]

    def test_action_that_the_state_forbids_is_refused_with_a_message(self) -> None:
        campaign = running_campaign(CampaignState.CANCELLED)
        page = post(sender(), campaign, "resume")
        assert [message.level_tag for message in page.context["messages"]] == ["error"]
        assert get_state(campaign) == CampaignState.CANCELLED
        assert history() == []

    def test_get_changes_nothing(self) -> None:
        campaign, client = running_campaign(), sender()
        for name in sending.ACTIONS:
            client.get(get_path(campaign, name))
        assert get_state(campaign) == CampaignState.SENDING
        assert not campaign.is_public

    @pytest.mark.parametrize("state", [CampaignState.DRAFT, CampaignState.SCHEDULED, CampaignState.CANCELLED])
    def test_campaign_that_was_not_sent_is_not_put_into_the_archive(self, state: CampaignState) -> None:
        campaign = CampaignFactory(state=state)
        page = post(sender(), campaign, "publish")
        assert get_path(campaign, "publish") not in page.content.decode()
        assert get_messages(page) == ["The campaign has not been sent."]
        assert not Campaign.objects.filter(is_public=True).exists()


class TestPause:
    def test_page_and_list_say_since_when_and_by_whom(self, time_machine: TimeMachineFixture) -> None:
        time_machine.move_to("2026-11-26 10:09Z")
        campaign, client = running_campaign(), sender()
        post(client, campaign, "pause")
        time_machine.shift(timedelta(hours=1))
        post(client, campaign, "resume")
        post(client, campaign, "pause")
        words = "aused Nov\xa026,\xa02026, 11:09 by staff@example.com"
        for path in (get_path(campaign, "progress"), get_path(campaign, "progress/status"), LIST):
            assert words in client.get(path).content.decode()
        page = post(client, campaign, "resume").content.decode()
        assert words not in page
        assert "started Nov\xa026,\xa02026" in client.get(LIST).content.decode()

    def test_admin_who_paused_nothing_is_not_named(self) -> None:
        campaign, client = running_campaign(), sender()
        campaign.created_by = User.objects.get(email="staff@example.com")
        campaign.save()
        services.stop_after_restore()
        page = read(client, campaign)
        assert "Paused automatically" in page
        assert "by staff@example.com" not in page

    def test_campaign_that_was_paused_without_an_entry_shows_its_start(self) -> None:
        campaign, client = running_campaign(CampaignState.PAUSED), sender()
        assert "Paused. Nothing goes out until it is resumed." in read(client, campaign)
        assert ">started " in client.get(LIST).content.decode()


class TestHistory:
    def list_entries(self, client: Client, campaign: Campaign) -> list[tuple[str, tuple[str, ...]]]:
        response = client.get(get_path(campaign, "history"))
        return [(entry.text, entry.details) for entry in response.context["entries"]]

    def test_newest_entry_is_first_and_each_names_its_admin(self, time_machine: TimeMachineFixture) -> None:
        time_machine.move_to("2026-11-26 10:00Z")
        SubscriptionFactory(confirmed=True)
        client = staff_client("view_campaign", "send_campaign", "change_campaign")
        staff = "staff@example.com"
        campaign = CampaignFactory(created_by=User.objects.get(email=staff))
        save(editor(), campaign, subject_cs="Vítr", is_public="on")
        post(client, campaign, "test", addresses=staff, languages="en")
        for name, values in (
            ("send", SEND_LATER),
            ("unschedule", {}),
            ("send", SEND_LATER),
            ("send", SEND_NOW),
            ("pause", {}),
            ("resume", {}),
            ("cancel", {}),
        ):
            time_machine.shift(timedelta(minutes=1))
            post(client, campaign, name, **values)
        assert self.list_entries(client, campaign) == [
            ("Sending canceled.", (staff,)),
            ("Resumed.", (staff,)),
            ("Paused.", (staff,)),
            ("Sending started.", (staff,)),
            ("Scheduled.", (staff, "for Jan\xa01,\xa02100, 10:30")),
            ("Back to draft.", (staff,)),
            ("Scheduled.", (staff,)),
            ("Sent a test.", (staff,)),
            ("Edited.", ("editor@example.com", "Show it in the public archive, Subject (Čeština)")),
            ("Created.", (staff,)),
        ]
        client.cookies["django_language"] = "cs"
        (_admin, fields) = self.list_entries(client, campaign)[-2][1]
        assert fields == "Zařadit do veřejného archivu, Předmět (Čeština)"

    def test_no_admin_is_named_for_what_happened_without_one(self) -> None:
        campaign, client = running_campaign(CampaignState.SENT), sender()
        Campaign.objects.update(finished_at=timezone.now() + timedelta(minutes=9))
        admin = User.objects.get(email="staff@example.com")
        for event in services.AUTOMATIC_EVENTS:
            LogEntry.objects.log_actions(admin.pk, [campaign], CHANGE, event)
        [newest, *entries] = self.list_entries(client, campaign)
        assert newest == ("All emails were sent.", ())
        assert {text for text, _details in entries} == {"Created.", *services.AUTOMATIC_EVENTS}
        assert not any(details for _text, details in entries)


class TestPermissions:
    def test_every_permission_on_campaigns_includes_viewing_them(self) -> None:
        path = get_path(running_campaign(), "progress")
        assert staff_client("view_subscription").get(path).status_code == 403
        for permission in ("view_campaign", "add_campaign", "send_campaign", "view_campaign_figures"):
            assert staff_client(permission, email=f"{permission}@example.com").get(path).status_code == 200

    def test_every_link_works_with_a_single_permission(self) -> None:
        client = staff_client("send_campaign")
        campaigns: list[Campaign] = [
            CampaignFactory(),
            running_campaign(),
            running_campaign(CampaignState.SENT),
        ]
        seen: set[str] = set()
        waiting = ["/admin/"]
        while waiting:
            path = waiting.pop()
            seen.add(path)
            response = client.get(path)
            assert response.status_code == 200, path
            found = set(re.findall(r'href="(/admin/(?:campaigns/[^"?#]*)?)"', response.content.decode()))
            waiting += found - seen - set(waiting)
        assert {get_path(campaign) for campaign in campaigns} <= seen


class TestSubscriberPage:
    def test_newest_campaigns_of_a_subscriber_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(row_page, "SHOWN_ENTRIES", 2)
        subscription = SubscriptionFactory(confirmed=True)
        for number, state in enumerate((DeliveryState.SENT, DeliveryState.SENT, DeliveryState.UNKNOWN)):
            campaign = CampaignFactory(name=f"Issue {number}", state=CampaignState.SENT)
            values = {"subscription": subscription, "unsubscribed_at": timezone.now()}
            DeliveryFactory(campaign=campaign, state=state, **values)
        path = f"/admin/newsletter/subscription/{subscription.pk}/change/"
        client = staff_client("view_subscription", "view_campaign")
        entries = client.get(path).context["entries"]
        assert [(entry.text, entry.details) for entry in entries] == [
            ("Campaign “Issue 2”", ("may have arrived", "unsubscribed")),
            ("Campaign “Issue 1”", ("sent", "unsubscribed")),
        ]
        Campaign.objects.update(state=CampaignState.CANCELLED, finished_at=timezone.now())
        Delivery.objects.update(state=DeliveryState.WAITING, unsubscribed_at=None)
        entries = client.get(path).context["entries"]
        assert {(entry.details, entry.tone) for entry in entries} == {
            (("not sent, because it was canceled",), "off")
        }
        other = staff_client("view_subscription", email="other@example.com")
        assert "Issue" not in other.get(path).content.decode()
