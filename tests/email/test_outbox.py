"""The outbox: each mail is sent once, retried after outages, and purged."""

import logging
import smtplib
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.db import DatabaseError, InterfaceError, connections, transaction
from django.utils import timezone
from post_office.models import STATUS, Email
from pytest_django import Settings

from newsletter import services
from sailing.background import Lock, try_lock
from sailing.email import sender
from sailing.email.backend import DATA_TIMEOUT_SECONDS, PatientSMTP
from sailing.email.outbox import cancel_pending, enqueue, purge
from sailing.email.sender import MAX_RETRIES, purge_expired, send_pending
from tests.api import api_request
from tests.mail_server import MailServer
from tests.mailbox import latest, mails

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = timedelta(minutes=1)
SMTP = "sailing.email.backend.EmailBackend"


@pytest.fixture
def mail_server(settings: Settings) -> Iterator[MailServer]:
    """Start a mail server and let the site send to it."""
    server = MailServer()
    server.open()
    settings.POST_OFFICE = {**settings.POST_OFFICE, "BACKENDS": {"default": SMTP}}
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = server.port
    yield server
    server.close()


def subscribe(email: str = "jana@example.org") -> Email:
    services.subscribe(
        request=api_request(), email=email, user_type="sailor", source=None, website=None, language="en"
    )
    return latest()


def states() -> list[int]:
    return [email.status for email in mails()]


def test_mail_is_delivered_completely_and_once(mail_server: MailServer) -> None:
    stored = subscribe()
    assert send_pending() == 1
    assert send_pending() == 0

    ((recipients, message),) = mail_server.received
    assert recipients == ["jana@example.org"]
    assert message["To"] == "jana@example.org"
    assert message["From"] == configured.DEFAULT_FROM_EMAIL
    assert message["Subject"] == stored.subject
    assert message["Message-ID"] == stored.message_id
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    text = message.get_body(("plain",))
    assert text
    assert text.get_content().replace("\r\n", "\n") == stored.message


def test_mail_is_retried_after_an_outage_of_the_mail_server(mail_server: MailServer) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        mail_server.close()
        stored = subscribe()
        assert send_pending() == 0
        stored.refresh_from_db()
        assert stored.status == STATUS.requeued
        assert stored.logs.get().exception_type == "ConnectionRefusedError"
        mail_server.open()
        assert send_pending() == 0  # within the pause
        assert not mail_server.received
        clock.shift(MINUTE)
        assert send_pending() == 1
    ((_, message),) = mail_server.received
    assert message["Message-ID"] == stored.message_id


def test_failed_mail_does_not_block_the_next(mail_server: MailServer) -> None:
    mail_server.close()
    subscribe()
    send_pending()
    mail_server.open()
    subscribe("petr@example.org")
    assert send_pending() == 1
    assert states() == [STATUS.requeued, STATUS.sent]


def test_retries_pause_longer_up_to_an_hour_until_the_mail_fails(mail_server: MailServer) -> None:
    mail_server.refusal = "451 try later"
    pauses: list[timedelta] = []
    with time_machine.travel(timezone.now(), tick=False) as clock:
        stored = subscribe()
        while stored.status != STATUS.failed:
            send_pending()
            stored.refresh_from_db()
            if stored.status == STATUS.requeued:
                pause = stored.scheduled_time - timezone.now()
                clock.shift(pause - timedelta(seconds=1))
                send_pending()
                stored.refresh_from_db()
                assert stored.number_of_retries == len(pauses) + 1, "it was retried too early"
                clock.shift(timedelta(seconds=1))
                pauses.append(pause)
        assert pauses == [MINUTE * min(2**n, 60) for n in range(MAX_RETRIES)]
        clock.shift(timedelta(hours=2))
        mail_server.refusal = ""
        assert send_pending() == 0
    assert stored.logs.count() == MAX_RETRIES + 1
    assert stored.message  # an admin may send it again


def test_reply_of_the_mail_server_is_not_logged(
    mail_server: MailServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging.getLogger("post_office"), "handlers", [caplog.handler])
    monkeypatch.setattr(logging.getLogger("mail.log"), "disabled", True)  # aiosmtpd's own
    mail_server.refusal = "550 <jana@example.org> unknown"
    stored = subscribe()
    send_pending()
    assert "jana@example.org" in stored.logs.get().message
    assert "mail_not_sent" in caplog.text
    assert "jana" not in caplog.text


def test_scheduled_mail_is_sent_at_its_time(mail_server: MailServer) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        enqueue(
            "newsletter/already_aboard",
            to="a@example.org",
            language="en",
            context={"unsubscribe_url": "x"},
            at=timezone.now() + MINUTE,
        )
        clock.shift(MINUTE - timedelta(seconds=1))
        assert send_pending() == 0
        clock.shift(timedelta(seconds=1))
        assert send_pending() == 1


def test_mail_of_a_rolled_back_transaction_is_never_sent(mail_server: MailServer) -> None:
    with transaction.atomic():
        enqueue(
            "newsletter/already_aboard", to="a@example.org", language="en", context={"unsubscribe_url": "x"}
        )
        transaction.set_rollback(True)
    assert send_pending() == 0
    assert not mails()


def test_accepted_mail_is_not_repeated_after_a_database_outage(
    mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise DatabaseError

    stored = subscribe()
    record = sender._record_accepted
    calls = count()
    monkeypatch.setattr(sender, "_record_accepted", lambda: away() if next(calls) else record())
    with pytest.raises(DatabaseError):
        send_pending()
    monkeypatch.undo()
    assert states() == [STATUS.queued]
    assert send_pending() == 0
    assert states() == [STATUS.sent]
    assert len(mail_server.received) == 1
    assert mail_server.received[0][1]["Message-ID"] == stored.message_id


def test_claimed_mail_is_not_sent_by_another_sender(mail_server: MailServer) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        stored = subscribe()
        assert sender._claim(stored)
        assert not sender._claim(stored), "claimed twice"
        assert send_pending() == 0
        clock.shift(sender.CLAIM_LIFETIME)  # the sender was killed
        assert send_pending() == 1


def test_mail_is_sent_when_quit_fails(mail_server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def docmd(connection: PatientSMTP, command: str, args: str = "") -> Any:
        if command == "quit":
            raise TimeoutError
        return smtplib.SMTP.docmd(connection, command, args)

    monkeypatch.setattr(PatientSMTP, "docmd", docmd)
    subscribe()
    assert send_pending() == 1
    assert states() == [STATUS.sent]


def test_timeout_is_longer_after_the_data(
    mail_server: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
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
    assert sorted(set(waits)) == [settings.EMAIL_TIMEOUT, DATA_TIMEOUT_SECONDS]  # type: ignore[type-var]
    assert waits.count(DATA_TIMEOUT_SECONDS) == 2  # after DATA and after the body
    assert waits[-1] == settings.EMAIL_TIMEOUT  # after QUIT


def test_no_mail_is_started_after_stop(mail_server: MailServer) -> None:
    subscribe()
    subscribe("petr@example.org")
    stop = threading.Event()
    stop.set()
    assert send_pending(stop) == 0
    assert not mail_server.received


def test_shutdown_waits_for_the_mail_under_way(mail_server: MailServer, shared_database: None) -> None:
    taking, finish = threading.Event(), threading.Event()

    def take() -> None:
        taking.set()
        finish.wait(10)

    mail_server.on_accepted = take
    subscribe()
    thread = sender.OutboxThread()
    assert taking.wait(10)
    end = threading.Thread(target=thread.shutdown)
    end.start()
    finish.set()
    end.join(20)
    assert not end.is_alive()
    assert states() == [STATUS.sent]


class TestRetention:
    def test_body_and_headers_are_deleted_on_delivery(self, mail_server: MailServer) -> None:
        stored = subscribe()
        send_pending()
        stored.refresh_from_db()
        assert (stored.message, stored.html_message, stored.headers) == ("", "", None)
        assert stored.subject
        assert stored.to == ["jana@example.org"]

    @pytest.mark.parametrize("status", [STATUS.queued, STATUS.requeued, STATUS.failed])
    def test_body_of_an_unsent_mail_is_kept(self, status: int) -> None:
        stored = subscribe()
        Email.objects.update(status=status)
        assert not purge_expired()
        stored.refresh_from_db()
        assert stored.message
        assert stored.headers

    @pytest.mark.parametrize("status", [STATUS.sent, STATUS.failed])
    def test_mail_is_purged_after_14_days(self, status: int) -> None:
        with time_machine.travel(timezone.now() - timedelta(days=14, seconds=1)):
            old = subscribe()
            old.logs.create(status=STATUS.failed, message="no", exception_type="OSError")
        younger = subscribe("petr@example.org")
        Email.objects.update(status=status)
        assert not purge_expired()
        assert mails() == [younger]


class TestCancelling:
    @pytest.fixture(autouse=True)
    def _mails(self) -> None:
        for to, about in (("a@example.org", "one"), ("a@example.org", "two"), ("b@example.org", "")):
            enqueue(
                "newsletter/already_aboard",
                to=to,
                language="en",
                context={"unsubscribe_url": "x"},
                subject_key=about,
            )

    @pytest.mark.parametrize("status", [STATUS.queued, STATUS.requeued, STATUS.failed])
    def test_pending_mails_are_deleted(self, status: int) -> None:
        _one, two, other = mails()
        Email.objects.update(status=status)
        cancel_pending("one")
        assert mails() == [two, other]

    def test_sent_mails_are_kept_until_purged(self) -> None:
        one, two, other = mails()
        Email.objects.update(status=STATUS.sent)
        cancel_pending("one")
        assert mails() == [one, two, other]
        purge(["one", "never"])
        assert mails() == [two, other]


class TestOneSender:
    @pytest.fixture(autouse=True)
    def _shared(self, shared_database: None) -> None:
        """Give each sender a connection of its own."""

    def test_second_sender_sends_nothing(self, mail_server: MailServer) -> None:
        subscribe()
        working, finish = threading.Event(), threading.Event()

        def other() -> None:
            try:
                with try_lock(Lock.OUTBOX) as is_held:
                    assert is_held
                    working.set()
                    finish.wait()
            finally:
                connections.close_all()

        thread = threading.Thread(target=other)
        thread.start()
        try:
            assert working.wait(10)
            assert send_pending() == 0
        finally:
            finish.set()
            thread.join()
        assert send_pending() == 1

    def test_failed_sender_releases_the_lock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(_email: Email) -> bool:
            raise DatabaseError

        subscribe()
        monkeypatch.setattr(sender, "_claim", broken)
        with pytest.raises(DatabaseError):
            send_pending()
        monkeypatch.undo()
        assert send_pending() == 1


class TestRun:
    """The loop of the sender thread."""

    @pytest.fixture(autouse=True)
    def _limit_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Run the loop three times without a pause."""
        self.stop = threading.Event()
        self.runs: list[datetime] = []
        self.on_run: Callable[[int], None] = lambda _number: None
        send = sender.send_pending

        def send_and_count(stop: threading.Event) -> int:
            sender._wake.set()
            self.runs.append(timezone.now())
            if len(self.runs) == 3:
                self.stop.set()
            self.on_run(len(self.runs))
            return send()

        monkeypatch.setattr(sender, "send_pending", send_and_count)

    @pytest.mark.parametrize("error", [DatabaseError(), InterfaceError(), OSError(), RuntimeError()])
    def test_error_does_not_end_the_loop(
        self, mail_server: MailServer, error: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail_first(number: int) -> None:
            if number == 1:
                raise error

        self.on_run = fail_first
        subscribe()
        sender.run(self.stop)
        assert len(self.runs) == 3
        assert len(mail_server.received) == 1
        assert "outbox_waits" in caplog.text

    def test_mail_wakes_the_sender_after_the_commit(self) -> None:
        sender._wake.clear()
        with transaction.atomic():
            subscribe()
            assert not sender._wake.is_set()
        assert sender._wake.is_set()
