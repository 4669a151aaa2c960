"""The sender: each mail is sent once, in order of priority, whatever the mail server or the database does."""

import json
import logging
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from unittest import mock

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from newsletter.models import Subscription
from sailing.database import Now
from sailing.mail import outbox
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.outbox import MAX_ATTEMPTS, OutboxQueue, decide
from sailing.mail.sender import MailThread, Sender
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
from tests.concurrency import run_at_once
from tests.database import explain
from tests.mail_server import MailServer
from tests.mailbox import create_mail, mails, send_pending
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, SENT, FAILED = MailState.WAITING, MailState.SENT, MailState.FAILED
JANA = "jana@example.com"

Hold = tuple[threading.Event, threading.Event]


def states() -> list[str]:
    return [email.state for email in mails()]


def states_and_attempts() -> list[tuple[str, int]]:
    return [(email.state, email.attempts) for email in mails()]


def make_mails(count: int, priority: MailPriority = MailPriority.NORMAL) -> None:
    for number in range(count):
        create_mail(recipient=f"{priority.name.lower()}-{number}@example.org", priority=priority)


@pytest.fixture
def active() -> Iterator[Sender]:
    """Return a sender that goes on between the calls of `work`."""
    found = Sender()
    yield found
    found.close()


@pytest.fixture
def hold(server: MailServer) -> Iterator[Hold]:
    """Let the mail server keep the first mail. Return whether it has one, and what lets it reply."""
    taking, finish = threading.Event(), threading.Event()

    def take() -> None:
        if not taking.is_set():
            taking.set()
            finish.wait(10)

    server.on_accepted = take
    yield taking, finish
    finish.set()


def test_mail_is_delivered_once_and_its_text_deleted(server: MailServer, settings: Settings) -> None:
    settings.EMAIL_PROVIDER = "sendgrid"
    headers = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    stored = create_mail(text="Ahoj!\n", html="<p>Ahoj!</p>", headers=headers)
    assert (send_pending(), send_pending()) == (1, 0)
    ((recipients, message),) = server.received
    assert recipients == [stored.recipient]
    expected = {
        "To": stored.recipient,
        "From": settings.DEFAULT_FROM_EMAIL,
        "Subject": stored.subject,
        "Message-ID": stored.message_id,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        **headers,
    }
    assert expected.items() <= dict(message.items()).items()
    off = {"settings": {"enable": 0}}
    options = {"filters": {"opentrack": off, "clicktrack": off}, "unique_args": {}}
    assert json.loads(message["X-SMTPAPI"]) == options
    assert [part.get_content() for part in message.iter_parts()] == ["Ahoj!\r\n", "<p>Ahoj!</p>"]
    stored.refresh_from_db()
    assert (stored.state, stored.attempts, stored.text, stored.html, stored.headers) == (SENT, 1, "", "", {})
    assert stored.sent_at


class TestOrder:
    def test_mails_are_sent_by_priority_then_by_age(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        for priority in (MailPriority.BULK, MailPriority.NORMAL, MailPriority.URGENT, MailPriority.BULK):
            create_mail(priority=priority, recipient=f"{priority.name}-{len(mails())}@example.org")
        assert send_pending() == 4
        expected = ("URGENT-2", "NORMAL-1", "BULK-0", "BULK-3")
        assert server.recipients == [f"{name}@example.org" for name in expected]

    def test_urgent_mails_use_all_connections(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 4
        server.on_accepted = threading.Barrier(4, timeout=10).wait
        make_mails(4, MailPriority.URGENT)
        assert send_pending() == 4
        assert len(set(server.clients)) == 4

    @pytest.mark.usefixtures("shared_database")
    def test_urgent_mail_finds_a_connection(self, server: MailServer, settings: Settings, hold: Hold) -> None:
        settings.EMAIL_CONNECTIONS = 2
        taking, finish = hold
        make_mails(3, MailPriority.BULK)
        thread = MailThread()
        try:
            assert taking.wait(10)
            create_mail(priority=MailPriority.URGENT)
            outbox.woken.set()
            wait_until(lambda: server.recipients == ["bulk-0@example.org", JANA], "the urgent is sent", 10)
        finally:
            finish.set()
            thread.shutdown()

    def test_due_mails_are_found_by_the_partial_index(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            OutboxQueue(MailPriority.URGENT).claim(1)
        create_mail(SENT)
        plan = explain(queries.captured_queries[0]["sql"])
        assert "outbox_waiting" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan


class TestClaims:
    def test_claimed_mail_is_left_to_its_sender_until_the_claim_ends(self, server: MailServer) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            create_mail()
            assert OutboxQueue(MailPriority.NORMAL).claim(1)  # by a sender that is killed then
            assert send_pending() == 0
            clock.shift(outbox.CLAIM_LIFETIME)
            assert send_pending() == 1

    @pytest.mark.usefixtures("shared_database")
    def test_stop_hands_back_the_others(self, server: MailServer, settings: Settings, hold: Hold) -> None:
        settings.EMAIL_CONNECTIONS = 1
        taking, finish = hold
        make_mails(2, MailPriority.URGENT)
        make_mails(1, MailPriority.BULK)
        thread = MailThread()
        assert taking.wait(10)
        thread.stop()
        waiting = OutboxEmail.objects.filter(state=WAITING, next_attempt_at__lte=Now())
        wait_until(lambda: waiting.count() == 2, "the others are handed back", 10)
        finish.set()
        thread.shutdown()
        assert sorted(states()) == [SENT, WAITING, WAITING]
        assert len(server.received) == 1

    @pytest.mark.usefixtures("shared_database")
    def test_senders_share_the_mails_and_send_none_twice(self, server: MailServer) -> None:
        make_mails(20)
        run_at_once(3, lambda _number: send_pending())
        assert sorted(server.recipients) == sorted(mail.recipient for mail in mails())
        assert set(states()) == {SENT}


class TestRecording:
    @pytest.mark.parametrize(
        ("result", "attempts", "outbox", "delivery"),
        [
            (DeliveryResult.ACCEPTED, 0, ("sent", 1), ("sent", 1)),
            (DeliveryResult.REFUSED, 0, ("failed", 1), ("failed", 1)),
            (DeliveryResult.POSTPONED, 0, ("waiting", 1), ("waiting", 1)),
            (DeliveryResult.INTERRUPTED, 0, ("waiting", 1), ("waiting", 1)),
            (DeliveryResult.UNKNOWN, 0, ("waiting", 1), ("unknown", 1)),
            (DeliveryResult.NOT_TRIED, 3, ("waiting", 3), ("waiting", 3)),
            (DeliveryResult.POSTPONED, MAX_ATTEMPTS - 1, *[("failed", MAX_ATTEMPTS)] * 2),
            (DeliveryResult.NOT_TRIED, MAX_ATTEMPTS, *[("waiting", MAX_ATTEMPTS)] * 2),
        ],
    )
    def test_what_a_result_means(
        self, result: DeliveryResult, attempts: int, outbox: tuple[str, int], delivery: tuple[str, int]
    ) -> None:
        attempt = DeliveryAttempt(OutboxEmail(attempts=attempts), result)
        for repeats_unknown, expected in ((True, outbox), (False, delivery)):
            *decision, delay = decide(attempt, repeats_unknown=repeats_unknown)
            assert tuple(decision) == expected
            assert bool(delay) is (expected[0] == "waiting" and result is not DeliveryResult.NOT_TRIED)

    @pytest.mark.parametrize(("attempts", "minutes"), [(1, 1), (2, 2), (6, 32), (7, 60), (29, 60)])
    def test_pauses_get_longer_up_to_an_hour(self, attempts: int, minutes: int) -> None:
        attempt = DeliveryAttempt(OutboxEmail(attempts=attempts - 1), DeliveryResult.POSTPONED)
        *_decision, delay = decide(attempt, repeats_unknown=True)
        assert 1 <= delay / timedelta(minutes=minutes) <= 1.2

    def test_accepted_mail_is_not_repeated_after_an_outage_of_the_database(
        self, server: MailServer, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored = create_mail()
        active.work()
        wait_until(lambda: server.received, "the mail is accepted", 10)
        with monkeypatch.context() as patch:
            patch.setattr("django.db.models.query.QuerySet.update", mock.Mock(side_effect=OperationalError))
            with pytest.raises(OperationalError):
                wait_until(lambda: not active.work(), "the sender has tried to record it", 10)
        assert states() == [WAITING]
        active.work()
        assert states() == [SENT]
        assert server.mails == {stored.recipient: [stored.message_id]}

    @pytest.mark.parametrize("result", [DeliveryResult.REFUSED, DeliveryResult.POSTPONED])
    def test_result_is_recorded_once_and_not_after_the_claim_has_ended(self, result: DeliveryResult) -> None:
        """The first commit may seem to fail; another sender or an admin may have changed the row."""
        create_mail(text="Ahoy")
        outbox = OutboxQueue(MailPriority.NORMAL)
        attempt = DeliveryAttempt(outbox.claim(1)[0], result, "451 no")
        for _time in range(2):
            outbox.record([attempt])
            (mail,) = mails()
            assert (mail.attempts, mail.text) == (1, "Ahoy"), "an admin may send it again"
            assert 59 < (mail.next_attempt_at - timezone.now()).total_seconds() < 73 or mail.state == FAILED
        later = timezone.now() + timedelta(hours=1)
        OutboxEmail.objects.update(state=WAITING, attempts=0, next_attempt_at=later)
        outbox.record([attempt])
        assert states_and_attempts() == [(WAITING, 0)]


class TestFailures:
    @pytest.fixture
    def other(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
        """Return another queue, which can claim one mail and then fails."""
        mail = OutboxEmail(recipient="reader@example.org", subject="Ahoy", message_id="<2@example.com>")
        queue = mock.Mock(is_urgent=False, is_claimed_ahead=False, mail=mail)
        queue.claim.side_effect = [[mail], ValueError]
        settings.MAIL_QUEUES = ["other.Queue"]
        monkeypatch.setitem(sys.modules, "other", SimpleNamespace(Queue=lambda: queue))
        return queue

    @pytest.mark.parametrize("method", ["claim", "record"])
    def test_queue_that_fails_stops_no_other(
        self, server: MailServer, other: mock.Mock, method: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        getattr(other, method).side_effect = ValueError
        create_mail(priority=MailPriority.BULK)
        assert send_pending() == 1
        assert "mail_queue_failed" in caplog.text

    def test_failed_queue_is_told_at_the_end(self, other: mock.Mock, active: Sender, hold: Hold) -> None:
        taking, finish = hold
        active.work()
        assert taking.wait(10)
        active.work()
        finish.set()
        active.close()
        assert get_results(other) == [DeliveryResult.ACCEPTED]

    def test_ending_sender_does_not_wait(self, server: MailServer, other: mock.Mock, active: Sender) -> None:
        other.mail.start_at = time.monotonic() + 60
        active.work()
        active.close()
        assert get_results(other) == [DeliveryResult.NOT_TRIED]
        assert not server.received


def get_results(queue: mock.Mock) -> list[DeliveryResult]:
    return [attempt.result for call in queue.record.mock_calls for attempt in call.args[0]]


class TestThrottling:
    @pytest.fixture(autouse=True)
    def _fast(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sailing.mail.pace.LOWEST_RATE", 100)

    def test_throttled_mail_is_retried_at_once_and_loses_no_attempt(self, server: MailServer) -> None:
        server.refusals = ["454 Throttling failure"]
        create_mail()
        assert send_pending() == 1
        assert mails()[0].attempts == 1

    def test_mail_that_alone_is_throttled_is_postponed(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 3
        server.refused_recipients = {"normal-0@": "450 4.7.1 Too many recipient attempts"}
        make_mails(30)
        assert send_pending() == 29
        assert states_and_attempts()[0] == (WAITING, 1)

    def test_server_that_takes_no_mail_costs_no_attempt(self, server: MailServer) -> None:
        server.replies = {"DATA": "454 Throttling failure: Daily message quota exceeded."}
        make_mails(2)
        assert send_pending() == 0
        assert set(states_and_attempts()) == {(WAITING, 0)}


def work(active: Sender, rounds: int = 20) -> None:
    for _round in range(rounds):
        active.work()
        time.sleep(0.01)


def test_outage_costs_few_tries(
    server: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may take seconds to refuse each."""
    settings.EMAIL_CONNECTIONS = 1
    active = Sender()
    tried: list[float] = []

    def connect(*_args: object) -> None:
        tried.append(time.monotonic())
        time.sleep(0.02)
        raise ConnectionRefusedError

    monkeypatch.setattr("smtplib.SMTP.connect", connect)
    make_mails(8)
    work(active, 10)
    assert len(tried) <= 3, "the others are handed back"
    time.sleep(1)
    before = len(tried)
    work(active, 10)
    active.close()
    assert len(tried) == before + 1


@pytest.fixture
def _short_pauses(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sender with one connection probe an unavailable mail server often: its clock is fast."""
    settings.EMAIL_CONNECTIONS = 1
    monotonic = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 500 * monotonic())


@pytest.mark.usefixtures("_short_pauses")
class TestServerUnavailable:
    def pauses(self, caplog: pytest.LogCaptureFixture) -> list[float]:
        """Return the seconds of the pauses in the log."""
        found = [each.msg for each in caplog.records if "mail_server_unavailable" in str(each.msg)]
        return [each["pause_seconds"] for each in found if isinstance(each, dict)]

    def test_pauses_get_longer_and_no_mail_loses_an_attempt_until_one_gets_through(
        self, server: MailServer, active: Sender, caplog: pytest.LogCaptureFixture
    ) -> None:
        make_mails(3)
        server.close()
        work(active, 40)
        assert set(states_and_attempts()) == {(WAITING, 0)}
        assert any(mail.last_error.startswith("ConnectionRefusedError") for mail in mails())
        server.open()
        assert self.pauses(caplog)[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
        work(active, 40)
        assert states() == [SENT] * 3
        assert len(server.received) == 3
        caplog.clear()
        create_mail()
        server.close()
        work(active)
        assert self.pauses(caplog)[:1] == [1]

    @pytest.mark.parametrize(
        ("command", "reply", "attempts"),
        [("AUTH", "535 5.7.8", 0), ("DATA", "421 4.3.2 closing", 1), ("MAIL", "550 5.1.8 rejected", 1)],
    )
    def test_server_that_refuses_us_postpones_the_probe_and_blames_no_address(
        self, server: MailServer, settings: Settings, active: Sender, command: str, reply: str, attempts: int
    ) -> None:
        if command == "AUTH":  # the server refuses every password
            settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = "old"
        server.replies = {command: reply}
        Subscription.objects.create(email=JANA, user_type="sailor")
        create_mail()
        work(active)
        assert states_and_attempts() == [(WAITING, attempts)]
        assert mails()[0].last_error.startswith(reply)
        assert Subscription.objects.get().bounced_at is None

    def test_mail_that_ends_its_connection_blocks_no_other(self, server: MailServer, active: Sender) -> None:
        create_mail()
        server.hangs_up_on = "MAIL"
        work(active, 3)
        server.hangs_up_on = ""
        create_mail(recipient="second@example.org")
        work(active)
        assert list(server.mails) == ["second@example.org"]


@pytest.mark.usefixtures("_short_pauses")
class TestRefusals:
    def test_5xx_is_final_for_the_address(self, server: MailServer, caplog: pytest.LogCaptureFixture) -> None:
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the server's own
        server.replies = {"RCPT": "550 5.1.1 <jana@example.com>: unknown, see https://mx.example/jana?t=1"}
        stored = create_mail()
        Subscription.objects.create(email=JANA, user_type="sailor")
        User.objects.create_user(JANA)
        assert send_pending() == 0
        stored.refresh_from_db()
        error = "550 5.1.1 … unknown, see …"
        assert (stored.state, stored.attempts, stored.last_error) == (FAILED, 1, error)
        subscription = Subscription.objects.get()
        assert subscription.bounced_at
        assert subscription.consent_events.get().comment == error
        assert User.objects.get().email_undeliverable_at
        (failure,) = [record for record in caplog.records if "mail_failed" in str(record.msg)]
        assert failure.levelno == logging.ERROR
        assert "unknown" not in caplog.text
        assert "jana" not in caplog.text

    def test_mails_that_fail_hold_up_no_other(self, server: MailServer) -> None:
        server.refused_recipients = {"gone@": "550 5.1.1 no"}
        create_mail(recipient="gone@example.org")
        create_mail(headers={"X-Broken": "two\nlines"})
        create_mail()
        fail = mock.Mock(side_effect=ValueError)
        outbox.mail_bounced.connect(fail)
        try:
            assert send_pending() == 1
        finally:
            outbox.mail_bounced.disconnect(fail)
        assert fail.called
        assert states() == [FAILED, FAILED, SENT]
        assert mails()[1].last_error.startswith("BadHeaderError")
