"""Compose the mail of one delivery from a rendered campaign.

The encoded mail is prepared once for each rendering, with gaps for what differs; a mail is then one join of
bytes. Both ways to compose, `compose` and `build_message`, give the same content.
"""

import re
from binascii import b2a_qp
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache
from html import escape

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import sanitize_address

from newsletter.campaigns.rendering import RenderedMail

ONE_CLICK = "List-Unsubscribe=One-Click"
PREPARED_MAILS = 64
"""Prepared mails that are kept: languages and audiences of the campaigns that are being sent."""

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")
URL = re.compile(r"https?://[!-;=?-~]+")
"""RFC 3986 without space, `<` and `>`, which would end the value in List-Unsubscribe."""
MESSAGE_ID = re.compile(r"<[!-;=?-~]+>")

BOUNDARY = "=_campaign_part"
"""Cannot occur in a part: quoted-printable has no `=_` (RFC 2045 section 6.7)."""


def compose(
    rendered: RenderedMail,
    *,
    reference: str,
    recipient: str,
    sender: str,
    links: Mapping[str, str],
    message_id: str,
    date: datetime,
) -> bytes:
    """Return the mail of a delivery, encoded for SMTP.

    `reference`: see `newsletter.campaigns.tokens`. `links` has the URLs of PERSONAL_FIELDS. `message_id`
    includes its angle brackets. `date` is aware.
    Raises ValueError for an address, URL or message id that cannot stand in a header.
    """
    _check(recipient, links, message_id)
    prepared = _prepare(rendered, sender)
    head = (
        f"Message-ID: {message_id}\r\n"
        f"Date: {_format_date(date.replace(microsecond=0))}\r\n"
        f"To: {_encode_recipient(recipient)}\r\n"
        f"List-Unsubscribe: <{links['unsubscribe_url']}>\r\n"
    )
    if settings.EMAIL_PROVIDER == "ses":  # its reports quote the header, which stands for `metadata`
        head += f'X-Metadata: {{"delivery": "{reference}"}}\r\n'
    parts = prepared.parts.copy()
    parts[0] = head.encode("ascii")
    for name, indexes in prepared.text_gaps.items():
        value = _quote(links[name])
        for index in indexes:
            parts[index] = value
    for name, indexes in prepared.html_gaps.items():
        value = _quote(escape(links[name]))
        for index in indexes:
            parts[index] = value
    return b"".join(parts)


def build_message(
    rendered: RenderedMail,
    *,
    reference: str,
    recipient: str,
    sender: str,
    links: Mapping[str, str],
    message_id: str,
    date: datetime,
) -> EmailMultiAlternatives:
    """Return the same mail for a backend that takes no bytes.

    The webhooks of providers return `metadata`.
    """
    _check(recipient, links, message_id)
    text = rendered.fill_links(rendered.text, links)
    html = rendered.fill_links(rendered.html, {name: escape(url) for name, url in links.items()})
    message = EmailMultiAlternatives(
        rendered.subject,
        text,
        sender,
        [recipient],
        headers={
            "Message-ID": message_id,
            "Date": _format_date(date.replace(microsecond=0)),
            "List-Unsubscribe": f"<{links['unsubscribe_url']}>",
            "List-Unsubscribe-Post": ONE_CLICK,
            "List-Id": rendered.list_id,
            "Feedback-ID": rendered.feedback_id,
        },
    )
    message.metadata = {"delivery": reference}  # type: ignore[attr-defined]  # read by django-anymail
    message.attach_alternative(html, "text/html")
    return message


@dataclass(frozen=True)
class _PreparedMail:
    """The pieces of an encoded mail. The first is for its own headers; the gaps are for personal links."""

    parts: list[bytes]
    text_gaps: dict[str, list[int]]
    html_gaps: dict[str, list[int]]


@lru_cache(PREPARED_MAILS)
def _prepare(rendered: RenderedMail, sender: str) -> _PreparedMail:
    from_ = sanitize_address(sender, "utf-8").replace("\n", "\r\n")  # a long name is folded
    head = (
        f"From: {from_}\r\n"
        f"Subject: {_encode_subject(rendered.subject)}\r\n"
        f"List-Unsubscribe-Post: {ONE_CLICK}\r\n"
        f"List-Id: {rendered.list_id}\r\n"
        f"Feedback-ID: {rendered.feedback_id}\r\n"
        "MIME-Version: 1.0\r\n"
        f'Content-Type: multipart/alternative; boundary="{BOUNDARY}"\r\n'
        "\r\n"
    )
    parts = [b"", head.encode("ascii")]
    names = {placeholder: name for name, placeholder in rendered.placeholders.items()}
    text_gaps = _add_part(parts, "plain", rendered.text, names)
    html_gaps = _add_part(parts, "html", rendered.html, names)
    parts.append(f"--{BOUNDARY}--\r\n".encode("ascii"))
    return _PreparedMail(parts, text_gaps, html_gaps)


def _add_part(
    parts: list[bytes], subtype: str, content: str, names: Mapping[str, str]
) -> dict[str, list[int]]:
    """Add an encoded part, and return the indexes of the pieces that are gaps.

    `names`: those of the personal links by their placeholders.
    """
    gaps: dict[str, list[int]] = {}
    parts.append(
        f"--{BOUNDARY}\r\n"
        f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n".encode("ascii")
    )
    for piece in re.split(f"({'|'.join(map(re.escape, names))})", content):
        if name := names.get(piece):
            gaps.setdefault(name, []).append(len(parts))
        # A soft line break around each gap, so that no line gets too long whatever fills it.
        parts.append(b"" if name else _quote(piece))
        parts.append(b"=\r\n")
    parts[-1] = b"\r\n"
    return gaps


def _quote(text: str) -> bytes:
    """Return text in quoted-printable."""
    return b2a_qp(text.encode()).replace(b"\n", b"\r\n")


def _encode_subject(subject: str) -> str:
    # Text that needs no encoding is only folded, which a long word would not survive.
    is_simple = subject.isascii() and "=?" not in subject and max(map(len, subject.split(" "))) < 60
    charset = "us-ascii" if is_simple else "utf-8"
    return Header(subject, charset, header_name="Subject").encode(linesep="\r\n")


@lru_cache(4)
def _format_date(date: datetime) -> str:
    return format_datetime(date)


def _encode_recipient(recipient: str) -> str:
    return recipient if ADDRESS.fullmatch(recipient) else sanitize_address(recipient, "utf-8")


def _check(recipient: str, links: Mapping[str, str], message_id: str) -> None:
    if not (recipient.isprintable() and MESSAGE_ID.fullmatch(message_id)):
        raise ValueError("An address or message id cannot stand in a header.")
    for url in links.values():
        if not URL.fullmatch(url):
            raise ValueError("A personal link is no URL.")
