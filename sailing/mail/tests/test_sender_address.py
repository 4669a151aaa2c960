"""The sender that readers see."""

from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from pytest_django import Settings

from sailing import environment
from tests.mail_server import MailServer
from tests.mailbox import create_mail, send_pending

LONG_NAME = "Příliš žluťoučký kůň úpěl ďábelské ódy a pak plul přes moře až do přístavu, s.r.o."
ASCII_NAME = LONG_NAME.encode("ascii", "replace").decode()
ADDRESS = "hello@sailing.example"
SENDERS = [
    (ADDRESS, "", ADDRESS),
    (f"<{ADDRESS}>", "", ADDRESS),
    ("Ahoj <ahoj@PLACHTĚNÍ.example>", "Ahoj", "ahoj@xn--plachtn-eza62b.example"),
    ('"Jana \\"Bára\\" \\\\ Nová" <hello@sailing.example>', 'Jana "Bára" \\ Nová', ADDRESS),
    ('"jana@sailing.example" <hello@sailing.example>', "jana@sailing.example", ADDRESS),
    ('"Plachty; Lode: [x] (y), s.r.o." <hello@sailing.example>', "Plachty; Lode: [x] (y), s.r.o.", ADDRESS),
    ("👩\u200d👧\u00a0a lodě <hello@sailing.example>", "👩\u200d👧\u00a0a lodě", ADDRESS),
    (f'"{LONG_NAME}" <hello@sailing.example>', LONG_NAME, ADDRESS),
    (f'"{ASCII_NAME}" <{ADDRESS}>', ASCII_NAME, ADDRESS),
]
"""Values of DEFAULT_FROM_EMAIL; the name and the address that readers see."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("value", "name", "address"), SENDERS)
def test_sender_arrives_as_configured(
    server: MailServer, settings: Settings, value: str, name: str, address: str
) -> None:
    settings.DEFAULT_FROM_EMAIL = environment.sender(value)
    create_mail()
    send_pending()
    assert server.senders == [address]
    ((_recipients, message),) = server.received
    written = dict(message.raw_items())["From"]
    assert max(map(len, written.splitlines())) < 78
    encoded_name, found_address = parseaddr(written.replace("\r\n", ""))
    # `message["From"]` of Python 3.11 has a space between two encoded words.
    assert (str(make_header(decode_header(encoded_name))), found_address) == (name, address)
