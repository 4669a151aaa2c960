"""Sending through the HTTP APIs of email providers, played by a server on this machine."""

import json
import socket
import struct
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, unquote_plus

import pytest
from anymail.exceptions import AnymailError, AnymailNotSupportedWarning
from django.utils import timezone
from pytest_django import Settings

from sailing.mail import api_errors
from sailing.mail.connection import AUTOMATIC
from sailing.mail.delivery import MAX_UNEXPLAINED
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.recording import MAX_ATTEMPTS, mail_bounced
from sailing.mail.results import DeliveryResult
from sailing.mail.sender import Sender
from tests.mailbox import create_mail, send_pending

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # SendGrid still works; docs/decisions/021-email-providers.md says what the warning means.
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

Reply = tuple[int, object]
ACCEPTED: dict[str, Reply] = {
    "postmark": (
        200,
        {"To": "jana@example.com", "MessageID": "0a129aee-e1cd-480d", "ErrorCode": 0, "Message": "OK"},
    ),
    "mailgun": (200, {"id": "<20130203.1@mg.sailing.example>", "message": "Queued. Thank you."}),
    "sendgrid": (202, ""),
}
STOP = Event()
"""Never set."""


class Provider:
    """A provider that stores requests. `reply`: status and JSON; None hangs up instead."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any, bytes]] = []
        self.reply: Reply | None = None
        self.name = ""

    @property
    def sent(self) -> dict[str, Any]:
        """Return the fields of the latest request."""
        _path, headers, body = self.requests[-1]
        if headers["Content-Type"] == "application/json":
            fields: dict[str, Any] = json.loads(body)
            return fields
        return dict(parse_qsl(body.decode()))


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    found = Provider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.requests.append((self.path, self.headers, body))
            if found.reply is None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return
            status, fields = found.reply
            content = json.dumps(fields).encode() if fields else b""
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.EMAIL_CONNECTIONS = 1
    url = f"http://127.0.0.1:{server.server_port}"
    settings.ANYMAIL = {
        **settings.ANYMAIL,
        "POSTMARK_API_URL": url,
        "POSTMARK_SERVER_TOKEN": "postmark-token",
        "MAILGUN_API_URL": f"{url}/v3",
        "MAILGUN_API_KEY": "mailgun-key",
        "MAILGUN_SENDER_DOMAIN": "mg.sailing.example",
        "SENDGRID_API_URL": f"{url}/v3/",
        "SENDGRID_API_KEY": "sendgrid-key",
    }
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def use(settings: Settings, provider: Provider) -> Callable[[str], None]:
    """Return a function that chooses the provider, which accepts mails."""

    def choose(name: str) -> None:
        settings.EMAIL_PROVIDER = name
        settings.EMAIL_BACKEND = f"anymail.backends.{name}.EmailBackend"
        provider.reply = ACCEPTED[name]

    return choose


@pytest.fixture
def bounced() -> Iterator[mock.Mock]:
    """Return a receiver of the addresses that the sender declares undeliverable."""
    receiver = mock.Mock()
    mail_bounced.connect(receiver)
    yield receiver
    mail_bounced.disconnect(receiver)


HEADERS = {
    "List-Unsubscribe": "<https://sailing.example/newsletter/unsubscribe/abc/>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
}


def send(**fields: Any) -> OutboxEmail:
    """Send a mail and return its row."""
    mail = create_mail(text="Ahoj!", html="<p>Ahoj!</p>", headers=HEADERS, **fields)
    send_pending()
    mail.refresh_from_db()
    return mail


def test_postmark_gets_the_mail_with_its_headers(use: Callable[[str], None], provider: Provider) -> None:
    use("postmark")
    assert send().state == MailState.SENT
    path, headers, _body = provider.requests[0]
    assert path == "/email"
    assert headers["X-Postmark-Server-Token"] == "postmark-token"
    sent = provider.sent
    assert (sent["To"], sent["From"]) == ("jana@example.com", "Sailing <hello@sailing.example>")
    assert (sent["Subject"], sent["TextBody"], sent["HtmlBody"]) == ("Welcome", "Ahoj!", "<p>Ahoj!</p>")
    assert {entry["Name"]: entry["Value"] for entry in sent["Headers"]} == {
        **HEADERS,
        **AUTOMATIC,
        "Message-ID": "<1@example.com>",
    }
    assert (sent["TrackOpens"], sent["TrackLinks"]) == (False, "None")


@pytest.mark.parametrize(
    ("name", "untracked"),
    [
        ("mailgun", ["o:tracking-opens=no", "o:tracking-clicks=no"]),
        ("sendgrid", ['"open_tracking": {"enable": false}', '"click_tracking"']),
    ],
)
def test_provider_gets_the_headers_and_is_told_not_to_track(
    use: Callable[[str], None], provider: Provider, name: str, untracked: list[str]
) -> None:
    use(name)
    assert send().state == MailState.SENT
    _path, _headers, body = provider.requests[0]
    for part in ("List-Unsubscribe=One-Click", *untracked):
        assert part in unquote_plus(body.decode())


def postmark(code: int, message: str) -> Reply:
    return 422, {"ErrorCode": code, "Message": message}


WRONG_ADDRESSES = [
    ("postmark", postmark(300, "Invalid 'To' address: 'jana@example.com'.")),
    (
        "postmark",
        postmark(
            406,
            "You tried to send to a recipient that has been marked as inactive.\n"
            "Found inactive addresses: jana@example.com.\nInactive recipients are ones that have"
            " generated a hard bounce, a spam complaint, or a manual suppression.",
        ),
    ),
]


@pytest.mark.parametrize(("name", "reply"), WRONG_ADDRESSES)
def test_refused_address_is_bounced(
    use: Callable[[str], None], provider: Provider, bounced: mock.Mock, name: str, reply: Reply
) -> None:
    use(name)
    provider.reply = reply
    mail = send()
    assert mail.state == MailState.FAILED
    assert [call.kwargs["email"] for call in bounced.call_args_list] == ["jana@example.com"]
    assert "jana@example.com" not in mail.last_error


@pytest.mark.parametrize(
    ("status", "result"),
    [
        *((status, DeliveryResult.UNREACHABLE) for status in (401, 402, 403, 404, 405, 408, 503)),
        (413, DeliveryResult.REFUSED),
        (422, DeliveryResult.UNEXPLAINED),
        (429, DeliveryResult.THROTTLED),
        (500, DeliveryResult.UNKNOWN),
    ],
)
def test_status_decides_what_a_refusal_means(
    use: Callable[[str], None], status: int, result: DeliveryResult
) -> None:
    use("postmark")
    assert api_errors.classify(AnymailError(status_code=status)) == (result, False)


REFUSED: Reply = (422, {"ErrorCode": 400, "Message": "The sender is not confirmed."})
"""A refusal that says nothing about the recipient."""


def test_refusal_without_a_reason_is_final_when_the_attempts_are_used_up(
    use: Callable[[str], None], provider: Provider, bounced: mock.Mock
) -> None:
    """An admin may correct the sender or the account meanwhile, and can still send the mail afterwards."""
    use("postmark")
    provider.reply = REFUSED
    mail = send(attempts=MAX_ATTEMPTS - 2)
    assert mail.state == MailState.WAITING
    assert mail.last_error.startswith("422 ")
    assert "The sender is not confirmed." in mail.last_error
    OutboxEmail.objects.update(next_attempt_at=timezone.now())
    send_pending()
    mail.refresh_from_db()
    assert (mail.state, mail.attempts, mail.text) == (MailState.FAILED, MAX_ATTEMPTS, "Ahoj!")
    assert not bounced.called


def test_refusals_without_a_reason_delay_no_other_mail(
    use: Callable[[str], None], provider: Provider
) -> None:
    """Visitors can cause them, by entering addresses that a provider does not take."""
    use("postmark")
    provider.reply = REFUSED
    sender = Sender()
    for _mail in range(2 * MAX_UNEXPLAINED):
        create_mail()
    sender.send_pending(STOP)
    provider.reply = ACCEPTED["postmark"]
    create_mail()
    assert sender.send_pending(STOP) == 1
    sender.close()


def test_mail_is_sent_once_the_provider_accepts_again(use: Callable[[str], None], provider: Provider) -> None:
    use("postmark")
    provider.reply = (401, {"ErrorCode": 10, "Message": "Bad or missing Server API token."})
    mail = send()
    assert (mail.state, mail.attempts) == (MailState.WAITING, 0)
    provider.reply = ACCEPTED["postmark"]
    send_pending()
    assert OutboxEmail.objects.get().state == MailState.SENT


@pytest.mark.parametrize("reply", [None, (500, {"Message": "Internal error"})])
def test_mail_whose_fate_is_unknown_is_not_tried_again_at_once(
    use: Callable[[str], None], provider: Provider, bounced: mock.Mock, reply: Reply | None
) -> None:
    use("postmark")
    send()
    provider.reply = reply
    mail = send(message_id="<2@example.com>")
    assert (mail.state, mail.attempts, bounced.called) == (MailState.WAITING, 1, False)
    assert len(provider.requests) == 2


def test_unreachable_provider_costs_no_attempt(
    use: Callable[[str], None], settings: Settings, provider: Provider
) -> None:
    use("postmark")
    settings.ANYMAIL = {**settings.ANYMAIL, "POSTMARK_API_URL": "http://127.0.0.1:1/"}
    mail = send()
    assert (mail.state, mail.attempts, provider.requests) == (MailState.WAITING, 0, [])


def test_stored_error_holds_no_key(use: Callable[[str], None], provider: Provider) -> None:
    use("mailgun")
    for reply in (None, (401, {"message": "Forbidden"}), (500, "")):
        provider.reply = reply
        assert "key" not in send().last_error
