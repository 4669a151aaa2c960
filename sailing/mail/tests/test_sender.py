"""The sender: each mail is sent once, in order of priority, over few connections."""

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from unittest import mock

import pytest
import time_machine
from django.conf import settings as configured
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from sailing.database import Now
from sailing.mail import outbox, sender
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
HOUR = timedelta(hours=1)


def states() -> list[str]:
    return [email.state for email in mails()]


def make_mails(count: int, priority: MailPriority = MailPriority.NORMAL) -> None:
    for number in range(count):
        create_mail(recipient=f"{priority.name.lower()}-{number}@example.org", priority=priority)


@pytest.fixture
def hold(server: MailServer) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Let the mail server keep the first mail. Return whether it has one, and what lets it reply."""
    taking, finish = threading.Event(), threading.Event()

    def take() -> None:
        if not taking.is_set():
            taking.set()
            finish.wait(10)

    server.on_accepted = take
    yield taking, finish
    finish.set()


def test_mail_is_delivered_completely_and_once_and_its_text_deleted(server: MailServer) -> None:
    headers = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    stored = create_mail(text="Ahoj!\n", html="<p>Ahoj!</p>", headers=headers)
    assert (send_pending(), send_pending()) == (1, 0)

    ((recipients, message),) = server.received
    assert recipients == [stored.recipient]
    expected = {
        "To": stored.recipient,
        "From": configured.DEFAULT_FROM_EMAIL,
        "Subject": stored.subject,
        "Message-ID": stored.message_id,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        **headers,
    }
    assert expected.items() <= dict(message.items()).items()
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    text = message.get_body(("plain",))
    assert text
    assert text.get_content() == "Ahoj!\r\n"

    stored.refresh_from_db()
    assert (stored.state, stored.attempts, stored.text, stored.html, stored.headers) == (SENT, 1, "", "", {})
    assert stored.sent_at
    assert stored.subject


class TestOrder:
    def test_mails_are_sent_by_priority_then_by_age(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        for priority in (MailPriority.BULK, MailPriority.NORMAL, MailPriority.URGENT, MailPriority.BULK):
            create_mail(priority=priority, recipient=f"{priority.name}-{len(mails())}@example.org")
        assert send_pending() == 4
        expected = ("URGENT-2", "NORMAL-1", "BULK-0", "BULK-3")
        assert server.recipients == [f"{name}@example.org" for name in expected]

    def test_urgent_mail_finds_a_connection_while_others_are_delivered_slowly(
        self,
        server: MailServer,
        settings: Settings,
        shared_database: None,
        hold: tuple[threading.Event, threading.Event],
    ) -> None:
        settings.EMAIL_CONNECTIONS = 2
        taking, finish = hold
        make_mails(3, MailPriority.BULK)
        thread = MailThread()
        try:
            assert taking.wait(10)
            create_mail(priority=MailPriority.URGENT)
            outbox.woken.set()
            expected = ["bulk-0@example.org", "jana@example.com"]
            wait_until(lambda: server.recipients == expected, "the urgent mail is sent", 10)
        finally:
            finish.set()
            wait_until(lambda: len(server.received) == 4, "all mails are sent", 10)
            thread.shutdown()

    def test_urgent_mails_use_all_connections(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 4
        server.on_accepted = threading.Barrier(4, timeout=10).wait
        make_mails(4, MailPriority.URGENT)
        assert send_pending() == 4
        assert len(set(server.clients)) == 4

    def test_due_mails_are_found_by_the_partial_index(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            OutboxQueue(MailPriority.URGENT).claim(1)
        create_mail(SENT)
        plan = explain(queries.captured_queries[0]["sql"])
        assert "outbox_waiting" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan


class TestThrottling:
    def test_mail_that_is_throttled_is_tried_again_within_seconds_and_loses_no_attempt(
        self, server: MailServer
    ) -> None:
        server.refusals = ["454 Throttling failure"]
        create_mail()
        assert send_pending() == 1
        assert mails()[0].attempts == 1

    def test_mail_that_is_throttled_while_others_are_accepted_is_postponed(
        self, server: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sailing.mail.pace.LOWEST_RATE", 100)
        settings.EMAIL_CONNECTIONS = 3
        server.refused_recipients = {"normal-0@": "450 4.7.1 Too many recipient attempts"}
        make_mails(30)
        assert send_pending() == 29
        refused = mails()[0]
        assert (refused.state, refused.attempts) == (WAITING, 1)

    def test_server_that_takes_no_mail_costs_no_attempt(
        self, server: MailServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sailing.mail.pace.LOWEST_RATE", 100)
        server.replies = {"DATA": "454 Throttling failure: Daily message quota exceeded."}
        make_mails(2)
        assert send_pending() == 0
        assert {(mail.state, mail.attempts) for mail in mails()} == {(WAITING, 0)}


class TestClaims:
    def test_claimed_mail_is_left_to_its_sender_until_the_claim_ends(self, server: MailServer) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            create_mail()
            assert OutboxQueue(MailPriority.NORMAL).claim(1)  # by a sender that is killed then
            assert send_pending() == 0
            clock.shift(outbox.CLAIM_LIFETIME)
            assert send_pending() == 1

    def test_stop_waits_for_the_mail_under_way_and_hands_back_the_others(
        self,
        server: MailServer,
        settings: Settings,
        shared_database: None,
        hold: tuple[threading.Event, threading.Event],
    ) -> None:
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

    def test_accepted_mail_is_not_repeated_after_an_outage_of_the_database(
        self, server: MailServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored, active = create_mail(), Sender()
        active.work()
        wait_until(lambda: server.received, "the mail is accepted", 10)
        with monkeypatch.context() as patch:
            patch.setattr("django.db.models.query.QuerySet.update", mock.Mock(side_effect=OperationalError))
            wait_until(lambda: _fails(active), "the sender has tried to record it", 10)
        assert states() == [WAITING]
        active.work()
        assert states() == [SENT]
        assert server.mails == {stored.recipient: [stored.message_id]}
        active.close()

    @pytest.mark.parametrize("result", [DeliveryResult.REFUSED, DeliveryResult.POSTPONED])
    def test_result_is_recorded_once_and_not_after_the_claim_has_ended(self, result: DeliveryResult) -> None:
        """The first commit may seem to fail; another sender or an admin may have changed the row."""
        create_mail()
        outbox = OutboxQueue(MailPriority.NORMAL)
        (claimed,) = outbox.claim(1)
        attempt = DeliveryAttempt(claimed, result, "451 no")
        for _time in range(2):
            outbox.record([attempt])
            assert mails()[0].attempts == 1
        OutboxEmail.objects.update(state=WAITING, attempts=0, next_attempt_at=timezone.now() + HOUR)
        outbox.record([attempt])
        assert (mails()[0].state, mails()[0].attempts) == (WAITING, 0)


def _fails(active: Sender) -> bool:
    try:
        active.work()
    except OperationalError:
        return True
    return False


class TestFailures:
    @pytest.mark.parametrize(
        ("error", "event"), [(OperationalError(), "mails_postponed"), (RuntimeError(), "mails_failed")]
    )
    def test_error_does_not_end_the_loop(
        self,
        server: MailServer,
        error: Exception,
        event: str,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        shared_database: None,
    ) -> None:
        errors = [error]
        work = Sender.work

        def fail_first(active: Sender) -> bool:
            if errors:
                outbox.woken.set()
                raise errors.pop()
            return work(active)

        monkeypatch.setattr(Sender, "work", fail_first)
        create_mail()
        thread = MailThread()
        wait_until(lambda: states() == [SENT], "the mail is sent", 10)
        thread.shutdown()
        (record,) = [each for each in caplog.records if event in each.getMessage()]
        assert bool(record.exc_info) is isinstance(error, RuntimeError), "a traceback for an outage, or none"

    @pytest.fixture
    def other(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
        """Return another queue, which can claim one mail and then fails."""
        mail = OutboxEmail(recipient="reader@example.org", subject="Ahoy", message_id="<2@example.com>")
        queue = mock.Mock(is_urgent=False, is_claimed_ahead=False, mail=mail)
        queue.claim.side_effect = [[mail], ValueError]
        settings.MAIL_QUEUES = ["other"]
        monkeypatch.setattr(sender, "import_string", lambda _name: lambda: queue)
        return queue

    @pytest.mark.parametrize("method", ["claim", "record"])
    def test_queue_that_fails_stops_no_other(
        self, server: MailServer, other: mock.Mock, method: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        getattr(other, method).side_effect = ValueError
        create_mail(priority=MailPriority.BULK)
        assert send_pending() == 1
        assert "mail_queue_failed" in caplog.text

    def test_results_are_recorded_at_the_end_although_the_queue_has_just_failed(
        self, other: mock.Mock, hold: tuple[threading.Event, threading.Event]
    ) -> None:
        taking, finish = hold
        active = Sender()
        active.work()
        assert taking.wait(10)
        active.work()
        finish.set()
        active.close()
        assert get_results(other) == [DeliveryResult.ACCEPTED]

    def test_mail_that_waits_for_its_time_is_not_sent_by_an_ending_sender(
        self, server: MailServer, other: mock.Mock
    ) -> None:
        other.mail.start_at = time.monotonic() + 60
        active = Sender()
        active.work()
        active.close()
        assert get_results(other) == [DeliveryResult.NOT_TRIED]
        assert not server.received


def get_results(queue: mock.Mock) -> list[DeliveryResult]:
    """Return the results that a queue was told."""
    return [attempt.result for call in queue.record.mock_calls for attempt in call.args[0]]


def test_senders_share_the_mails_and_send_none_twice(server: MailServer, shared_database: None) -> None:
    make_mails(20)
    run_at_once(3, lambda _number: send_pending())
    assert sorted(server.recipients) == sorted(mail.recipient for mail in mails())
    assert set(states()) == {SENT}
