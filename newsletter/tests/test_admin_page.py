"""The page of a subscriber in Django admin, and the list of the reasons for leaving."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.formats import date_format
from time_machine import TimeMachineFixture

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
from newsletter.tests.mailbox import deliver
from sailing.admin import row_page
from sailing.admin.tests.helpers import staff_client
from sailing.history import record
from sailing.mail.mailboxes import suppress
from sailing.mail.models import SuppressionReason
from sailing.mail.outbox import subject_key
from sailing.mail.queue import report_bounce
from tests.mailbox import create_mail

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


def test_bounced_subscriber_is_shown_with_what_the_mail_server_said(
    admin_client: Client, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00")
    for reason, said in (
        ("", ""),  # reported by a provider
        ("550 5.1.1 no such user", " The mail server said: “550 5.1.1 no such user”."),
    ):
        subscription = SubscriptionFactory(confirmed=True)
        report_bounce(subscription.email, reason)
        page = admin_client.get(get_path(subscription))
        assert page.context["state_text"] == (
            "Gets nothing, because emails to the address come back."
            f" The last one came back on Jun\xa01,\xa02025.{said}"
        )
        assert [entry.details for entry in page.context["entries"]] == [(reason,) if reason else ()]


def test_page_says_that_the_address_is_on_the_do_not_contact_list(admin_client: Client) -> None:
    subscription, other = SubscriptionFactory(unsubscribed=True), SubscriptionFactory(unsubscribed=True)
    suppress(subscription.email, SuppressionReason.COMPLAINED)
    for each, is_listed in ((subscription, True), (other, False)):
        text = admin_client.get(get_path(each)).context["state_text"]
        assert ("do-not-contact list" in text) is is_listed


class TestHistory:
    def test_permission_to_view_subscribers_is_enough(self) -> None:
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
            subscription, ConsentKind.UNSUBSCRIBED, language="en", reason="too-many", comment="Once a month"
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

    def test_import_of_an_unknown_file_is_an_event_in_czech_too(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        page = admin_client.get(get_path(SubscriptionFactory(is_imported=True)))
        assert [entry.text for entry in page.context["entries"]] == ["Importováno"]

    def test_mails_are_listed_for_admins_who_may_see_the_outbox(self) -> None:
        subscription = administration.add(email="new@example.com", user_type="sailor", language="en")
        deliver()
        for permission, is_shown in (("view_outboxemail", True), ("view_campaign", False)):
            client = staff_client("view_subscription", permission, email=f"{permission}@example.com")
            texts = [entry.text for entry in client.get(get_path(subscription)).context["entries"]]
            assert ("Email “May we send you our newsletter?”" in texts) is is_shown

    def test_only_the_shown_entries_are_read(
        self, admin_client: Client, admin_user: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(row_page, "SHOWN_ENTRIES", 2)
        subscription = SubscriptionFactory()
        about = subject_key(Subscription, subscription.pk)
        for number in range(5):
            record(admin_user, Subscription, subscription, '[{"added": {}}]', key=subscription.pk)
            create_mail(subject=f"Mail {number}", subject_key=about)
        with CaptureQueriesContext(connection) as queries:
            entries = admin_client.get(get_path(subscription)).context["entries"]
        assert [entry.text for entry in entries] == ["Email “Mail 4”", "Added."]
        for table in ("django_admin_log", "mail_outboxemail"):
            (query,) = [each["sql"] for each in queries if f'FROM "{table}"' in each["sql"]]
            assert query.endswith("LIMIT 2")


def list_buttons(client: Client, subscription: Subscription) -> set[str]:
    page = client.get(get_path(subscription)).content.decode()
    return set(re.findall(f"/admin/newsletter/subscription/{subscription.pk}/(\\w+)/", page)) - {"change"}


class TestButtons:
    def test_page_has_the_buttons_of_the_state(self, admin_client: Client) -> None:
        for subscription, buttons in (
            (SubscriptionFactory(), "ask_again unsubscribe correct delete"),
            (SubscriptionFactory(confirmed=True), "pause_month pause_season unsubscribe correct delete"),
            (SubscriptionFactory(confirmed=True, bounced=True), "mark_reachable unsubscribe correct delete"),
            (SubscriptionFactory(confirmed=True, unsubscribed=True), "delete"),
        ):
            assert list_buttons(admin_client, subscription) == set(buttons.split())

    def test_who_must_not_be_asked_has_no_button_for_it_and_a_reason(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.IMPORTED_OPT_OUT, language="en")
        for reason in ("The owner of this address has opted out.", "on the do-not-contact list."):
            assert reason in admin_client.get(get_path(subscription)).context["state_text"]
            assert "ask_again" not in list_buttons(admin_client, subscription)
            suppress(subscription.email, SuppressionReason.COMPLAINED)

    def test_what_an_admin_did_can_be_undone(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        for action, undoing in (("unsubscribe", "restore"), ("pause_month", "resume")):
            admin_client.post(get_path(subscription, action))
            assert undoing in list_buttons(admin_client, subscription)
            admin_client.post(get_path(subscription, undoing))
            subscription.refresh_from_db()
            assert subscription.state is State.CONFIRMED
        assert LogEntry.objects.count() == 4

    def test_buttons_need_post_and_a_csrf_token(self, admin_user: Any) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(admin_user)
        path = get_path(SubscriptionFactory(confirmed=True), "unsubscribe")
        assert (client.get(path).status_code, client.post(path).status_code) == (405, 403)
        assert Subscription.objects.get().state is State.CONFIRMED

    def test_action_that_the_state_forbids_says_why(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        page = admin_client.post(get_path(subscription, "ask_again"), follow=True)
        assert [str(message) for message in page.context["messages"]] == [
            "Nothing was changed: confirmed already."
        ]
        assert admin_client.post(f"{LIST}{uuid4()}/ask_again/").status_code == 404


class TestForms:
    def test_subscriber_is_added_and_asked(self, admin_client: Client) -> None:
        values = {
            "email": "new@example.com",
            "first_name": "Eva",
            "user_type": "company",
            "language": "cs",
        }
        page = admin_client.post(f"{LIST}add/", values, follow=True)
        new = Subscription.objects.get()
        assert page.redirect_chain == [(get_path(new), 302)]
        assert new.state is State.PENDING
        assert new.first_name == "Eva"
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

    @pytest.mark.parametrize(
        ("event", "reason", "way_out"),
        [
            (ConsentKind.IMPORTED_OPT_OUT, "The owner of this address unsubscribed once", f"{LIST}add/"),
            (ConsentKind.CONFIRMED, "that can no longer be undone.", f"{LIST}add/"),
            (ConsentKind.ENDED_BY_ADMIN, "Undo the unsubscription first", "/restore/"),
        ],
    )
    def test_page_that_corrects_no_address_says_why_and_what_to_do(
        self, admin_client: Client, event: ConsentKind, reason: str, way_out: str
    ) -> None:
        old = SubscriptionFactory(email="jana@example.com", confirmed=True, is_active=False)
        ConsentEvent.record(old, event, language="en")
        page = admin_client.post(get_path(old, "correct"), {"email": "eva@example.com"}).content.decode()
        assert reason in page
        assert way_out in page
        assert 'name="email"' not in page
        assert Subscription.objects.get().email == "jana@example.com"

    def test_refused_address_is_explained_and_kept_in_the_form(self, admin_client: Client) -> None:
        known = SubscriptionFactory(email="known@example.com", confirmed=True)
        values = {"email": "known@example.com", "user_type": "sailor", "language": "en"}
        for path in (f"{LIST}add/", get_path(SubscriptionFactory(), "correct")):
            page = admin_client.post(path, values).content.decode()
            assert "This address is on the list already. Its state: Confirmed." in page
            assert 'value="known@example.com"' in page
        assert Subscription.objects.get(pk=known.pk).state is State.CONFIRMED


LEAVING = "/admin/newsletter/leavinganswer/"


@pytest.fixture
def viewer() -> Client:
    return staff_client("view_subscription")


def leave(reason: str, comment: str = "") -> ConsentEvent:
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    kind = ConsentKind.UNSUBSCRIBED
    ConsentEvent.record(subscription, kind, language="en", reason=reason, comment=comment)
    return ConsentEvent.objects.latest("pk")


def test_reasons_for_leaving_are_listed_without_addresses(viewer: Client) -> None:
    ConsentEvent.record(SubscriptionFactory(), ConsentKind.UNSUBSCRIBED, language="en")  # without a reason
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
    event = leave(LeavingReason.OTHER)
    assert admin_client.get(f"{LEAVING}add/").status_code == 403
    assert admin_client.post(f"{LEAVING}{event.pk}/change/", {"reason": "too-many"}).status_code == 403
    assert admin_client.post(f"{LEAVING}{event.pk}/delete/", {"post": "yes"}).status_code == 403
    assert ConsentEvent.objects.get().reason == LeavingReason.OTHER


def test_reasons_for_leaving_need_the_permission_to_view_subscribers() -> None:
    assert staff_client("view_campaign").get(LEAVING).status_code == 403
    assert Client().get(LEAVING).status_code == 302
