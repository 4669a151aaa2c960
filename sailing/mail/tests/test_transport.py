"""What the replies of mail servers mean, the connections and the pace that they allow, what they are told."""

import smtplib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.header import decode_header, make_header
from email.utils import parseaddr
from random import Random

import pytest
from django.core.mail import get_connection
from pytest_django import Settings

from sailing import environment
from sailing.mail import transport
from sailing.mail.models import OutboxEmail
from sailing.mail.pace import Pace
from sailing.mail.transport import DATA_TIMEOUT_SECONDS, Connection, Connections, DeliveryResult
from tests.mail_server import OVER_LIMIT, MailServer


def make_mail(number: int = 0) -> OutboxEmail:
    recipient = f"reader{number}@domain{number}.example"
    return OutboxEmail(recipient=recipient, subject="Ahoy", text="Ahoy", message_id=f"<{number}@a.example>")


@pytest.fixture
def connection(server: MailServer) -> Iterator[Connection]:
    found = Connection()
    yield found
    found.close()


def deliver(connection: Connection, count: int) -> list[DeliveryResult]:
    return [connection.deliver(make_mail(number)).result for number in range(count)]


BOUNCED = "bounced"
REPLIES: dict[DeliveryResult | str, list[tuple[str, str]]] = {
    # About the address: it does not work.
    BOUNCED: [
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
        ("RCPT", "552 5.2.2 mailbox full"),
        ("RCPT", "554 transaction failed"),
        ("RCPT", "550 5.7.1 Daily sending limit exceeded"),
    ],
    DeliveryResult.POSTPONED: [
        ("RCPT", "450 4.2.1 The user you contact is receiving mail too quickly"),
        ("RCPT", "452 4.2.2 The recipient's inbox is over its quota"),
        ("RCPT", "452 Mailbox quota exceeded"),
        ("RCPT", "452 Insufficient system storage, maximum exceeded"),
        ("RCPT", "451 4.7.1 Greylisting in action, please come back later"),
    ],
    # About the rate.
    DeliveryResult.THROTTLED: [
        ("RCPT", "452 4.5.3 Too many recipients"),
        ("RCPT", "450 4.7.1 Error: too much mail from 192.0.2.1"),
        ("RCPT", "451 4.7.500 Server busy. Rate limit exceeded"),
        ("DATA", "421 4.7.0 [TSS04] Messages deferred; exceeded sending limits"),
    ],
    # About us: no other mail would fare better.
    DeliveryResult.INTERRUPTED: [
        ("MAIL", "421 4.3.2 Service shutting down"),
        ("MAIL", "550 5.1.8 sender rejected"),
        ("RCPT", "550 5.7.1 Helo command rejected: Host not found"),
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
def test_what_a_reply_is_about(meaning: DeliveryResult | str, command: str, reply: str) -> None:
    code, text = int(reply[:3]), reply[4:].encode()
    errors = {
        "MAIL": smtplib.SMTPSenderRefused(code, text, "hello@sailing.example"),
        "RCPT": smtplib.SMTPRecipientsRefused({"jana@example.org": (code, text)}),
        "DATA": smtplib.SMTPDataError(code, text),
    }
    result, is_bounced = transport.classify(errors[command], command == "DATA")
    assert (BOUNCED if is_bounced else result) is meaning
    assert not is_bounced or result is DeliveryResult.REFUSED


def test_mail_that_cannot_be_written_is_final() -> None:
    error = UnicodeEncodeError("ascii", "ſ", 0, 1, "")
    assert transport.classify(error, False) == (DeliveryResult.REFUSED, False)
    assert transport.classify(error, True) == (DeliveryResult.UNKNOWN, False)


class TestSessions:
    @pytest.mark.parametrize("over_limit", OVER_LIMIT)
    def test_full_one_is_renewed(self, server: MailServer, connection: Connection, over_limit: str) -> None:
        server.session_limit, server.over_limit = 2, over_limit
        assert set(deliver(connection, 7)) == {DeliveryResult.ACCEPTED}
        assert len(server.received) == 7

    def test_connection_is_renewed_after_its_maximum_of_mails(
        self, server: MailServer, connection: Connection
    ) -> None:
        deliver(connection, transport.MAX_MAILS)
        assert len(set(server.clients)) == 1
        deliver(connection, 1)
        assert len(set(server.clients)) == 2

    def test_mail_is_not_repeated_after_its_text(self, server: MailServer, connection: Connection) -> None:
        deliver(connection, 1)
        server.hangs_up_on = "DATA"
        assert deliver(connection, 1) == [DeliveryResult.UNKNOWN]
        assert server.attempts == 2

    def test_refused_recipient_costs_no_session(self, server: MailServer, connection: Connection) -> None:
        server.refused_recipients = {"reader1": "451 Temporary local problem"}
        deliver(connection, 30)  # 11 of them are refused, most of them in a row
        assert len(server.received) == 19
        assert len(set(server.clients)) <= 4


@pytest.mark.parametrize(("limit", "result"), [(1, DeliveryResult.ACCEPTED), (0, DeliveryResult.NOT_TRIED)])
def test_threads_share_allowed_connections(server: MailServer, limit: int, result: DeliveryResult) -> None:
    server.connection_limit, server.delay_seconds = limit, 0.01
    connections = Connections()
    with ThreadPoolExecutor(4) as pool:
        attempts = list(pool.map(connections.deliver, map(make_mail, range(12))))
    connections.close()
    assert {each.result for each in attempts} == {result}


def test_timeout_is_longer_after_the_data(
    connection: Connection, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    reply = smtplib.SMTP.getreply

    def getreply(smtp: smtplib.SMTP) -> tuple[int, bytes]:
        assert smtp.sock
        waits.append(smtp.sock.gettimeout())
        return reply(smtp)

    monkeypatch.setattr(smtplib.SMTP, "getreply", getreply)
    deliver(connection, 1)
    connection.close()
    assert set(waits) == {settings.EMAIL_TIMEOUT, DATA_TIMEOUT_SECONDS}
    assert waits.count(DATA_TIMEOUT_SECONDS) == 2  # after DATA and after the body


@pytest.mark.parametrize(
    ("url", "name"),
    [("https://sailing.example", "sailing.example"), ("http://127.0.0.1:8000", "[127.0.0.1]")],
)
def test_server_is_greeted_by_the_site(server: MailServer, settings: Settings, url: str, name: str) -> None:
    settings.SITE_URL = url
    backend = get_connection("sailing.mail.transport.EmailBackend")
    backend.open()
    assert backend.connection.local_hostname == name
    backend.close()


LONG_NAME = "Příliš žluťoučký kůň úpěl ďábelské ódy a pak plul přes moře až do přístavu, s.r.o."
ADDRESS = "hello@sailing.example"


@pytest.mark.parametrize(
    ("value", "name", "address"),
    [
        ("Ahoj <ahoj@PLACHTĚNÍ.example>", "Ahoj", "ahoj@xn--plachtn-eza62b.example"),
        (f'"Plachty; Lode: [x] (y), {ADDRESS}" <{ADDRESS}>', f"Plachty; Lode: [x] (y), {ADDRESS}", ADDRESS),
        (f"👩\u200d👧\u00a0a lodě <{ADDRESS}>", "👩\u200d👧\u00a0a lodě", ADDRESS),
        (f'"{LONG_NAME}" <{ADDRESS}>', LONG_NAME, ADDRESS),
    ],
)
def test_readers_see_the_configured_sender(
    server: MailServer, connection: Connection, settings: Settings, value: str, name: str, address: str
) -> None:
    settings.DEFAULT_FROM_EMAIL = environment.sender(value)
    deliver(connection, 1)
    assert server.senders == [address]
    ((_recipients, message),) = server.received
    written = dict(message.raw_items())["From"]
    assert max(map(len, written.splitlines())) < 78
    encoded_name, found_address = parseaddr(written.replace("\r\n", ""))
    # `message["From"]` of Python 3.11 has a space between two encoded words.
    assert (str(make_header(decode_header(encoded_name))), found_address) == (name, address)


@pytest.mark.parametrize(
    ("provider", "of_each", "of_newsletter"),
    [
        ("", {}, {}),
        (
            "postmark",
            {"X-PM-TrackOpens": "false", "X-PM-TrackLinks": "None"},
            {"X-PM-Metadata-delivery": "7.key", "X-PM-Message-Stream": "broadcast"},
        ),
        (
            "mailgun",
            {"X-Mailgun-Track-Opens": "no", "X-Mailgun-Track-Clicks": "no"},
            {"X-Mailgun-Variables": '{"delivery": "7.key"}'},
        ),
        ("ses", {}, {"X-Metadata": '{"delivery": "7.key"}'}),
    ],
)
def test_headers_name_the_delivery_to_the_provider_and_forbid_tracking(
    settings: Settings, provider: str, of_each: dict[str, str], of_newsletter: dict[str, str]
) -> None:
    settings.EMAIL_PROVIDER = provider
    assert transport.build_provider_headers("") == of_each
    assert transport.build_provider_headers("7.key") == of_each | of_newsletter


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time in seconds, which the test changes."""
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("limit", "stalls", "unused", "refused"),
    [(50, None, 1.2, 40), (14, Random(1), 1.15, 0)],  # machines delay each mail, and now and then all
)
def test_rate_of_the_server_is_used_and_seldom_exceeded(
    clock: list[float], limit: int, stalls: Random | None, unused: float, refused: int
) -> None:
    server = LimitedServer(limit, clock)
    server.receive(Pace(), 300, stalls)
    assert server.accepted > 300 * limit / unused
    assert server.refused < 0.05 * server.accepted + refused


@pytest.mark.parametrize("accepted_before", [0, 1, 11, 14])
def test_refusal_after_a_stall_does_not_slow_mails_for_long(clock: list[float], accepted_before: int) -> None:
    """A stall of this process, or another one at the same server, makes the accepted mails too few."""
    found, server = Pace(), LimitedServer(14, clock)
    for _stall in range(6):
        clock[0] += 1.5
        for _mail in range(accepted_before):
            found.record_accepted()
        found.slow_down()
        server.receive(found, 20)
    assert server.accepted > (120 - 6 * 1.5) * 14 / 1.2


def test_rate_grows_by_its_use_alone_and_falls_once_for_the_mails_under_way(clock: list[float]) -> None:
    found = Pace()
    for _mail in range(10):
        assert not found.reserve(), "slower before the first refusal"
        found.record_accepted()
    found.slow_down()
    for _mail in range(500):
        clock[0] += 1
        found.record_accepted()
    assert measure_rate(found) == pytest.approx(10)
    clock[0] += 1
    for _refusal in range(4):
        found.slow_down()
        clock[0] += 0.01
    assert measure_rate(found) == pytest.approx(9.5)


def test_urgent_mail_goes_first_and_delays_the_others(clock: list[float]) -> None:
    found = Pace()
    found.record_accepted()
    found.slow_down()
    clock[0] += 10
    assert [found.reserve(is_urgent=urgent) for urgent in (False, False, True, False)] == [0, 1, 0, 3]


def measure_rate(found: Pace) -> float:
    first = found.reserve()
    return 1 / (found.reserve() - first)


class LimitedServer:
    """A mail server that accepts so many mails in any second."""

    def __init__(self, limit: int, clock: list[float]) -> None:
        self.clock, self.accepted, self.refused = clock, 0, 0
        self.accepted_at = deque([0.0] * limit, maxlen=limit)

    def receive(self, found: Pace, seconds: float, stalls: Random | None = None) -> None:
        """Take mails at the pace, one at a time. With `stalls`, each is late by up to 30 ms, some by 300."""
        end = self.clock[0] + seconds
        while self.clock[0] < end:
            self.clock[0] += found.reserve() or 0.001
            if stalls:
                self.clock[0] += stalls.uniform(0, 0.3 if stalls.random() < 0.03 else 0.03)
            if self.accepted_at[0] > self.clock[0] - 1:
                self.refused += 1
                found.slow_down()
            else:
                self.accepted += 1
                self.accepted_at.append(self.clock[0])
                found.record_accepted()
