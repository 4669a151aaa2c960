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
from sailing.mail.models import MailPriority, MailState, OutboxEmail, SuppressionReason
from sailing.mail.outbox import cancel_pending, enqueue, purge, store, subject_key, woken
from sailing.privacy.erasure import erase_person
from sailing.watches import measure_waiting_mails
from tests.jobs import purge_expired
from tests.mailbox import latest, mails, send_pending

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)


def enqueue_any(to: str = "a@example.org", **options: Any) -> OutboxEmail:
    context = {"unsubscribe_url": "x"}
    enqueue("newsletter/already_subscribed", to=to, language="en", context=context, **options)
    return latest()


def test_mail_is_due_at_once_with_a_message_id_of_the_site() -> None:
    mail = enqueue_any()
    assert mail.state == MailState.WAITING
    assert mail.next_attempt_at <= timezone.now()
    assert mail.message_id.endswith("@testserver>")
    assert mail.priority == MailPriority.NORMAL


def test_subject_with_a_long_name_is_cut_to_its_column() -> None:
    store(to="a@example.org", subject="[Test] " + "x" * 300, text="", html="")
    assert len(latest().subject) == 255


@pytest.mark.django_db(transaction=True)
def test_mail_of_a_rolled_back_transaction_is_not_stored() -> None:
    with transaction.atomic():
        enqueue_any()
        transaction.set_rollback(True)
    assert not mails()


@pytest.mark.django_db(transaction=True)
def test_mail_wakes_the_sender_after_the_commit() -> None:
    woken.clear()
    with transaction.atomic():
        enqueue_any()
        assert not woken.is_set()
    assert woken.is_set()


class TestDueLater:
    """A reminder is stored with its cause and sent days later, unless something ends it."""

    @pytest.fixture
    def subscription(self) -> Subscription:
        found: Subscription = SubscriptionFactory(email="a@example.org")
        key = subject_key(Subscription, found.pk)
        enqueue(
            "newsletter/already_subscribed",
            to=found.email,
            language="en",
            context={"unsubscribe_url": "x"},
            subject_key=key,
            at=timezone.now() + 2 * DAY,
            is_reminder=True,
        )
        return found

    def test_it_is_sent_when_it_is_due(
        self, subscription: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        assert send_pending() == 0
        assert measure_waiting_mails() == 0, "nothing stalls"
        time_machine.shift(2 * DAY)
        assert send_pending() == 1

    @pytest.mark.parametrize("state", [MailState.WAITING, MailState.SENT, MailState.FAILED])
    def test_it_is_purged_14_days_after_it_was_due(
        self, subscription: Subscription, state: MailState, time_machine: TimeMachineFixture
    ) -> None:
        OutboxEmail.objects.update(state=state)
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
        end(subscription)
        assert not mails(is_reminder=True)

    def test_it_is_not_sent_from_a_restored_database(
        self, subscription: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        installation.stop_restored_work()
        time_machine.shift(2 * DAY)
        assert send_pending() == 0
        assert [mail.state for mail in mails(is_reminder=True)] == [MailState.FAILED]

    def test_failed_reminder_is_deleted_when_the_mailbox_is_suppressed(
        self, subscription: Subscription
    ) -> None:
        """Otherwise an admin could send it again."""
        installation.stop_restored_work()
        mailboxes.suppress(subscription.email, SuppressionReason.COMPLAINED)
        assert not mails(is_reminder=True)

    def test_suppression_deletes_no_mail_that_is_due(self) -> None:
        mail = enqueue_any()
        mailboxes.suppress(mail.recipient, SuppressionReason.COMPLAINED)
        assert mails() == [mail]


class TestCancelling:
    @pytest.fixture
    def stored(self) -> list[OutboxEmail]:
        return [enqueue_any(subject_key="one"), enqueue_any(subject_key="two"), enqueue_any("b@example.org")]

    @pytest.mark.parametrize("state", [MailState.WAITING, MailState.FAILED])
    def test_pending_mails_are_deleted(self, stored: list[OutboxEmail], state: MailState) -> None:
        OutboxEmail.objects.update(state=state)
        cancel_pending("one")
        assert mails() == stored[1:]

    def test_sent_mails_are_kept_until_purged(self, stored: list[OutboxEmail]) -> None:
        OutboxEmail.objects.update(state=MailState.SENT)
        cancel_pending("one")
        assert mails() == stored
        purge(["one", "never"])
        assert mails() == stored[1:]
