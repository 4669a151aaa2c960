"""Admins and subscribers: the use cases, their pages in Django admin, interests, and reasons for leaving."""

import re
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from time_machine import TimeMachineFixture

from newsletter import models
from newsletter.imports.models import ImportBatch
from newsletter.models import ConsentEvent, ConsentKind, LeavingReason, Source, State, Subscription, UserType
from newsletter.services import administration
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, subscribe, unsubscribe_address
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.errors import BadUserInput
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "sailor@example.com"
LIST = "/admin/newsletter/subscription/"


def test_mail_names_where_an_imported_address_comes_from() -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv", origin="Boat show in Prague, 2025")
    assert administration.ask_again(subscription=SubscriptionFactory(is_imported=True, import_batch=batch))
    for shown in (latest().text, latest().html):
        assert "Boat show in Prague, 2025" in shown
        assert "This was not me" in shown
        assert "asked for" not in shown
        assert "/newsletter/manage/" not in shown  # nobody subscribed yet


def test_who_complained_or_opted_out_in_the_other_audience_is_not_asked() -> None:
    complained, opted_out = SubscriptionFactory.create_batch(2, is_imported=True)
    mailboxes.suppress(complained.email, SuppressionReason.COMPLAINED)
    other = SubscriptionFactory(email=opted_out.email, user_type=UserType.COMPANY, unsubscribed=True)
    ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT)
    for subscription in (complained, opted_out):
        assert not administration.ask_again(subscription=subscription)
    assert not mails()


@pytest.mark.parametrize(("group", "is_offered"), [("Managers", True), ("Editors", False)])
def test_managers_alone_ask_several_to_confirm(group: str, is_offered: bool) -> None:
    SubscriptionFactory()
    assert ('value="ask_again"' in group_client(group).get(LIST).text) is is_offered


def test_unsubscribing_closes_open_links_and_cancels_mails() -> None:
    subscribe()
    deliver()
    subscribe(userType="company")
    company, subscription = Subscription.objects.order_by("user_type")
    welcome = confirm_address(mails()[0])
    assert administration.unsubscribe(subscription=company)
    assert len(mails()) == 1  # that to the company was not sent yet
    assert administration.unsubscribe(subscription=subscription)
    press_button(welcome)
    assert {each.state for each in Subscription.objects.all()} == {State.UNSUBSCRIBED}


@pytest.mark.parametrize("later", ["a request", "a request that an admin dropped", "the owner", "a week"])
def test_unsubscription_is_undone_if_it_was_the_last(later: str, time_machine: TimeMachineFixture) -> None:
    ended = SubscriptionFactory(email=EMAIL, confirmed=True)
    administration.unsubscribe(subscription=ended)
    if later == "a week":
        time_machine.shift(timedelta(days=administration.RESTORE_DAYS))
    else:
        subscribe()  # anyone may have typed the address
        mail = latest()
    if later == "the owner":
        press_button(unsubscribe_address(mail))
    elif later == "a request that an admin dropped":
        assert administration.unsubscribe(subscription=ended)
    assert administration.restore(subscription=ended) is (later == "a request")
    if later == "a request":
        assert not mails()
        press_button(confirm_address(mail))  # the link is closed
        assert ended.consent_events.latest("at", "pk").kind == ConsentKind.RESTORED
    else:
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


def test_both_audiences_of_the_address_are_reachable() -> None:
    subscription, other = SubscriptionFactory(email=EMAIL, bounced=True), SubscriptionFactory(bounced=True)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, bounced=True)
    assert administration.mark_reachable(subscription=subscription)
    assert list(Subscription.objects.exclude(bounced_at=None)) == [other]


def test_bad_first_name_is_refused_with_its_field() -> None:
    for name in ("<b>", "\u202ename"):
        with pytest.raises(BadUserInput) as refusal:
            administration.add(email="new@example.com", user_type="sailor", language="cs", first_name=name)
        assert refusal.value.extensions["field"] == "firstName"


class TestCorrection:
    @pytest.fixture
    def typo(self) -> Subscription:
        """Return a subscriber with a mistake in the address, who has a mail that asks to confirm."""
        subscribe(email="jana@gmial.com", source="landing-sailors", utmCampaign="spring")
        deliver()
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        Subscription.objects.update(first_name="Jana", is_imported=True, import_batch=batch)
        return Subscription.objects.get()

    def test_address_that_must_not_be_asked_is_refused(self, typo: Subscription) -> None:
        SubscriptionFactory(email="known@example.com", unsubscribed=True)
        SubscriptionFactory(email="bounced@example.com", user_type="company", bounced=True)
        left = SubscriptionFactory(email="left@example.com", user_type="company")
        ConsentEvent.record(left, ConsentKind.IMPORTED_OPT_OUT)
        mailboxes.suppress("erased@example.com", SuppressionReason.ERASED)
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve("busy@example.com")
        before = list(Subscription.objects.values())
        refused = [f"{name}@example.com" for name in ("known", "bounced", "left", "erased", "busy")]
        for email in (typo.email, *refused):
            for use_case in (
                partial(administration.add, user_type="sailor", language="cs"),
                partial(administration.correct_address, subscription=typo),
            ):
                with pytest.raises(BadUserInput, match="This address cannot be used"):
                    use_case(email=email)
        assert list(Subscription.objects.values()) == before
        assert len(mails()) == 1

    def test_new_owner_is_asked_and_the_old_one_gets_nothing_more(self, typo: Subscription) -> None:
        old_links = confirm_address(latest()), unsubscribe_address(latest())
        other = SubscriptionFactory(email=typo.email, user_type="company", confirmed=True)
        new = administration.correct_address(subscription=typo, email="jana@gmail.com")
        for name in ("first_name", "source", "utm_campaign", "is_imported", "import_batch"):
            assert getattr(new, name) == getattr(typo, name)
        assert [mail.recipient for mail in mails()] == ["jana@gmail.com"]
        for address in old_links:
            press_button(address)
        assert {each.pk: each.state for each in Subscription.objects.all()} == {
            new.pk: State.PENDING,
            other.pk: State.CONFIRMED,
        }
        assert not mailboxes.find_suppressed([typo.email])

    def test_opt_out_that_has_just_come_stays_with_its_address(self, typo: Subscription) -> None:
        Subscription.objects.update(is_active=False, unsubscribed_at=timezone.now())
        left, ended = SubscriptionFactory(unsubscribed=True), SubscriptionFactory(is_active=False)
        for subscription in (typo, left, ended):
            with pytest.raises(BadUserInput):
                administration.correct_address(subscription=subscription, email="jana@gmail.com")
        assert Subscription.objects.count() == 3


def get_path(subscription: Subscription, name: str = "change") -> str:
    return f"{LIST}{subscription.pk}/{name}/"


def get_names(client: Client, query: str = "") -> set[str]:
    rows = client.get(LIST + query).context["cl"].result_list
    return {subscription.email.partition("@")[0] for subscription in rows}


class TestList:
    def test_filters_and_search(self, admin_client: Client) -> None:
        SubscriptionFactory(email="sailor@example.com", source=Source.LANDING_SAILORS, is_imported=True)
        SubscriptionFactory(email="firm@example.com", first_name="Jiřina", confirmed=True)
        SubscriptionFactory(email="gone@example.com", unsubscribed=True)
        for query, found in (
            ("?state=unsubscribed", {"gone"}),
            ("?source__exact=landing-sailors", {"sailor"}),
            ("?q=SAILOR@", {"sailor"}),
            ("?q=jiřina+firm@", {"firm"}),
            ("?q=_", set()),
            ("?import=any", {"sailor"}),
            ("?import=none", {"firm", "gone"}),
        ):
            assert get_names(admin_client, query) == found, query
        page = admin_client.get(LIST).content.decode()
        assert "Undeliverable since" in page
        assert "Has date" not in page

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
        by_hand = administration.add(email="by-hand@example.com", user_type="sailor", language="en")
        fair = SubscriptionFactory(email="fair@example.com", is_imported=True, import_batch=batch)
        expected: dict[Subscription, str] = {
            fair: "Import of fair.csv",
            SubscriptionFactory(is_imported=True): "An import",
            by_hand: "An admin",
            SubscriptionFactory(source=Source.LANDING_COMPANIES): "Landing for companies",
            SubscriptionFactory(email="own@example.com"): "The site",
        }
        for subscription, source in expected.items():
            row = admin_client.get(f"{LIST}?q={subscription.email}").content.decode()
            assert f'field-origin is-hidden">{source}</td>' in row
            assert source in admin_client.get(get_path(subscription)).content.decode()
        assert f'<a href="?import={batch.pk}">fair.csv, ' in admin_client.get(LIST).content.decode()
        assert get_names(admin_client, f"?import={batch.pk}") == {"fair"}
        assert get_names(admin_client, "?source__exact=") == {"own"}


class TestPage:
    def test_language_can_be_changed_and_what_the_owner_says_cannot(self, admin_client: Client) -> None:
        def leave_after_it_is_read(execute: Any, sql: str, *arguments: Any) -> Any:
            if sql.startswith('UPDATE "newsletter_subscription"'):
                execute('UPDATE "newsletter_subscription" SET "is_active" = false', (), *arguments[1:])
            return execute(sql, *arguments)

        path = get_path(SubscriptionFactory(email="owner@example.com"))
        forged = {"email": "other@example.com", "user_type": "company", "is_confirmed": "on"}
        with connection.execute_wrapper(leave_after_it_is_read):
            assert admin_client.post(path, {"language": "cs", **forged}).status_code == 302
        fields = ("language", "email", "user_type", "is_confirmed", "is_active")
        stored = Subscription.objects.values_list(*fields).get()
        assert stored == ("cs", "owner@example.com", "sailor", False, False)
        assert "Changed Language" in admin_client.get(path).content.decode()

    @pytest.mark.parametrize(
        ("values", "buttons", "shown"),
        [
            ({}, "ask_again unsubscribe correct delete", "Gets nothing until they confirm."),
            ({"confirmed": True}, "unsubscribe correct delete", "Gets the newsletters."),
            ({"confirmed": True, "paused": True}, "unsubscribe correct delete", "until Jul\xa01,\xa02025."),
            ({"bounced": True}, "mark_reachable unsubscribe correct delete", "come back."),
            ({"confirmed": True, "unsubscribed": True}, "delete", "Gets nothing."),
            ({"email": "spam@example.com"}, "unsubscribe correct delete", "do-not-contact list."),
        ],
    )
    def test_has_the_buttons_of_the_state(
        self, admin_client: Client, values: Any, buttons: str, shown: str
    ) -> None:
        mailboxes.suppress("spam@example.com", SuppressionReason.COMPLAINED)
        subscription = SubscriptionFactory(**values)
        page = admin_client.get(get_path(subscription))
        assert page.context["state_text"].endswith(shown)
        found = re.findall(f"/subscription/{subscription.pk}/(\\w+)/", page.content.decode())
        assert set(found) - {"change"} == set(buttons.split())

    def test_history_has_the_statement_and_reasons(self, admin_client: Client, admin_user: Any) -> None:
        subscription = SubscriptionFactory(email="jana@example.com", source=Source.LANDING_SAILORS)
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        why: dict[str, Any] = {"reason": LeavingReason.TOO_MANY, "comment": "Once a month"}
        ConsentEvent.record(subscription, ConsentKind.EXPLAINED, language="en", **why)
        administration.unsubscribe(subscription=subscription, by_id=admin_user.pk)
        version = date_format(date.fromisoformat(models.STATEMENT_VERSION), "SHORT_DATE_FORMAT")
        for name in ("change", "history"):
            page = admin_client.get(get_path(subscription, name))
            assert '</strong> <span class="details quiet">Too many emails; Once a month</span>' in page.text
            assert {entry.details for entry in page.context["entries"]} == {
                (str(admin_user),),  # who unsubscribed the reader
                ("Too many emails", "Once a month"),
                (f"consent text of {version}, English", "Landing for sailors"),
            }
        path, viewer = "/admin/newsletter/leavinganswer/", staff_client("view_subscription")
        assert viewer.get(f"{path}?reason__exact=other").context["cl"].result_count == 0
        found = viewer.get(f"{path}?reason__exact=too-many&language__exact=en&q=month")
        assert found.context["cl"].result_count == viewer.get(path).context["cl"].result_count == 1
        assert "Once a month" in found.content.decode()
        assert "jana" not in found.content.decode()


class TestActions:
    def test_button_acts_and_is_recorded_or_says_why_not(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory(bounced=True, is_confirmed=True)
        for action in ("mark_reachable", "unsubscribe", "restore"):
            before = Subscription.objects.get().state
            admin_client.post(get_path(subscription, action))
            assert Subscription.objects.get().state is not before
        page = admin_client.post(get_path(subscription, "ask_again"), follow=True)
        assert "Nothing was changed: not waiting, asked recently, or must" in page.content.decode()
        assert LogEntry.objects.count() == 3

    def test_usable_address_is_added_or_corrected(self, admin_client: Client, admin_user: Any) -> None:
        SubscriptionFactory(email="known@example.com", confirmed=True)
        old = SubscriptionFactory(email="jana@gmial.com")
        values = {"first_name": "Jana", "user_type": "sailor", "language": "cs"}
        for path, email, kind in (
            (f"{LIST}add/", "eva@example.com", ConsentKind.ADDED),
            (get_path(old, "correct"), "jana@gmail.com", ConsentKind.CORRECTED),
        ):
            assert (old.email in admin_client.get(path).content.decode()) is (kind == ConsentKind.CORRECTED)
            page = admin_client.post(path, {**values, "email": "known@example.com"}).content.decode()
            assert "This address cannot be used: it is on the list" in page
            assert 'value="known@example.com"' in page
            after = admin_client.post(path, {**values, "email": email}, follow=True)
            new = Subscription.objects.get(email=email)
            assert after.redirect_chain == [(get_path(new), 302)]
            assert f"Asked to confirm: {email}." in after.content.decode()
            events = [(event.kind, event.by) for event in new.consent_events.all()]
            assert events == [(kind, admin_user), (ConsentKind.INVITED, admin_user)]
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Address corrected." in history
        assert "gmial" not in history


def test_interest_is_named_in_both_languages_and_retired_once_it_is_chosen() -> None:
    path, client = "/admin/newsletter/interest/", group_client("Managers")
    values = {"name_en": "Regattas", "name_cs": "Regaty", "position": "1", "is_offered": "on"}
    for changes, status in (({"name_cs": ""}, 200), ({}, 302), ({}, 200)):  # a name is unique
        assert client.post(f"{path}add/", values | changes).status_code == status
    interest, unused = models.Interest.objects.get(), InterestFactory(is_offered=False)
    assert "Retired" in client.get(path).content.decode()
    subscription = SubscriptionFactory()
    assert "field-interests" not in client.get(get_path(subscription)).content.decode()
    subscription.interests.add(interest)
    assert "Regattas" in client.get(get_path(subscription)).content.decode()
    for each, status in ((interest, 403), (unused, 302)):
        page = client.get(f"{path}{each.pk}/change/").content.decode()
        assert ("/delete/" in page) is (status == 302)
        assert client.post(f"{path}{each.pk}/delete/", {"post": "yes"}).status_code == status


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL's indexes")
def test_owner_creates_the_extension_in_any_schema_if_the_site_must_not() -> None:
    """The migration builds the index for the search of the list."""
    call_command("migrate", "newsletter", "zero", verbosity=0)
    execute("DROP EXTENSION pg_trgm", "CREATE SCHEMA extensions", "CREATE ROLE guest")
    for kind in ("TABLES", "SEQUENCES"):
        execute(f"GRANT ALL ON ALL {kind} IN SCHEMA public TO guest")
    execute("GRANT CREATE ON SCHEMA public TO guest", "SET ROLE guest")
    try:
        with pytest.raises(CommandError, match="Let the owner of the database run"):
            call_command("migrate", "newsletter", verbosity=0)
        execute("RESET ROLE", "CREATE EXTENSION pg_trgm SCHEMA extensions")
        call_command("migrate", "newsletter", verbosity=0)
        with connection.cursor() as cursor:
            query = "SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass"
            cursor.execute(query, ["subscription_search"])
            assert cursor.fetchall() == [(True,)]
    finally:
        execute("RESET ROLE")
        call_command("migrate", "newsletter", "zero", verbosity=0)
        execute("DROP SCHEMA extensions CASCADE", "DROP OWNED BY guest", "DROP ROLE guest")
        call_command("migrate", verbosity=0)  # all apps: others depend on the newsletter's tables
