"""Change lists and pages of Django admin with arbitrary parameters and keys."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.admin import MemberAdmin
from accounts.models import User
from newsletter.campaigns.admin.segments import SegmentAdmin
from newsletter.campaigns.models import Segment
from newsletter.models import Interest, Subscription
from newsletter.tests.factories import InterestFactory
from sailing.mail.models import MailState
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db
refused_by_the_database = pytest.mark.django_db(transaction=True)
"""On PostgreSQL, a refused value aborts the transaction of a test."""

VALUES = [
    "99999999999",
    "9" * 5000,
    "not a date",
    "2025-13-45",
    "0001-01-01 00:00:00+14:00",
    "\x00",
]


def create_rows() -> None:
    """Store one row for each list."""
    User.objects.create_user("member@example.com")
    Subscription.objects.create(email="jana@example.com", user_type="sailor")
    create_mail(MailState.FAILED)


def get_parameters(model: type[Model]) -> list[str]:
    """Return the filters of a list and its search; for one list, also what Django does for every other."""
    items: list[Any] = list(admin.site.get_model_admin(model).list_filter)
    names = ["q"]
    for item in items:
        if isinstance(item, tuple):
            names += [item[0], f"{item[0]}__exact"]
        else:
            names.append(f"{item}__exact" if isinstance(item, str) else item.parameter_name)
    return names + ["o", "p", "pk__regex", "created_at__year"] * (model is Subscription)


@pytest.fixture
def browser(admin_client: Client) -> Client:
    admin_client.raise_request_exception = False
    create_rows()
    return admin_client


@refused_by_the_database
@pytest.mark.parametrize("model", [model for model in apps.get_models() if admin.site.is_registered(model)])
def test_parameters_do_not_break_a_list(browser: Client, model: type[Model]) -> None:
    path = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    broken = []
    for name in get_parameters(model):
        for value in VALUES:
            query = urlencode({name: value})
            response = browser.get(f"{path}?{query}")
            redirected = response.status_code == 302 and response.headers["Location"].endswith("?e=1")
            if response.status_code not in (200, 400) and not redirected:
                broken.append((query[:80], response.status_code))
    assert not broken


@refused_by_the_database
@pytest.mark.parametrize("query", ["created_at__year=99999999999", "is_active__exact=7"])
def test_invalid_filter_does_not_break_an_export(browser: Client, query: str) -> None:
    response = browser.get(f"/admin/newsletter/subscription/export/?{query}", follow=True)
    assert response.redirect_chain == [("/admin/newsletter/subscription/export/?e=1", 302)]
    assert response.status_code == 200


@refused_by_the_database
@pytest.mark.parametrize("page", ["accounts/user", "newsletter/subscription", "mail/outboxemail"])
def test_malformed_key_does_not_break_pages_and_actions(browser: Client, page: str) -> None:
    for key in ("x", "\x00", "9" * 23, "é/../x"):
        for view in ("change", "delete", "history"):
            assert browser.get(f"/admin/{page}/{key}/{view}/").status_code in (302, 403, 404)
        for action in ("deactivate", "requeue", "export_admin_action"):
            sent = {"action": action, "_selected_action": key}
            assert browser.post(f"/admin/{page}/", sent).status_code in (200, 302, 400)


def test_bug_is_not_reported_as_an_invalid_filter(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("newsletter.admin.SubscriptionAdmin.get_ordering", fail)
    assert browser.get("/admin/newsletter/subscription/").status_code == 500
    assert browser.get("/admin/newsletter/subscription/?e=1").status_code == 500


def test_list_says_that_a_filter_is_not_valid(admin_client: Client) -> None:
    create_rows()
    response = admin_client.get("/admin/newsletter/subscription/?import=x", follow=True)
    assert response.redirect_chain == [("/admin/newsletter/subscription/?e=1", 302)]
    assert "This filter is not valid" in response.content.decode()


def test_language_in_the_address_is_no_filter(admin_client: Client) -> None:
    create_rows()
    page = admin_client.get("/admin/accounts/user/?lang=cs&q=member", follow=True)
    assert not page.redirect_chain
    assert [user.email for user in page.context["cl"].result_list] == ["member@example.com"]
    assert 'lang="cs"' in page.content.decode()


def test_box_that_ticks_all_rows_has_a_label(admin_client: Client) -> None:
    create_rows()
    html = admin_client.get("/admin/newsletter/subscription/").content.decode()
    label = r'<label [^>]+><input [^>]+id="action-toggle"><span [^>]+>Select all on this page<'
    assert re.search(label, html)
    assert "0 of 1 selected" in html


def test_czech_count_of_ticked_rows_needs_no_cases(admin_client: Client) -> None:
    admin_client.cookies["django_language"] = "cs"
    script = admin_client.get("/admin/jsi18n/").content.decode()
    found = re.search(r"newcatalog = (\{.*?\});", script, re.DOTALL)
    assert found
    texts = json.loads(found[1])
    assert set(texts["%(sel)s of %(cnt)s selected"]) == {"Vybráno %(sel)s z celkem %(cnt)s"}
    assert texts["Remove all"] == "Odebrat vše"  # from Django's own catalogue


def test_filter_offers_the_blank_choice(admin_client: Client) -> None:
    create_rows()
    page = admin_client.get("/admin/newsletter/subscription/?source__exact=").content.decode()
    assert re.search(r'<li class="selected">\s*<a href="\?source__exact=">\s*The site</a>', page)


@pytest.mark.parametrize(
    ("page", "name"), [("newsletter/subscription", "entry"), ("campaigns/campaign", "campaign")]
)
def test_link_to_a_deleted_row_leads_to_its_list(admin_client: Client, page: str, name: str) -> None:
    response = admin_client.get(f"/admin/{page}/999999/change/", follow=True)
    assert response.redirect_chain == [(f"/admin/{page}/", 302)]
    assert f"This {name} no longer exists." in response.content.decode()


def test_unknown_value_of_a_filter_is_refused(admin_client: Client) -> None:
    for page, name in (
        ("newsletter/subscription", "state"),
        ("newsletter/subscription", "import"),
        ("mail/outboxemail", "state"),
        ("accounts/user", "account"),
        ("accounts/user", "email_state"),
    ):
        response = admin_client.get(f"/admin/{page}/?{name}=typo")
        assert response.headers["Location"] == f"/admin/{page}/?e=1", name
        assert admin_client.get(f"/admin/{page}/?{name}=").status_code == 200


class TestChangeBetweenTheCheckOfAFormAndItsEnd:
    """The form is handled again, and sees what another request has stored or erased."""

    def test_erased_row_leads_to_its_list(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        member = User.objects.create_user("member@example.com")
        finds: list[Any] = [MemberAdmin.get_object, lambda *_args: None]
        monkeypatch.setattr(MemberAdmin, "get_object", lambda *args: finds.pop(0)(*args))
        save = MemberAdmin.save_model

        def erase_before_saving(*args: Any) -> None:
            User.objects.filter(pk=member.pk).delete()
            save(*args)

        monkeypatch.setattr(MemberAdmin, "save_model", erase_before_saving)
        path = f"/admin/accounts/user/{member.pk}/change/"
        response = admin_client.post(
            path, {"email": member.email, "language": "en", "first_name": "Eva"}, follow=True
        )
        assert response.redirect_chain == [("/admin/accounts/user/", 302)]
        assert list(map(str, response.context["messages"])) == ["This entry no longer exists."]
        assert not LogEntry.objects.exists()

    @pytest.mark.django_db(transaction=True)
    def test_success_is_not_told_of_the_attempt_that_failed(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Keys are checked at the commit, after Django has queued its message."""
        interest = InterestFactory()
        ContentType.objects.get_for_model(Segment)  # else stored by the attempt that fails, and remembered
        save = SegmentAdmin.save_related

        def delete_after_saving(*args: Any) -> None:
            save(*args)
            monkeypatch.setattr(SegmentAdmin, "save_related", save)
            Interest.objects.filter(pk=interest.pk)._raw_delete(using="default")

        monkeypatch.setattr(SegmentAdmin, "save_related", delete_after_saving)
        data = {"name": "Regattas", "interests": [interest.pk], "interest_match": "any"}
        response = admin_client.post("/admin/campaigns/segment/add/", data, follow=True)
        assert len(response.context["messages"]) == 1
