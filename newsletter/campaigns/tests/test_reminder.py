"""The reminder to confirm: once, to those who signed up on the site."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import reminder, series
from newsletter.models import Subscription
from newsletter.services import administration
from newsletter.services.lifecycle import ask_to_confirm, record_bounce
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, not_me_address
from sailing.jobs import heartbeats, queue
from sailing.mail import installation, mailboxes
from sailing.mail.models import MailState, OutboxEmail
from tests.jobs import run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    time_machine.move_to("2027-05-31T10:00:00+00:00", tick=False)
    reminder.turn_on()
    return time_machine


def remind(*, silence: bool = False) -> int:
    """Run the job, after a sender has worked or a silence; return how many mails it has caused."""
    before = len(mails())
    if not silence:
        with transaction.atomic():
            heartbeats.renew(series.HEARTBEAT)
    queue.enqueue("newsletter.remind")
    run_pending_jobs()
    deliver()
    return len(mails()) - before


def test_who_has_not_confirmed_is_reminded_once_after_two_days(clock: TimeMachineFixture) -> None:
    subscribe()
    deliver()
    clock.shift(2 * DAY - timedelta(seconds=1))
    assert remind() == 0
    clock.shift(timedelta(seconds=1))
    assert remind() == 1
    assert latest().subject == "A reminder: please confirm your subscription"
    assert "This is our only reminder." in latest().text
    assert not_me_address(latest())
    for days in (1, 1, 4, 30):
        clock.shift(days * DAY)
        assert remind() == 0


def test_address_in_both_audiences_is_not_reminded_twice_at_once(clock: TimeMachineFixture) -> None:
    subscribe()
    subscribe(userType="company")
    deliver()
    clock.shift(2 * DAY)
    assert remind() == 1
    clock.shift(DAY)
    assert remind() == 1
    assert remind() == 0


def test_who_is_due_after_a_long_silence_is_not_reminded(clock: TimeMachineFixture) -> None:
    """The database may have gone back to a time before the reminder."""
    subscribe()
    deliver()
    assert remind() == 0
    clock.shift(DAY)
    subscribe(email="later@example.com")
    deliver()
    clock.shift(DAY + timedelta(hours=1))
    assert remind(silence=True) == 0
    assert series.is_silent()  # only a sender ends it
    series.stop_abandoned()
    assert remind() == 0
    clock.shift(DAY)
    assert remind() == 1


def test_silence_moves_the_start_of_the_reminder_even_if_nobody_is_due(clock: TimeMachineFixture) -> None:
    clock.shift(3 * DAY)
    reminder.pass_over_due()
    switch = reminder.find_switch()
    assert switch
    assert switch.since == timezone.now() - reminder.DELAY


def test_who_asked_again_and_is_not_due_yet_is_reminded_after_a_long_silence(
    clock: TimeMachineFixture, caplog: pytest.LogCaptureFixture
) -> None:
    series.stop_abandoned()
    for email in ("due@example.com", "again@example.com"):
        subscribe(email=email)
    deliver()
    clock.shift(DAY)
    subscribe(email="again@example.com")
    deliver()
    clock.shift(DAY + timedelta(hours=1))
    series.stop_abandoned()
    assert "'count': 1, 'event': 'reminders_passed_over'" in caplog.text
    assert remind() == 0
    clock.shift(DAY)
    assert remind() == 1
    assert latest().recipient == "again@example.com"


def test_address_with_an_unsent_mail_is_not_reminded(clock: TimeMachineFixture) -> None:
    subscribe()
    clock.shift(2 * DAY)
    queue.enqueue("newsletter.remind")
    run_pending_jobs()
    assert OutboxEmail.objects.filter(state=MailState.WAITING).count() == 1
    deliver()
    assert remind() == 1


def test_reminder_in_the_language_and_for_the_audience_of_the_request_confirms(
    clock: TimeMachineFixture,
) -> None:
    subscribe(userType="company")
    deliver()
    Subscription.objects.update(language="cs")
    clock.shift(2 * DAY)
    remind()
    assert latest().subject == "Připomínáme: potvrďte prosím svůj odběr"
    assert "pro firmy" in latest().text
    press_button(confirm_address(latest()))
    assert Subscription.objects.get().is_confirmed


def ask_again(reader: Subscription) -> None:
    """Somebody asks for a subscription that its owner has ended."""
    Subscription.objects.update(is_active=False, unsubscribed_at=timezone.now())
    reader.refresh_from_db()
    ask_to_confirm(reader, language="en")


EVENTS: dict[str, Callable[[Subscription], Any]] = {
    "left": lambda reader: press_button(not_me_address(latest())),
    "confirmed": lambda reader: press_button(confirm_address(latest())),
    "bounced": lambda reader: record_bounce(email=reader.email),
    "bounced in the other audience": lambda reader: SubscriptionFactory(
        email=reader.email, user_type="company", bounced=True
    ),
    "imported": lambda reader: Subscription.objects.update(is_imported=True),
    "asked after leaving": ask_again,
    "asked again": lambda reader: Subscription.objects.update(last_mail_at=timezone.now() + DAY),
    "blocked": lambda reader: mailboxes.block(reader.email),
}


@pytest.mark.parametrize("happen", EVENTS.values(), ids=EVENTS)
def test_others_are_not_reminded(happen: Callable[[Subscription], Any], clock: TimeMachineFixture) -> None:
    subscribe()
    deliver()
    happen(Subscription.objects.get())
    clock.shift(2 * DAY)
    assert remind() == 0


def test_who_was_added_by_an_admin_is_not_reminded(clock: TimeMachineFixture) -> None:
    administration.add(email="jana@example.com", user_type="sailor", language="en")
    clock.shift(2 * DAY)
    assert remind() == 0


def test_switch_counts_for_sign_ups_since_it_was_turned_on(clock: TimeMachineFixture) -> None:
    reminder.turn_off()
    subscribe(email="before@example.com")
    clock.shift(2 * DAY)
    assert remind() == 0
    reminder.turn_on()
    subscribe(email="after@example.com")
    deliver()
    clock.shift(2 * DAY)
    assert remind() == 1
    assert latest().recipient == "after@example.com"


def test_late_reminder_is_left_out(clock: TimeMachineFixture) -> None:
    subscribe()
    deliver()
    clock.shift(7 * DAY + timedelta(seconds=1))
    assert remind() == 0


def test_batches_reach_everybody_once(clock: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reminder, "BATCH_SIZE", 2)
    for number in range(5):
        subscribe(email=f"sailor{number}@example.com")
    deliver()
    clock.shift(2 * DAY)
    assert remind() == 5
    assert remind() == 0


def test_restore_turns_it_off(clock: TimeMachineFixture) -> None:
    subscribe()
    clock.shift(2 * DAY)
    report = dict(installation.stop_restored_work())
    assert report["Reminders to confirm that are off"] == 1
    assert remind() == 0
