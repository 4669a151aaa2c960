"""The outbox: a mail is stored with its cause, and deleted with it or after its retention."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from sailing.mail import sender
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.outbox import cancel_pending, enqueue, purge, store
from sailing.mail.queue import purge_expired
from tests.mailbox import create_mail, latest, mails

pytestmark = pytest.mark.django_db


def enqueue_any(to: str = "a@example.org", *, subject_key: str = "") -> OutboxEmail:
    enqueue(
        "newsletter/already_subscribed",
        to=to,
        language="en",
        context={"unsubscribe_url": "x"},
        subject_key=subject_key,
    )
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
    sender.woken.clear()
    with transaction.atomic():
        enqueue_any()
        assert not sender.woken.is_set()
    assert sender.woken.is_set()


def test_mail_is_purged_after_14_days() -> None:
    with time_machine.travel(timezone.now() - timedelta(days=14, seconds=1)):
        create_mail(MailState.SENT)
        create_mail(MailState.FAILED)
    younger = create_mail(MailState.FAILED)
    assert not purge_expired()
    assert mails() == [younger]


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
