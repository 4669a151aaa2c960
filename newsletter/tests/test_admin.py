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
from django.utils import timezone
from django.utils.formats import date_format

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
)
from newsletter.services import administration
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
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
            ("?q=jiřina+firm@", {"firm"}),
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
        times = ("unsubscribed_at", "bounced_at", "asked_again_at", "paused_until")
        choices = [(False, True)] * 2 + [(None, timezone.now() + timedelta(days=1))] * 4
        for values in product(*choices):
            SubscriptionFactory(**dict(zip(("is_confirmed", "is_active", *times), values, strict=True)))
        everyone = Subscription.objects.all()
        states = {subscription.pk: subscription.state for subscription in everyone}
        assert set(states.values()) == set(State)
        assert dict(everyone.with_state().values_list("pk", "state")) == states  # type: ignore[misc]
        for state in State:
            assert {each.state for each in everyone.in_state(state)} == {state}
            assert everyone.in_state(state).count() == [*states.values()].count(state)

    def test_each_state_has_its_number(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        SubscriptionFactory()
        SubscriptionFactory.create_batch(2, confirmed=True)
        for name in ("gone0", "gone1", "gone2"):
            SubscriptionFactory(email=f"{name}@example.com", unsubscribed=True)
        for query, counts in (("?state=unsubscribed", "612030"), ("?q=gone1&state=confirmed", "100010")):
            page = admin_client.get(LIST + query).content.decode()
            assert re.findall(r'<span class="count">(\d+)</span>', page) == [*counts]
        monkeypatch.setattr("newsletter.admin.filters.COUNTED_ROWS", -1)  # a longer list has none
        assert 'class="count"' not in admin_client.get(LIST).content.decode()

    def test_source_is_that_of_the_page_of_the_subscriber(self, admin_client: Client) -> None:
        batch = ImportBatch.objects.create(file_name="fair.csv")
        fair = SubscriptionFactory(email="fair@example.com", is_imported=True, import_batch=batch)
        by_hand = administration.add(email="by-hand@example.com", user_type="sailor", language="en")
        expected: dict[Subscription, str] = {
            fair: "Import of fair.csv",
            SubscriptionFactory(is_imported=True): "An import",
            by_hand: "An admin",
            SubscriptionFactory(source=Source.LANDING_COMPANIES): "Landing for companies",
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
        self, admin_client: Client, frozen_clock: None, values: Any, buttons: str, shown: str
    ) -> None:
        suppress("spam@example.com", SuppressionReason.COMPLAINED)
        subscription = SubscriptionFactory(**values)
        page = admin_client.get(get_path(subscription))
        assert page.context["state_text"].endswith(shown)
        found = re.findall(f"/subscription/{subscription.pk}/(\\w+)/", page.content.decode())
        assert set(found) - {"change"} == set(buttons.split())

    def test_history_names_the_admin_and_the_statement(self, admin_client: Client, admin_user: Any) -> None:
        subscription = SubscriptionFactory(confirmed=True, source=Source.LANDING_SAILORS)
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        why: dict[str, Any] = {"reason": LeavingReason.TOO_MANY, "comment": "Once a month"}
        ConsentEvent.record(subscription, ConsentKind.EXPLAINED, language="en", **why)
        administration.unsubscribe(subscription=subscription, by_id=admin_user.pk)
        ended, left, asked = admin_client.get(get_path(subscription)).context["entries"]
        assert (ended.text, ended.details) == ("Unsubscribed by an admin", (str(admin_user),))
        assert left.details == ("Too many emails", "Once a month")
        version = date_format(date.fromisoformat(STATEMENT_VERSION))
        assert asked.details == (f"consent text of {version}, English", "Landing for sailors")


class TestActions:
    def test_button_acts_and_is_recorded_or_says_why_not(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(bounced=True, is_confirmed=True)
        for action, state in (
            ("mark_reachable", State.CONFIRMED),
            ("unsubscribe", State.UNSUBSCRIBED),
            ("restore", State.CONFIRMED),
        ):
            admin_client.post(get_path(subscription, action))
            subscription.refresh_from_db()
            assert subscription.state is state
        page = admin_client.post(get_path(subscription, "ask_again"), follow=True)
        assert "Nothing was changed: not waiting, asked recently, or must" in page.content.decode()
        assert LogEntry.objects.count() == 3
        assert admin_client.post(f"{LIST}{uuid4()}/ask_again/").status_code == 404

    @pytest.mark.parametrize("is_correction", [False, True])
    def test_subscriber_is_added_or_corrected_and_asked_unless_the_address_cannot_be_used(
        self, admin_client: Client, admin_user: Any, is_correction: bool
    ) -> None:
        SubscriptionFactory(email="known@example.com", confirmed=True)
        old = SubscriptionFactory(email="jana@gmial.com", first_name="Jana", language="cs")
        path = get_path(old, "correct") if is_correction else f"{LIST}add/"
        values = {"first_name": "Jana", "user_type": "sailor", "language": "cs"}
        assert (old.email in admin_client.get(path).content.decode()) is is_correction
        page = admin_client.post(path, {**values, "email": "known@example.com"}).content.decode()
        assert "This address cannot be used: it is on the list" in page
        assert 'value="known@example.com"' in page
        after = admin_client.post(path, {**values, "email": " Jana@Gmail.com"}, follow=True)
        new = Subscription.objects.get(email="jana@gmail.com")
        assert after.redirect_chain == [(get_path(new), 302)]
        assert "Asked to confirm: jana@gmail.com." in after.content.decode()
        assert (new.first_name, new.state, latest().recipient) == ("Jana", State.PENDING, new.email)
        first, second = new.consent_events.all()
        assert first.kind == (ConsentKind.CORRECTED if is_correction else ConsentKind.ADDED)
        assert (second.kind, first.by, second.by) == (ConsentKind.INVITED, admin_user, admin_user)
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert ("Address corrected." in history) is is_correction
        assert "gmial" not in history


def test_reasons_for_leaving_are_listed_without_addresses() -> None:
    path, viewer = "/admin/newsletter/leavinganswer/", staff_client("view_subscription")
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    ConsentEvent.record(subscription, ConsentKind.UNSUBSCRIBED)  # without a reason
    why: dict[str, Any] = {"reason": LeavingReason.TOO_MANY, "comment": "Once a month is enough"}
    ConsentEvent.record(subscription, ConsentKind.EXPLAINED, **why)
    assert viewer.get(f"{path}?reason__exact=other").context["cl"].result_count == 0
    found = viewer.get(f"{path}?reason__exact=too-many&language__exact=en&q=month")
    assert found.context["cl"].result_count == viewer.get(path).context["cl"].result_count == 1
    assert "Once a month is enough" in found.content.decode()
    assert "jana" not in found.content.decode()


def test_interest_is_named_in_both_languages_and_retired_once_it_is_chosen() -> None:
    path, client = "/admin/newsletter/interest/", group_client("Managers")
    values = {"name_en": "Regattas", "name_cs": "Regaty", "position": "1", "is_offered": "on"}
    for changes, status in (({"name_cs": ""}, 200), ({}, 302), ({}, 200)):  # a name is unique
        assert client.post(f"{path}add/", values | changes).status_code == status
    interest, unused = Interest.objects.get(), InterestFactory(is_offered=False)
    assert "Retired" in client.get(path).content.decode()
    subscription = SubscriptionFactory()
    assert "field-interests" not in client.get(get_path(subscription)).content.decode()
    subscription.interests.add(interest)
    assert "Regattas" in client.get(get_path(subscription)).content.decode()
    for each, status in ((interest, 403), (unused, 302)):
        page = client.get(f"{path}{each.pk}/change/").content.decode()
        assert ("/delete/" in page) is (status == 302)
        assert client.post(f"{path}{each.pk}/delete/", {"post": "yes"}).status_code == status
