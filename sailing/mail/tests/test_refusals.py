"""Mails that the mail server refuses, and times when it is unavailable."""

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from unittest import mock

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from newsletter.models import Subscription
from sailing.mail import sender
from sailing.mail.models import MailState
from sailing.mail.recording import MAX_ATTEMPTS, get_backoff, mail_bounced
from sailing.mail.sender import Sender
from tests.mail_server import MailServer, unavailable
from tests.mailbox import create_mail, mails, send_pending

pytestmark = pytest.mark.django_db(transaction=True)

JANA = "jana@example.com"
WAITING, SENT, FAILED = MailState.WAITING, MailState.SENT, MailState.FAILED


@pytest.fixture
def active(settings: Settings) -> Iterator[Sender]:
    """Return a sender with one connection, which goes on between the calls of `work`."""
    settings.EMAIL_CONNECTIONS = 1
    found = Sender()
    yield found
    found.close()


def work(active: Sender, *, is_pause_over: bool = False) -> int:
    """Let a sender send what it may; return how many mails were accepted."""
    if is_pause_over:
        active._pause.resume_at = 0
    return active.send_pending(threading.Event())


def states() -> list[str]:
    return [email.state for email in mails()]


class TestServerUnavailable:
    def test_sender_pauses_and_probes_with_one_mail(
        self, server: MailServer, settings: Settings, active: Sender
    ) -> None:
        for _mail in range(3):
            create_mail()
        with unavailable(settings):
            assert work(active) == 0
            assert 0 < active.pause_left <= sender.FIRST_BACKOFF_SECONDS
            assert {(mail.state, mail.attempts) for mail in mails()} == {(WAITING, 0)}
            assert any(mail.last_error.startswith("ConnectionRefusedError") for mail in mails())
            for seconds in (2, 4, 8, 16, 32, 60, 60):
                due = {mail.next_attempt_at for mail in mails()}
                assert max(due) <= timezone.now()
                work(active, is_pause_over=True)
                assert seconds - 1 < active.pause_left <= seconds
                assert len({mail.next_attempt_at for mail in mails()} - due) == 1, "more than a probe"
        assert work(active) == 0, "sent within the pause"
        assert work(active, is_pause_over=True) == 3
        assert active.pause_left == 0
        assert states() == [SENT] * 3

    def test_421_pauses_the_sender_and_postpones_one_mail(self, server: MailServer, active: Sender) -> None:
        server.replies = {"DATA": "421 4.3.2 going down"}
        create_mail()
        create_mail()
        assert work(active) == 0
        assert active.pause_left
        assert [mail.attempts for mail in mails()] == [1, 0]

    def test_refused_sender_is_no_failure_of_the_mail(self, server: MailServer, active: Sender) -> None:
        server.replies = {"MAIL": "550 5.1.8 sender rejected"}
        Subscription.objects.create(email=JANA, user_type="sailor")
        create_mail()
        work(active)
        assert active.pause_left
        assert states() == [WAITING]
        assert Subscription.objects.get().bounced_at is None

    def test_mail_that_breaks_the_connection_does_not_block_the_others(
        self, server: MailServer, active: Sender
    ) -> None:
        create_mail()
        create_mail(recipient="second@example.org")
        server.hangs_up_on = "MAIL"
        work(active)
        server.hangs_up_on = ""
        assert work(active, is_pause_over=True) == 1
        assert list(server.mails) == ["second@example.org"]


class TestRefusals:
    def test_4xx_postpones_the_mail_until_its_attempts_are_used_up(self, server: MailServer) -> None:
        server.replies = {"DATA": "451 4.3.0 try later"}
        create_mail()
        create_mail(attempts=MAX_ATTEMPTS - 1, text="Ahoy")
        send_pending()
        first, last = mails()
        assert (first.state, first.attempts) == (WAITING, 1)
        assert first.next_attempt_at > timezone.now()
        assert (last.state, last.attempts) == (FAILED, MAX_ATTEMPTS)
        assert last.text  # an admin may send it again

    def test_pauses_get_longer_up_to_an_hour(self) -> None:
        for attempts, minutes in ((1, 1), (2, 2), (6, 32), (7, 60), (29, 60)):
            assert 1 <= get_backoff(attempts) / timedelta(minutes=minutes) <= 1.2

    def test_postponed_mail_is_sent_at_its_time_with_the_same_id(self, server: MailServer) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            server.replies = {"RCPT": "450 4.2.0 greylisted"}
            stored = create_mail()
            send_pending()
            server.replies = {}
            stored.refresh_from_db()
            clock.move_to(stored.next_attempt_at - timedelta(seconds=1))
            assert send_pending() == 0
            clock.shift(timedelta(seconds=1))
            assert send_pending() == 1
        assert server.mails == {JANA: [stored.message_id]}

    def test_5xx_is_final_and_the_address_undeliverable(
        self, server: MailServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.replies = {"RCPT": "550 5.1.1 no such user"}
        stored = create_mail()
        Subscription.objects.create(email=JANA, user_type="sailor")
        User.objects.create_user(JANA)
        assert send_pending() == 0
        stored.refresh_from_db()
        assert (stored.state, stored.attempts, stored.last_error) == (FAILED, 1, "550 5.1.1 no such user")
        subscription = Subscription.objects.get()
        assert subscription.bounced_at
        assert subscription.consent_events.get().comment == "550 5.1.1 no such user"
        assert User.objects.get().email_undeliverable_at
        (failure,) = [record for record in caplog.records if "mail_failed" in str(record.msg)]
        assert failure.levelno == logging.ERROR

    def test_mails_that_fail_hold_up_no_other(self, server: MailServer) -> None:
        server.refused_recipients = {"gone@": "550 5.1.1 no"}
        address = "\u017fail@example.org"  # stored before such addresses were refused
        Subscription.objects.create(email=address, user_type="sailor")
        create_mail(recipient="gone@example.org")
        create_mail(headers={"X-Broken": "two\nlines"})
        create_mail(recipient=address)
        create_mail()
        assert send_pending() == 1
        assert states() == [FAILED, FAILED, FAILED, SENT]
        assert mails()[1].last_error.startswith("BadHeaderError")
        assert Subscription.objects.get().bounced_at

    def test_failing_receiver_of_a_bounce_does_not_block_the_results(self, server: MailServer) -> None:
        fail = mock.Mock(side_effect=ValueError)
        server.replies = {"RCPT": "550 5.1.1 no"}
        create_mail()
        mail_bounced.connect(fail)
        try:
            send_pending()
        finally:
            mail_bounced.disconnect(fail)
        assert fail.called
        assert states() == [FAILED]

    def test_stored_error_has_no_address_and_no_link_and_the_log_no_reply(
        self, server: MailServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the server's own
        server.replies = {"RCPT": "550 5.1.1 <jana@example.org>: unknown, see https://mx.example/jana?t=1"}
        stored = create_mail()
        send_pending()
        stored.refresh_from_db()
        assert stored.last_error == "550 5.1.1 … unknown, see …"
        assert "mail_failed" in caplog.text
        assert "unknown" not in caplog.text
        assert "jana" not in caplog.text
