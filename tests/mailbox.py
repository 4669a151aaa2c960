"""Mails in the outbox, and the pages that their links open."""

import re
from email.message import EmailMessage
from functools import cache
from html.parser import HTMLParser
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.outbox import woken
from sailing.mail.sender import Sender
from scripts.update_messages import read_catalogue


def create_mail(state: MailState = MailState.WAITING, **fields: Any) -> OutboxEmail:
    """Store a mail, by default one that is due."""
    values = {"recipient": "jana@example.com", "subject": "Welcome", "message_id": "<1@example.com>"}
    return OutboxEmail.objects.create(state=state, **{**values, **fields})


def mails(*, is_reminder: bool = False) -> list[OutboxEmail]:
    """Return all mails in the outbox, or the reminders alone, the oldest first."""
    return list(OutboxEmail.objects.filter(is_reminder=is_reminder).order_by("pk"))


def send_pending() -> int:
    """Send every mail that is due; return how many of the outbox the mail server accepted."""
    sent = OutboxEmail.objects.filter(state=MailState.SENT)
    before = sent.count()
    active = Sender()
    try:
        while True:
            woken.clear()
            if active.work():
                woken.wait(1)
            elif not woken.is_set():
                break
    finally:
        active.close()
    return sent.count() - before


def latest() -> OutboxEmail:
    return mails()[-1]


def address(mail: OutboxEmail, start: str) -> str:
    """Return the path and query of the first link in a mail's text that starts with `start`."""
    return _addresses(mail, start)[0]


def last_address(mail: OutboxEmail, start: str) -> str:
    """Return the path and query of the last such link."""
    return _addresses(mail, start)[-1]


def _addresses(mail: OutboxEmail, start: str) -> list[str]:
    found: list[str] = re.findall(rf"{settings.SITE_URL}({re.escape(start)}[\w.-]+/\S*)", mail.text)
    assert found, mail.text
    return found


def read(message: EmailMessage, subtype: str) -> str:
    """Return the part of a mail that is `plain` or `html`, as its recipient parses it."""
    part = message.get_body((subtype,))
    assert isinstance(part, EmailMessage)
    assert not part.defects
    return str(part.get_content()).replace("\r\n", "\n")


def open_link(address: str, *, client: Client | None = None) -> HttpResponse:
    response = (client or Client()).get(address)
    assert isinstance(response, HttpResponse)
    return response


def press_button(address: str, *, client: Client | None = None, **data: Any) -> HttpResponse:
    """Post to the page of a link, by default from a new browser and with CSRF checks."""
    response = (client or Client(enforce_csrf_checks=True)).post(address, data)
    assert isinstance(response, HttpResponse)
    return response


def text(response: HttpResponse) -> str:
    """Return a page with plain spaces and hyphens (sailing/templatetags/site.py)."""
    return response.content.decode().replace("\u00a0", " ").replace("\u2060", "")


def english_left(shown: str, app: str) -> list[str]:
    """Return the English messages of an app or the project that a Czech text contains."""
    return [sentence for name in (app, "sailing") for sentence in _sentences(name) if sentence in shown]


@cache
def _sentences(app: str) -> list[str]:
    """Return the English messages with a space. Reading a catalogue takes longer than most tests."""
    texts = [(str(message.id), str(message.string)) for message in read_catalogue(app)]
    return [english for english, czech in texts if " " in english and english not in czech]


class Reader(HTMLParser):
    """The text and links of a mail, without styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.hidden = 0
        self.feed(html)

    @property
    def shown(self) -> str:
        return " ".join(self.words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("style", "title")
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "title")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words += data.split()


def assert_same_in_text_and_html(mail: OutboxEmail) -> None:
    """Assert that text and HTML have the same content and links."""
    reader = Reader(mail.html)
    assert set(re.findall(rf"{settings.SITE_URL}\S+", mail.text)) == set(reader.links)
    for line in re.sub(r"http\S+|^--$", "", mail.text, flags=re.MULTILINE).splitlines():
        assert " ".join(line.split()).removesuffix(":") in reader.shown


def assert_plain(html: str) -> None:
    """Assert that a mail has a dark mode and no pictures, scripts or remote styles."""
    assert not re.search(r"<(img|script|link|iframe)|url\(|@import", html)
    assert "prefers-color-scheme: dark" in html
