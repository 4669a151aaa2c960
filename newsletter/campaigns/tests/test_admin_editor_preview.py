"""The preview of campaigns, their checks and counts, and tests to admins."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from newsletter.campaigns import markdown
from newsletter.campaigns.admin import editor, pages
from newsletter.campaigns.models import MAX_BODY_LENGTH, CampaignState
from newsletter.campaigns.tests.test_admin_editor import LIST, create_campaign, get_path
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

LIVE = f"{LIST}preview/"
AUDIENCE = f"{LIST}audience/"
LINKS = f"{LIST}links/"

User: Any = get_user_model()


def preview(client: Client, **values: str | list[str]) -> dict[str, str]:
    """Post a form that is being written; return the parts of the page."""
    response = client.post(LIVE, {"subject_en": "Fair winds", "body_en": "Hello *crew*"} | values)
    assert response.status_code == 200
    parts: dict[str, str] = response.json()
    return parts


class TestLivePreview:
    def test_mail_is_in_a_frame_without_scripts(self, admin_client: Client) -> None:
        html = preview(admin_client)["preview"]
        assert 'sandbox="allow-same-origin"' in html
        assert "&lt;em&gt;crew&lt;/em&gt;" in html

    def test_page_needs_no_inline_styles_or_scripts(self, admin_client: Client) -> None:
        for dark in ({}, {"preview_dark": "1"}):
            html = preview(admin_client, **dark)["preview"]
            assert not re.search(r"style=|&lt;style|&lt;script", html)

    @pytest.mark.parametrize(
        "hostile",
        ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", '"><b>'],
    )
    def test_hostile_text_stays_text(self, admin_client: Client, hostile: str) -> None:
        html = preview(admin_client, body_en=hostile, subject_en=hostile)["preview"]
        [mail] = re.findall(r'srcdoc="([^"]*)"', html)
        for document in (html.replace(mail, ""), unescape(mail)):
            assert not re.search(r"<script|<b>|<[^>]*onerror=|href=.javascript:", document)

    def test_display_is_chosen(self, admin_client: Client) -> None:
        assert "<pre" in preview(admin_client, preview_display="text")["preview"]
        assert "<iframe" in preview(admin_client, preview_display="phone")["preview"]
        assert "campaign-mail-dark" in preview(admin_client, preview_dark="1")["preview"]
        assert "campaign-mail-dark" not in preview(admin_client)["preview"]

    def test_language_is_chosen(self, admin_client: Client) -> None:
        texts = {"subject_cs": "Dobrý vítr", "body_cs": "Ahoj"}
        assert "Dobrý vítr" in preview(admin_client, preview_language="cs", **texts)["preview"]
        assert "no text in this language" in preview(admin_client, preview_language="cs")["preview"]

    def test_audience_is_chosen_unless_the_campaign_has_one(self, admin_client: Client) -> None:
        def show(**values: str) -> str:
            return preview(admin_client, subject_en="To {audience}", **values)["preview"]

        assert "To sailors<" in show()
        assert "To companies<" in show(preview_audience="company")
        assert "To sailors<" in show(preview_audience="company", user_type="sailor")

    def test_problem_leads_to_its_field_and_line(self, admin_client: Client) -> None:
        html = preview(admin_client, subject_en="", body_en="Ahoy\n\n[a](/b)")["problems"]
        assert 'href="#id_body_en:3">Line 3<' in html
        assert 'href="#id_subject_en">Subject<' in html

    def test_problems_name_their_language(self, admin_client: Client) -> None:
        html = preview(admin_client, subject_cs="Dobrý vítr", body_cs="![](https://sailing.example/a.jpg)")
        assert re.search(r'problem-error.*?problem-language">cs<', html["problems"], re.DOTALL)

    def test_problem_of_both_texts_is_one_row(self, admin_client: Client) -> None:
        texts = {
            "body_en": "![](media:hero-sailors.jpg)",
            "subject_cs": "Vítr",
            "body_cs": "Ahoj\n\n![](media:hero-sailors.jpg)",
        }
        html = preview(admin_client, **texts)["problems"]
        assert html.count("<li") == 1
        assert re.search(r">en</span>.*?>Line 1<.*>cs</span>.*?>Line 3<", html, re.DOTALL)
        assert ">1 error<" in html

    def test_problems_are_counted(self, admin_client: Client) -> None:
        html = preview(
            admin_client, subject_en="", body_en="TODO www.sailing.cz TODO", missing_language="other"
        )
        assert '"problems-count">1 error, 1 warning<' in html["problems"]

    def test_blank_campaign_has_a_hint_and_no_error(self, admin_client: Client) -> None:
        blank = preview(admin_client, subject_en="", body_en="")["problems"]
        page = admin_client.get(f"{LIST}add/").content.decode()
        for html in (blank, page):
            assert "problems-blank" in html
            assert "problem-error" not in html

    def test_viewer_of_a_blank_draft_reads_what_is_missing(self) -> None:
        campaign = create_campaign(subject="", body="")
        page = staff_client("view_campaign").get(get_path(campaign)).content.decode()
        assert "problems-blank" not in page
        assert "problem-error" in page

    def test_too_long_body_is_a_problem(self, admin_client: Client) -> None:
        parts = preview(admin_client, body_en="x" * (MAX_BODY_LENGTH + 1))
        assert "problem-error" in parts["problems"]
        assert "at most" in parts["problems"]
        assert len(parts["preview"]) < MAX_BODY_LENGTH

    def test_enormous_body_is_refused(self, admin_client: Client) -> None:
        assert admin_client.post(LIVE, {"body_en": "x" * 5_000_000}).status_code == 400

    def test_each_text_is_parsed_once(self, admin_client: Client) -> None:
        markdown.parse.cache_clear()
        preview(admin_client, subject_cs="Dobrý vítr", body_cs="Ahoj")
        assert markdown.parse.cache_info().misses == 2

    def test_previews_of_an_admin_are_limited(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(editor, "LIVE_PREVIEW_RATE", "2/m")
        assert [admin_client.post(LIVE, {}).status_code for _number in range(3)] == [200, 200, 429]

    def test_nothing_is_stored(self, admin_client: Client) -> None:
        campaign = create_campaign()
        preview(admin_client, name="Changed", subject_en="Changed")
        campaign.refresh_from_db()
        assert campaign.name == "June"
        assert not LogEntry.objects.exists()

    @pytest.mark.parametrize("path", [LIVE, AUDIENCE, LINKS])
    def test_permission_method_and_csrf_token_are_checked(self, path: str) -> None:
        assert staff_client("view_campaign").post(path, {}).status_code == 403
        writer = staff_client("add_campaign", email="writer@example.com")
        assert writer.post(path, {}).status_code == 200
        assert writer.get(path).status_code == 404
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(User.objects.get(email="writer@example.com"))
        assert strict.post(path, {}).status_code == 403


class TestLinks:
    def test_dead_links_of_the_posted_texts_are_named(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pages, "LINK_CHECK_RATE", "1/h")
        values = {"body_cs": "Ahoj\n\n[a](https://boats.invalid/)", "subject_cs": "Ahoj"}
        html = admin_client.post(LINKS, values).content.decode()
        assert re.search(r"1 address checked,\s+1 does not work", html)
        assert 'name="dead_url" value="https://boats.invalid/"' in html
        assert admin_client.post(LINKS, values).status_code == 429

    def test_problems_include_what_the_last_check_found(self, admin_client: Client) -> None:
        url = "https://boats.example/"
        dead = {"dead_url": [url, "https://corrected.example/"], "dead_message": ["Dead.", "Dead too."]}
        values = {"body_en": f"[a]({url})", "body_cs": f"Ahoj\n\n[a]({url})", "subject_cs": "Ahoj"}
        assert "looks like a placeholder" in preview(admin_client, **values)["problems"]
        html = preview(admin_client, **values, **dead)["problems"]
        assert re.search(r'href="#id_body_en:1".*href="#id_body_cs:3".*<span>Dead\.</span>', html, re.DOTALL)
        assert ">1 warning<" in html
        assert "placeholder" not in html
        assert "Dead too" not in html


class TestAudience:
    def count(self, client: Client, **values: str) -> list[tuple[str, str, str]]:
        response = client.post(AUDIENCE, {"subject_en": "Fair winds", "subject_cs": "Vítr"} | values)
        cells = re.findall(
            r'row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', response.content.decode(), re.DOTALL
        )
        assert response.status_code == 200
        return cells

    @pytest.fixture(autouse=True)
    def _subscribers(self) -> None:
        for user_type, language in (("sailor", "en"), ("sailor", "cs"), ("sailor", "cs"), ("company", "cs")):
            SubscriptionFactory(user_type=user_type, language=language, confirmed=True)
        SubscriptionFactory(user_type="sailor")

    def test_confirmed_subscribers_are_counted_by_audience_and_language(self, admin_client: Client) -> None:
        assert set(self.count(admin_client)) == {
            ("Sailors", "English", "1"),
            ("Sailors", "Čeština", "2"),
            ("Companies", "Čeština", "1"),
        }

    @pytest.mark.parametrize(("subject_cs", "is_said"), [("", True), ("Vítr", False)])
    def test_readers_who_get_the_other_text_are_counted(
        self, admin_client: Client, subject_cs: str, is_said: bool
    ) -> None:
        values = {"subject_en": "Fair winds", "subject_cs": subject_cs, "missing_language": "other"}
        html = admin_client.post(AUDIENCE, values).content.decode()
        assert ("3 readers get the English text" in html) is is_said

    @pytest.mark.parametrize("path", ["preview", "send"])
    @pytest.mark.parametrize(
        ("choice", "words"),
        [("other", "3 readers get the English text"), ("leave-out", "3 readers are left out")],
    )
    def test_checks_name_the_readers_without_a_text(
        self, admin_client: Client, path: str, choice: str, words: str
    ) -> None:
        campaign = create_campaign(missing_language=choice)
        campaign.texts.filter(language="cs").delete()
        [problem] = admin_client.get(get_path(campaign, path)).context["problems"]
        assert str(problem.message).startswith(words)

    def test_preview_counts_nobody(self, admin_client: Client) -> None:
        with CaptureQueriesContext(connection) as queries:
            preview(admin_client, missing_language="other")
        assert not any(Subscription._meta.db_table in query["sql"] for query in queries)

    def test_page_without_the_editor_has_the_counts_at_once(self, admin_client: Client) -> None:
        html = admin_client.get(get_path(create_campaign(), "preview")).content.decode()
        assert "<strong>4</strong> recipients" in html


class TestPages:
    @pytest.mark.parametrize("state", [CampaignState.DRAFT, CampaignState.SENT])
    @pytest.mark.parametrize(
        ("written", "admin", "shown"),
        [
            (("en", "cs"), "cs", "cs"),
            (("en", "cs"), "en", "en"),
            (("en",), "cs", "en"),
            (("cs",), "en", "cs"),
        ],
    )
    def test_text_in_the_language_of_the_admin_shows_first(
        self, admin_client: Client, state: str, written: tuple[str, ...], admin: str, shown: str
    ) -> None:
        campaign = create_campaign(state=state)
        campaign.texts.exclude(language__in=written).delete()
        admin_client.cookies["django_language"] = admin
        assert admin_client.get(get_path(campaign)).context["choice"].language == shown

    def test_new_campaign_begins_in_the_language_of_the_admin(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        assert admin_client.get(f"{LIST}add/").context["choice"].language == "cs"

    def test_saved_version_shows_without_script(self, admin_client: Client) -> None:
        campaign = create_campaign()
        path = get_path(campaign, "preview")
        assert "Fair winds" in admin_client.get(path).content.decode()
        query = "?preview_language=cs&preview_display=text&preview_dark=1"
        html = admin_client.get(path + query).content.decode()
        assert '<pre class="preview-plain" tabindex="0" lang="cs">' in html

    def test_pictures_of_other_sites_show_on_these_pages_only(self, admin_client: Client) -> None:
        campaign = create_campaign()
        sent = create_campaign(state=CampaignState.SENT)
        for path in (get_path(campaign), f"{LIST}add/", get_path(campaign, "preview"), get_path(sent)):
            policy = admin_client.get(path).headers["Content-Security-Policy"]
            assert "img-src 'self' https:" in policy.split("; ")
            assert {"script-src 'self'", "style-src 'self'"} <= set(policy.split("; "))
        assert "https:" not in admin_client.get(LIST).headers["Content-Security-Policy"]

    def test_editor_shows_posted_preview_after_an_error(self, admin_client: Client) -> None:
        response = admin_client.post(
            f"{LIST}add/", {"name": "", "subject_en": "Not lost", "body_en": "Still here"}
        )
        html = response.content.decode()
        assert "data-unsaved" in html
        assert "<strong>Not lost</strong>" in html
        assert "Give the campaign a name." in html


class TestSendTest:
    @pytest.fixture
    def client(self) -> Client:
        return staff_client("view_campaign", "change_campaign")

    def send(self, client: Client, campaign: Any, *staff: Any, languages: Any = ("en", "cs")) -> Any:
        values: dict[str, Any] = {"addresses": [user.email for user in staff], "languages": list(languages)}
        values["audience"] = "company"
        return client.post(get_path(campaign, "test"), values, follow=True)

    def test_own_address_and_written_languages_are_chosen(self, client: Client) -> None:
        form = client.get(get_path(create_campaign(), "test")).context["form"]
        assert form["addresses"].value() == [User.objects.get().email]
        assert form["languages"].value() == ["en", "cs"]

    def test_mails_are_enqueued_for_the_chosen_admins(self, client: Client) -> None:
        campaign = create_campaign()
        other = User.objects.create_user("jana@example.com", is_staff=True)
        response = self.send(client, campaign, other, languages=["cs"])
        [message] = response.context["messages"]
        assert "jana@example.com" in str(message)
        mail = OutboxEmail.objects.get()
        assert mail.recipient == "jana@example.com"
        assert "Fair winds" in mail.subject
        assert LogEntry.objects.get().change_message == "Sent a test."

    def test_tests_of_an_admin_are_limited(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(editor, "TEST_RATE", "2/h")
        campaign, user = create_campaign(), User.objects.get()
        for _number in range(2):
            self.send(client, campaign, user, languages=["en"])
        response = self.send(client, campaign, user, languages=["en"])
        [message] = response.context["messages"]
        assert str(message) == "Too many attempts. Please try again in 60 minutes."
        assert OutboxEmail.objects.count() == 2
        other = staff_client("view_campaign", "change_campaign", email="other@example.com")
        self.send(other, campaign, user, languages=["en"])
        assert OutboxEmail.objects.count() == 3
