"""The language and the time zone of Django admin."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import DateTimeField, QuerySet
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from pytest_django import Settings

from accounts.models import User
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.imports.models import ImportBatch
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import PASSWORD
from sailing.history import describe_entry
from sailing.jobs.models import Job, JobState
from sailing.mail.models import MailState
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def get_page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


class TestLanguage:
    def test_switch_shows_the_same_page_in_the_other_language(self, admin_client: Client) -> None:
        path = f"{LIST}?q=a"
        assert 'value="cs" lang="cs">Česky</button>' in get_page(admin_client, path)
        response = admin_client.post("/admin/language/", {"language": "cs", "next": path})
        assert response.headers["Location"] == path
        page = get_page(admin_client, path)
        assert '<html lang="cs"' in page
        assert ">English</button>" in page

    def test_switch_overrides_the_language_of_the_address(self, admin_client: Client) -> None:
        page = get_page(admin_client, "/admin/system/?lang=cs&a=b")
        assert 'name="next" value="/admin/system/?a=b"' in page

    def test_switch_needs_a_csrf_token_and_stays_on_this_site(self, client: Client) -> None:
        form = {"language": "cs", "next": "https://evil.example/"}
        assert Client(enforce_csrf_checks=True).post("/admin/language/", form).status_code == 403
        response = client.post("/admin/language/", form)
        assert response.headers["Location"] == "/"
        assert response.cookies["django_language"]["samesite"] == "Lax"

    @pytest.mark.parametrize(("chosen", "shown"), [("", "cs"), ("en", "en")])
    def test_sign_in_shows_the_own_language_unless_another_is_chosen(
        self, client: Client, chosen: str, shown: str
    ) -> None:
        User.objects.create_superuser("boss@example.com", PASSWORD, language="cs")
        if chosen:
            client.cookies["django_language"] = chosen
        client.post("/admin/login/", {"username": "boss@example.com", "password": PASSWORD})
        assert f'<html lang="{shown}"' in get_page(client, "/admin/")

    @pytest.mark.parametrize(("header", "shown"), [("de,cs;q=0.5", "cs"), ("de", "en")])
    def test_sign_in_page_is_in_the_language_of_the_browser(self, header: str, shown: str) -> None:
        client = Client(headers={"Accept-Language": header})
        response = client.get("/admin/login/")
        assert f'<html lang="{shown}"' in response.content.decode()
        assert "Accept-Language" in response.headers["Vary"]
        client.cookies["django_language"] = "en"
        assert '<html lang="en"' in get_page(client, "/admin/login/")

    @pytest.mark.parametrize(
        ("language", "name", "shown"),
        [
            ("en", "DATE_FORMAT", "Mar\xa07,\xa02026"),
            ("en", "SHORT_DATETIME_FORMAT", "Mar\xa07,\xa02026, 09:05"),
            ("cs", "DATE_FORMAT", "7.\xa0března\xa02026"),
            ("cs", "SHORT_DATETIME_FORMAT", "7.\xa03.\xa02026 9:05"),
        ],
    )
    def test_dates_do_not_break_over_lines(self, language: str, name: str, shown: str) -> None:
        with translation.override(language):
            assert date_format(datetime(2026, 3, 7, 9, 5, tzinfo=UTC), name) == shown

    def test_history_names_all_fields_in_czech(self, admin_user: User) -> None:
        request = RequestFactory().get("/")
        request.user = admin_user
        for model in filter(site.is_registered, apps.get_models()):
            model_admin = site.get_model_admin(model)
            if not model_admin.has_change_permission(request):
                continue
            form = model_admin.get_form(request, admin_user if model is User else None)()
            labels = [field.label for field in form.fields.values() if field.label]
            with translation.override(None):
                english = [str(label) for label in labels]
                message = json.dumps([{"changed": {"fields": english}}])
            entry = LogEntry(content_type=ContentType.objects.get_for_model(model), change_message=message)
            with translation.override("cs"):
                text = describe_entry(entry)
                czech = [str(label) for label in labels]
            left = [
                name for name, other in zip(english, czech, strict=True) if name != other and name in text
            ]
            assert not left, text

    def test_history_describes_changes_of_a_model_that_is_gone(self) -> None:
        removed = ContentType(app_label="newsletter", model="removed")
        message = json.dumps([{"changed": {"fields": ["Name"]}}])
        entry = LogEntry(content_type=removed, change_message=message)
        assert describe_entry(entry) == "Changed Name."

    def test_history_of_the_second_factor_is_in_czech(self) -> None:
        with translation.override("cs"):
            found = describe_entry(LogEntry(change_message="Second factor set up."))
        assert found == "Dvoufázové přihlášení nastaveno."

    def test_failed_sign_in_does_not_reveal_the_language(self, client: Client) -> None:
        User.objects.create_superuser("boss@example.com", PASSWORD, language="cs")
        response = client.post("/admin/login/", {"username": "boss@example.com", "password": "wrong"})
        assert "django_language" not in response.cookies


class TestTimeZone:
    @pytest.fixture(autouse=True)
    def _zone(self, settings: Settings) -> None:
        settings.TIME_ZONE = "Europe/Prague"

    def test_page_names_the_time_zone_of_the_site(self, admin_client: Client) -> None:
        assert "Times: Europe/Prague" in get_page(admin_client, LIST)

    def test_no_page_shows_a_time_in_another_zone(self, admin_client: Client) -> None:
        at = datetime(2025, 6, 1, 23, 30, tzinfo=UTC)
        admin = User.objects.get()
        subscription = SubscriptionFactory(confirmed=True)
        ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="en")
        for state in CampaignState:
            CampaignFactory(state=state, created_by=admin)
        create_mail(MailState.FAILED)
        Job.objects.create(kind="retention", state=JobState.DONE, created_by=admin)
        ImportBatch.objects.create(file_name="list.csv", created_by=admin)
        LogEntry.objects.log_actions(admin.pk, [subscription], CHANGE, "Changed.")
        for model in apps.get_models():
            times = [field.name for field in model._meta.fields if isinstance(field, DateTimeField)]
            if times:
                QuerySet(model).update(**dict.fromkeys(times, at))
        User.objects.update(last_login=at)
        Campaign.objects.filter(state=CampaignState.SCHEDULED).update(started_at=None, finished_at=None)
        Campaign.objects.filter(state=CampaignState.SENDING).update(finished_at=None)
        Subscription.objects.update(asked_again_at=None, unsubscribed_at=None, bounced_at=None)
        admin_client.force_login(admin)  # its session has expired
        seen = 0
        for model in filter(site.is_registered, apps.get_models()):
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            rows: list[Any] = list(QuerySet(model)[:8])
            paths = [reverse(f"{name}_changelist")]
            paths += [reverse(f"{name}_change", args=[row.pk]) for row in rows]
            if model is Campaign:
                paths += [reverse(f"{name}_history", args=[row.pk]) for row in rows[:1]]
            for path in paths:
                response = admin_client.get(path)
                if response.status_code != 200:
                    continue
                page = re.sub("<[^>]*>", " ", response.content.decode())
                assert not re.search("Jun\xa01,\xa02025|2025-06-01|23:30", page), path
                seen += "Jun\xa02,\xa02025, 01:30" in page
        assert seen > 10
