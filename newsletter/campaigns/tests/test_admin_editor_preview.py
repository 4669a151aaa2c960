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
from django.utils import translation

from newsletter.campaigns.admin import editor
from newsletter.campaigns.admin.preview import find_first_language
from newsletter.campaigns.models import MAX_BODY_LENGTH, CampaignState, CampaignText
from newsletter.campaigns.tests.admin_pages import LIST, get_path
from newsletter.campaigns.tests.test_admin_editor import create_campaign
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

LIVE = f"{LIST}preview/"
AUDIENCE = f"{LIST}audience/"
WRITER = "writer@example.com"

User: Any = get_user_model()


def preview(client: Client, **values: str | list[str]) -> dict[str, Any]:
    """Post a form that is being written; return the parts of the page."""
    response = client.post(LIVE, {"subject_en": "Fair winds", "body_en": "Hello *crew*"} | values)
    assert response.status_code == 200
    parts: dict[str, Any] = response.json()
    return parts


class TestLivePreview:
    def test_mail_is_in_a_frame_without_scripts_or_inline_styles(self, admin_client: Client) -> None:
        for values, is_dark in (({}, False), ({"preview_dark": "1"}, True)):
            html = preview(admin_client, **values)["preview"]
            assert 'sandbox="allow-same-origin"' in html
            assert "&lt;em&gt;crew&lt;/em&gt;" in html
            assert not re.search(r"style=|&lt;style|&lt;script", html)
            assert ("campaign-mail-dark" in html) is is_dark

    def test_hostile_text_stays_text(self, admin_client: Client) -> None:
        hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) "><b>'
        html = preview(admin_client, body_en=hostile, subject_en=hostile)["preview"]
        [mail] = re.findall(r'srcdoc="([^"]*)"', html)
        for document in (html.replace(mail, ""), unescape(mail)):
            assert not re.search(r"<script|<b>|<[^>]*onerror=|href=.javascript:", document)

    def test_display_and_language_are_chosen(self, admin_client: Client) -> None:
        texts = {"subject_cs": "Dobrý vítr", "body_cs": "Ahoj"}
        assert "<iframe" in preview(admin_client, preview_display="phone")["preview"]
        html = preview(admin_client, preview_display="text", preview_language="cs", **texts)["preview"]
        assert '<pre class="preview-plain" tabindex="0" lang="cs">' in html
        assert "Dobrý vítr" in html
        assert "no text in this language" in preview(admin_client, preview_language="cs")["preview"]

    def test_problems_are_counted_and_lead_to_their_fields_and_lines(self, admin_client: Client) -> None:
        values = {"subject_en": "", "body_en": "Ahoy\n\n[a](/b)"}
        html = preview(admin_client, **values)["problems"]
        assert 'href="#id_body_en:3">Line 3<' in html
        assert 'href="#id_subject_en">Subject<' in html
        assert '"problems-count">2 errors, 1 warning<' in html

    def test_problem_of_both_texts_is_one_row(self, admin_client: Client) -> None:
        silent = "![](https://sailing.cz/boat.jpg)"
        czech = {"subject_cs": "Vítr", "body_cs": f"Ahoj\n\n{silent}"}
        html = preview(admin_client, body_en=silent, **czech)["problems"]
        assert html.count("<li") == 1
        assert re.search(r">en</span>.*?>Line 1<.*>cs</span>.*?>Line 3<", html, re.DOTALL)
        assert ">1 error<" in html

    def test_blank_campaign_has_a_hint_and_for_viewers_an_error(self, admin_client: Client) -> None:
        blank = preview(admin_client, subject_en="", body_en="")["problems"]
        page = admin_client.get(f"{LIST}add/").content.decode()
        assert "campaign-pages" not in page  # no tabs before it is saved
        for html in (blank, page):
            assert "problems-blank" in html
            assert "problem-error" not in html
        draft = create_campaign(subject="", body="")
        read_only = staff_client("view_campaign").get(get_path(draft)).content.decode()
        assert "problems-blank" not in read_only
        assert "problem-error" in read_only

    def test_too_long_body_is_a_problem(self, admin_client: Client) -> None:
        parts = preview(admin_client, body_en="x" * (MAX_BODY_LENGTH + 1))
        assert "problem-error" in parts["problems"]
        assert "at most" in parts["problems"]
        assert len(parts["preview"]) < MAX_BODY_LENGTH
        assert admin_client.post(LIVE, {"body_en": "x" * 5_000_000}).status_code == 400

    def test_previews_are_limited(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(editor, "LIVE_PREVIEW_RATE", "2/m")
        assert [admin_client.post(LIVE, {}).status_code for _number in range(3)] == [200, 200, 429]

    def test_permission_method_and_csrf_token_are_checked(self) -> None:
        viewer, writer = staff_client("view_campaign"), staff_client("add_campaign", email=WRITER)
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(User.objects.get(email=WRITER))
        for path in (LIVE, AUDIENCE):
            answers = [viewer.post(path), writer.post(path), writer.get(path), strict.post(path)]
            assert [answer.status_code for answer in answers] == [403, 200, 404, 403]


class TestAudience:
    @pytest.fixture(autouse=True)
    def _subscribers(self) -> None:
        for user_type, language in (("sailor", "en"), ("sailor", "cs"), ("sailor", "cs"), ("company", "cs")):
            SubscriptionFactory(user_type=user_type, language=language, confirmed=True)
        SubscriptionFactory(user_type="sailor")

    def test_confirmed_subscribers_are_counted_by_audience_and_language(self, admin_client: Client) -> None:
        values = {"subject_en": "Fair winds", "subject_cs": "Vítr"}
        html = admin_client.post(AUDIENCE, values).content.decode()
        assert set(re.findall(r'row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', html, re.DOTALL)) == {
            ("Sailors", "English", "1"),
            ("Sailors", "Čeština", "2"),
            ("Companies", "Čeština", "1"),
        }

    def test_preview_counts_nobody(self, admin_client: Client) -> None:
        with CaptureQueriesContext(connection) as queries:
            preview(admin_client)
        assert not any(Subscription._meta.db_table in query["sql"] for query in queries)


class TestPages:
    @pytest.mark.parametrize(
        ("written", "admin", "shown"),
        [("en cs", "cs", "cs"), ("en cs", "en", "en"), ("en", "cs", "en"), ("", "cs", "cs")],
    )
    def test_language_of_the_admin_shows_first(self, written: str, admin: str, shown: str) -> None:
        texts = [CampaignText(language=code, body="Ahoy" * (code in written)) for code in ("en", "cs")]
        with translation.override(admin):
            assert find_first_language(texts) == shown

    def test_every_page_begins_in_the_language_of_the_admin(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        draft, sent = create_campaign(), create_campaign(state=CampaignState.SENT)
        for path in (f"{LIST}add/", get_path(draft), get_path(sent)):
            assert admin_client.get(path).context["choice"].language == "cs"

    def test_pictures_of_other_sites_show_on_these_pages_only(self, admin_client: Client) -> None:
        campaign = create_campaign()
        saved = f"{get_path(campaign, 'preview')}?preview_display=text"  # shows without scripts
        assert '<pre class="preview-plain"' in admin_client.get(saved).content.decode()
        for path in (get_path(campaign), f"{LIST}add/", saved):
            policy = admin_client.get(path).headers["Content-Security-Policy"]
            assert "img-src 'self' https:" in policy.split("; ")
            assert {"script-src 'self'", "style-src 'self'"} <= set(policy.split("; "))
        assert "https:" not in admin_client.get(LIST).headers["Content-Security-Policy"]

    def test_editor_shows_posted_preview_after_an_error(self, admin_client: Client) -> None:
        values = {"name": "", "subject_en": "Not lost", "body_en": "Still here"}
        html = admin_client.post(f"{LIST}add/", values).content.decode()
        assert "data-unsaved" in html
        assert "<strong>Not lost</strong>" in html
        assert "Give the campaign a name." in html


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
