"""The mail of a delivery."""

from typing import Any

import pytest
from django.core.mail import BadHeaderError
from pytest_django import Settings

from newsletter.campaigns.tests.rendered import LINKS, build
from tests.mailbox import Reader, read


def test_headers_of_a_delivery(settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Plachtění <hello@sailing.cz>"
    message = build(subject="Červen", language="cs")
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
    body = (
        f"# Příliš žluťoučký kůň\n\nÚpěl = 100 %\n\n{'slovo ' * 60}\n\n.hidden [invite]({{invitation_url}})"
    )
    message = build(body)
    for url in LINKS.values():
        assert Reader(read(message, "html")).links.count(url) == 1
        assert read(message, "plain").count(url) == 1


def test_first_name_is_filled_in_as_text() -> None:
    field = "{first_name|sailor}"
    message = build(f"Ahoj {field}!", subject=f"Pro {field}", first_name="<b>O'Hara & Co")
    assert message["Subject"] == "Pro <b>O'Hara & Co"
    assert "Ahoj <b>O'Hara & Co!" in read(message, "plain")
    assert "Ahoj &lt;b&gt;O&#x27;Hara &amp; Co!" in read(message, "html")


@pytest.mark.parametrize(
    "subject", ["June\r\nBcc: all@post.cz", "June\rX-A: b", "June\x00\x1b", "June\u2028\u202e", "June\ud800"]
)
def test_subject_is_one_visible_line_and_adds_no_header(subject: str) -> None:
    message = build(subject=subject)
    assert set(message.keys()) == set(build().keys())
    assert str(message["Subject"]).startswith("June")
    assert str(message["Subject"]).isprintable()


@pytest.mark.parametrize(
    "changes",
    [
        {"recipient": "jana@post.cz\r\nBcc: all@post.cz"},
        {"links": {**LINKS, "unsubscribe_url": "https://sailing.cz/\r\nBcc: all@post.cz"}},
    ],
)
def test_value_that_would_add_a_header_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadHeaderError):
        build(**changes)
