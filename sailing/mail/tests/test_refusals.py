"""Mails that the mail server refuses, and times when it is unavailable."""

import logging
import time
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
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.outbox import MAX_ATTEMPTS, decide, mail_bounced
from sailing.mail.sender import Sender
from sailing.mail.transport import Connections, DeliveryAttempt, DeliveryResult
from tests.mail_server import MailServer, unavailable
from tests.mailbox import create_mail, mails, send_pending

pytestmark = pytest.mark.django_db(transaction=True)

JANA = "jana@example.com"
WAITING, SENT, FAILED = MailState.WAITING, MailState.SENT, MailState.FAILED


@pytest.fixture(autouse=True)
def _short_pauses(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sender with one connection probe an unavailable mail server often."""
    settings.EMAIL_CONNECTIONS = 1
    monkeypatch.setattr(sender, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(sender, "LONGEST_PAUSE_SECONDS", 0.01)


def states() -> list[str]:
    return [email.state for email in mails()]


class TestServerUnavailable:
    @pytest.fixture
    def active(self) -> Iterator[Sender]:
        """Return a sender that goes on between the calls of `work`."""
        found = Sender()
        yield found
        found.close()

    def work(self, active: Sender, rounds: int = 20) -> None:
        for _round in range(rounds):
            active.work()
            time.sleep(0.01)

    def test_mails_lose_no_attempt_and_are_sent_when_it_is_back(
        self, server: MailServer, settings: Settings, active: Sender
    ) -> None:
        for _mail in range(3):
            create_mail()
        with unavailable(settings):
            self.work(active)
            assert {(mail.state, mail.attempts) for mail in mails()} == {(WAITING, 0)}
            assert any(mail.last_error.startswith("ConnectionRefusedError") for mail in mails())
        self.work(active, 40)
        assert states() == [SENT] * 3
        assert len(server.received) == 3

    def test_refused_password_is_named_and_costs_no_attempt(
        self, server: MailServer, settings: Settings, active: Sender, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "sailing", "old"
        create_mail()
        self.work(active)
        assert [(mail.state, mail.attempts, mail.last_error[:3]) for mail in mails()] == [(WAITING, 0, "535")]
        assert "mail_server_unavailable" in caplog.text

    @pytest.mark.parametrize(
        "replies", [{"DATA": "421 4.3.2 going down"}, {"MAIL": "550 5.1.8 sender rejected"}]
    )
    def test_server_that_refuses_us_postpones_the_probe_and_blames_no_address(
        self, server: MailServer, active: Sender, replies: dict[str, str]
    ) -> None:
        server.replies = replies
        Subscription.objects.create(email=JANA, user_type="sailor")
        create_mail()
        create_mail(recipient="second@example.org", priority=MailPriority.BULK)
        self.work(active)
        assert [(mail.state, mail.attempts) for mail in mails()] == [(WAITING, 1), (WAITING, 1)]
        assert Subscription.objects.get().bounced_at is None

    def test_mail_that_breaks_the_connection_does_not_block_the_others(
        self, server: MailServer, active: Sender
    ) -> None:
        create_mail()
        server.hangs_up_on = "MAIL"
        self.work(active, 3)
        server.hangs_up_on = ""
        create_mail(recipient="second@example.org")
        self.work(active)
        assert list(server.mails) == ["second@example.org"]

    def test_outage_is_noticed_by_few_mails_and_probed_by_one(
        self, settings: Settings, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The server may take seconds to refuse each."""
        monkeypatch.setattr(sender, "LONGEST_PAUSE_SECONDS", 1)
        monkeypatch.setattr(sender, "FIRST_PAUSE_SECONDS", 1)
        tried: list[str] = []

        def deliver(_connections: Connections, mail: OutboxEmail) -> DeliveryAttempt:
            tried.append(mail.recipient)
            time.sleep(0.02)
            return DeliveryAttempt(mail, DeliveryResult.NOT_TRIED, "ConnectionRefusedError")

        monkeypatch.setattr(Connections, "deliver", deliver)
        for number in range(8):
            create_mail(recipient=f"reader{number}@example.org")
        self.work(active, 10)
        assert len(tried) <= 3, "the others are handed back"
        time.sleep(1)
        before = len(tried)
        self.work(active, 10)
        assert len(tried) == before + 1

    def test_pauses_get_longer_until_a_mail_gets_through(
        self,
        server: MailServer,
        settings: Settings,
        active: Sender,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.setattr(sender, "LONGEST_PAUSE_SECONDS", 0.04)
        create_mail()
        with unavailable(settings):
            self.work(active, 40)
        assert pauses(caplog)[:4] == [0.01, 0.02, 0.04, 0.04]
        self.work(active)
        assert states() == [SENT]
        caplog.clear()
        create_mail()
        with unavailable(settings):
            self.work(active)
        assert pauses(caplog)[:1] == [0.01]


def pauses(caplog: pytest.LogCaptureFixture) -> list[float]:
    """Return the seconds of the pauses in the log."""
    found = [each.msg for each in caplog.records if "mail_server_unavailable" in str(each.msg)]
    return [each["pause_seconds"] for each in found if isinstance(each, dict)]


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
            mail = OutboxEmail(attempts=attempts - 1)
            attempt = DeliveryAttempt(mail, DeliveryResult.POSTPONED)
            *_decision, delay = decide(attempt, repeats_unknown=True)
            assert 1 <= delay / timedelta(minutes=minutes) <= 1.2

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
