"""What the replies of mail servers mean, the pace that they allow, and sessions that take no more mails."""

import smtplib
import threading
from collections import deque
from random import Random

import pytest
from django.core.mail import get_connection
from pytest_django import Settings

from sailing.mail import pace, replies
from sailing.mail.connection import Connection
from sailing.mail.delivery import LAST, MAX_UNEXPLAINED, DeliveryThreads
from sailing.mail.models import OutboxEmail
from sailing.mail.pace import Pace
from sailing.mail.results import DeliveryAttempt, DeliveryResult
from sailing.mail.smtp import DATA_TIMEOUT_SECONDS, PatientSMTP
from tests.mail_server import OVER_LIMIT, MailServer
from tests.processes import wait_until


def make_mail(number: int = 0) -> OutboxEmail:
    recipient = f"reader{number}@domain{number}.example"
    return OutboxEmail(
        recipient=recipient, subject="Ahoy", text="Ahoy", message_id=f"<{number}@sailing.example>"
    )


def make_error(command: str, reply: str) -> smtplib.SMTPException:
    code, text = int(reply[:3]), reply[4:].encode()
    errors = {
        "MAIL": smtplib.SMTPSenderRefused(code, text, "hello@sailing.example"),
        "RCPT": smtplib.SMTPRecipientsRefused({"jana@example.org": (code, text)}),
        "DATA": smtplib.SMTPDataError(code, text),
    }
    return errors[command]


def deliver(*mails: OutboxEmail) -> list[DeliveryResult]:
    """Deliver mails over several connections; return the results."""
    threads = DeliveryThreads(on_attempt=lambda: None)
    threads.add(mails, start_before=float("inf"))
    found: list[DeliveryResult] = []

    def is_done() -> bool:
        found.extend(each.result for each in threads.take_attempts())
        return len(found) == len(mails)

    wait_until(is_done, "the mails are delivered", 10)
    threads.close(seconds=1)
    return found


BOUNCED = "bounced"
REPLIES: dict[DeliveryResult | str, list[tuple[str, str]]] = {
    # About the address: it does not work.
    BOUNCED: [
        ("RCPT", "550 5.1.1 no such user"),
        ("RCPT", "550 5.1.1 user blocked: no such mailbox"),
        ("RCPT", "550 5.0.0 unknown user"),
        ("RCPT", "550 Recipient address rejected: User unknown"),
        ("DATA", "550 5.1.2 no such domain"),
        ("DATA", "550 5.2.1 mailbox disabled"),
        ("DATA", "550 5.4.1 recipient rejected"),
    ],
    # About one mail or mailbox, for good or for now.
    DeliveryResult.REFUSED: [
        ("DATA", "550 no such user"),
        ("DATA", "550 5.7.1 blocked by policy"),
        ("DATA", "554 5.0.0 rejected as spam"),
        ("DATA", "550 5.1.8 bad sender"),
        ("RCPT", "552 5.2.2 mailbox full"),
        ("RCPT", "554 transaction failed"),
        ("RCPT", "550 5.7.1 Daily sending limit exceeded"),
    ],
    DeliveryResult.POSTPONED: [
        ("RCPT", "450 4.2.1 The user you contact is receiving mail too quickly"),
        ("RCPT", "452 4.2.2 The recipient's inbox is over its quota"),
        ("RCPT", "452 Mailbox quota exceeded"),
        ("RCPT", "452 User is over quota"),
        ("RCPT", "452 Insufficient system storage, maximum exceeded"),
        ("RCPT", "451 4.7.1 Greylisting in action, please come back later"),
        ("RCPT", "450 4.2.0 Recipient address rejected: Greylisted"),
        ("DATA", "451 4.3.2 Please try again later"),
    ],
    # About the rate.
    DeliveryResult.THROTTLED: [
        ("RCPT", "452 4.5.3 Too many recipients"),
        ("RCPT", "450 4.7.1 Error: too much mail from 192.0.2.1"),
        ("RCPT", "451 4.7.500 Server busy. Rate limit exceeded"),
        ("DATA", "454 Throttling failure: Maximum sending rate exceeded."),
        ("DATA", "421 4.7.0 [TSS04] Messages deferred; exceeded sending limits"),
    ],
    # About us: no other mail would fare better.
    DeliveryResult.INTERRUPTED: [
        ("MAIL", "421 4.3.2 Service shutting down"),
        ("MAIL", "550 5.1.8 sender rejected"),
        ("RCPT", "550 5.7.1 Helo command rejected: Host not found"),
        ("RCPT", "550 5.0.0 EHLO name is not fully qualified"),
        ("RCPT", "554 5.7.1 Relay access denied"),
        ("RCPT", "550 5.0.1 relay not permitted"),
        ("RCPT", "550 5.0.0 blocked for spam"),
        ("RCPT", "554 5.7.1 Client host [192.0.2.1] blocked using a blacklist"),
        ("RCPT", "550 authentication required"),
        ("DATA", "550 5.7.1 relaying denied"),
    ],
}


@pytest.mark.parametrize(
    ("meaning", "command", "reply"),
    [(meaning, *reply) for meaning, replies in REPLIES.items() for reply in replies],
)
def test_replies_are_about_the_address_the_mail_the_rate_or_us(
    meaning: DeliveryResult | str, command: str, reply: str
) -> None:
    result, is_bounced = replies.classify(make_error(command, reply), command == "DATA")
    assert (BOUNCED if is_bounced else result) is meaning
    assert not is_bounced or result is DeliveryResult.REFUSED


def test_connection_greets_the_server_with_the_name_of_the_site(
    server: MailServer, settings: Settings
) -> None:
    for url, name in (
        ("https://sailing.example", "sailing.example"),
        ("http://127.0.0.1:8000", "[127.0.0.1]"),
    ):
        settings.SITE_URL = url
        backend = get_connection("sailing.mail.smtp.EmailBackend")
        backend.open()
        assert backend.connection.local_hostname == name
        backend.close()


def test_mail_that_cannot_be_written_is_final() -> None:
    error = UnicodeEncodeError("ascii", "ſ", 0, 1, "")
    assert replies.classify(error, False) == (DeliveryResult.REFUSED, False)
    assert replies.classify(error, True) == (DeliveryResult.UNKNOWN, False)


def test_mails_beside_the_outbox_are_handed_back_when_their_queue_pauses(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_CONNECTIONS = 1
    monkeypatch.setattr(
        Connection, "deliver", lambda _self, mail: DeliveryAttempt(mail, DeliveryResult.UNEXPLAINED)
    )
    mails = [make_mail(number) for number in range(MAX_UNEXPLAINED + 3)]
    for mail in mails:
        mail.priority = LAST
    results = deliver(*mails)
    assert results[MAX_UNEXPLAINED - 1 :] == [DeliveryResult.UNEXPLAINED] + 3 * [DeliveryResult.NOT_STARTED]


def test_mails_go_to_the_threads_that_run_when_the_system_allows_no_more(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, allowed = threading.Thread.start, [0]

    def start_or_fail(thread: threading.Thread) -> None:
        if thread.name == "smtp":
            if not allowed:
                raise RuntimeError("can't start new thread")
            allowed.pop()
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    assert deliver(*map(make_mail, range(3))) == [DeliveryResult.ACCEPTED] * 3
    assert deliver(make_mail()) == [DeliveryResult.NOT_STARTED]


def test_one_thread_stays_free_of_campaigns(settings: Settings) -> None:
    settings.EMAIL_CONNECTIONS = 4
    assert DeliveryThreads(on_attempt=lambda: None).count_free() == 3


class TestSessions:
    @pytest.mark.parametrize("over_limit", OVER_LIMIT)
    def test_mail_that_a_full_session_refuses_is_sent_over_a_new_one(
        self, server: MailServer, over_limit: str
    ) -> None:
        server.session_limit, server.over_limit = 2, over_limit
        connection = Connection()
        results = {connection.deliver(make_mail(number)).result for number in range(7)}
        connection.close()
        assert results == {DeliveryResult.ACCEPTED}
        assert len(server.received) == 7

    def test_recipients_that_are_refused_in_any_session_do_not_cost_one_each(
        self, server: MailServer
    ) -> None:
        server.refused_recipients = {"reader1": "451 Temporary local problem"}
        sessions = []
        connection = Connection()
        for number in range(30):
            connection.deliver(make_mail(number))  # 11 of them are refused, most of them in a row
            sessions.append(connection._backend.connection)
        connection.close()
        assert len(server.received) == 19
        assert len(set(map(id, sessions))) <= 4


class TestConnectionLimit:
    @pytest.fixture(autouse=True)
    def _connections(self, settings: Settings) -> None:
        settings.EMAIL_CONNECTIONS = 4

    def test_connections_that_the_server_allows_deliver_all_mails(self, server: MailServer) -> None:
        server.connection_limit, server.delay_seconds = 1, 0.01
        assert deliver(*map(make_mail, range(12))) == [DeliveryResult.ACCEPTED] * 12

    def test_server_that_allows_none_is_unreachable(self, server: MailServer) -> None:
        server.connection_limit = 0
        results = deliver(*map(make_mail, range(10)))
        assert set(results) == {DeliveryResult.UNREACHABLE, DeliveryResult.NOT_STARTED}
        assert results.count(DeliveryResult.UNREACHABLE) == 1


class TestPace:
    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """Return the time in seconds, which the test changes."""
        now = [1000.0]
        monkeypatch.setattr("sailing.mail.pace.time.monotonic", lambda: now[0])
        return now

    @pytest.mark.parametrize(
        ("limit", "stalls", "unused", "refused"),
        [
            (1, None, 1.2, 40),
            (50, None, 1.2, 40),
            # Busy machines delay each mail a little, and now and then all of them.
            (14, Random(1), 1.08, 0),
        ],
    )
    def test_rate_of_the_server_is_used_and_seldom_exceeded(
        self, clock: list[float], limit: int, stalls: Random | None, unused: float, refused: int
    ) -> None:
        server = LimitedServer(limit)
        send_until(clock[0] + 300, Pace(), server, clock, stalls)
        assert server.accepted > 300 * limit / unused
        assert server.refused < 0.05 * server.accepted + refused

    @pytest.mark.parametrize("accepted_before", [0, 1, 11, 14])
    def test_refusal_after_a_stall_does_not_slow_mails_for_long(
        self, clock: list[float], accepted_before: int
    ) -> None:
        """A stall of this process, or another one at the same server, makes the accepted mails too few."""
        found, server = Pace(), LimitedServer(14)
        for _stall in range(6):
            clock[0] += 1.5
            for _mail in range(accepted_before):
                accept(found)
            refuse(found)
            send_until(clock[0] + 20, found, server, clock)
        assert server.accepted > (120 - 6 * 1.5) * 14 / 1.2

    def test_rate_that_is_not_used_does_not_grow(self, clock: list[float]) -> None:
        """Otherwise a mail now and then would raise it for as long as the process runs."""
        found = Pace()
        for _mail in range(14):
            assert not found.get_delay(), "slower before the first refusal"
            accept(found)
        refuse(found)
        for _mail in range(500):
            clock[0] += 1
            accept(found)
        assert found._rate == 14

    def test_refusals_of_mails_under_way_count_once(self, clock: list[float]) -> None:
        found = Pace()
        for _mail in range(10):
            accept(found)
        refuse(found)
        started_at = [found.record_start() for _mail in range(4)]
        clock[0] += 0.01
        for each in started_at:
            found.record_end(is_accepted=False)
            found.slow_down(started_at=each)
        assert found._rate == 10 * pace.DECREASE


class LimitedServer:
    """A mail server that accepts so many mails in any second."""

    def __init__(self, limit: int) -> None:
        self.accepted = self.refused = 0
        self._accepted_at: deque[float] = deque(maxlen=limit)

    def accepts(self, now: float) -> bool:
        times = self._accepted_at
        if len(times) == times.maxlen and times[0] > now - 1:
            self.refused += 1
            return False
        times.append(now)
        self.accepted += 1
        return True


def send_until(
    end: float, found: Pace, server: LimitedServer, clock: list[float], stalls: Random | None = None
) -> None:
    """Send mails at the pace, one at a time. With `stalls`, each arrives late by up to 30 ms, some by 300."""
    while clock[0] < end:
        clock[0] += found.get_delay() or 0.001
        started_at = found.record_start()
        if stalls:
            clock[0] += stalls.uniform(0, 0.3 if stalls.random() < 0.03 else 0.03)
        is_accepted = server.accepts(clock[0])
        found.record_end(is_accepted=is_accepted)
        if not is_accepted:
            found.slow_down(started_at=started_at)


def accept(found: Pace) -> None:
    found.record_start()
    found.record_end(is_accepted=True)


def refuse(found: Pace) -> None:
    started_at = found.record_start()
    found.record_end(is_accepted=False)
    found.slow_down(started_at=started_at)


class TestThrottling:
    @pytest.fixture(autouse=True)
    def _high_rate(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pace, "LOWEST_RATE", 1000)

    def test_throttled_mail_is_tried_again_at_once_and_accepted(self, server: MailServer) -> None:
        server.refusals = ["454 Throttling failure"]
        assert deliver(make_mail()) == [DeliveryResult.ACCEPTED]

    def test_server_that_takes_no_mail_costs_no_attempt(
        self, server: MailServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pace, "STUCK_SECONDS", 0.02)
        server.replies = {"DATA": "454 Throttling failure: Daily message quota exceeded."}
        assert set(deliver(make_mail(1), make_mail(2))) <= {
            DeliveryResult.UNREACHABLE,
            DeliveryResult.NOT_STARTED,
        }

    def test_mail_that_is_throttled_while_others_are_accepted_is_postponed(
        self, server: MailServer, settings: Settings
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        server.refused_recipients = {"reader0@": "450 4.7.1 Too many recipient attempts"}
        found: dict[str, DeliveryResult] = {}

        def go_on() -> None:
            found.update({each.mail.recipient: each.result for each in threads.take_attempts()})
            if len(found) < 20:
                threads.add([make_mail(len(found) + 3)], start_before=float("inf"))

        threads = DeliveryThreads(on_attempt=go_on)
        threads.add([make_mail(number) for number in range(3)], start_before=float("inf"))
        wait_until(lambda: len(found) >= 20, "the mails are delivered", 10)
        threads.close(seconds=1)
        assert found.pop("reader0@domain0.example") is DeliveryResult.POSTPONED
        assert set(found.values()) <= {DeliveryResult.ACCEPTED, DeliveryResult.NOT_STARTED}


def test_timeout_is_longer_after_the_data(
    server: MailServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    reply = PatientSMTP.getreply

    def getreply(connection: PatientSMTP) -> tuple[int, bytes]:
        assert connection.sock
        waits.append(connection.sock.gettimeout())
        return reply(connection)

    monkeypatch.setattr(PatientSMTP, "getreply", getreply)
    deliver(make_mail())
    assert set(waits) == {settings.EMAIL_TIMEOUT, DATA_TIMEOUT_SECONDS}
    assert waits.count(DATA_TIMEOUT_SECONDS) == 2  # after DATA and after the body
