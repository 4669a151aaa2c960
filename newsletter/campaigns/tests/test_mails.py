"""The encoded mail of a delivery."""

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives

from newsletter.campaigns.mails import build_message, compose
from newsletter.campaigns.tests.rendered import LINKS, rendered
from tests.mailbox import Reader

BODY = (
    "# Příliš žluťoučký kůň\n\nÚpěl [ďábelské ódy]({unsubscribe_url}) = 100 %. [all]({preferences_url})\n\n"
    f"{'slovo ' * 60}\n\n.hidden\n\nFrom here\n"
)


def arguments(**changes: Any) -> dict[str, Any]:
    return {
        "reference": "7.key",
        "recipient": "jana@post.cz",
        "sender": "Plachtění <hello@sailing.cz>",
        "links": LINKS,
        "message_id": "<abc.1@sailing.cz>",
        "date": datetime(2026, 6, 1, 12, 30, 5, 999, tzinfo=UTC),
        **changes,
    }


def composed(body: str = BODY, *, subject: str = "Červen", **changes: Any) -> bytes:
    return compose(rendered(body, subject=subject, language="cs"), **arguments(**changes))


def parsed(body: str = BODY, **changes: Any) -> EmailMessage:
    message = message_from_bytes(composed(body, **changes), policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def part(message: EmailMessage, subtype: str) -> str:
    found = message.get_body((subtype,))
    assert isinstance(found, EmailMessage)
    assert not found.defects
    content: str = found.get_content()
    return content.replace("\r\n", "\n").rstrip("\n")


def test_headers_of_a_delivery() -> None:
    message = parsed()
    assert {name: str(value) for name, value in message.items() if name != "Content-Type"} == {
        "Message-ID": "<abc.1@sailing.cz>",
        "Date": "Mon, 01 Jun 2026 12:30:05 +0000",
        "To": "jana@post.cz",
        "List-Unsubscribe": f"<{LINKS['unsubscribe_url']}>",
        "From": "Plachtění <hello@sailing.cz>",
        "Subject": "Červen",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": "<sailor.newsletter.testserver>",
        "Feedback-ID": "0:sailor-cs:campaign:sailing",
        "MIME-Version": "1.0",
    }
    assert message.get_content_type() == "multipart/alternative"
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]


def test_parts_are_those_of_the_rendering_with_personal_links() -> None:
    mail = rendered(BODY, subject="Červen", language="cs")
    text, html = mail.text, mail.html
    for name, placeholder in mail.placeholders.items():
        text = text.replace(placeholder, LINKS[name])
        html = html.replace(placeholder, LINKS[name].replace("&", "&amp;"))
    message = parsed()
    assert part(message, "plain") == text.rstrip("\n")
    assert part(message, "html") == html.rstrip("\n")


def test_personal_links_stand_in_the_body_the_footer_and_the_text() -> None:
    message = parsed()
    links = Reader(part(message, "html")).links
    for url in LINKS.values():
        assert links.count(url) == 2
        assert part(message, "plain").count(url) == 2
    assert b"campaign.invalid" not in composed()


@pytest.mark.parametrize("size", [1, 60, 75, 76, 77, 150, 500])
def test_lines_are_short_ascii_and_end_with_crlf(size: int) -> None:
    links = dict.fromkeys(LINKS, f"https://sailing.cz/{'=' * size}")
    raw = composed(links=links)
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    body = raw.partition(b"\r\n\r\n")[2]
    assert max(map(len, body.split(b"\r\n"))) <= 76
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert links["unsubscribe_url"] in part(message, "plain")


def test_nothing_of_one_delivery_is_left_in_the_next() -> None:
    mail = rendered(BODY)
    first = compose(mail, **arguments())
    other = {name: f"https://sailing.cz/{name}/2" for name in LINKS}
    second = compose(
        mail, **arguments(recipient="petr@post.cz", links=other, message_id="<abc.2@sailing.cz>")
    )
    assert b"petr@post.cz" in second
    for secret in (b"jana@post.cz", b"AbCdEfGhIjKlMnOpQrStUvWxYz", b"abc.1@"):
        assert secret in first
        assert secret not in second
    assert compose(mail, **arguments()) == first


@pytest.mark.parametrize(
    "subject",
    ["June", "Červen " * 25, "=?utf-8?q?x?=", "🏴‍☠️ Regata v\u00a0Praze", "a" * 200, "word " * 39, "č" * 200],
)
def test_subject_survives_encoding(subject: str) -> None:
    raw = composed(subject=subject)
    assert str(parsed(subject=subject)["Subject"]) == subject.strip()
    header = re.search(rb"^Subject: .*(\r\n .*)*", raw, re.MULTILINE)
    assert header
    assert max(map(len, header[0].split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    "subject", ["June\r\nBcc: all@post.cz", "June\r\n\r\n<html>", "June\nX-A: b", "June\rX-A: b"]
)
def test_line_break_in_the_subject_adds_no_header(subject: str) -> None:
    message = parsed(subject=subject)
    assert len(message.keys()) == 11
    assert str(message["Subject"]).startswith("June ")


@pytest.mark.parametrize(
    "changes",
    [
        {"recipient": "jana@post.cz\r\nBcc: all@post.cz"},
        {"recipient": "jana@post.cz\nX: y"},
        {"recipient": "jana@post.cz\u2028X: y"},
        {"message_id": "<a@b>\r\nBcc: all@post.cz"},
        {"message_id": "a@b"},
        {"links": {**LINKS, "unsubscribe_url": "https://sailing.cz/>\r\nBcc: all@post.cz"}},
        {"links": {**LINKS, "unsubscribe_url": "https://sailing.cz/>,<mailto:all@post.cz"}},
        {"links": {**LINKS, "preferences_url": "javascript:alert(1)"}},
        {"links": {**LINKS, "preferences_url": 'https://sailing.cz/ " onclick='}},
    ],
)
@pytest.mark.parametrize("function", [compose, build_message])
def test_value_that_would_add_a_header_is_refused(function: Any, changes: dict[str, Any]) -> None:
    mail = rendered(BODY)
    with pytest.raises(ValueError, match=r"header|link|URL|address"):
        function(mail, **arguments(**changes))


def test_recipient_outside_ascii_is_encoded() -> None:
    assert str(parsed(recipient="jana@pošta.cz")["To"]) == "jana@xn--pota-h6a.cz"
    assert composed(recipient="žofie@post.cz").isascii()


def test_message_for_other_backends_has_the_same_content() -> None:
    mail = rendered(BODY, subject="Červen", language="cs")
    message = build_message(mail, **arguments())
    assert isinstance(message, EmailMultiAlternatives)
    assert message.to == ["jana@post.cz"]
    assert message.metadata == {"delivery": "7.key"}  # type: ignore[attr-defined]
    sent = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    assert isinstance(sent, EmailMessage)
    expected = parsed()
    assert part(sent, "plain") == part(expected, "plain")
    assert part(sent, "html") == part(expected, "html")
    names = set(expected.keys()) - {"Content-Type", "MIME-Version"}
    # Django folds a long value before its first word.
    assert {name: str(sent[name]).strip() for name in names} == {name: str(expected[name]) for name in names}
