"""The sender: each mail is sent once, in order of priority, over few connections."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from unittest import mock

import pytest
import time_machine
from django.conf import settings as configured
from django.db import DatabaseError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from sailing.mail import connection as mail_connection
from sailing.mail import delivery, sender
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.results import DeliveryAttempt, DeliveryResult
from sailing.mail.sender import Sender
from tests.concurrency import run_at_once
from tests.database import explain
from tests.mail_server import MailServer
from tests.mailbox import create_mail, mails, send_pending
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, SENT = MailState.WAITING, MailState.SENT
STOP = threading.Event()
"""Never set."""


def wait_for(condition: Callable[[], object]) -> None:
    wait_until(condition, "the sender is done", 10)


def states() -> list[str]:
    return [email.state for email in mails()]


def make_mails(count: int, priority: MailPriority = MailPriority.NORMAL) -> None:
    for number in range(count):
        create_mail(recipient=f"{priority.name.lower()}-{number}@example.org", priority=priority)


@pytest.fixture
def active() -> Iterator[Sender]:
    """Return a sender that goes on between calls."""
    found = Sender()
    yield found
    found.close()


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

    def test_mails_are_not_claimed_behind_more_urgent_ones(self, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        make_mails(5, MailPriority.URGENT)
        make_mails(1, MailPriority.BULK)
        active, claimed = Sender(), []
        active._threads.add = lambda mails, start_before: claimed.extend(mails)  # type: ignore[method-assign,misc]
        assert active._claim()
        assert [mail.priority for mail in claimed] == [MailPriority.URGENT] * 4
        assert active._claim()
        assert [mail.priority for mail in claimed[4:]] == [MailPriority.URGENT, MailPriority.BULK]
        make_mails(1, MailPriority.URGENT)
        active._threads.count_waiting = lambda priority: 5  # type: ignore[method-assign]
        assert not active._claim(), "more than the threads may have waiting"

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
        thread = sender.OutboxThread()
        try:
            assert taking.wait(10)
            create_mail(priority=MailPriority.URGENT)
            sender._wake.set()
            wait_for(lambda: server.recipients == ["bulk-0@example.org", "jana@example.com"])
        finally:
            finish.set()
            wait_for(lambda: len(server.received) == 4)
            thread.shutdown()

    def test_due_mails_are_found_by_the_partial_index(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            list(sender._due(MailPriority.URGENT)[:1])
        create_mail(SENT)
        plan = explain(queries.captured_queries[0]["sql"])
        assert "outbox_waiting" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan


class TestConnections:
    def test_connection_is_reused_and_renewed_after_its_maximum_of_mails(
        self, server: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        monkeypatch.setattr(mail_connection, "MAX_MAILS", 2)
        make_mails(4)
        assert send_pending() == 4
        assert len(set(server.clients)) == 2

    def test_several_connections_are_used(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 4
        server.on_accepted = threading.Barrier(4, timeout=10).wait
        make_mails(4, MailPriority.URGENT)
        assert send_pending() == 4
        assert len(set(server.clients)) == 4

    def test_closed_connection_is_replaced_unless_the_text_of_a_mail_was_sent_over_it(
        self, server: MailServer
    ) -> None:
        connection = mail_connection.Connection()
        assert connection.deliver(create_mail()).result is DeliveryResult.ACCEPTED
        connection._backend.connection.sock.shutdown(2)
        assert connection.deliver(create_mail()).result is DeliveryResult.ACCEPTED
        server.hangs_up_on = "DATA"
        assert connection.deliver(create_mail()).result is DeliveryResult.UNKNOWN
        assert server.attempts == 3, "it was repeated at once"
        connection.close()

    def test_idle_thread_ends_and_closes_its_connection(
        self, server: MailServer, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivery, "IDLE_SECONDS", 0.01)
        create_mail()
        assert active.send_pending(STOP) == 1
        wait_for(lambda: not any(thread.name == "smtp" for thread in threading.enumerate()))
        create_mail()
        assert active.send_pending(STOP) == 1, "no new thread was started"

    def test_mail_is_sent_when_quit_fails(self, server: MailServer) -> None:
        server.hangs_up_on = "QUIT"
        create_mail()
        assert send_pending() == 1
        assert states() == [SENT]


class TestClaims:
    def test_claimed_mail_is_left_to_its_sender_until_the_claim_ends(self, server: MailServer) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            create_mail()
            killed = Sender()
            killed._threads.size = 1
            killed._threads.add = lambda mails, start_before: None  # type: ignore[method-assign,misc]
            assert killed._claim()
            assert send_pending() == 0
            clock.shift(sender.CLAIM_LIFETIME)
            assert send_pending() == 1

    def test_mail_that_was_not_started_in_time_is_handed_back(self, server: MailServer) -> None:
        threads = delivery.DeliveryThreads(on_attempt=lambda: None)
        threads.add([create_mail()], start_before=0)
        wait_for(lambda: not threads.is_busy)
        threads.close(seconds=1)
        assert [each.result for each in threads.take_attempts()] == [DeliveryResult.NOT_STARTED]
        assert not server.received

    def test_stop_waits_for_the_mail_under_way_and_hands_back_the_others(
        self,
        server: MailServer,
        settings: Settings,
        shared_database: None,
        hold: tuple[threading.Event, threading.Event],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        taking, finish = hold
        hand_back = delivery.DeliveryThreads._hand_back_waiting

        def hand_back_and_finish(threads: delivery.DeliveryThreads) -> None:
            hand_back(threads)
            finish.set()

        monkeypatch.setattr(delivery.DeliveryThreads, "_hand_back_waiting", hand_back_and_finish)
        make_mails(2, MailPriority.URGENT)
        make_mails(1, MailPriority.BULK)
        thread = sender.OutboxThread()
        assert taking.wait(10)
        thread.shutdown()
        assert sorted(states()) == [SENT, WAITING, WAITING]
        assert OutboxEmail.objects.filter(state=WAITING, next_attempt_at__lte=timezone.now()).count() == 2
        assert len(server.received) == 1

    def test_no_mail_is_started_after_stop(self, server: MailServer) -> None:
        create_mail()
        stop = threading.Event()
        stop.set()
        assert send_pending(stop) == 0
        assert not server.received

    def test_claims_are_left_alone_just_after_a_long_database_outage(
        self, server: MailServer, active: Sender
    ) -> None:
        """Other senders then record first what was accepted before it."""
        create_mail()
        active._last_contact -= sender.OUTAGE_SECONDS + 1
        assert active.send_pending(STOP) == 0
        assert 0 < active.pause_left <= sender.RECOVERY_SECONDS
        active._pause.resume_at = 0
        assert active.send_pending(STOP) == 1


class TestRecording:
    """The results of mails that were handed to the mail server."""

    def deliver(self, active: Sender) -> OutboxEmail:
        """Have a mail delivered, without recording the result."""
        stored = create_mail()
        assert active._claim()
        wait_for(lambda: not active._threads.is_busy)
        return stored

    def test_accepted_mail_is_not_repeated_after_an_outage_of_the_database(
        self, server: MailServer, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored = self.deliver(active)
        monkeypatch.setattr("django.db.models.query.QuerySet.update", mock.Mock(side_effect=DatabaseError))
        for _attempt in range(2):
            with pytest.raises(DatabaseError):
                active.send_pending(STOP)
        monkeypatch.undo()
        assert states() == [WAITING]
        active.send_pending(STOP)
        assert states() == [SENT]
        assert server.mails == {stored.recipient: [stored.message_id]}

    def test_result_is_not_recorded_once_the_claim_has_ended(
        self, server: MailServer, active: Sender
    ) -> None:
        """Another sender or an admin has changed the row."""
        server.replies = {"RCPT": "550 5.1.1 no"}
        self.deliver(active)
        later = timezone.now() + timedelta(hours=1)
        OutboxEmail.objects.update(next_attempt_at=later)
        active._record()
        (stored,) = mails()
        assert (stored.state, stored.attempts, stored.next_attempt_at) == (WAITING, 0, later)

    def test_recording_twice_changes_nothing(self, server: MailServer, active: Sender) -> None:
        """The first commit may succeed although its reply is lost."""
        server.replies = {"RCPT": "451 no"}
        self.deliver(active)
        deliveries = active._threads.take_attempts()
        for _time in range(2):
            active._unrecorded = deliveries
            active._record()
            (stored,) = mails()
            assert stored.attempts == 1


@pytest.mark.parametrize(
    ("error", "event"), [(OperationalError(), "outbox_waits"), (RuntimeError(), "outbox_failed")]
)
def test_error_does_not_end_the_loop(
    server: MailServer,
    error: Exception,
    event: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    stop = threading.Event()
    errors = [error]
    send = Sender.send_pending

    def fail_first(active: Sender, stop: threading.Event) -> int:
        if errors:
            sender._wake.set()
            raise errors.pop()
        sent = send(active, stop)
        stop.set()
        return sent

    monkeypatch.setattr(Sender, "send_pending", fail_first)
    create_mail()
    sender.run(stop)
    assert len(server.received) == 1
    (record,) = [each for each in caplog.records if event in each.getMessage()]
    assert bool(record.exc_info) is isinstance(error, RuntimeError), "a traceback for an outage, or none"


class TestQueue:
    @pytest.fixture
    def queue(self, monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
        """Return the queue of the senders that are made from now on. It is empty."""
        found = mock.Mock(has_more=False)
        found.claim.return_value = []
        monkeypatch.setattr(sender, "_make_queue", lambda: found)
        return found

    def test_mail_that_ends_meanwhile_is_recorded_before_another_is_claimed(
        self, queue: mock.Mock, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ended: list[int] = []

        def take_attempts() -> list[DeliveryAttempt]:
            ended.append(1)  # just after the attempts were taken
            return []

        monkeypatch.setattr(active._threads, "take_attempts", take_attempts)
        monkeypatch.setattr(active._threads, "count_free", lambda: len(ended))
        active._send_from_queue(STOP)
        queue.claim.assert_called_once_with(0)

    def test_last_mail_that_ends_during_a_claim_is_recorded(self, queue: mock.Mock, active: Sender) -> None:
        attempt = DeliveryAttempt(mock.Mock(), DeliveryResult.ACCEPTED)
        ended = iter([attempt])

        def claim(_limit: int) -> list[object]:
            active._threads._attempts.extend(ended)
            return []

        queue.claim.side_effect = claim
        active._send_from_queue(STOP)
        queue.record.assert_called_with([attempt])

    def test_mail_that_is_stored_during_a_turn_of_the_queue_wakes_the_sender(
        self, queue: mock.Mock, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # It is stored just after the sender looked for one.
        monkeypatch.setattr(active, "_claim", lambda: sender._wake.set())
        active.send_pending(STOP)
        assert sender._wake.is_set()

    def test_nothing_is_claimed_after_a_problem_of_the_server(
        self, queue: mock.Mock, active: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        problem = DeliveryAttempt(OutboxEmail(), DeliveryResult.UNREACHABLE, "refused")
        monkeypatch.setattr(active._threads, "take_attempts", lambda: [problem])
        active._send_from_queue(STOP)
        queue.claim.assert_called_once_with(0)


def test_senders_share_the_mails_and_send_none_twice(server: MailServer, shared_database: None) -> None:
    make_mails(20)
    counts = run_at_once(3, lambda _number: send_pending())
    assert sum(counts) == 20
    assert sorted(server.recipients) == sorted(mail.recipient for mail in mails())
    assert set(states()) == {SENT}
