"""The page of a subscriber in Django admin, and the list of the reasons for leaving."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format

from newsletter.imports.models import ImportBatch
from newsletter.models import (
    STATEMENT_VERSION,
    ConsentEvent,
    ConsentKind,
    LeavingReason,
    State,
    Subscription,
    UserType,
)
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import run_action, staff_client
from sailing.mail.mailboxes import suppress
from sailing.mail.models import SuppressionReason
from tests.mailbox import latest

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def get_path(subscription: Subscription, name: str = "change") -> str:
    return f"/admin/newsletter/subscription/{subscription.pk}/{name}/"


def save(client: Client, subscription: Subscription, **values: str) -> None:
    """Post the form with these values and valid ones for the other fields."""
    response = client.post(get_path(subscription), {"language": subscription.language} | values)
    assert response.status_code == 302, response.context["errors"]


def test_language_of_the_mails_can_be_changed_and_consent_of_the_owner_cannot(admin_client: Client) -> None:
    old = SubscriptionFactory(email="owner@example.com")
    forged = {"email": "other@example.com", "user_type": "company", "is_confirmed": "on"}
    save(admin_client, old, language="cs", **forged)
    after = Subscription.objects.get()
    assert (after.language, after.email, after.user_type) == ("cs", "owner@example.com", UserType.SAILOR)
    assert not after.is_confirmed
    assert "Changed Language" in admin_client.get(get_path(old)).content.decode()


def test_saving_keeps_concurrent_changes_of_the_owner(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscription = SubscriptionFactory(confirmed=True, language="en")
    clean = Subscription.clean

    def unsubscribe_then_clean(self: Subscription) -> None:
        # The owner unsubscribes after the admin's request has read the row.
        Subscription.objects.filter(pk=self.pk).update(is_active=False)
        clean(self)

    monkeypatch.setattr(Subscription, "clean", unsubscribe_then_clean)
    save(admin_client, subscription, language="cs")
    subscription.refresh_from_db()
    assert subscription.language == "cs"
    assert not subscription.is_active


@pytest.mark.parametrize(
    ("values", "buttons", "shown"),
    [
        ({}, "ask_again unsubscribe correct delete", "until the owner of the address confirms."),
        ({"confirmed": True}, "unsubscribe correct delete", "Gets the newsletters."),
        ({"confirmed": True, "paused": True}, "unsubscribe correct delete", "until Jul\xa01,\xa02025."),
        ({"confirmed": True, "bounced": True}, "mark_reachable unsubscribe correct delete", "come back."),
        ({"confirmed": True, "unsubscribed": True}, "delete", "Gets nothing."),
    ],
)
def test_page_says_what_a_subscriber_gets_and_has_the_buttons_of_the_state(
    admin_client: Client, frozen_clock: None, values: dict[str, bool], buttons: str, shown: str
) -> None:
    subscription = SubscriptionFactory(**values)
    page = admin_client.get(get_path(subscription))
    assert page.context["state_text"].endswith(shown)
    found = re.findall(f"/subscription/{subscription.pk}/(\\w+)/", page.content.decode())
    assert set(found) - {"change"} == set(buttons.split())


def test_who_complained_has_no_button_to_be_asked(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    suppress(subscription.email, SuppressionReason.COMPLAINED)
    page = admin_client.get(get_path(subscription))
    assert "ask_again" not in page.content.decode()
    assert "do-not-contact list" in page.context["state_text"]


class TestHistory:
    def test_consent_names_the_version_of_the_statement(self) -> None:
        client = staff_client("view_subscription")
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        client.cookies["django_language"] = "cs"
        (entry,) = client.get(get_path(subscription)).context["entries"]
        with translation.override("cs"):
            version = date_format(date.fromisoformat(STATEMENT_VERSION))
        assert entry.details[0].endswith(f"{version}, English")  # a language has its own name

    def test_newest_entry_comes_first_with_the_admin_who_did_it(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="en")
        ConsentEvent.record(
            subscription, ConsentKind.EXPLAINED, language="en", reason="too-many", comment="Once a month"
        )
        administration.unsubscribe(subscription=subscription, by_id=admin_user.pk)
        first, left, second = admin_client.get(get_path(subscription)).context["entries"]
        assert {"Too many emails", "Once a month"} <= {str(detail) for detail in left.details}
        assert first.text == "Unsubscribed by an admin"
        assert first.details == (str(admin_user),)
        assert second.text == "Confirmed by the owner"

    def test_import_is_linked_for_admins_who_may_see_imports(self) -> None:
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        subscription = SubscriptionFactory(is_imported=True, import_batch=batch)
        for permission, is_linked in (("add_subscription", True), ("export_subscription", False)):
            client = staff_client("view_subscription", permission, email=f"{permission}@example.com")
            (entry,) = client.get(get_path(subscription)).context["entries"]
            assert entry.text == "Imported from the file sailors.csv"
            assert bool(entry.url) is is_linked


class TestActions:
    def test_button_acts_and_is_recorded(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        for action, state in (("unsubscribe", State.UNSUBSCRIBED), ("restore", State.CONFIRMED)):
            admin_client.post(get_path(subscription, action))
            subscription.refresh_from_db()
            assert subscription.state is state
        assert LogEntry.objects.count() == 2

    def test_action_that_the_state_forbids_says_why(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        page = admin_client.post(get_path(subscription, "ask_again"), follow=True)
        assert [str(message) for message in page.context["messages"]] == [
            "Nothing was changed: not waiting, asked recently, or must not be asked."
        ]
        assert admin_client.post(f"{LIST}{uuid4()}/ask_again/").status_code == 404

    @pytest.mark.parametrize(
        ("action", "state", "report"),
        [
            ("unsubscribe", {}, "Done: 2."),
            ("unsubscribe", {"unsubscribed": True}, "Skipped: 2 (unsubscribed already)."),
            (
                "restore",
                {"unsubscribed": True},
                "not unsubscribed by an admin in the last 7 days).",
            ),
            ("ask_again", {}, "Done: 2."),
            (
                "ask_again",
                {"confirmed": True},
                "not waiting, asked recently, or must not be asked).",
            ),
            ("mark_reachable", {"bounced": True}, "Done: 2."),
            ("mark_reachable", {}, "Skipped: 2 (reachable already)."),
        ],
    )
    def test_bulk_action_reports_what_it_did(
        self, admin_client: Client, action: str, state: dict[str, bool], report: str
    ) -> None:
        rows = SubscriptionFactory.create_batch(2, **state)
        (text,) = run_action(admin_client, LIST, action, *rows)
        assert text.endswith(report)


def test_subscribers_are_erased_one_by_one(admin_client: Client) -> None:
    run_action(admin_client, LIST, "delete_selected", SubscriptionFactory())
    assert Subscription.objects.exists()


class TestForms:
    def test_subscriber_is_added_and_asked(self, admin_client: Client, admin_user: Any) -> None:
        values = {"email": " New@Example.com", "first_name": "Eva", "user_type": "company", "language": "cs"}
        page = admin_client.post(f"{LIST}add/", values, follow=True)
        new = Subscription.objects.get()
        assert page.redirect_chain == [(get_path(new), 302)]
        assert (new.email, new.first_name, new.state) == ("new@example.com", "Eva", State.PENDING)
        events = [(event.kind, event.by) for event in new.consent_events.all()]
        assert events == [(ConsentKind.ADDED, admin_user), (ConsentKind.INVITED, admin_user)]
        assert latest().subject == "Můžeme vám posílat náš newsletter?"
        assert "Asked to confirm: new@example.com." in page.content.decode()
        assert "Added by hand." in admin_client.get("/admin/admin/logentry/").content.decode()

    def test_address_is_corrected(self, admin_client: Client) -> None:
        old = SubscriptionFactory(email="jana@gmial.com", confirmed=True)
        assert "jana@gmial.com" in admin_client.get(get_path(old, "correct")).content.decode()
        page = admin_client.post(get_path(old, "correct"), {"email": "jana@gmail.com"}, follow=True)
        new = Subscription.objects.get()
        assert page.redirect_chain == [(get_path(new), 302)]
        assert new.email == "jana@gmail.com"
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Address corrected." in history
        assert "gmial" not in history

    def test_refused_address_is_explained_and_kept_in_the_form(self, admin_client: Client) -> None:
        known = SubscriptionFactory(email="known@example.com", confirmed=True)
        values = {"email": "known@example.com", "user_type": "sailor", "language": "en"}
        for path in (f"{LIST}add/", get_path(SubscriptionFactory(), "correct")):
            page = admin_client.post(path, values).content.decode()
            assert "This address cannot be used: it is on the list" in page
            assert 'value="known@example.com"' in page
        assert Subscription.objects.get(pk=known.pk).state is State.CONFIRMED


LEAVING = "/admin/newsletter/leavinganswer/"


def leave(reason: str, comment: str = "") -> ConsentEvent:
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    ConsentEvent.record(subscription, ConsentKind.EXPLAINED, reason=reason, comment=comment)
    return ConsentEvent.objects.latest("pk")


def test_reasons_for_leaving_are_listed_without_addresses() -> None:
    viewer = staff_client("view_subscription")
    ConsentEvent.record(SubscriptionFactory(), ConsentKind.UNSUBSCRIBED)  # without a reason
    event = leave(LeavingReason.TOO_MANY, "Once a month is enough")
    changelist = viewer.get(LEAVING).context["cl"]
    assert list(changelist.result_list) == [event]
    found = f"{LEAVING}?reason__exact=too-many&language__exact=en&q=month"
    for page in (LEAVING, found, f"{LEAVING}{event.pk}/change/"):
        html = viewer.get(page).content.decode()
        assert "Once a month is enough" in html
        assert "Too many emails" in html
        assert "English<" in html
        assert "jana" not in html
    assert "Once a month" not in viewer.get(f"{LEAVING}?reason__exact=other").content.decode()


def test_reasons_for_leaving_cannot_be_changed(admin_client: Client) -> None:
    path = f"{LEAVING}{leave(LeavingReason.OTHER).pk}"
    assert admin_client.get(f"{LEAVING}add/").status_code == 403
    for action in ("change", "delete"):
        assert admin_client.post(f"{path}/{action}/", {"post": "yes"}).status_code == 403
    assert staff_client("view_campaign", email="other@example.com").get(LEAVING).status_code == 403
