"""The sender: each mail is sent once, in order of priority, and retried after failures."""

import asyncio
import logging
import smtplib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
import time_machine
from aiosmtpd.controller import Controller
from django.conf import settings as configured
from django.db import DatabaseError, InterfaceError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from newsletter.models import Subscription
from newsletter.services import subscriptions
from sailing.mail import connection as mail_connection
from sailing.mail import delivery, sender
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.recording import MAX_ATTEMPTS
from sailing.mail.results import DeliveryAttempt, DeliveryResult, Mail
from sailing.mail.sender import Sender, send_pending
from sailing.mail.smtp import DATA_TIMEOUT_SECONDS, PatientSMTP
from tests.api import VISITOR
from tests.concurrency import run_at_once
from tests.database import explain
from tests.mailbox import create_mail, latest, mails
from tests.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = timedelta(minutes=1)
SMTP = "sailing.mail.smtp.EmailBackend"
WAITING, SENT, FAILED = MailState.WAITING, MailState.SENT, MailState.FAILED
STOP = threading.Event()
"""Never set."""


class Sink:
    """A mail server that stores mails. `refusals`: replies to commands instead of 250."""

    def __init__(self) -> None:
        self.received: list[tuple[list[str], EmailMessage]] = []
        self.senders: list[str] = []
        self.clients: list[Any] = []
        self.refusals: dict[str, str] = {}
        self.before: Callable[[], object] = lambda: None
        self.hangs_up_on: str = ""

    @property
    def recipients(self) -> list[str]:
        return [address for addresses, _message in self.received for address in addresses]

    async def handle_MAIL(  # noqa: N802
        self, server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if self.hangs_up_on == "MAIL":
            server.transport.abort()
        envelope.mail_from = address
        return self.refusals.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if refusal := self.refusals.get("RCPT"):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await asyncio.to_thread(self.before)
        if self.hangs_up_on == "DATA":
            server.transport.abort()
        if refusal := self.refusals.get("DATA"):
            return refusal
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append((envelope.rcpt_tos, message))
        self.senders.append(envelope.mail_from)
        self.clients.append(session.peer)
        return "250 OK"


class AnyPort(Controller):
    """Server thread of aiosmtpd on a free port."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def sink(settings: Settings) -> Iterator[Sink]:
    """Start a mail server and let the site send to it."""
    found = Sink()
    server = AnyPort(found, hostname="127.0.0.1", port=0)
    server.start()
    try:
        settings.EMAIL_BACKEND = SMTP
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = server.port
        yield found
    finally:
        server.stop()


@contextmanager
def unavailable(settings: Settings) -> Iterator[None]:
    """Let the site connect to a closed port."""
    port = settings.EMAIL_PORT
    settings.EMAIL_PORT = 1
    try:
        yield
    finally:
        settings.EMAIL_PORT = port


def subscribe(email: str = "jana@example.org") -> OutboxEmail:
    subscriptions.subscribe(
        client=VISITOR, email=email, user_type="sailor", source=None, website=None, language="en"
    )
    return latest()


def wait_for(condition: Callable[[], object]) -> None:
    wait_until(condition, "the sender is done", 10)


def states() -> list[str]:
    return [email.state for email in mails()]


def test_mail_is_delivered_completely_and_once(sink: Sink) -> None:
    stored = subscribe()
    assert send_pending() == 1
    assert send_pending() == 0

    ((recipients, message),) = sink.received
    assert recipients == ["jana@example.org"]
    assert message["To"] == "jana@example.org"
    assert message["From"] == configured.DEFAULT_FROM_EMAIL
    assert message["Subject"] == stored.subject
    assert message["Message-ID"] == stored.message_id
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    text = message.get_body(("plain",))
    assert text
    assert text.get_content().replace("\r\n", "\n") == stored.text


def test_text_and_headers_are_deleted_on_delivery(sink: Sink) -> None:
    stored = subscribe()
    send_pending()
    stored.refresh_from_db()
    assert (stored.state, stored.text, stored.html, stored.headers) == (SENT, "", "", {})
    assert stored.sent_at
    assert (stored.recipient, stored.attempts) == ("jana@example.org", 1)
    assert stored.subject


def test_scheduled_mail_is_sent_at_its_time(sink: Sink) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        create_mail(next_attempt_at=timezone.now() + MINUTE)
        clock.shift(MINUTE - timedelta(seconds=1))
        assert send_pending() == 0
        clock.shift(timedelta(seconds=1))
        assert send_pending() == 1


def test_timeout_is_longer_after_the_data(
    sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    reply = PatientSMTP.getreply

    def getreply(connection: PatientSMTP) -> tuple[int, bytes]:
        assert connection.sock
        waits.append(connection.sock.gettimeout())
        return reply(connection)

    monkeypatch.setattr(PatientSMTP, "getreply", getreply)
    subscribe()
    send_pending()
    assert set(waits) == {settings.EMAIL_TIMEOUT, DATA_TIMEOUT_SECONDS}
    assert waits.count(DATA_TIMEOUT_SECONDS) == 2  # after DATA and after the body


class TestOrder:
    def test_mails_are_sent_by_priority_then_by_age(self, sink: Sink, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        for priority in (MailPriority.BULK, MailPriority.NORMAL, MailPriority.URGENT, MailPriority.BULK):
            create_mail(priority=priority, recipient=f"{priority.name}-{len(mails())}@example.org")
        assert send_pending() == 4
        assert sink.recipients == [
            "URGENT-2@example.org",
            "NORMAL-1@example.org",
            "BULK-0@example.org",
            "BULK-3@example.org",
        ]

    def test_mails_are_not_claimed_behind_more_urgent_ones(self, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        for _mail in range(5):
            create_mail(priority=MailPriority.URGENT)
        create_mail(priority=MailPriority.BULK)
        active, claimed = Sender(), []
        active._threads.add = lambda mails, start_before: claimed.extend(mails)  # type: ignore[method-assign,misc]
        assert active._claim()
        assert [mail.priority for mail in claimed] == [MailPriority.URGENT] * 4
        assert active._claim()
        assert [mail.priority for mail in claimed[4:]] == [MailPriority.URGENT, MailPriority.BULK]

    def test_urgent_mail_finds_a_connection_while_others_are_delivered_slowly(
        self, sink: Sink, settings: Settings, shared_database: None
    ) -> None:
        settings.EMAIL_CONNECTIONS = 2
        taking, finish = threading.Event(), threading.Event()

        def take() -> None:
            if not taking.is_set():
                taking.set()
                finish.wait(10)

        sink.before = take
        for number in range(3):
            create_mail(priority=MailPriority.BULK, recipient=f"{number}@example.org")
        thread = sender.OutboxThread()
        try:
            assert taking.wait(10)
            create_mail(priority=MailPriority.URGENT)
            sender._wake.set()
            wait_for(lambda: sink.recipients == ["jana@example.com"])
        finally:
            finish.set()
            wait_for(lambda: len(sink.recipients) == 4)
            thread.shutdown()

    def test_due_mails_are_found_by_the_partial_index(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            list(sender._due(MailPriority.URGENT)[:1])
        (query,) = queries.captured_queries
        create_mail(SENT)
        plan = explain(query["sql"])
        assert "outbox_waiting" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan


class TestConnections:
    def test_connection_is_reused(self, sink: Sink, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 1
        for _mail in range(5):
            create_mail()
        assert send_pending() == 5
        assert len(set(sink.clients)) == 1

    def test_several_connections_are_used(self, sink: Sink, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 4
        together = threading.Barrier(4, timeout=10)
        sink.before = together.wait
        for _mail in range(4):
            create_mail(priority=MailPriority.URGENT)
        assert send_pending() == 4
        assert len(set(sink.clients)) == 4

    def test_connection_is_renewed_after_its_maximum_of_mails(
        self, sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        monkeypatch.setattr(mail_connection, "MAX_MAILS", 2)
        for _mail in range(4):
            create_mail()
        assert send_pending() == 4
        assert len(set(sink.clients)) == 2

    def test_connection_that_the_server_closed_is_replaced_without_an_attempt(self, sink: Sink) -> None:
        connection = mail_connection.Connection()
        assert connection.deliver(create_mail()).result is DeliveryResult.ACCEPTED
        connection._backend.connection.sock.shutdown(2)
        assert connection.deliver(create_mail()).result is DeliveryResult.ACCEPTED
        connection.close()

    def test_mail_is_not_repeated_at_once_when_the_reply_to_its_text_is_lost(self, sink: Sink) -> None:
        connection = mail_connection.Connection()
        connection.deliver(create_mail())
        sink.hangs_up_on = "DATA"
        assert connection.deliver(create_mail()).result is DeliveryResult.UNKNOWN
        assert len(sink.received) == 2
        connection.close()

    def test_idle_thread_ends_and_closes_its_connection(
        self, sink: Sink, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivery, "IDLE_SECONDS", 0.01)
        create_mail()
        active = Sender()
        assert active.send_pending(STOP) == 1
        wait_for(lambda: not any(thread.name == "smtp" for thread in threading.enumerate()))
        create_mail()
        assert active.send_pending(STOP) == 1, "no new thread was started"
        active.close()

    def test_mail_is_sent_when_quit_fails(self, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
        def docmd(connection: PatientSMTP, command: str, args: str = "") -> Any:
            if command == "quit":
                raise TimeoutError
            return smtplib.SMTP.docmd(connection, command, args)

        monkeypatch.setattr(PatientSMTP, "docmd", docmd)
        subscribe()
        assert send_pending() == 1
        assert states() == [SENT]


class TestNoThread:
    """The system allows no further thread for a while."""

    @pytest.fixture
    def failures(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Return a list whose items are threads that cannot be started."""
        found: list[int] = []
        start = threading.Thread.start

        def start_or_fail(thread: threading.Thread) -> None:
            if thread.name == "smtp" and found:
                found.pop()
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", start_or_fail)
        return found

    def test_mails_are_sent_when_a_thread_can_be_started_again(
        self, sink: Sink, settings: Settings, monkeypatch: pytest.MonkeyPatch, failures: list[int]
    ) -> None:
        monkeypatch.setattr(sender, "POLL_SECONDS", 0.05)
        settings.EMAIL_CONNECTIONS = 2
        failures += [1, 2]
        for _mail in range(3):
            create_mail()
        active = Sender()
        stop = threading.Event()
        deadline = threading.Timer(5, stop.set)
        deadline.start()
        active.send_pending(stop)
        deadline.cancel()
        active.close()
        assert len(sink.received) == 3

    def test_threads_that_run_take_the_mails(
        self, sink: Sink, settings: Settings, failures: list[int]
    ) -> None:
        settings.EMAIL_CONNECTIONS = 2
        active = Sender()
        create_mail()
        active.send_pending(STOP)
        failures += [1, 2]
        for _mail in range(3):
            create_mail()
        active.send_pending(STOP)
        active.close()
        assert len(sink.received) == 4


class TestServerAway:
    def test_sender_pauses_and_probes_with_one_mail(self, sink: Sink, settings: Settings) -> None:
        active = Sender()
        for _mail in range(3):
            create_mail()
        with unavailable(settings):
            assert active.send_pending(STOP) == 0
            assert 0 < active.pause_left <= sender.FIRST_BACKOFF_SECONDS
            assert {(mail.state, mail.attempts) for mail in mails()} == {(WAITING, 0)}
            assert all(mail.next_attempt_at <= timezone.now() for mail in mails())
            assert any(mail.last_error.startswith("ConnectionRefusedError") for mail in mails())
            for seconds in (2, 4, 8, 16, 32, 60, 60):
                active._pause.resume_at = 0  # the pause is over
                active.send_pending(STOP)
                assert seconds - 1 < active.pause_left <= seconds
        assert active.send_pending(STOP) == 0, "sent within the pause"
        active._pause.resume_at = 0
        assert active.send_pending(STOP) == 3
        assert active.pause_left == 0
        active.close()
        assert states() == [SENT] * 3

    def test_failed_probe_does_not_touch_the_other_mails(self, sink: Sink, settings: Settings) -> None:
        active = Sender()
        for _mail in range(3):
            create_mail()
        with unavailable(settings):
            active.send_pending(STOP)
            due = [mail.next_attempt_at for mail in mails()]
            active._pause.resume_at = 0
            active.send_pending(STOP)
        assert sum(mail.next_attempt_at != before for mail, before in zip(mails(), due, strict=True)) == 1
        active.close()

    @pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
    def test_421_pauses_the_sender_and_postpones_one_mail(
        self, sink: Sink, settings: Settings, command: str
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        sink.refusals = {command: "421 4.3.2 going down"}
        create_mail()
        create_mail()
        active = Sender()
        assert active.send_pending(STOP) == 0
        assert active.pause_left
        assert [mail.attempts for mail in mails()] == [1, 0]
        active.close()

    def test_refused_sender_is_no_failure_of_the_mail(self, sink: Sink) -> None:
        sink.refusals = {"MAIL": "550 5.1.8 sender rejected"}
        subscribe()
        active = Sender()
        active.send_pending(STOP)
        assert active.pause_left
        assert states() == [WAITING]
        assert Subscription.objects.get().bounced_at is None
        active.close()

    def test_mail_that_breaks_the_connection_does_not_block_the_others(
        self, sink: Sink, settings: Settings
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        create_mail(recipient="first@example.org")
        create_mail(recipient="second@example.org")
        sink.hangs_up_on = "MAIL"
        active = Sender()
        active.send_pending(STOP)
        sink.hangs_up_on = ""
        active._pause.resume_at = 0
        assert active.send_pending(STOP) == 1
        assert sink.recipients == ["second@example.org"]
        active.close()


class TestRefusals:
    def test_4xx_is_retried_with_longer_pauses_up_to_an_hour_until_the_mail_fails(self, sink: Sink) -> None:
        sink.refusals = {"DATA": "451 4.3.0 try later"}
        pauses: list[timedelta] = []
        with time_machine.travel(timezone.now(), tick=False) as clock:
            stored = subscribe()
            while stored.state == WAITING:
                send_pending()
                stored.refresh_from_db()
                if stored.state == WAITING:
                    assert stored.attempts == len(pauses) + 1
                    pauses.append(stored.next_attempt_at - timezone.now())
                    clock.shift(pauses[-1])
        assert len(pauses) == MAX_ATTEMPTS - 1
        for number, pause in enumerate(pauses):
            expected = MINUTE * min(2**number, 60)
            assert expected <= pause <= expected * 1.2
        assert stored.state == FAILED
        assert stored.attempts == MAX_ATTEMPTS
        assert stored.text  # an admin may send it again
        assert Subscription.objects.get().bounced_at is None

    def test_postponed_mail_is_not_sent_before_its_time(self, sink: Sink) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            sink.refusals = {"RCPT": "450 4.2.0 greylisted"}
            stored = subscribe()
            send_pending()
            sink.refusals = {}
            stored.refresh_from_db()
            clock.move_to(stored.next_attempt_at - timedelta(seconds=1))
            assert send_pending() == 0
            clock.shift(timedelta(seconds=1))
            assert send_pending() == 1
        ((_, message),) = sink.received
        assert message["Message-ID"] == stored.message_id

    @pytest.mark.parametrize("command", ["RCPT", "DATA"])
    def test_5xx_is_final_and_the_address_undeliverable(
        self, sink: Sink, command: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        sink.refusals = {command: "550 5.1.1 no such user"}
        stored = subscribe()
        User.objects.create_user("jana@example.org")
        assert send_pending() == 0
        stored.refresh_from_db()
        assert (stored.state, stored.attempts, stored.last_error) == (FAILED, 1, "550 5.1.1 no such user")
        assert Subscription.objects.get().bounced_at
        assert User.objects.get().email_undeliverable_at
        (failure,) = [record for record in caplog.records if "mail_failed" in str(record.msg)]
        assert failure.levelno == logging.ERROR

    @pytest.mark.parametrize(
        ("reply", "is_bounced"),
        [
            ("550 no such user", False),
            ("550 5.1.2 no such domain", True),
            ("550 5.2.1 mailbox disabled", True),
            ("550 5.4.1 recipient rejected", True),
            ("550 5.7.1 blocked by policy", False),
            ("554 5.7.1 spam", False),
            ("550 5.1.8 bad sender", False),
            ("552 5.3.4 too big", False),
            ("554 transaction failed", False),
        ],
    )
    def test_only_a_reply_about_the_address_makes_it_undeliverable(
        self, sink: Sink, reply: str, is_bounced: bool
    ) -> None:
        sink.refusals = {"DATA": reply}
        subscribe()
        send_pending()
        assert states() == [FAILED]
        assert bool(Subscription.objects.get().bounced_at) is is_bounced

    @pytest.mark.parametrize(
        ("reply", "is_bounced"),
        [
            ("550 no such user", True),
            ("550 Recipient address rejected: User unknown", True),
            ("550 relay not permitted", False),
            ("550 authentication required", False),
            ("550 blocked for spam", False),
        ],
    )
    def test_reply_about_the_sender_makes_no_recipient_undeliverable(
        self, sink: Sink, reply: str, is_bounced: bool
    ) -> None:
        sink.refusals = {"RCPT": reply}
        subscribe()
        send_pending()
        assert bool(Subscription.objects.get().bounced_at) is is_bounced

    def test_refusal_of_one_mail_does_not_delay_the_next(self, sink: Sink) -> None:
        sink.refusals = {"RCPT": "550 5.1.1 no"}
        create_mail()
        active = Sender()
        active.send_pending(STOP)
        sink.refusals = {}
        create_mail()
        assert active.send_pending(STOP) == 1
        active.close()

    def test_failing_receiver_of_a_bounce_does_not_block_the_results(
        self, sink: Sink, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_values: Any) -> None:
            raise ValueError

        monkeypatch.setattr("newsletter.services.lifecycle.record_bounce", fail)
        sink.refusals = {"RCPT": "550 5.1.1 no"}
        create_mail()
        send_pending()
        assert states() == [FAILED]

    def test_stored_error_has_no_address_and_no_link_and_the_log_no_reply(
        self, sink: Sink, caplog: pytest.LogCaptureFixture
    ) -> None:
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the sink's own
        sink.refusals = {"RCPT": "550 5.1.1 <jana@example.org>: unknown, see https://mx.example/jana?t=1"}
        stored = subscribe()
        send_pending()
        stored.refresh_from_db()
        assert stored.last_error == "550 5.1.1 … unknown, see …"
        assert "mail_failed" in caplog.text
        assert "unknown" not in caplog.text
        assert "jana" not in caplog.text

    def test_mail_that_cannot_be_built_does_not_block_the_next(self, sink: Sink) -> None:
        broken = create_mail(headers={"X-Broken": "two\nlines"})
        create_mail()
        assert send_pending() == 1
        broken.refresh_from_db()
        assert (broken.state, broken.attempts) == (FAILED, 1)
        assert broken.last_error.startswith("BadHeaderError")

    def test_address_that_no_server_takes_is_undeliverable_and_costs_no_connection(self, sink: Sink) -> None:
        address = "\u017fail@example.org"  # stored before such addresses were refused
        Subscription.objects.create(email=address, user_type="sailor")
        create_mail(recipient=address)
        create_mail()
        assert send_pending() == 1
        assert sorted(states()) == [FAILED, SENT]
        assert Subscription.objects.get().bounced_at
        assert len(set(sink.clients)) == 1


class TestClaims:
    def test_claimed_mail_is_left_to_its_sender_until_the_claim_ends(self, sink: Sink) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            create_mail()
            killed = Sender()
            killed._threads.size = 1
            killed._threads.add = lambda mails, start_before: None  # type: ignore[method-assign,misc]
            assert killed._claim()
            assert send_pending() == 0
            clock.shift(sender.CLAIM_LIFETIME)
            assert send_pending() == 1

    def test_mail_that_was_not_started_in_time_is_handed_back(self, sink: Sink) -> None:
        threads = delivery.DeliveryThreads(on_attempt=lambda: None)
        threads.add([create_mail()], start_before=0)
        wait_for(lambda: not threads.is_busy)
        threads.close(seconds=1)
        assert [each.result for each in threads.take_attempts()] == [DeliveryResult.NOT_STARTED]
        assert not sink.received

    def test_mails_not_started_are_due_again_on_stop(
        self, sink: Sink, settings: Settings, shared_database: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        taking, finish = threading.Event(), threading.Event()

        def take() -> None:
            taking.set()
            finish.wait(10)

        hand_back = delivery.DeliveryThreads._hand_back_waiting

        def hand_back_and_finish(threads: delivery.DeliveryThreads) -> None:
            hand_back(threads)
            finish.set()

        monkeypatch.setattr(delivery.DeliveryThreads, "_hand_back_waiting", hand_back_and_finish)
        sink.before = take
        for _mail in range(2):
            create_mail(priority=MailPriority.URGENT)
        create_mail(priority=MailPriority.BULK)
        thread = sender.OutboxThread()
        assert taking.wait(10)
        thread.stop()
        thread.shutdown()
        assert sorted(states()) == [SENT, WAITING, WAITING]
        assert OutboxEmail.objects.filter(state=WAITING, next_attempt_at__lte=timezone.now()).count() == 2
        assert len(sink.received) == 1

    def test_claims_are_left_alone_just_after_a_long_database_outage(self, sink: Sink) -> None:
        """Other senders then record first what was accepted before it."""
        create_mail()
        active = Sender()
        active._last_contact -= sender.OUTAGE_SECONDS + 1
        assert active.send_pending(STOP) == 0
        assert 0 < active.pause_left <= sender.RECOVERY_SECONDS
        active._pause.resume_at = 0
        assert active.send_pending(STOP) == 1
        active.close()


class TestDatabaseAway:
    def test_accepted_mail_is_not_repeated(self, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_arguments: Any, **_values: Any) -> None:
            raise DatabaseError

        stored = subscribe()
        active = Sender()
        assert active._claim()
        wait_for(lambda: not active._threads.is_busy)
        monkeypatch.setattr("django.db.models.query.QuerySet.update", fail)
        for _attempt in range(2):
            with pytest.raises(DatabaseError):
                active.send_pending(STOP)
        monkeypatch.undo()
        assert states() == [WAITING]
        active.send_pending(STOP)
        active.close()
        assert states() == [SENT]
        assert len(sink.received) == 1
        assert sink.received[0][1]["Message-ID"] == stored.message_id

    def test_result_is_not_recorded_once_the_claim_has_ended(self, sink: Sink) -> None:
        """Another sender or an admin has changed the row."""
        sink.refusals = {"RCPT": "550 5.1.1 no"}
        create_mail()
        active = Sender()
        assert active._claim()
        wait_for(lambda: not active._threads.is_busy)
        later = timezone.now() + timedelta(hours=1)
        OutboxEmail.objects.update(next_attempt_at=later)
        active._record()
        (stored,) = mails()
        assert (stored.state, stored.attempts, stored.next_attempt_at) == (WAITING, 0, later)
        active.close()

    def test_recording_twice_changes_nothing(self, sink: Sink) -> None:
        """The first commit may succeed although its reply is lost."""
        sink.refusals = {"RCPT": "451 no"}
        create_mail()
        active = Sender()
        assert active._claim()
        wait_for(lambda: not active._threads.is_busy)
        deliveries = active._threads.take_attempts()
        for _time in range(2):
            active._unrecorded = deliveries
            active._record()
            (stored,) = mails()
            assert stored.attempts == 1
        active.close()


class TestRun:
    """The loop of the sender thread."""

    @pytest.mark.parametrize("error", [DatabaseError(), InterfaceError(), OSError(), RuntimeError()])
    def test_error_does_not_end_the_loop(
        self,
        sink: Sink,
        error: Exception,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        stop = threading.Event()
        runs: list[datetime] = []
        send = Sender.send_pending

        def fail_first(active: Sender, stop: threading.Event) -> int:
            sender._wake.set()
            runs.append(timezone.now())
            if len(runs) == 1:
                raise error
            sent = send(active, stop)
            sender._wake.set()
            if len(runs) == 3:
                stop.set()
            return sent

        monkeypatch.setattr(Sender, "send_pending", fail_first)
        subscribe()
        sender.run(stop)
        assert len(runs) == 3
        assert len(sink.received) == 1
        assert "outbox_waits" in caplog.text

    def test_no_mail_is_started_after_stop(self, sink: Sink) -> None:
        subscribe()
        stop = threading.Event()
        stop.set()
        assert send_pending(stop) == 0
        assert not sink.received

    def test_shutdown_waits_for_the_mail_under_way(self, sink: Sink, shared_database: None) -> None:
        taking, finish = threading.Event(), threading.Event()

        def take() -> None:
            taking.set()
            finish.wait(10)

        sink.before = take
        subscribe()
        thread = sender.OutboxThread()
        assert taking.wait(10)
        end = threading.Thread(target=thread.shutdown)
        end.start()
        finish.set()
        end.join(20)
        assert not end.is_alive()
        assert states() == [SENT]


class Queue:
    """A queue that records how many mails it was asked for."""

    has_more = False

    def __init__(self) -> None:
        self.limits: list[int] = []

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record nothing."""

    def claim(self, limit: int) -> Sequence[Mail]:
        self.limits.append(limit)
        return []


class TestQueue:
    @pytest.fixture
    def queue(self, monkeypatch: pytest.MonkeyPatch) -> Queue:
        found = Queue()
        monkeypatch.setattr(sender, "_make_queue", lambda: found)
        return found

    def test_mail_that_ends_meanwhile_is_recorded_before_another_is_claimed(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        active = Sender()
        ended: list[int] = []

        def take_attempts() -> list[DeliveryAttempt]:
            ended.append(1)  # just after the attempts were taken
            return []

        monkeypatch.setattr(active._threads, "take_attempts", take_attempts)
        monkeypatch.setattr(active._threads, "count_free", lambda: len(ended))
        active._send_from_queue(STOP)
        assert queue.limits == [0]

    def test_mail_that_is_stored_during_a_turn_of_the_queue_wakes_the_sender(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        active = Sender()

        def store_mail(**_options: Any) -> bool:
            sender._wake.set()  # just after the sender looked for one
            return False

        monkeypatch.setattr(active, "_claim", store_mail)
        active.send_pending(STOP)
        assert sender._wake.is_set()

    def test_nothing_is_claimed_after_a_problem_of_the_server(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        active = Sender()
        problem = DeliveryAttempt(OutboxEmail(), DeliveryResult.UNREACHABLE, "refused")
        monkeypatch.setattr(active._threads, "take_attempts", lambda: [problem])
        active._send_from_queue(STOP)
        assert queue.limits == [0]


class TestSeveralSenders:
    @pytest.fixture(autouse=True)
    def _shared(self, shared_database: None) -> None:
        """Give each sender a connection of its own."""

    def test_senders_share_the_mails_and_send_none_twice(self, sink: Sink) -> None:
        for number in range(60):
            create_mail(recipient=f"{number}@example.org")
        counts = run_at_once(3, lambda _number: send_pending())
        assert sum(counts) == 60
        assert sorted(sink.recipients) == sorted(mail.recipient for mail in mails())
        assert set(states()) == {SENT}
