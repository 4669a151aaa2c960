"""What the editor shows of a campaign: preview and checks. And tests to admins."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from newsletter.campaigns.admin import editor
from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.admin_pages import LIST, get_path
from newsletter.campaigns.tests.test_admin_editor import create_campaign
from newsletter.models import Subscription
from sailing.admin.tests.helpers import staff_client
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

CHECK = f"{LIST}check/"

User: Any = get_user_model()


def check(client: Client, **values: str) -> str:
    """Post a form that is being written; return the preview and the problems."""
    response = client.post(CHECK, {"subject_en": "Fair winds", "body_en": "Hello *crew*"} | values)
    assert response.status_code == 200
    return response.content.decode()


def get_mails(html: str) -> dict[str, str]:
    """Return the mail in each language."""
    found = re.findall(r'id="mail-(..)".*?srcdoc="(.*?)"', html, re.DOTALL)
    return {language: unescape(mail) for language, mail in found}


class TestCheck:
    def test_mails_are_in_frames_without_scripts_or_inline_styles(self, admin_client: Client) -> None:
        html = check(admin_client, subject_cs="Dobrý vítr", body_cs="Ahoj *posádko*")
        assert html.count('sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"') == 2
        assert "<strong>Dobrý vítr</strong>" in html
        mails = get_mails(html)
        assert "<em>crew</em>" in mails["en"]
        assert "<em>posádko</em>" in mails["cs"]
        for mail in mails.values():
            assert '<base target="_blank">' in mail
            assert not re.search(r"style=|<style|<script", mail)

    def test_hostile_text_stays_text(self, admin_client: Client) -> None:
        hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) "><b>'
        html = check(admin_client, body_en=hostile, subject_en=hostile)
        page = re.sub(r'srcdoc="[^"]*"', "", html)
        mails = get_mails(html)
        assert len(mails) == 2
        for document in (page, *mails.values()):
            assert not re.search(r"<script|<b>|<[^>]*onerror=|href=.javascript:", document)

    def test_problems_are_counted_and_lead_to_their_fields_and_lines(self, admin_client: Client) -> None:
        html = check(admin_client, subject_en="", body_en="Ahoy\n\n[a](/b)")
        for part in (
            'href="#id_body_en:3">Line 3<',
            'href="#id_subject_en">Subject<',
            '"problems-count">2 errors, 1 warning\n<',
            "There is no text in this language yet.",
        ):
            assert part in html

    def test_problem_of_both_texts_is_one_row(self, admin_client: Client) -> None:
        silent = "![](https://sailing.cz/boat.jpg)"
        html = check(admin_client, body_en=silent, subject_cs="Vítr", body_cs=f"Ahoj\n\n{silent}")
        assert html.count("<li") == 1
        assert re.search(r">en</span>.*?>Line 1<.*>cs</span>.*?>Line 3<", html, re.DOTALL)
        assert ">1 error\n<" in html

    def test_blank_campaign_has_a_hint_and_for_viewers_an_error(self, admin_client: Client) -> None:
        hint, error = "Problems appear here as you write", "problem-error"
        page = admin_client.get(f"{LIST}add/").content.decode()
        for html in (check(admin_client, subject_en="", body_en=""), page):
            assert hint in html
            assert error not in html
        draft = create_campaign(subject="", body="")
        read_only = staff_client("view_campaign").get(get_path(draft)).content.decode()
        assert hint not in read_only
        assert error in read_only

    def test_subscribers_are_not_counted(self, admin_client: Client) -> None:
        with CaptureQueriesContext(connection) as queries:
            check(admin_client)
        assert not any(Subscription._meta.db_table in query["sql"] for query in queries)


class TestPages:
    @pytest.mark.parametrize(
        ("written", "admin", "shown"),
        [("en cs", "cs", "cs"), ("en cs", "en", "en"), ("en", "cs", "en"), ("", "cs", "cs")],
    )
    def test_language_of_the_admin_shows_first(
        self, admin_client: Client, written: str, admin: str, shown: str
    ) -> None:
        admin_client.cookies["django_language"] = admin
        for state in (CampaignState.DRAFT, CampaignState.SENT):
            campaign = create_campaign(state=state)
            campaign.texts.exclude(language__in=written.split()).delete()
            html = admin_client.get(get_path(campaign)).content.decode()
            assert re.findall(r'id="tab-(..)" checked', html) == [shown]

    def test_pictures_of_other_sites_show_on_these_pages_only(self, admin_client: Client) -> None:
        for path in (get_path(create_campaign()), f"{LIST}add/"):
            policy = admin_client.get(path).headers["Content-Security-Policy"]
            assert "img-src 'self' https:" in policy.split("; ")
            assert {"script-src 'self'", "style-src 'self'"} <= set(policy.split("; "))
        assert "https:" not in admin_client.get(LIST).headers["Content-Security-Policy"]

    def test_page_after_an_error_shows_what_was_posted(self, admin_client: Client) -> None:
        values = {
            "name": "",
            "subject_en": "Not lost",
            "body_en": "x",
            "subject_cs": "x" * 500,
            "shown": "en",
        }
        html = admin_client.post(f"{LIST}add/", values).content.decode()
        for part in ("data-unsaved", "<strong>Not lost</strong>", "Give the campaign a name."):
            assert part in html
        assert 'id="tab-cs" checked' in html  # it has the error


class TestSendTest:
    @pytest.fixture
    def client(self) -> Client:
        return staff_client("view_campaign", "change_campaign")

    def test_own_address_and_written_languages_are_chosen(self, client: Client) -> None:
        form = client.get(get_path(create_campaign(), "test")).context["form"]
        assert form["addresses"].value() == [User.objects.get().email]
        assert form["languages"].value() == ["en", "cs"]

    def test_tests_are_sent_within_the_limit(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(editor, "TEST_RATE", "1/h")
        campaign, jana = create_campaign(), User.objects.create_user("jana@example.com", is_staff=True)
        values = {"addresses": [jana.email], "languages": ["cs"]}
        pages = [client.post(get_path(campaign, "test"), values, follow=True) for _number in range(2)]
        texts = [str(message) for page in pages for message in page.context["messages"]]
        assert texts == [
            "The test is on its way to jana@example.com.",
            "Too many attempts. Please try again in 60 minutes.",
        ]
        assert OutboxEmail.objects.get().recipient == jana.email
        assert LogEntry.objects.get().change_message == "Sent a test."
        other = staff_client("view_campaign", "change_campaign", email="other@example.com")
        other.post(get_path(campaign, "test"), values)
        assert OutboxEmail.objects.count() == 2
