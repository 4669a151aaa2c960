"""How subscriptions go from state to state: mails, consent history, retention, and requests at one time."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from time_machine import TimeMachineFixture

from newsletter import models, retention
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.services import administration, preferences
from newsletter.services.lifecycle import record_bounce
from newsletter.tests.factories import SubscriptionFactory, issue_confirm
from newsletter.tests.mailbox import confirm_address, deliver, manage_address, subscribe, unsubscribe_address
from sailing.jobs.retention import BATCH_SIZE
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority, SuppressionReason
from sailing.privacy.erasure import erase_person
from tests.api import czech_visitor
from tests.concurrency import run_at_once, run_overlapping
from tests.mailbox import Reader, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "sailor@example.com"
MINUTES, SECOND, DAY = timedelta(minutes=10), timedelta(seconds=1), timedelta(days=1)


def stored() -> Subscription:
    return Subscription.objects.get()


WELCOME, ABOARD = "Welcome aboard! Please confirm your subscription", "You are already aboard"
INVITED = "May we send you our newsletter?"
BEFORE: dict[str, dict[str, Any]] = {
    "pending": {},
    "confirmed": {"confirmed": True},
    "paused": {"confirmed": True, "paused": True},
    "unsubscribed": {"confirmed": True, "unsubscribed": True},
    "ended by an admin": {"confirmed": True, "is_active": False},
    "ended unconfirmed": {"is_active": False},
    "asked again": {"confirmed": True, "unsubscribed": True, "asked_again_at": timezone.now()},
    "bounced": {"confirmed": True, "bounced": True},
}
ACTIONS: dict[str, Callable[[Subscription], Any]] = {
    "asks": lambda _each: subscribe(email=EMAIL),
    "confirms": lambda each: press_button(issue_confirm(each)),
    "leaves": lambda each: press_button(manage_address(each)),
    "disowns": lambda each: press_button(manage_address(each), not_me="1"),
    "bounces": lambda each: record_bounce(email=each.email),
    "admin asks": lambda each: administration.ask_again(subscription=each),
    "admin unsubscribes": lambda each: administration.unsubscribe(subscription=each),
    "admin restores": lambda each: administration.restore(subscription=each),
    "admin marks as reachable": lambda each: administration.mark_reachable(subscription=each),
}
PENDING, CONFIRMED, GONE, BOUNCED = State.PENDING, State.CONFIRMED, State.UNSUBSCRIBED, State.BOUNCED
ENDED = (GONE, ConsentKind.ENDED_BY_ADMIN, "")
AFTER: dict[str, dict[str, tuple[State | None, ConsentKind | None, str]]] = {
    "asks": {
        **dict.fromkeys(BEFORE, (PENDING, ConsentKind.REQUESTED, WELCOME)),
        "confirmed": (CONFIRMED, None, ABOARD),
        "paused": (State.PAUSED, None, ABOARD),
        "bounced": (BOUNCED, None, ""),
    },
    "confirms": dict.fromkeys(BEFORE, (CONFIRMED, ConsentKind.CONFIRMED, "")),
    "leaves": {
        **dict.fromkeys(BEFORE, (GONE, ConsentKind.UNSUBSCRIBED, "")),
        "unsubscribed": (GONE, None, ""),
        "bounced": (BOUNCED, ConsentKind.UNSUBSCRIBED, ""),
    },
    "disowns": {
        **dict.fromkeys(("pending", "ended unconfirmed"), (None, None, "")),
        "asked again": (GONE, ConsentKind.DISOWNED, ""),
    },
    "bounces": {**dict.fromkeys(BEFORE, (BOUNCED, ConsentKind.BOUNCED, "")), "bounced": (BOUNCED, None, "")},
    "admin asks": dict.fromkeys(("pending", "asked again"), (PENDING, ConsentKind.INVITED, INVITED)),
    "admin unsubscribes": {
        **dict.fromkeys(("pending", "confirmed", "paused", "asked again"), ENDED),
        "bounced": (BOUNCED, ConsentKind.ENDED_BY_ADMIN, ""),
    },
    "admin restores": {
        "ended by an admin": (CONFIRMED, ConsentKind.RESTORED, ""),
        "ended unconfirmed": (PENDING, ConsentKind.RESTORED, ""),
    },
    "admin marks as reachable": {"bounced": (CONFIRMED, ConsentKind.REACHABLE, "")},
}
"""What an action leads to: the state (None: erased), the event, and the subject of a mail; else nothing."""


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("before", BEFORE)
def test_action_leads_from_state_to_state(before: str, action: str) -> None:
    subscription = SubscriptionFactory(email=EMAIL, **BEFORE[before])
    if action == "admin restores" and before.startswith("ended"):
        ConsentEvent.record(subscription, ConsentKind.ENDED_BY_ADMIN)
    events = list(ConsentEvent.objects.values_list("kind", flat=True))
    state, event, subject = AFTER[action].get(before, (subscription.state, None, ""))
    ACTIONS[action](subscription)
    assert [each.state for each in Subscription.objects.all()] == ([state] if state else [])
    assert [each.kind for each in ConsentEvent.objects.all()] == events + ([event] if event else [])
    assert [mail.subject for mail in mails()] == ([subject] if subject else [])


def test_paused_reader_learns_until_when_and_how_to_resume() -> None:
    subscription = SubscriptionFactory(email=EMAIL, confirmed=True, paused=True)
    subscribe(email=EMAIL)
    for shown in (latest().text, Reader(latest().html).shown):
        assert "your newsletter is paused until July 1, 2025." in " ".join(shown.split())
        assert "Resume now" in shown
    assert f"{manage_address(subscription)}?lang=en#preferences" in latest().text
    page = text(open_link(issue_confirm(subscription, is_used=True)))
    assert "Paused until <strong>July 1, 2025</strong>" in page


class TestLimits:
    @pytest.mark.parametrize(
        ("state", "pause", "sources"),
        [
            ({}, MINUTES, ["landing-sailors", ""]),
            ({"unsubscribed": True}, MINUTES, ["landing-sailors", ""]),
            ({"confirmed": True}, DAY, []),
        ],
    )
    def test_next_mail_needs_a_pause(self, time_machine: Any, state: Any, pause: Any, sources: Any) -> None:
        subscription = SubscriptionFactory(email=EMAIL, language="cs", **state)
        for shift, count in ((timedelta(), 1), (pause - SECOND, 1), (SECOND, 2)):
            time_machine.shift(shift)
            subscribe(source="landing-sailors" if count == 1 else None)
            assert len(mails()) == count
        after = stored()
        assert (after.language, after.source) == (("en", "landing-sailors") if sources else ("cs", ""))
        assert [event.source for event in subscription.consent_events.all()] == sources

    def test_who_leaves_and_asks_again_within_the_pause_gets_one_mail_at_once(self) -> None:
        subscribe()
        deliver()
        (first,) = mails()
        press_button(unsubscribe_address(first))
        for _ in range(2):
            subscribe()
        assert stored().state is State.PENDING
        assert len(mails()) == 2
        press_button(unsubscribe_address(first))
        assert mails() == [first]

    def test_admin_asks_within_them(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory()
        sent = []
        for _ in range(14):
            sent.append(administration.ask_again(subscription=subscription))
            time_machine.shift(MINUTES / 2)
        assert sent == [True, False] * 5 + [False] * 4
        assert len(mails()) == 5


class TestReminder:
    EVENTS: dict[str, Callable[[Subscription], Any]] = {
        **{
            name: ACTIONS[name] for name in ("confirms", "leaves", "disowns", "bounces", "admin unsubscribes")
        },
        "is erased": lambda reader: erase_person(reader, suppresses=False),
        "complains": lambda _: mailboxes.suppress("sailor+a@example.com", SuppressionReason.COMPLAINED),
    }

    @pytest.fixture
    def reader(self) -> Subscription:
        subscribe()
        deliver()
        return stored()

    @pytest.mark.parametrize(("late", "state"), [(-SECOND, State.CONFIRMED), (SECOND, State.PENDING)])
    def test_comes_once_after_two_days_with_a_link_for_seven(
        self, reader: Subscription, time_machine: TimeMachineFixture, late: timedelta, state: State
    ) -> None:
        (reminder,) = mails(is_reminder=True)
        assert reminder.subject == "A reminder: please confirm your subscription"
        assert "This is our only reminder." in reminder.text
        assert reminder.priority == MailPriority.BULK
        kinds = [event.kind for event in reader.consent_events.all()]
        assert kinds == [ConsentKind.REQUESTED, ConsentKind.REMINDER]
        time_machine.shift(2 * DAY - SECOND)
        assert deliver() == 0
        time_machine.shift(SECOND)
        assert deliver() == 1
        for _day in range(2):
            time_machine.shift(DAY)
            subscribe()
        assert len(mails(is_reminder=True)) == 1
        time_machine.shift(5 * DAY + late)
        press_button(confirm_address(reminder))
        assert stored().state is state

    @pytest.mark.parametrize("event", EVENTS)
    def test_is_canceled(self, reader: Subscription, event: str, time_machine: TimeMachineFixture) -> None:
        time_machine.shift(DAY)
        self.EVENTS[event](reader)
        assert not mails(is_reminder=True)
        if Subscription.objects.exists():
            subscribe()
            assert not mails(is_reminder=True)

    @pytest.mark.parametrize("is_by_admin", [False, True])
    def test_comes_after_the_last_mail(self, reader: Any, is_by_admin: bool, time_machine: Any) -> None:
        time_machine.shift(MINUTES / 2)
        subscribe()  # within the pause, so nothing is sent
        time_machine.shift(DAY)
        if is_by_admin:
            administration.ask_again(subscription=reader)
        else:
            subscribe()
        (reminder,) = mails(is_reminder=True)
        assert reminder.next_attempt_at == timezone.now() + 2 * DAY
        assert confirm_address(reminder) != confirm_address(latest())

    @pytest.mark.parametrize(("room", "sent", "reminders"), [(5, 2, 2), (1, 1, 0)])
    def test_needs_room_in_the_budget_of_the_mailbox(self, room: int, sent: int, reminders: int) -> None:
        for _mail in range(mailboxes.MAX_UNANSWERED - room):
            mailboxes.reserve(EMAIL)
        for user_type in ("sailor", "company"):
            subscribe(userType=user_type)
        assert (len(mails()), len(mails(is_reminder=True))) == (sent, reminders)


def test_unanswered_subscription_is_erased_ninety_days_after_the_last_mail(
    time_machine: TimeMachineFixture,
) -> None:
    def purge() -> int:
        while retention.purge_unanswered():
            pass
        return Subscription.objects.count()

    emails = (f"reader{number}@example.com" for number in range(BATCH_SIZE + 1))
    Subscription.objects.bulk_create(Subscription(email=email, user_type="sailor") for email in emails)
    for days in (50, 90):
        subscribe()
        time_machine.shift(days * DAY)
    long_ago = {"created_at": timezone.now() - 91 * DAY}
    assert purge() == 1
    time_machine.shift(SECOND)
    assert purge() == ConsentEvent.objects.count() == 0
    for answered in ({"confirmed": True}, {"unsubscribed": True}, {"bounced": True}, {"is_active": False}):
        SubscriptionFactory(**answered, **long_ago)
    for kind in (ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT):
        ConsentEvent.record(SubscriptionFactory(**long_ago), kind)  # and asked again
    assert purge() == 6


STATEMENTS = {
    "en": "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each email.",
    "cs": "Chci dostávat newsletter Sailing e-mailem. Odhlásit se mohu kdykoli odkazem v každé zprávě.",
}
"""Whoever changes a text here gives the statement a new version."""


def test_event_records_kind_language_wording_source_and_audience() -> None:
    client = czech_visitor()
    answer = subscribe(client=client, userType="company", source="landing-companies")
    assert answer.data["message"] == "Uvítací zprávu najdete v e-mailu."
    welcome = latest()
    assert welcome.subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"
    press_button(confirm_address(welcome), client=client)
    press_button(unsubscribe_address(welcome).replace("lang=cs", "lang=en"))
    expected = [("requested", "cs"), ("reminder", "cs"), ("confirmed", "cs"), ("unsubscribed", "en")]
    of_each = (models.STATEMENT_VERSION, "landing-companies", "company")
    found = ConsentEvent.objects.values_list("kind", "language", "wording", "source", "user_type")
    assert list(found) == [(*each, *of_each) for each in expected]


@pytest.mark.parametrize("language", STATEMENTS)
def test_form_shows_the_statement_of_this_version(language: str) -> None:
    messages = json.loads((settings.BASE_DIR / f"frontend/messages/{language}.json").read_text())
    with translation.override(language):
        assert messages["newsletter.statement"] == str(models.STATEMENT) == STATEMENTS[language]
    assert models.STATEMENT_VERSION == "2026-11-24"


def test_event_cannot_be_changed_or_deleted() -> None:
    ConsentEvent.record(SubscriptionFactory(), ConsentKind.REQUESTED, language="en")
    event, events = ConsentEvent.objects.get(), ConsentEvent.objects.all()
    event.kind = ConsentKind.CONFIRMED
    of_reader = stored().consent_events.all()
    for change in (event.save, event.delete, lambda: events.update(kind=event.kind), of_reader.delete):
        with pytest.raises(TypeError), transaction.atomic():
            change()
        assert ConsentEvent.objects.get().kind == ConsentKind.REQUESTED


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize(("state", "events"), [("", 2), ("confirmed", 0), ("unsubscribed", 1)])
def test_equal_requests_make_one_row_and_one_mail(state: str, events: int) -> None:
    SubscriptionFactory.create_batch(bool(state), email=EMAIL, **{state: True})
    assert all(answer.data["success"] for answer in run_at_once(8, lambda _: subscribe()))
    assert (Subscription.objects.count(), len(mails())) == (1, 1)
    assert ConsentEvent.objects.count() == events


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_change_of_preferences_does_not_deadlock_when_a_subscription_appears() -> None:
    """While one change holds its lock, the other audience is requested and a second change begins."""
    sailor = SubscriptionFactory(pk=UUID(int=2**128 - 1), email=EMAIL, confirmed=True)

    def change() -> None:
        values: dict[str, Any] = {"audiences": UserType.values, "mail_language": "cs", "language": "en"}
        assert preferences.change_preferences(subscription=sailor, **values) == []

    def request_and_change() -> None:
        first_key = {"pk": UUID(int=1)}
        Subscription.objects.get_or_create(email=EMAIL, user_type=UserType.COMPANY, defaults=first_key)
        change()

    run_overlapping(change, request_and_change)
    languages = set(Subscription.objects.values_list("user_type", "language"))
    assert languages == {(UserType.SAILOR, "cs"), (UserType.COMPANY, "cs")}
