"""Campaigns in Django admin: the home page, the list, the editor, sending, and the results."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.admin.templatetags.admin_list import results
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import Settings

from newsletter.campaigns import models, services
from newsletter.campaigns.admin import sending
from newsletter.campaigns.models import Campaign, CampaignState, DeliveryState
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, start_campaign
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/campaign/"
ADD = f"{LIST}add/"
WRITE = ("view_campaign", "add_campaign", "change_campaign")
DAY = timedelta(days=1)


def sender() -> Client:
    return staff_client("view_campaign", "send_campaign")


def get_path(campaign: Campaign, name: str = "change") -> str:
    return f"{LIST}{campaign.pk}/{name}/"


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode().replace("<wbr>", "")


def read_text(client: Client, path: str) -> str:
    return " ".join(strip_tags(read(client, path).replace("<", " <")).split())


def post(client: Client, campaign: Campaign, name: str, **values: Any) -> Any:
    """Post a form, that of the send page with the version that is stored now."""
    values = {"expected_version": services.get_version(Campaign.objects.get(pk=campaign.pk)), **values}
    return client.post(get_path(campaign, name), values, follow=True)


def read_form(client: Client, path: str, **changes: str) -> dict[str, str]:
    """Return what a browser would post from the form of a page, with some changes."""
    form = client.get(path).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: str(value) for name, value in values.items() if value not in (None, False)} | changes


def save(client: Client, campaign: Campaign, **changes: str) -> Any:
    path = get_path(campaign)
    return client.post(path, read_form(client, path, **changes))


def get_messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]


def get_state(campaign: Campaign) -> str:
    campaign.refresh_from_db()
    return campaign.state


def history() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


def deliver(campaign: Campaign, state: DeliveryState, number: int = 1, **values: Any) -> None:
    DeliveryFactory.create_batch(number, campaign=campaign, state=state, ended_at=timezone.now(), **values)
    Campaign.objects.filter(pk=campaign.pk).update(recipient_count=campaign.deliveries.count())


def test_numbers_at_home_are_those_of_the_lists_that_they_open() -> None:
    SubscriptionFactory.create_batch(2, confirmed=True)
    SubscriptionFactory(language="cs")
    for values in ({}, {"confirmed": True}):
        SubscriptionFactory(user_type="company", **values)
    SubscriptionFactory(confirmed=True, unsubscribed=True)
    client = staff_client("view_subscription")
    links = re.findall(r'href="(/admin/newsletter/subscription/\?[^"]+)">(\d+)<', read(client, "/admin/"))
    assert [number for _url, number in links] == ["2", "0", "0", "1", "1", "1", "3", "2"]
    for url, number in links:
        assert client.get(unescape(url)).context["cl"].result_count == int(number)
    lately = SubscriptionFactory.create_batch(2, bounced_at=timezone.now() - 6 * DAY)
    SubscriptionFactory(bounced_at=timezone.now() - 8 * DAY)
    ((notice, url),) = client.get("/admin/").context["attention"]
    assert notice == "2 addresses stopped working in the last 7 days."
    assert set(client.get(url).context["cl"].result_list) == set(lately)


def test_rows_have_the_numbers_and_lead_to_them_once_sending_has_begun() -> None:
    sent, draft = start_campaign(state=CampaignState.SENT), CampaignFactory(name="Draft")
    deliver(sent, DeliveryState.SENT, 3)
    deliver(sent, DeliveryState.SENT, unsubscribed_at=timezone.now())
    deliver(sent, DeliveryState.SKIPPED)
    models.CampaignLink.objects.create(campaign=sent, url="https://sailing.example/", clicks=3)
    CampaignFactory(name="Later", state=CampaignState.SCHEDULED, scheduled_at=timezone.now())
    running = CampaignFactory(name="Under way", state=CampaignState.SENDING)
    deliver(running, DeliveryState.WAITING, 4)
    deliver(running, DeliveryState.FAILED)
    Campaign.objects.filter(pk=running.pk).update(recipient_count=1600)
    page = staff_client("view_campaign").get(LIST)
    rows = [" ".join(" ".join(map(strip_tags, row)).split()) for row in results(page.context["cl"])]
    expected = {"Spring": "5 75.0 25.0%", "Under": "1,595 of 1,600", "Draft": "– – –", "Later": " for "}
    for name, numbers in expected.items():
        [row] = [row for row in rows if row.startswith(name)]
        assert numbers in row
    for path in (get_path(sent, "results"), get_path(draft)):
        assert f'href="{path}"' in page.content.decode()


class TestSendPage:
    def test_campaign_without_errors_is_sent_now_and_once(self) -> None:
        campaign = CampaignFactory()
        client = staff_client("view_campaign", "send_campaign", "change_campaign")
        path, button = get_path(campaign, "send"), "expected_version"
        page = read(client, path)
        assert "Nobody is in this audience" in page
        assert button not in page
        SubscriptionFactory(confirmed=True)
        assert button in read(client, path)
        campaign.texts.filter(language="cs").update(body="Ahoj\n\n<b>vy</b>")
        page = read(client, path)
        assert "1 error to fix before it can be sent" in page
        assert button not in page
        link = f'{get_path(campaign)}#id_body_cs:3"'
        assert link in page
        assert link not in read(staff_client("view_campaign", "send_campaign", email="x@example.com"), path)
        campaign.texts.filter(language="cs").update(body="Ahoj")
        page = post(client, campaign, "send", send="now")
        assert page.redirect_chain[-1][0] == get_path(campaign, "results")
        assert get_messages(page) == ["The campaign is on its way."]
        assert get_messages(post(client, campaign, "send", send="now")) == []
        assert get_state(campaign) == CampaignState.SENDING
        assert history() == ["Sending started."]

    def test_time_is_that_of_the_zone_of_the_site(self, settings: Settings) -> None:
        settings.TIME_ZONE = "Europe/Prague"
        SubscriptionFactory(confirmed=True)
        campaign, client = CampaignFactory(), sender()
        assert "Time zone: Europe/Prague" in read(client, get_path(campaign, "send"))
        for time, error in (("", "Choose the date and the time."), ("02:30", "may not exist.")):
            page = post(client, campaign, "send", schedule="at", at_0="2100-03-28", at_1=time)
            assert error in page.content.decode()
        page = post(client, campaign, "send", schedule="at", at_0="2100-01-01", at_1="10:30")
        assert "10:30 (Europe/Prague)." in get_messages(page)[0]
        assert "<dt>Recipients as of today</dt><dd>1</dd>" in page.content.decode()
        assert history() == ["Scheduled."]
        assert get_state(campaign) == CampaignState.SCHEDULED
        assert campaign.scheduled_at == datetime(2100, 1, 1, 9, 30, tzinfo=UTC)
        assert 'value="10:30"' in read(client, get_path(campaign, "send"))  # the fields begin with it


class TestResults:
    def test_page_follows_the_campaign_until_the_last_mail_is_through(self) -> None:
        campaign, client = start_campaign(), sender()
        deliver(campaign, DeliveryState.SENT, 3)
        deliver(campaign, DeliveryState.SENDING)
        deliver(campaign, DeliveryState.SKIPPED, skip_reason="bounced")
        for name in ("results", "results/status"):
            page = read(client, get_path(campaign, name))
            for part in ('data-running="sending"', 'max="5" value="4"', "4 of 5 processed"):
                assert part in page
            assert "bounced in the meantime (1)" in page
        assert 'data-running="cancelled"' in post(client, campaign, "cancel").content.decode()
        campaign.deliveries.filter(state=DeliveryState.SENDING).update(state=DeliveryState.WAITING)
        assert "data-running" not in read(client, get_path(campaign, "results"))
        assert "Not sent 1 20.0%" in read_text(client, get_path(campaign, "results"))

    def test_numbers_are_shares_of_recipients_and_sent_mails(self) -> None:
        campaign, now = start_campaign(state=CampaignState.SENT), timezone.now()
        deliver(campaign, DeliveryState.SENT, 5)
        deliver(campaign, DeliveryState.SENT, bounced_at=now)
        deliver(campaign, DeliveryState.SENT, complained_at=now)
        deliver(campaign, DeliveryState.SENT, unsubscribed_at=now)
        eva = SubscriptionFactory(email="eva@example.com", confirmed=True)
        error = "550 <eva@example.com> unknown"
        deliver(campaign, DeliveryState.FAILED, subscription=eva, bounced_at=now, last_error=error)
        deliver(campaign, DeliveryState.UNKNOWN, subscription=None, language="en")
        for url, clicks in (("https://sailing.example/few", 1), ("https://sailing.example/many", 2)):
            models.CampaignLink.objects.create(campaign=campaign, url=url, clicks=clicks)
        path = get_path(campaign, "results")
        text = read_text(staff_client("view_campaign", "view_subscription"), path)
        for part in (
            "Recipients 10 Sent 8 80.0% Clicks 3 37.5 per 100 Unsubscribed 1 12.5% Skipped 0 0.0% "
            "Failed 1 10.0% Bounced 1 12.5% Complaints 1 12.5% Unknown 1 10.0% "
            "Not delivered: the address does not work (1)",
            "sailing.example/many 2 https://sailing.example/few 1 Clicks are not people",
            "Unknown: the connection broke",
            "erased Unknown –",
            "eva@example.com Failed 550 &lt;eva@example.com&gt; unknown",
        ):
            assert part in text
        assert "eva@example.com" not in read(staff_client("view_campaign", email="x@example.com"), path)

    @pytest.mark.parametrize(
        ("before", "name", "after"),
        [
            (CampaignState.SENDING, "pause", {"state": CampaignState.PAUSED}),
            (CampaignState.SCHEDULED, "unschedule", {"state": CampaignState.DRAFT}),
            (CampaignState.SENDING, "withdraw", {"is_public": False}),
            (CampaignState.SENT, "publish", {"is_public": True}),
        ],
    )
    def test_action_is_done_once_by_post(self, before: str, name: str, after: dict[str, Any]) -> None:
        campaign, client = start_campaign(state=before, is_public=name == "withdraw"), sender()
        Campaign.objects.update(scheduled_at=timezone.now() + DAY)
        deliver(campaign, DeliveryState.WAITING)
        _service, log_entry, done = sending.ACTIONS[name]
        assert get_path(campaign, name) in read(client, get_path(campaign, "results"))
        client.get(get_path(campaign, name))
        assert history() == []
        assert get_messages(post(client, campaign, name)) == [str(done)]
        [message] = post(client, campaign, name).context["messages"]
        assert message.level_tag == "error"
        assert Campaign.objects.filter(**after).exists()
        assert history() == [log_entry]
        LogEntry.objects.log_actions(LogEntry.objects.get().user_id, [campaign], CHANGE, services.OVERDUE)
        entries = client.get(get_path(campaign, "results")).context["entries"]
        assert [entry.details for entry in entries] == [(), ("staff@example.com",)]  # the first is no admin's


def test_subscriber_has_a_history() -> None:
    viewer = staff_client("view_subscription", "view_campaign")
    other = staff_client("view_subscription", email="other@example.com")
    for ended, state, values, details, tone in (
        ("sent", DeliveryState.SENT, {"unsubscribed_at": timezone.now()}, ("sent", "unsubscribed"), "good"),
        ("sent", DeliveryState.UNKNOWN, {}, ("may have arrived",), "waiting"),
        ("sent", DeliveryState.SKIPPED, {"skip_reason": "paused"}, ("paused in the meantime",), "off"),
        ("cancelled", DeliveryState.WAITING, {}, ("not sent, because it was canceled",), "off"),
    ):
        campaign = CampaignFactory(state=ended, finished_at=timezone.now())
        delivery = DeliveryFactory(campaign=campaign, state=state, **values)
        path = f"/admin/newsletter/subscription/{delivery.subscription.pk}/change/"
        [entry] = viewer.get(path).context["entries"]
        assert (entry.text, entry.details, entry.tone) == ("Campaign “Spring regatta”", details, tone)
        assert "Spring regatta" not in read(other, path)


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(name="June")


def check(client: Client, **values: str) -> str:
    """Post a form that is being written; return the preview and the problems."""
    response = client.post(f"{LIST}check/", {"subject_en": "Fair winds", "body_en": "Hello *crew*"} | values)
    return response.content.decode()


class TestSaving:
    def test_new_campaign_is_stored_with_its_texts(self, admin_client: Client) -> None:
        written = {"name": "June", "subject_en": "Fair winds", "body_en": "# Hello\r\n\r\nYou"}
        response = admin_client.post(ADD, read_form(admin_client, ADD, **written))
        campaign = Campaign.objects.get()
        assert response.headers["Location"] == get_path(campaign)
        text = campaign.texts.get()
        assert (text.language, text.subject, text.body) == ("en", "Fair winds", "# Hello\n\nYou")
        assert LogEntry.objects.get().action_flag == ADDITION
        assert campaign.created_by == LogEntry.objects.get().user
        save(admin_client, campaign)  # without changes
        assert LogEntry.objects.count() == 1

    def test_length_is_limited_but_for_line_breaks(self, admin_client: Client, campaign: Campaign) -> None:
        body = ("x" * 9 + "\r\n") * (models.MAX_BODY_LENGTH // 10)
        assert save(admin_client, campaign, body_en=body).status_code == 302
        response = save(admin_client, campaign, body_cs="long " * models.MAX_BODY_LENGTH)
        assert "body_cs" in response.context["form"].errors
        for part in ("data-unsaved", "long long", 'id="tab-cs" checked'):  # it has the error
            assert part in response.content.decode()

    @pytest.mark.parametrize(("button", "page"), [("save", "change"), ("test", "test"), ("send", "send")])
    def test_buttons_lead_on(self, admin_client: Client, campaign: Campaign, button: str, page: str) -> None:
        response = save(admin_client, campaign, name="Changed", **{f"_{button}": "1"})
        assert response.headers["Location"] == get_path(campaign, page)
        editor = admin_client.get(get_path(campaign))
        [key] = re.findall('data-draft="(.*?)"', editor.content.decode())
        assert [message.tags for message in editor.context["messages"]] == [f"{key} success"]

    def test_second_of_two_admins_is_refused(self, admin_client: Client, campaign: Campaign) -> None:
        path = get_path(campaign)
        first, second = (read_form(admin_client, path, subject_en=text) for text in ("First", "Second"))
        assert admin_client.post(path, first).status_code == 302
        response = admin_client.post(path, second)
        assert "was changed after you opened it" in response.content.decode()
        assert "Second" in response.content.decode()
        again = second | {"version": response.context["form"]["version"].value()}
        assert admin_client.post(path, again).status_code == 200
        assert campaign.texts.get(language="en").subject == "First"
        assert LogEntry.objects.count() == 1

    def test_saving_is_refused_once_scheduled_or_sent(self, admin_client: Client, campaign: Campaign) -> None:
        path = get_path(campaign)
        posted = read_form(admin_client, path, name="Late", body_en="Late text")
        Campaign.objects.update(state=CampaignState.SCHEDULED)  # without a new changed_at
        assert admin_client.post(path, posted).status_code == 200
        Campaign.objects.update(state=CampaignState.SENDING)
        html = admin_client.post(path, posted).content.decode()
        assert "sending has begun in the meantime" in html
        assert "Late text" in html
        assert "can no longer be changed" in read(admin_client, path)
        assert Campaign.objects.get().name == "June"
        assert not campaign.texts.filter(body="Late text").exists()

    def test_scheduled_campaign_is_changed_without_errors_by_who_may_send_it(self) -> None:
        campaign = CampaignFactory(state=CampaignState.SCHEDULED, scheduled_at=timezone.now())
        writer = staff_client(*WRITE, email="writer@example.com")
        client = staff_client(*WRITE, "send_campaign")
        assert save(client, campaign, subject_en="Better").status_code == 302
        assert "because the campaign is scheduled" in save(client, campaign, subject_en="").text
        assert "only admins who may send" in read(writer, get_path(campaign))
        posted = read_form(client, get_path(campaign), subject_en="Changed")
        assert writer.post(get_path(campaign), posted).status_code == 403
        assert campaign.texts.get(language="en").subject == "Better"


class TestCheck:
    def test_mails_are_in_frames_without_scripts_or_inline_styles(self, admin_client: Client) -> None:
        hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) "><b>'
        html = check(admin_client, body_en=hostile, subject_en=hostile, body_cs="Ahoj *posádko*")
        assert html.count('sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"') == 2
        mails = [unescape(mail) for mail in re.findall('srcdoc="(.*?)"', html, re.DOTALL)]
        assert "<em>posádko</em>" in mails[0] + mails[1]
        for mail in mails:
            assert '<base target="_blank">' in mail
            assert not re.search(r"style=|<style", mail)
        for document in (re.sub(r'srcdoc="[^"]*"', "", html), *mails):
            assert not re.search(r"<script|<b>|<[^>]*onerror=|href=.javascript:", document)

    def test_problems_lead_to_their_lines(self, admin_client: Client) -> None:
        links = ['href="#id_body_en:3">Line 3<', 'href="#id_subject_en">Subject<', "2 errors, 1 warning\n<"]
        for values, parts in (
            ({"subject_en": "", "body_en": "Ahoy\n\n[a](/b)"}, links),
            ({"subject_en": "", "body_en": ""}, ["Problems appear here as you write"]),
            # A problem of both texts is one row.
            ({"body_en": "![](https://s.cz/b)", "body_cs": "![](https://s.cz/b)"}, [">2 errors\n<"]),
        ):
            html = check(admin_client, **values)
            assert [part for part in parts if part not in html] == []

    def test_pictures_of_other_sites_show_here_only(self, admin_client: Client, campaign: Campaign) -> None:
        for path, is_allowed in ((get_path(campaign), True), (ADD, True), (LIST, False)):
            policy = admin_client.get(path).headers["Content-Security-Policy"].split("; ")
            assert ("img-src 'self' https:" in policy) is is_allowed
            assert {"script-src 'self'", "style-src 'self'"} <= set(policy)


def test_tests_go_out_within_a_limit_of_admins(campaign: Campaign, settings: Settings) -> None:
    settings.CAMPAIGN_TEST_RATE = "1/h"
    client, path = staff_client("view_campaign", "change_campaign"), get_path(campaign, "test")
    form = client.get(path).context["form"]
    own = form["addresses"].value(), form["languages"].value()
    assert own == ([get_user_model().objects.get().email], ["en", "cs"])
    get_user_model().objects.create_user("jana@example.com", is_staff=True)
    values = {"addresses": ["jana@example.com"], "languages": ["cs"]}
    texts = [get_messages(client.post(path, values, follow=True)) for _number in range(2)]
    assert texts == [
        ["The test is on its way to jana@example.com."],
        ["Too many attempts. Please try again in 60 minutes."],
    ]
    assert OutboxEmail.objects.get().recipient == "jana@example.com"
    assert LogEntry.objects.get().change_message == "Sent a test."
    staff_client("view_campaign", "change_campaign", email="other@example.com").post(path, values)
    assert OutboxEmail.objects.count() == 2


@pytest.mark.parametrize("state", [CampaignState.SENT, CampaignState.PAUSED])
def test_copy_is_a_draft_for_the_rest_of_an_ended_campaign(admin_client: Client, state: str) -> None:
    values = {"recipient_count": 3, "user_type": "company", "started_at": timezone.now()}
    campaign = CampaignFactory(state=state, **values)
    admin_client.get(get_path(campaign, "duplicate"))
    response = admin_client.post(get_path(campaign, "duplicate"), {"rest": "1"})
    copy = Campaign.objects.exclude(pk=campaign.pk).get()
    assert response.headers["Location"] == get_path(copy)
    assert (copy.state, copy.recipient_count, copy.user_type) == (CampaignState.DRAFT, 0, "company")
    assert copy.key != campaign.key
    texts = [set(each.texts.values_list("language", "subject", "body")) for each in (copy, campaign)]
    assert texts[0] == texts[1]
    assert copy.excluded_campaign == (campaign if state == CampaignState.SENT else None)


@pytest.mark.parametrize(("state", "status"), [("draft", 302), ("scheduled", 403), ("cancelled", 403)])
def test_drafts_are_deleted(admin_client: Client, state: str, status: int) -> None:
    path = get_path(CampaignFactory(state=state, recipient_count=3 * (state == "cancelled")), "delete")
    assert admin_client.post(path, {"post": "yes"}).status_code == status
    assert models.CampaignText.objects.exists() is (status == 403)


@pytest.mark.parametrize(
    ("model", "field"), [(Campaign, "excluded_campaign"), (models.Segment, "received_campaign")]
)
def test_named_campaign_is_kept(admin_client: Client, campaign: Campaign, model: Any, field: str) -> None:
    model.objects.create(name="Faithful", **{field: campaign})
    assert "Faithful" in admin_client.post(get_path(campaign, "delete"), {"post": "yes"}).text
    assert Campaign.objects.filter(pk=campaign.pk).exists()
