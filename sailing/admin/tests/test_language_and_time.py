"""The language and the time zone of Django admin."""

import json
import re
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import DateTimeField, QuerySet
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from pytest_django import Settings

from accounts.models import User
from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import PASSWORD
from sailing.history import describe_entry
from sailing.jobs.models import Job, JobState
from sailing.mail.models import MailState
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db


def test_switch_shows_the_same_page_in_the_other_language(admin_client: Client) -> None:
    page = admin_client.get("/admin/system/?lang=en&a=b").content.decode()
    assert 'name="next" value="/admin/system/?a=b"' in page
    admin_client.post("/admin/language/", {"language": "cs", "next": "/admin/"})
    assert '<html lang="cs"' in admin_client.get("/admin/").content.decode()


@pytest.mark.parametrize(("chosen", "shown"), [("", "cs"), ("en", "en")])
def test_sign_in_shows_the_own_language_unless_another_is_chosen(
    client: Client, chosen: str, shown: str
) -> None:
    User.objects.create_superuser("boss@example.com", PASSWORD, language="cs")
    client.cookies.load({"django_language": chosen} if chosen else {})
    form = {"username": "boss@example.com", "password": PASSWORD}
    assert "django_language" not in client.post("/admin/login/", {**form, "password": "wrong"}).cookies
    client.post("/admin/login/", form)
    assert f'<html lang="{shown}"' in client.get("/admin/").content.decode()


@pytest.mark.parametrize(("header", "chosen", "shown"), [("de,cs;q=0.5", "", "cs"), ("cs", "en", "en")])
def test_sign_in_page_is_in_the_language_of_the_browser(header: str, chosen: str, shown: str) -> None:
    client = Client(headers={"Accept-Language": header})
    client.cookies["django_language"] = chosen
    response = client.get("/admin/login/")
    assert f'<html lang="{shown}"' in response.content.decode()
    assert "Accept-Language" in response.headers["Vary"]


def test_history_names_all_fields_in_czech(admin_user: User) -> None:
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
            text, czech = describe_entry(entry), [str(label) for label in labels]
        pairs = zip(english, czech, strict=True)
        assert not [name for name, other in pairs if name != other and name in text], text


def test_pages_show_times_in_the_time_zone_of_the_site(admin_client: Client, settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    admin, at = User.objects.get(), datetime(2025, 6, 1, 23, 30, tzinfo=UTC)
    subscription = SubscriptionFactory(confirmed=True)
    ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="en")
    CampaignFactory(state=CampaignState.SENT, created_by=admin)
    create_mail(MailState.FAILED)
    Job.objects.create(kind="retention", state=JobState.DONE, created_by=admin)
    LogEntry.objects.log_actions(admin.pk, [subscription], CHANGE, "Changed.")
    for model in apps.get_models():
        times = [field.name for field in model._meta.fields if isinstance(field, DateTimeField)]
        if times:
            QuerySet(model).update(**dict.fromkeys(times, at))
    Subscription.objects.update(asked_again_at=None, unsubscribed_at=None, bounced_at=None)
    admin_client.force_login(admin)  # its session has expired
    seen = 0
    for model in filter(site.is_registered, apps.get_models()):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        paths = [reverse(f"{name}_changelist")]
        for row in model._default_manager.all()[:1]:
            paths += [reverse(f"{name}_{page}", args=[row.pk]) for page in ("change", "history")]
        for path in paths:
            page = re.sub("<[^>]*>", " ", admin_client.get(path, follow=True).content.decode())
            assert "Times: Europe/Prague" in page, path
            assert not re.search("Jun\xa01,\xa02025|2025-06-01|23:30", page), path
            seen += "Jun\xa02,\xa02025, 01:30" in page
    assert seen > 10
