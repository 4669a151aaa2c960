"""The one reminder to confirm: stored at the sign-up, sent after two days unless something has happened."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.models import ConsentKind, State, Subscription
from newsletter.services import administration
from newsletter.services.lifecycle import record_bounce
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import (
    confirm_address,
    deliver,
    manage_address,
    not_me_address,
    unsubscribe_address,
)
from sailing.mail import installation, mailboxes
from sailing.mail.mailboxes import suppress
from sailing.mail.models import MailPriority, MailState, OutboxEmail, SuppressionReason
from sailing.privacy.erasure import erase_person
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)
EMAIL = "sailor@example.com"


@pytest.fixture
def reader() -> Subscription:
    """Return somebody who has just signed up, and has the mail that asks to confirm."""
    subscribe()
    deliver()
    return Subscription.objects.get()


def reminders() -> list[OutboxEmail]:
    return mails(is_reminder=True)


def test_is_sent_once_after_two_days_in_the_words_of_a_reminder(
    reader: Subscription, time_machine: TimeMachineFixture
) -> None:
    (reminder,) = reminders()
    assert reminder.subject == "A reminder: please confirm your subscription"
    assert "This is our only reminder." in reminder.text
    assert reminder.priority == MailPriority.BULK
    assert not_me_address(reminder)
    kinds = [event.kind for event in reader.consent_events.all()]
    assert kinds == [ConsentKind.REQUESTED, ConsentKind.REMINDER]
    time_machine.shift(2 * DAY - timedelta(seconds=1))
    assert deliver() == 0
    time_machine.shift(timedelta(seconds=1))
    assert deliver() == 1
    for days in (1, 1, 30):
        time_machine.shift(days * DAY)
        subscribe()
        deliver()
    assert len(reminders()) == 1


@pytest.mark.parametrize(("days", "state"), [(9, State.CONFIRMED), (9.1, State.PENDING)])
def test_its_link_works_for_seven_days_from_its_arrival(
    reader: Subscription, days: float, state: State, time_machine: TimeMachineFixture
) -> None:
    time_machine.shift(days * DAY - timedelta(seconds=1))
    press_button(confirm_address(reminders()[0]))
    reader.refresh_from_db()
    assert reader.state is state


EVENTS: dict[str, Callable[[Subscription], Any]] = {
    "confirmed": lambda reader: press_button(confirm_address(latest())),
    "confirmed by the reminder": lambda reader: press_button(confirm_address(reminders()[0])),
    "this was not me": lambda reader: press_button(not_me_address(latest()), not_me="1"),
    "unsubscribed": lambda reader: press_button(unsubscribe_address(latest())),
    "left everything": lambda reader: press_button(manage_address(reader), everything="1"),
    "bounced": lambda reader: record_bounce(email=reader.email),
    "unsubscribed by an admin": lambda reader: administration.unsubscribe(subscription=reader),
    "erased": lambda reader: erase_person(reader, suppresses=False),
    "complained in the other audience": lambda reader: suppress(reader.email, SuppressionReason.COMPLAINED),
    "complained with another spelling": lambda _reader: suppress(
        "sailor+news@example.com", SuppressionReason.COMPLAINED
    ),
}


@pytest.mark.parametrize("happen", EVENTS.values(), ids=EVENTS)
def test_is_canceled_when_it_is_no_longer_due(
    reader: Subscription, happen: Callable[[Subscription], Any], time_machine: TimeMachineFixture
) -> None:
    time_machine.shift(DAY)
    happen(reader)
    assert not reminders()
    if Subscription.objects.filter(pk=reader.pk).exists():
        subscribe()
        assert not reminders()


@pytest.mark.parametrize("is_by_admin", [False, True])
def test_who_is_asked_again_gets_one_reminder_two_days_later(
    reader: Subscription, is_by_admin: bool, time_machine: TimeMachineFixture
) -> None:
    time_machine.shift(timedelta(minutes=5))
    subscribe()  # within the pause, so nothing is sent
    time_machine.shift(DAY)
    if is_by_admin:
        administration.ask_again(subscription=reader)
    else:
        subscribe()
    (reminder,) = reminders()
    assert reminder.next_attempt_at == timezone.now() + 2 * DAY
    time_machine.shift(2 * DAY)
    assert deliver() == 2
    time_machine.shift(7 * DAY - timedelta(seconds=1))
    press_button(confirm_address(reminder))
    assert Subscription.objects.get().is_confirmed


def test_who_did_not_ask_on_the_site_gets_none() -> None:
    administration.add(email=EMAIL, user_type="sailor", language="en")
    other = SubscriptionFactory(email="jana@example.com", confirmed=True)
    press_button(manage_address(other), preferences="1", audience=["sailor", "company"])
    assert len(mails()) == 2
    assert not reminders()


def test_restored_database_sends_none(reader: Subscription, time_machine: TimeMachineFixture) -> None:
    installation.stop_restored_work()
    assert reminders()[0].state == MailState.FAILED
    time_machine.shift(2 * DAY)
    assert deliver() == 0


class TestBudget:
    """A mailbox gets at most five mails a day that its owner did not ask for, reminders included."""

    def test_reminder_counts_as_unanswered_and_leaves_room_for_the_usual_requests(self) -> None:
        subscribe()
        subscribe(userType="company")
        assert (len(mails()), len(reminders())) == (2, 2)
        assert mailboxes.reserve(EMAIL)  # to verify the address of an account
        assert not mailboxes.reserve(EMAIL)

    def test_who_has_room_for_one_mail_gets_no_reminder(self) -> None:
        for _mail in range(4):
            mailboxes.reserve(EMAIL)
        subscribe()
        assert (len(mails()), len(reminders())) == (1, 0)
