"""The outbox: a mail is stored with its cause, and deleted with it or after its retention."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.models import ConsentKind, Subscription
from newsletter.services import lifecycle
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail import installation, mailboxes
from sailing.mail.models import MailState, OutboxEmail, SuppressionReason
from sailing.mail.outbox import cancel_pending, purge, store, subject_key, woken
from sailing.privacy.erasure import erase_person
from sailing.watches import measure_waiting_mails
from tests.jobs import purge_expired
from tests.mailbox import mails, send_pending

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)


def store_any(to: str = "a@example.org", **options: Any) -> OutboxEmail:
    store(to=to, subject="[Test] " + "x" * 300, text="Ahoy", html="Ahoy", **options)
    return OutboxEmail.objects.latest("pk")


def test_subject_is_cut_to_what_fits() -> None:
    assert len(store_any().subject) == 255


@pytest.mark.django_db(transaction=True)
def test_mail_wakes_the_sender_after_the_commit() -> None:
    woken.clear()
    with transaction.atomic():
        store_any()
        assert not woken.is_set()
    assert woken.is_set()


class TestDueLater:
    """A reminder is stored with its cause and sent days later, unless something ends it."""

    @pytest.fixture
    def subscription(self) -> Subscription:
        found: Subscription = SubscriptionFactory(email="a@example.org")
        key = subject_key(Subscription, found.pk)
        store_any(subject_key=key, at=timezone.now() + 2 * DAY, is_reminder=True)
        return found

    def test_it_is_sent_when_due(self, subscription: Subscription, time_machine: TimeMachineFixture) -> None:
        assert send_pending() == 0
        assert measure_waiting_mails() == 0, "nothing stalls"
        time_machine.shift(2 * DAY)
        assert send_pending() == 1

    def test_it_is_purged_14_days_after_it_was_due(
        self, subscription: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.shift(16 * DAY)
        purge_expired()
        assert mails(is_reminder=True)
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        assert not mails(is_reminder=True)

    @pytest.mark.parametrize(
        "end",
        [
            lambda one: lifecycle.end_subscription(one, event=ConsentKind.UNSUBSCRIBED, language="en"),
            lambda one: lifecycle.begin_subscription(one, language="en"),
            lambda one: mailboxes.suppress(one.email, SuppressionReason.COMPLAINED),
            lambda one: erase_person(one, suppresses=False),
        ],
        ids=["unsubscribed", "confirmed", "suppressed", "erased"],
    )
    def test_it_is_deleted_when_the_owner(self, subscription: Subscription, end: Any) -> None:
        due = store_any(to=subscription.email)
        end(subscription)
        assert not mails(is_reminder=True)
        assert mails() == [due]

    def test_it_is_not_sent_from_a_restored_database_nor_later_to_a_suppressed_mailbox(
        self, subscription: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        installation.stop_restored_work()
        time_machine.shift(2 * DAY)
        assert send_pending() == 0
        assert [mail.state for mail in mails(is_reminder=True)] == [MailState.FAILED]
        mailboxes.suppress(subscription.email, SuppressionReason.COMPLAINED)
        assert not mails(is_reminder=True), "an admin could send it again"


def test_cancelling_deletes_what_is_unsent_and_purging_the_rest() -> None:
    stored = [store_any(subject_key=key) for key in ("one", "one", "one", "two", "")]
    for mail, state in zip(stored, (MailState.SENT, MailState.FAILED), strict=False):
        OutboxEmail.objects.filter(pk=mail.pk).update(state=state)
    assert cancel_pending("one")
    assert mails() == [stored[0], *stored[3:]]
    assert not cancel_pending("one")
    purge(["one", "never"])
    assert mails() == stored[3:]
