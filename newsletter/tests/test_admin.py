"""Subscribers, their interests and their reasons for leaving in Django admin."""

import re
from datetime import date, timedelta
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import date_format
from pytest_django import DjangoAssertNumQueries

from newsletter.imports.models import ImportBatch
from newsletter.models import (
    STATEMENT_VERSION,
    ConsentEvent,
    ConsentKind,
    Interest,
    LeavingReason,
    Source,
    State,
    Subscription,
    UserType,
)
from newsletter.services import administration
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.mail import installation
from sailing.mail.mailboxes import suppress
from sailing.mail.models import SuppressionReason
from tests.mailbox import latest

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def get_path(subscription: Subscription, name: str = "change") -> str:
    return f"{LIST}{subscription.pk}/{name}/"


def get_names(client: Client, query: str = "") -> set[str]:
    """Return the addresses on the list page, without their domain."""
    rows = client.get(LIST + query).context["cl"].result_list
    return {subscription.email.partition("@")[0] for subscription in rows}


class TestList:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?state=unsubscribed", {"gone"}),
            ("?source__exact=landing-sailors", {"sailor"}),
            ("?q=SAILOR@", {"sailor"}),
            ("?q=+firm+example", {"firm"}),
            ("?q=jiř", {"firm"}),
            ("?q=jiřina+firm@", {"firm"}),
            ("?q=%25", set()),
            ("?q=_", set()),
            ("?import=any", {"sailor"}),
            ("?import=none", {"firm", "gone"}),
        ],
    )
    def test_filters_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        values: dict[str, dict[str, Any]] = {
            "sailor": {"source": Source.LANDING_SAILORS, "is_imported": True},
            "firm": {"first_name": "Jiřina", "confirmed": True},
            "gone": {"unsubscribed": True},
        }
        for name, each in values.items():
            SubscriptionFactory(email=f"{name}@example.com", **each)
        assert get_names(admin_client, query) == found

    def test_state_filter_agrees_with_the_badge(self) -> None:
        now = timezone.now()
        for is_confirmed, is_active, *times in product((False, True), repeat=6):
            ends = dict(
                zip(("unsubscribed_at", "bounced_at", "asked_again_at", "paused_until"), times, strict=True)
            )
            SubscriptionFactory(
                is_confirmed=is_confirmed,
                is_active=is_active,
                **{name: now + timedelta(days=1) for name, is_set in ends.items() if is_set},
            )
        everyone = Subscription.objects.all()
        for state in State:
            expected = {subscription.pk for subscription in everyone if subscription.state is state}
            assert expected
            assert {subscription.pk for subscription in everyone.in_state(state)} == expected
        stored = dict(everyone.with_state().values_list("pk", "state"))  # type: ignore[misc]
        assert stored == {subscription.pk: subscription.state for subscription in everyone}

    def test_each_state_has_its_number_with_the_other_filters(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        SubscriptionFactory()
        SubscriptionFactory.create_batch(2, confirmed=True)
        for number in range(3):
            SubscriptionFactory(email=f"gone{number}@example.com", unsubscribed=True)
        for query, counts in (("?state=unsubscribed", "612030"), ("?q=gone1&state=confirmed", "100010")):
            page = admin_client.get(LIST + query).content.decode()
            assert re.findall(r'<span class="count">(\d+)</span>', page) == [*counts]
        monkeypatch.setattr("newsletter.admin.filters.COUNTED_ROWS", -1)  # a longer list has none
        assert 'class="count"' not in admin_client.get(LIST).content.decode()

    def test_number_of_queries_does_not_depend_on_the_rows(
        self, admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        batch = ImportBatch.objects.create(file_name="fair.csv")
        SubscriptionFactory.create_batch(20, is_imported=True, import_batch=batch)
        installation.is_copy()  # the first question makes the database the site's
        with django_assert_max_num_queries(12):
            admin_client.get(LIST)

    def test_source_is_that_of_the_page_of_the_subscriber(self, admin_client: Client) -> None:
        batch = ImportBatch.objects.create(file_name="fair.csv")
        imported, landing = {"is_imported": True}, {"source": Source.LANDING_COMPANIES}
        by_hand = administration.add(
            email="by-hand@example.com", user_type=UserType.SAILOR, language="en", by_id=None
        )
        expected: dict[Subscription, str] = {
            SubscriptionFactory(
                email="fair@example.com", import_batch=batch, **imported
            ): "Import of fair.csv",
            SubscriptionFactory(**imported): "An import",
            by_hand: "An admin",
            SubscriptionFactory(**landing): "Landing for companies",
            SubscriptionFactory(email="own@example.com"): "The site",
        }
        page = admin_client.get(LIST).content.decode()
        for subscription, source in expected.items():
            row = page.partition(f"{subscription.pk}/change/")[2].partition("</tr>")[0]
            assert f'field-origin is-hidden">{source}</td>' in row
            assert source in admin_client.get(get_path(subscription)).content.decode()
        assert f'<a href="?import={batch.pk}">fair.csv</a>' in page
        assert get_names(admin_client, f"?import={batch.pk}") == {"fair"}
        assert get_names(admin_client, "?source__exact=") == {"own"}


class TestPage:
    def test_language_can_be_changed_and_what_the_owner_said_cannot(self, admin_client: Client) -> None:
        old = SubscriptionFactory(email="owner@example.com")
        forged = {"email": "other@example.com", "user_type": "company", "is_confirmed": "on"}
        assert admin_client.post(get_path(old), {"language": "cs", **forged}).status_code == 302
        after = Subscription.objects.values("language", "email", "user_type", "is_confirmed").get()
        assert list(after.values()) == ["cs", "owner@example.com", "sailor", False]
        assert "Changed Language" in admin_client.get(get_path(old)).content.decode()

    def test_saving_keeps_what_the_owner_did_meanwhile(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True, language="en")

        def leave_after_it_is_read(execute: Any, sql: str, *arguments: Any) -> Any:
            if sql.startswith('UPDATE "newsletter_subscription"'):
                execute('UPDATE "newsletter_subscription" SET "is_active" = false', (), *arguments[1:])
            return execute(sql, *arguments)

        with connection.execute_wrapper(leave_after_it_is_read):
            admin_client.post(get_path(subscription), {"language": "cs"})
        subscription.refresh_from_db()
        assert (subscription.language, subscription.is_active) == ("cs", False)

    @pytest.mark.parametrize(
        ("values", "buttons", "shown"),
        [
            ({}, "ask_again unsubscribe correct delete", "until the owner of the address confirms."),
            ({"confirmed": True}, "unsubscribe correct delete", "Gets the newsletters."),
            ({"confirmed": True, "paused": True}, "unsubscribe correct delete", "until Jul\xa01,\xa02025."),
            ({"bounced": True}, "mark_reachable unsubscribe correct delete", "come back."),
            ({"confirmed": True, "unsubscribed": True}, "delete", "Gets nothing."),
            ({"email": "spam@example.com"}, "unsubscribe correct delete", "do-not-contact list."),
        ],
    )
    def test_says_what_a_subscriber_gets_and_has_the_buttons_of_the_state(
        self, admin_client: Client, frozen_clock: None, values: dict[str, Any], buttons: str, shown: str
    ) -> None:
        suppress("spam@example.com", SuppressionReason.COMPLAINED)
        subscription = SubscriptionFactory(**values)
        page = admin_client.get(get_path(subscription))
        assert page.context["state_text"].endswith(shown)
        found = re.findall(f"/subscription/{subscription.pk}/(\\w+)/", page.content.decode())
        assert set(found) - {"change"} == set(buttons.split())

    def test_history_has_the_newest_first_with_the_admin_and_the_version_of_the_statement(
        self, admin_client: Client, admin_user: Any
    ) -> None:
        subscription = SubscriptionFactory(confirmed=True, source=Source.LANDING_SAILORS)
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        why: dict[str, Any] = {"reason": LeavingReason.TOO_MANY, "comment": "Once a month"}
        ConsentEvent.record(subscription, ConsentKind.EXPLAINED, language="en", **why)
        administration.unsubscribe(subscription=subscription, by_id=admin_user.pk)
        admin_client.cookies["django_language"] = "cs"
        ended, left, asked = admin_client.get(get_path(subscription)).context["entries"]
        with translation.override("cs"):
            version = date_format(date.fromisoformat(STATEMENT_VERSION))
            source = str(Source.LANDING_SAILORS.label)
            assert ended.text == ConsentKind.ENDED_BY_ADMIN.label
        assert ended.details == (str(admin_user),)
        assert left.details == ("E-mailů je na mě moc", "Once a month")
        assert asked.details[0].endswith(f"{version}, English")  # a language has its own name
        assert asked.details[1] == source

    @pytest.mark.parametrize(
        ("permission", "is_linked"), [("add_subscription", True), ("export_subscription", False)]
    )
    def test_import_is_linked_for_admins_who_may_see_imports(self, permission: str, is_linked: bool) -> None:
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        subscription = SubscriptionFactory(is_imported=True, import_batch=batch)
        client = staff_client("view_subscription", permission)
        (entry,) = client.get(get_path(subscription)).context["entries"]
        assert entry.text == "Imported from the file sailors.csv"
        assert bool(entry.url) is is_linked


class TestActions:
    def test_button_acts_and_is_recorded_or_says_why_not(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        for action, state in (("unsubscribe", State.UNSUBSCRIBED), ("restore", State.CONFIRMED)):
            admin_client.post(get_path(subscription, action))
            subscription.refresh_from_db()
            assert subscription.state is state
        page = admin_client.post(get_path(subscription, "ask_again"), follow=True)
        assert "Nothing was changed: not waiting, asked recently, or must" in page.content.decode()
        assert LogEntry.objects.count() == 2
        assert admin_client.post(f"{LIST}{uuid4()}/ask_again/").status_code == 404

    @pytest.mark.parametrize(
        ("action", "state", "report"),
        [
            ("unsubscribe", {}, "Done: 2."),
            ("unsubscribe", {"unsubscribed": True}, "Skipped: 2 (unsubscribed already)."),
            ("restore", {"unsubscribed": True}, "not unsubscribed by an admin in the last 7 days)."),
            ("ask_again", {}, "Done: 2."),
            ("ask_again", {"confirmed": True}, "not waiting, asked recently, or must not be asked)."),
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

    def test_address_is_corrected(self, admin_client: Client) -> None:
        old = SubscriptionFactory(email="jana@gmial.com", confirmed=True)
        assert "jana@gmial.com" in admin_client.get(get_path(old, "correct")).content.decode()
        page = admin_client.post(get_path(old, "correct"), {"email": "jana@gmail.com"}, follow=True)
        new = Subscription.objects.get()
        assert (new.email, page.redirect_chain) == ("jana@gmail.com", [(get_path(new), 302)])
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Address corrected." in history
        assert "gmial" not in history

    def test_refused_address_is_explained_and_kept_in_the_form(self, admin_client: Client) -> None:
        SubscriptionFactory(email="known@example.com", confirmed=True)
        values = {"email": "known@example.com", "user_type": "sailor", "language": "en"}
        for path in (f"{LIST}add/", get_path(SubscriptionFactory(), "correct")):
            page = admin_client.post(path, values).content.decode()
            assert "This address cannot be used: it is on the list" in page
            assert 'value="known@example.com"' in page


def test_reasons_for_leaving_are_listed_without_addresses() -> None:
    path, viewer = "/admin/newsletter/leavinganswer/", staff_client("view_subscription")
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    ConsentEvent.record(subscription, ConsentKind.UNSUBSCRIBED)  # without a reason
    why: dict[str, Any] = {"reason": LeavingReason.TOO_MANY, "comment": "Once a month is enough"}
    ConsentEvent.record(subscription, ConsentKind.EXPLAINED, **why)
    event = ConsentEvent.objects.latest("pk")
    assert list(viewer.get(path).context["cl"].result_list) == [event]
    found = f"{path}?reason__exact=too-many&language__exact=en&q=month"
    for page in (path, found, f"{path}{event.pk}/change/"):
        html = viewer.get(page).content.decode()
        for shown in ("Once a month is enough", "Too many emails", "English<"):
            assert shown in html
        assert "jana" not in html
    assert not viewer.get(f"{path}?reason__exact=other").context["cl"].result_list


class TestInterests:
    PATH = "/admin/newsletter/interest/"
    VALUES = {"name_en": "Regattas", "name_cs": "Regaty", "position": "1", "is_offered": "on"}

    def test_managers_name_them_in_both_languages(self) -> None:
        client = group_client("Managers")
        for values, status in (({"name_cs": ""}, 200), ({}, 302), ({}, 200)):  # a name is unique
            assert client.post(f"{self.PATH}add/", self.VALUES | values).status_code == status
        interest = Interest.objects.get()
        assert (interest.name_en, interest.name_cs, interest.is_offered) == ("Regattas", "Regaty", True)
        client.cookies["django_language"] = "cs"
        assert "Regaty" in client.get(self.PATH).content.decode()
        assert client.post(f"{self.PATH}{interest.pk}/delete/", {"post": "yes"}).status_code == 302

    def test_chosen_one_is_retired_instead_of_deleted(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        assert "field-interests" not in admin_client.get(get_path(subscription)).content.decode()
        subscription.interests.add(interest := InterestFactory(name_en="Regattas", is_offered=False))
        assert "Regattas" in admin_client.get(get_path(subscription)).content.decode()
        assert "Retired" in admin_client.get(self.PATH).content.decode()
        assert "/delete/" not in admin_client.get(f"{self.PATH}{interest.pk}/change/").content.decode()
        assert admin_client.post(f"{self.PATH}{interest.pk}/delete/", {"post": "yes"}).status_code == 403
