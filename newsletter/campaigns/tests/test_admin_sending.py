"""The pages on which a campaign is sent, scheduled, followed, paused and cancelled."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import services
from newsletter.campaigns.admin import pages, sending
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import row_page
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

User: Any = get_user_model()

PRAGUE = ZoneInfo("Europe/Prague")
LIST = "/admin/campaigns/campaign/"
SEND_NOW = {"send": "now"}
SEND_LATER = {"schedule": "at", "at_0": "2100-01-01", "at_1": "10:30", "zone": "UTC"}


def create_campaign(state: str = CampaignState.DRAFT, **values: Any) -> Campaign:
    campaign: Campaign = CampaignFactory(state=state, **values)
    return campaign


def running_campaign(state: str = CampaignState.SENDING) -> Campaign:
    at = timezone.now() - timedelta(minutes=5)
    return create_campaign(state, started_at=at, prepared_at=at)


def deliver(campaign: Campaign, state: DeliveryState, **values: Any) -> Delivery:
    delivery: Delivery = DeliveryFactory(campaign=campaign, state=state, **values)
    return delivery


def sender() -> Client:
    return staff_client("view_campaign", "send_campaign")


def get_path(campaign: Campaign, name: str) -> str:
    return f"{LIST}{campaign.pk}/{name}/"


def read(client: Client, campaign: Campaign, name: str = "progress") -> str:
    response = client.get(get_path(campaign, name))
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, campaign: Campaign, name: str, **values: Any) -> Any:
    """Post a form, that of the send page with the version that is stored now and one recipient."""
    values = {"expected_version": services.get_version(Campaign.objects.get(pk=campaign.pk), 1), **values}
    return client.post(get_path(campaign, name), values, follow=True)


def save_as_another_admin(campaign: Campaign, change: dict[str, str]) -> None:
    """Change a campaign in its editor."""
    client = staff_client("change_campaign", email="editor@example.com")
    path = get_path(campaign, "change")
    form = client.get(path).context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    values = {name: value for name, value in values.items() if value not in (None, False)}
    assert client.post(path, values | change).status_code == 302


def messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]


def get_state(campaign: Campaign) -> str:
    campaign.refresh_from_db()
    return campaign.state


def history() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


class TestSendPage:
    def test_page_counts_each_audience_and_language(self) -> None:
        SubscriptionFactory.create_batch(2, confirmed=True, language="cs")
        SubscriptionFactory(confirmed=True, user_type="company")
        SubscriptionFactory()  # not confirmed
        context = sender().get(get_path(create_campaign(), "send")).context
        assert context["total"] == 3
        assert context["counts"] == [
            ("Companies", "English", 1),
            ("Sailors", "Čeština", 2),
        ]

    def test_errors_hide_the_buttons(self) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = create_campaign(), sender()
        assert "expected_version" in read(client, campaign, "send")
        campaign.texts.update(subject="")
        page = read(client, campaign, "send")
        assert "1 error to fix before it can be sent" in page
        assert f'<a class="button" href="{get_path(campaign, "change")}">Fix the text</a>' not in page
        assert "expected_version" not in page
        editor = staff_client("send_campaign", "change_campaign", email="editor@example.com")
        assert f'<a class="button" href="{get_path(campaign, "change")}">Fix the text</a>' in read(
            editor, campaign, "send"
        )

    def test_problems_lead_to_their_lines_in_the_editor(self) -> None:
        campaign = create_campaign()
        campaign.texts.filter(language="cs").update(body="Ahoj\n\n<b>vy</b>")
        link = f'href="{get_path(campaign, "change")}#id_body_cs:3"'
        assert link not in read(sender(), campaign, "send")
        editor = staff_client("send_campaign", "change_campaign", email="editor@example.com")
        assert link in read(editor, campaign, "send")

    @pytest.mark.parametrize(
        ("is_public", "words"), [(True, "this issue is public"), (False, "not in the public archive")]
    )
    def test_page_says_whether_the_issue_becomes_public(self, is_public: bool, words: str) -> None:
        assert words in read(sender(), create_campaign(is_public=is_public), "send")

    def test_links_are_opened_on_request_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        dead = {"https://boats.example/": "This page is dead."}
        monkeypatch.setattr(pages, "find_dead_links", lambda texts: (len(texts), dead))
        monkeypatch.setattr(pages, "LINK_CHECK_RATE", "1/h")
        campaign, client = create_campaign(), sender()
        campaign.texts.update(body="[a](https://boats.example/)")
        page = read(client, campaign, "send")
        assert "This page is dead" not in page
        assert "looks like a placeholder" in page
        html = post(client, campaign, "send", links="check").content.decode()
        assert re.search(r"2 addresses checked,\s+1 does not work", html)
        assert html.count("This page is dead.") == 1
        assert "looks like a placeholder" not in html
        assert "Too many attempts" in post(client, campaign, "send", links="check").content.decode()
        assert Campaign.objects.get().state == CampaignState.DRAFT

    def test_audience_without_subscribers_cannot_be_sent_to(self) -> None:
        page = read(sender(), create_campaign(), "send")
        assert "Nobody is in this audience" in page
        assert "expected_version" not in page

    def test_campaign_is_sent_now_and_a_second_click_changes_nothing(self) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = create_campaign(), sender()
        page = post(client, campaign, "send", send="now")
        assert page.redirect_chain[-1][0] == get_path(campaign, "progress")
        assert messages(page) == ["The campaign is on its way."]
        assert get_state(campaign) == CampaignState.SENDING
        started_at = campaign.started_at
        assert messages(post(client, campaign, "send", send="now")) == []
        assert get_state(campaign) == CampaignState.SENDING
        assert campaign.started_at == started_at
        assert history() == ["Sending started."]

    def test_changed_number_is_shown_before_anything_is_sent(self) -> None:
        SubscriptionFactory.create_batch(2, confirmed=True)
        campaign, client = create_campaign(), sender()
        page = post(client, campaign, "send", send="now")
        assert "the number of its recipients has changed" in page.context["refusal"]
        assert "<strong>2</strong> subscribers" in page.content.decode()
        assert get_state(campaign) == CampaignState.DRAFT
        assert history() == []
        post(client, campaign, "send", expected_version=page.context["version"], send="now")
        assert get_state(campaign) == CampaignState.SENDING

    @pytest.mark.parametrize("button", [SEND_NOW, SEND_LATER])
    @pytest.mark.parametrize(
        "change",
        [{"body_en": "Other news"}, {"is_public": "on"}],
    )
    def test_campaign_that_was_changed_meanwhile_is_shown_again(
        self, change: dict[str, str], button: dict[str, str]
    ) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = create_campaign(), sender()
        version = client.get(get_path(campaign, "send")).context["version"]
        save_as_another_admin(campaign, change)
        page = post(client, campaign, "send", expected_version=version, **button)
        assert "The campaign or the number" in page.context["refusal"]
        assert get_state(campaign) == CampaignState.DRAFT
        version = page.context["version"]
        assert f'name="expected_version" value="{version}"' in page.content.decode()
        post(client, campaign, "send", expected_version=version, **button)
        assert get_state(campaign) != CampaignState.DRAFT

    @pytest.mark.parametrize("values", [{}, {"send": "now", "expected_version": ""}])
    def test_incomplete_form_sends_nothing(self, values: dict[str, str]) -> None:
        SubscriptionFactory(confirmed=True)
        campaign = create_campaign()
        assert post(sender(), campaign, "send", **values).status_code == 200
        assert get_state(campaign) == CampaignState.DRAFT


class TestSchedule:
    @pytest.fixture
    def client(self) -> Client:
        SubscriptionFactory(confirmed=True)
        client = sender()
        client.cookies["time_zone"] = "Europe/Prague"
        return client

    def schedule(self, client: Client, campaign: Campaign, **values: str) -> Any:
        local = timezone.localtime(timezone.now() + timedelta(days=40), PRAGUE)
        given = {"at_0": local.date().isoformat(), "at_1": "10:30", "zone": "Europe/Prague"} | values
        return post(client, campaign, "send", schedule="at", **given)

    def test_time_is_that_of_the_zone_on_the_page(self, client: Client) -> None:
        campaign = create_campaign()
        assert "Time zone: Europe/Prague" in read(client, campaign, "send")
        page = self.schedule(client, campaign)
        assert get_state(campaign) == CampaignState.SCHEDULED
        assert campaign.scheduled_at
        local = campaign.scheduled_at.astimezone(PRAGUE)
        assert (local.hour, local.minute) == (10, 30)
        assert "10:30 (Europe/Prague)" in messages(page)[0]
        assert "10:30 (Europe/Prague)" in read(client, campaign)
        assert history() == ["Scheduled."]

    @pytest.mark.parametrize(
        ("values", "error"),
        [
            ({"at_0": "2020-01-01"}, "This time has passed. Choose a later one."),
            ({"at_1": ""}, "Choose the date and the time."),
            ({"zone": "UTC"}, "Times are now those of Europe/Prague. Please check the time."),
        ],
        ids=["past", "no time", "other time zone"],
    )
    def test_time_is_refused(self, client: Client, values: dict[str, str], error: str) -> None:
        campaign = create_campaign()
        page = self.schedule(client, campaign, **values)
        assert page.context["form"].errors["at"] == [error]
        assert get_state(campaign) == CampaignState.DRAFT

    @pytest.mark.parametrize(
        ("zone", "day", "time", "moment", "said"),
        [
            ("Europe/Prague", "2027-03-28", "01:59", "2027-03-28T00:59Z", "01:59 (Europe/Prague)."),
            ("Europe/Prague", "2027-03-28", "02:00", "", "Choose 03:00, for example."),
            ("Europe/Prague", "2027-03-28", "02:30", "", "Choose 03:30, for example."),
            ("Europe/Prague", "2027-03-28", "03:00", "2027-03-28T01:00Z", "03:00 (Europe/Prague)."),
            ("Europe/Prague", "2027-10-31", "01:59", "2027-10-30T23:59Z", "01:59 (Europe/Prague)."),
            ("Europe/Prague", "2027-10-31", "02:00", "2027-10-31T00:00Z", ", the first time that"),
            ("Europe/Prague", "2027-10-31", "02:59", "2027-10-31T00:59Z", ", the first time that"),
            ("Europe/Prague", "2027-10-31", "03:00", "2027-10-31T02:00Z", "03:00 (Europe/Prague)."),
            ("America/New_York", "2027-03-14", "02:15", "", "Choose 03:15, for example."),
            ("America/New_York", "2027-11-07", "01:15", "2027-11-07T05:15Z", ", the first time that"),
            ("Australia/Lord_Howe", "2027-10-03", "02:10", "", "Choose 02:40, for example."),
            ("Australia/Lord_Howe", "2027-04-04", "01:45", "2027-04-03T14:45Z", ", the first time that"),
            ("UTC", "2027-03-28", "02:30", "2027-03-28T02:30Z", "02:30 (UTC)."),
            ("America/New_York", "9999-12-31", "23:59", "", "Enter a valid date."),
            ("Europe/Prague", "0001-01-01", "00:00", "", "Enter a valid date."),
        ],
    )
    def test_time_around_a_change_of_the_clocks(
        self, time_machine: TimeMachineFixture, zone: str, day: str, time: str, moment: str, said: str
    ) -> None:
        time_machine.move_to("2027-01-15")
        SubscriptionFactory(confirmed=True)
        client = sender()
        client.cookies["time_zone"] = zone
        campaign = create_campaign()
        page = self.schedule(client, campaign, at_0=day, at_1=time, zone=zone)
        campaign.refresh_from_db()
        if moment:
            assert campaign.scheduled_at == datetime.fromisoformat(moment)
            assert said in messages(page)[0]
        else:
            assert campaign.state == CampaignState.DRAFT
            [error] = page.context["form"].errors["at"]
            assert said in error

    def test_second_click_schedules_nothing_new(self, client: Client) -> None:
        campaign = create_campaign()
        shown = {"expected_version": services.get_version(campaign, 1)}
        first, second = (messages(self.schedule(client, campaign, **shown)) for _click in range(2))
        assert first == second
        assert history() == ["Scheduled."]

    def test_scheduled_campaign_gets_another_time_or_is_sent_now(self, client: Client) -> None:
        campaign = create_campaign()
        self.schedule(client, campaign)
        assert get_path(campaign, "send") in read(client, campaign)
        page = read(client, campaign, "send")
        assert "10:30 (Europe/Prague)" in page
        assert 'value="10:30"' in page  # the fields begin with the present time
        self.schedule(client, campaign, at_1="11:45")
        assert "11:45 (Europe/Prague)" in read(client, campaign)
        post(client, campaign, "send", send="now")
        assert get_state(campaign) == CampaignState.SENDING
        assert history() == ["Scheduled.", "Scheduled.", "Sending started."]


class TestProgressPage:
    def test_page_shows_the_numbers_until_the_campaign_ends(self) -> None:
        campaign, client = running_campaign(), staff_client("view_campaign")
        now = timezone.now()
        for _number in range(3):
            deliver(campaign, DeliveryState.SENT, ended_at=now)
        deliver(campaign, DeliveryState.WAITING)
        deliver(campaign, DeliveryState.SKIPPED, skip_reason=SkipReason.BOUNCED, ended_at=now)
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

    def test_scheduled_campaign_shows_what_goes_out_to_how_many(self) -> None:
        SubscriptionFactory.create_batch(2, confirmed=True)
        at = timezone.now() + timedelta(hours=1)
        campaign, client = create_campaign(CampaignState.SCHEDULED, scheduled_at=at), sender()
        page = read(client, campaign)
        assert "<dt>Recipients as of today</dt><dd>2</dd>" in page
        for text in campaign.list_texts():
            assert text.subject in page
        assert "You can leave this page" not in page

    def test_preparation_shows_how_many_recipients_are_found(self) -> None:
        campaign = running_campaign()
        Campaign.objects.update(prepared_at=None)
        deliver(campaign, DeliveryState.WAITING)
        page = read(sender(), campaign)
        assert "The list of recipients is being made: 1 so far" in page
        assert "value=" not in page.partition("<progress")[2].partition(">")[0]

    def test_cancelled_campaign_is_followed_until_the_last_mail_is_through(self) -> None:
        campaign, client = running_campaign(CampaignState.CANCELLED), sender()
        delivery = deliver(campaign, DeliveryState.SENDING)
        deliver(campaign, DeliveryState.WAITING)
        page = read(client, campaign)
        assert 'data-running="cancelled"' in page
        assert "poll.js" in page
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.SENT, ended_at=timezone.now())
        page = read(client, campaign)
        assert "data-running" not in page
        assert "Not sent" in page
        Campaign.objects.update(finished_at=timezone.now())
        page = read(client, campaign)
        assert "<dt>Canceled</dt>" in page
        assert "Finished" not in page

    @pytest.mark.parametrize(("minutes", "is_told"), [(7, False), (9, True)])
    def test_page_says_when_no_email_leaves(self, minutes: int, is_told: bool) -> None:
        campaign = running_campaign()
        Campaign.objects.update(prepared_at=timezone.now() - timedelta(minutes=minutes))
        deliver(campaign, DeliveryState.WAITING)
        client = sender()
        assert ("but no email leaves" in read(client, campaign)) is is_told
        Campaign.objects.update(state=CampaignState.PAUSED)
        assert "but no email leaves" not in read(client, campaign)

    def test_failed_and_unknown_deliveries_are_listed_with_their_reasons(self) -> None:
        campaign = running_campaign()
        failed = deliver(campaign, DeliveryState.FAILED, last_error="550 no such user")
        unknown = deliver(campaign, DeliveryState.UNKNOWN)
        deliver(campaign, DeliveryState.SENT, ended_at=timezone.now())
        client = sender()
        context = client.get(get_path(campaign, "progress")).context
        assert [row["delivery"] for row in context["rows"]] == [unknown, failed]
        assert [row["reason"] for row in context["rows"]] == ["", "550 no such user"]
        assert "Unknown: the connection broke" in read(client, campaign)
        unknown.delete()
        assert "Unknown" not in read(client, campaign)

    @pytest.mark.parametrize("may_see", [True, False])
    def test_addresses_need_the_permission_to_view_subscribers(self, may_see: bool) -> None:
        campaign = running_campaign()
        subscription = SubscriptionFactory(email="eva@example.com", confirmed=True)
        deliver(
            campaign,
            DeliveryState.FAILED,
            subscription=subscription,
            last_error="550 <eva@example.com> unknown",
        )
        client = staff_client("view_campaign", *(["view_subscription"] if may_see else []))
        assert ("eva@example.com" in read(client, campaign)) is may_see


class TestActions:
    @pytest.mark.parametrize(
        ("before", "name", "after", "entry"),
        [
            (CampaignState.SENDING, "pause", CampaignState.PAUSED, "Paused."),
            (CampaignState.PAUSED, "resume", CampaignState.SENDING, "Resumed."),
            (CampaignState.SENDING, "cancel", CampaignState.CANCELLED, "Sending canceled."),
            (CampaignState.PAUSED, "cancel", CampaignState.CANCELLED, "Sending canceled."),
            (CampaignState.SCHEDULED, "unschedule", CampaignState.DRAFT, "Back to draft."),
        ],
    )
    def test_action_is_done_once_however_often_it_is_clicked(
        self, before: str, name: str, after: str, entry: str
    ) -> None:
        campaign, client = running_campaign(before), sender()
        Campaign.objects.update(scheduled_at=timezone.now() + timedelta(hours=1))
        deliver(campaign, DeliveryState.WAITING)
        assert get_path(campaign, name) in read(client, campaign)
        for _click in range(2):
            page = post(client, campaign, name)
            assert messages(page) == [str(sending.ACTIONS[name].done)]
            assert get_state(campaign) == after
        assert history() == [entry]

    def test_progress_says_who_canceled(self) -> None:
        campaign, client = running_campaign(CampaignState.SENDING), sender()
        deliver(campaign, DeliveryState.WAITING)
        post(client, campaign, "cancel")
        assert f"({client.get('/admin/').context['user']})</dd>" in read(client, campaign)

    def test_action_that_the_state_forbids_is_refused_with_a_message(self) -> None:
        campaign, client = running_campaign(CampaignState.CANCELLED), sender()
        page = post(client, campaign, "resume")
        assert messages(page)
        assert "error" in {message.level_tag for message in page.context["messages"]}
        assert get_state(campaign) == CampaignState.CANCELLED
        assert history() == []

    @pytest.mark.parametrize("name", sorted(sending.ACTIONS))
    def test_get_changes_nothing(self, name: str) -> None:
        campaign = running_campaign()
        sender().get(get_path(campaign, name))
        assert get_state(campaign) == CampaignState.SENDING


class TestArchive:
    @pytest.mark.parametrize(
        ("is_public", "name", "event"),
        [
            (True, "withdraw", "Taken out of the public archive."),
            (False, "publish", "Put into the public archive."),
        ],
    )
    @pytest.mark.parametrize("state", sending.IN_ARCHIVE)
    def test_issue_is_put_into_the_archive_or_taken_out(
        self, state: CampaignState, is_public: bool, name: str, event: str
    ) -> None:
        campaign, client = running_campaign(state), sender()
        Campaign.objects.update(is_public=is_public)
        assert get_path(campaign, name) in read(client, campaign, "change")
        pages = [post(client, campaign, name) for _click in range(2)]
        assert messages(pages[0]) == messages(pages[1])
        assert pages[0].redirect_chain[-1][0] == get_path(campaign, "change")
        campaign.refresh_from_db()
        assert campaign.is_public is not is_public
        assert history() == [event]

    @pytest.mark.parametrize("state", [CampaignState.DRAFT, CampaignState.SCHEDULED, CampaignState.CANCELLED])
    def test_other_campaigns_are_not_put_into_the_archive(self, state: CampaignState) -> None:
        campaign, client = create_campaign(state), sender()
        assert get_path(campaign, "publish") not in read(client, campaign, "change")
        assert messages(post(client, campaign, "publish")) == ["The campaign has not been sent."]
        campaign.refresh_from_db()
        assert not campaign.is_public


class TestPause:
    def test_page_and_list_say_when_a_campaign_was_paused_and_by_whom(
        self, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.move_to("2026-11-26 10:09Z")
        campaign, client = running_campaign(), sender()
        post(client, campaign, "pause")
        time_machine.shift(timedelta(hours=1))
        post(client, campaign, "resume")
        post(client, campaign, "pause")
        words = "aused Nov 26, 2026, 11:09 by staff@example.com"
        for path in (get_path(campaign, "progress"), get_path(campaign, "progress/status"), LIST):
            assert words in client.get(path).content.decode()
        post(client, campaign, "resume")
        assert words not in read(client, campaign)
        assert "started Nov 26, 2026" in client.get(LIST).content.decode()

    @pytest.mark.parametrize(
        "stop", [services.pause_abandoned, lambda _campaign: services.stop_after_restore()]
    )
    def test_admin_who_paused_nothing_is_not_named(self, stop: Callable[[Campaign], Any]) -> None:
        client = sender()
        at = timezone.now() - timedelta(hours=2)
        campaign = create_campaign(
            CampaignState.SENDING, started_at=at, created_by=User.objects.get(email="staff@example.com")
        )
        Campaign.objects.update(changed_at=at)
        campaign.refresh_from_db()
        stop(campaign)
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
        campaign = create_campaign(created_by=User.objects.get(email=staff))
        save_as_another_admin(campaign, {"subject_cs": "Vítr", "name": "June"})
        post(client, campaign, "test", addresses=staff, languages="en", audience="sailor")
        for name, values in (
            ("send", SEND_LATER),
            ("unschedule", {}),
            ("send", SEND_LATER),
            ("send", SEND_NOW),
        ):
            time_machine.shift(timedelta(minutes=1))
            post(client, campaign, name, **values)
        for name in ("pause", "resume", "cancel"):
            time_machine.shift(timedelta(minutes=1))
            post(client, campaign, name)
        assert self.list_entries(client, campaign) == [
            ("Sending canceled.", (staff,)),
            ("Resumed.", (staff,)),
            ("Paused.", (staff,)),
            ("Sending started.", (staff,)),
            ("Scheduled.", (staff, "for Jan 1, 2100, 10:30")),
            ("Back to draft.", (staff,)),
            ("Scheduled.", (staff,)),
            ("Sent a test.", (staff,)),
            ("Edited.", ("editor@example.com", "Name, Subject (Čeština)")),
            ("Created.", (staff,)),
        ]

    def test_changed_fields_have_their_names_in_czech(self) -> None:
        campaign, client = create_campaign(), sender()
        save_as_another_admin(campaign, {"subject_en": "Wind", "is_public": "on"})
        client.cookies["django_language"] = "cs"
        [(_text, (_admin, fields)), _created] = self.list_entries(client, campaign)
        assert fields == "Zařadit do veřejného archivu, Předmět (English)"

    def test_end_of_a_campaign_is_in_its_history(self) -> None:
        campaign = running_campaign(CampaignState.SENT)
        Campaign.objects.update(finished_at=timezone.now() + timedelta(minutes=9))
        entries = self.list_entries(sender(), campaign)
        assert entries == [("All emails were sent.", ()), ("Created.", ())]

    @pytest.mark.parametrize("event", services.AUTOMATIC_EVENTS)
    def test_admin_is_not_named_for_what_happened_without_one(self, event: str) -> None:
        campaign, client = create_campaign(), sender()
        admin = User.objects.get(email="staff@example.com")
        LogEntry.objects.log_actions(admin.pk, [campaign], CHANGE, event)
        assert (event, ()) in self.list_entries(client, campaign)


class TestPermissions:
    @pytest.mark.parametrize("name", ["progress", "progress/status", "change", "history"])
    def test_every_permission_on_campaigns_includes_viewing_them(self, name: str) -> None:
        path = get_path(running_campaign(), name)
        assert staff_client("view_subscription").get(path).status_code == 403
        for permission in ("view_campaign", "add_campaign", "send_campaign", "view_campaign_figures"):
            assert staff_client(permission, email=f"{permission}@example.com").get(path).status_code == 200

    @pytest.mark.parametrize("permission", ["send_campaign", "view_campaign_figures"])
    def test_every_link_works_with_a_single_permission(self, permission: str) -> None:
        client = staff_client(permission)
        campaigns = [create_campaign(), running_campaign(), running_campaign(CampaignState.SENT)]
        seen: set[str] = set()
        waiting = ["/admin/"]
        while waiting:
            path = waiting.pop()
            seen.add(path)
            response = client.get(path)
            assert response.status_code == 200, path
            found = set(re.findall(r'href="(/admin/(?:campaigns/[^"?#]*)?)"', response.content.decode()))
            waiting += found - seen - set(waiting)
        assert {get_path(campaign, "change") for campaign in campaigns} <= seen


class TestSubscriberPage:
    def test_newest_campaigns_of_a_subscriber_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(row_page, "SHOWN_ENTRIES", 2)
        subscription = SubscriptionFactory(confirmed=True)
        for number in range(3):
            campaign = create_campaign(CampaignState.SENT)
            Campaign.objects.filter(pk=campaign.pk).update(name=f"Issue {number}")
            deliver(campaign, DeliveryState.SENT, subscription=subscription, unsubscribed_at=timezone.now())
        path = f"/admin/newsletter/subscription/{subscription.pk}/change/"
        client = staff_client("view_subscription", "view_campaign")
        entries = client.get(path).context["entries"]
        assert [(entry.text, entry.details) for entry in entries] == [
            ("Campaign “Issue 2”", ("sent", "unsubscribed")),
            ("Campaign “Issue 1”", ("sent", "unsubscribed")),
        ]

    def test_campaign_whose_fate_is_unknown_may_have_arrived(self) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        deliver(create_campaign(CampaignState.SENT), DeliveryState.UNKNOWN, subscription=subscription)
        client = staff_client("view_subscription", "view_campaign")
        (entry,) = client.get(f"/admin/newsletter/subscription/{subscription.pk}/change/").context["entries"]
        assert entry.details == ("may have arrived",)

    def test_campaigns_are_hidden_without_the_permission_to_view_them(self) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        deliver(create_campaign(CampaignState.SENT), DeliveryState.SENT, subscription=subscription)
        page = staff_client("view_subscription").get(
            f"/admin/newsletter/subscription/{subscription.pk}/change/"
        )
        assert page.status_code == 200
        assert "Spring regatta" not in page.content.decode()
