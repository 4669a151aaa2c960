"""The mail of a delivery."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from django.core.mail import BadHeaderError
from pytest_django import Settings

from newsletter.campaigns.tests.rendered import LINKS, rendered
from tests.mailbox import Reader

BODY = (
    "# Příliš žluťoučký kůň\n\nÚpěl [ďábelské ódy]({unsubscribe_url}) = 100 %. [all]({preferences_url})\n\n"
    f"{'slovo ' * 60}\n\n.hidden\n\nFrom here\n"
)


def build(body: str = BODY, *, subject: str = "Červen", **changes: Any) -> EmailMessage:
    """Return the mail as its recipient parses it."""
    values = {"recipient": "jana@post.cz", "reference": "7.key", "links": LINKS, **changes}
    message = rendered(body, subject=subject, language="cs").build_message(**values)
    parsed = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert not parsed.defects
    return parsed


def part(message: EmailMessage, subtype: str) -> str:
    found = message.get_body((subtype,))
    assert isinstance(found, EmailMessage)
    assert not found.defects
    content: str = found.get_content()
    return content.replace("\r\n", "\n").rstrip("\n")


def test_headers_of_a_delivery(settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Plachtění <hello@sailing.cz>"
    message = build()
    headers = {name: str(value).strip() for name, value in message.items()}
    assert headers.pop("Date")
    assert headers.pop("Content-Type").startswith("multipart/alternative")
    assert headers == {
        "Message-ID": "<7.key@testserver>",
        "To": "jana@post.cz",
        "List-Unsubscribe": f"<{LINKS['unsubscribe_url']}>",
        "From": "Plachtění <hello@sailing.cz>",
        "Subject": "Červen",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": "<sailor.newsletter.testserver>",
        "Feedback-ID": "0:sailor-cs:campaign:sailing",
        "MIME-Version": "1.0",
    }
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]


def test_personal_links_stand_in_the_body_the_footer_and_the_text() -> None:
    message = build(f"{BODY}\n[invite]({{invitation_url}})")
    links = Reader(part(message, "html")).links
    # The first two are in the footer, too.
    for url, count in zip(LINKS.values(), (2, 2, 1), strict=True):
        assert links.count(url) == count
        assert part(message, "plain").count(url) == count
    assert "campaign.invalid" not in message.as_string()


def test_first_name_is_filled_in_as_text() -> None:
    field = "{first_name|sailor}"
    message = build(
        f"Ahoj {field}, [web](https://sailing.cz/)", subject=f"Pro {field}", first_name="<b>O'Hara & Co"
    )
    assert message["Subject"] == "Pro <b>O'Hara & Co"
    assert "Ahoj <b>O'Hara & Co, web" in part(message, "plain")
    assert "Ahoj &lt;b&gt;O&#x27;Hara &amp; Co, <a" in part(message, "html")
    assert "Ahoj sailor, web" in part(build(f"Ahoj {field}, web"), "plain")


@pytest.mark.parametrize(
    "subject", ["June\r\nBcc: all@post.cz", "June\r\n\r\n<html>", "June\nX-A: b", "June\rX-A: b"]
)
def test_line_break_in_the_subject_adds_no_header(subject: str) -> None:
    message = build(subject=subject)
    assert set(message.keys()) == set(build().keys())
    assert str(message["Subject"]).startswith("June ")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"recipient": "jana@post.cz\r\nBcc: all@post.cz"}, BadHeaderError),
        ({"links": {**LINKS, "unsubscribe_url": "https://sailing.cz/\r\nBcc: all@post.cz"}}, BadHeaderError),
    ],
)
def test_value_that_would_add_a_header_is_refused(changes: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        build(**changes)
