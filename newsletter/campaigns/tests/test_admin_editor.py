"""The page on which a campaign is written, with its preview and checks, tests, copies and deletion."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from newsletter.campaigns.admin import editor
from newsletter.campaigns.models import MAX_BODY_LENGTH, Campaign, CampaignState, CampaignText, Segment
from newsletter.campaigns.tests.admin_pages import LIST, WRITE, get_messages, get_path, read, read_form, save
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

ADD = f"{LIST}add/"

User: Any = get_user_model()


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
        body = ("x" * 9 + "\r\n") * (MAX_BODY_LENGTH // 10)
        assert save(admin_client, campaign, body_en=body).status_code == 302
        response = save(admin_client, campaign, body_en="long " * MAX_BODY_LENGTH)
        assert "body_en" in response.context["form"].errors
        assert "long long" in response.content.decode()

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
        html = save(client, campaign, subject_en="").content.decode()
        assert "because the campaign is scheduled" in html
        assert "only admins who may send" in read(writer, get_path(campaign))
        posted = read_form(client, get_path(campaign), subject_en="Changed")
        assert writer.post(get_path(campaign), posted).status_code == 403
        assert campaign.texts.get(language="en").subject == "Better"

    def test_page_after_an_error_shows_what_was_posted(self, admin_client: Client) -> None:
        texts = {"subject_en": "Not lost", "body_en": "x", "subject_cs": "x" * 500}
        html = admin_client.post(ADD, {"name": "", "shown": "en", **texts}).content.decode()
        for part in ("data-unsaved", "<strong>Not lost</strong>", "Give the campaign a name."):
            assert part in html
        assert 'id="tab-cs" checked' in html  # it has the error


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

    @pytest.mark.parametrize(
        ("values", "parts"),
        [
            (
                {"subject_en": "", "body_en": "Ahoy\n\n[a](/b)"},
                ['href="#id_body_en:3">Line 3<', 'href="#id_subject_en">Subject<', "2 errors, 1 warning\n<"],
            ),
            ({"subject_en": "", "body_en": ""}, ["Problems appear here as you write"]),
            # A problem of both texts is one row.
            ({"body_en": "![](https://s.cz/b)", "body_cs": "![](https://s.cz/b)"}, [">2 errors\n<"]),
        ],
    )
    def test_problems_lead_to_their_lines(self, admin_client: Client, values: Any, parts: Any) -> None:
        html = check(admin_client, **values)
        assert [part for part in parts if part not in html] == []

    def test_pictures_of_other_sites_show_here_only(self, admin_client: Client, campaign: Campaign) -> None:
        for path, is_allowed in ((get_path(campaign), True), (ADD, True), (LIST, False)):
            policy = admin_client.get(path).headers["Content-Security-Policy"].split("; ")
            assert ("img-src 'self' https:" in policy) is is_allowed
            assert {"script-src 'self'", "style-src 'self'"} <= set(policy)


def test_tests_go_out_within_a_limit_of_admins(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "TEST_RATE", "1/h")
    client, path = staff_client("view_campaign", "change_campaign"), get_path(campaign, "test")
    form = client.get(path).context["form"]
    own = form["addresses"].value(), form["languages"].value()
    assert own == ([User.objects.get().email], ["en", "cs"])
    User.objects.create_user("jana@example.com", is_staff=True)
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
    assert CampaignText.objects.exists() is (status == 403)


@pytest.mark.parametrize(
    ("model", "field"), [(Campaign, "excluded_campaign"), (Segment, "received_campaign")]
)
def test_named_campaign_is_kept(admin_client: Client, campaign: Campaign, model: Any, field: str) -> None:
    model.objects.create(name="Faithful", **{field: campaign})
    page = admin_client.post(get_path(campaign, "delete"), {"post": "yes"})
    assert "Faithful" in page.content.decode()
    assert Campaign.objects.filter(pk=campaign.pk).exists()
