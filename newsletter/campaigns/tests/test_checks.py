"""What is found wrong with a campaign before it is sent."""

from dataclasses import replace
from typing import Any

import pytest

from newsletter.campaigns.checks import MAX_HTML_BYTES, find_problems
from newsletter.campaigns.models import CampaignText, Segment
from newsletter.campaigns.tests.rendered import campaign, get_examples, rendered, text

pytestmark = pytest.mark.django_db


def problems(*texts: CampaignText, **fields: Any) -> list[tuple[str, str, str]]:
    found = find_problems(campaign(**fields), texts)
    return [(problem.severity, problem.language, str(replace(problem, language=""))) for problem in found]


def of_body(body: str) -> list[str]:
    """Return the problems of a body in both languages, as "severity: message"."""
    found = problems(text(body), text(body, language="cs"))
    return [f"{severity}: {message}" for severity, language, message in found if language == "en"]


GOOD = (
    "# Title for {first_name|dear sailor}\n\n[Boats](https://sailing.cz/boats){.button}\n\n"
    "![A boat](https://s.cz/b.png) ![{first_name|Logo}](https://sailing.cz/a.png) {first_name|sailor}\n\n"
    "[mail](mailto:hello@sailing.cz) [call](tel:+420123456789) [invite]({invitation_url})\n\n"
    "https://sailing.cz/?f=%7B%22id%22:1%7D \\<b> \\{name} [a\\](b)\n\n"
    "3 < 4 <3 a < b, [a] (b, 100 %, :::, `<b> {name} [a](b c)`"
)


def test_complete_campaign_has_no_problems() -> None:
    assert problems(text(GOOD), text(GOOD, language="cs")) == []
    assert of_body(get_examples().replace("https://…", "https://sailing.cz/")) == []


@pytest.mark.parametrize(
    ("czech", "fields", "expected"),
    [
        ({}, {}, [("warning", "cs")]),
        ({}, {"segment": Segment(language="en")}, []),
        ({}, {"segment": Segment(language="cs")}, [("warning", "cs")]),
        ({"subject": "Červen"}, {}, [("error", "cs")]),
        ({"body": "Ahoj"}, {}, [("error", "cs")]),
    ],
)
def test_each_language_needs_its_text(czech: Any, fields: Any, expected: Any) -> None:
    found = problems(text(GOOD), text(**{"body": "", "language": "cs", "subject": " ", **czech}), **fields)
    assert [(severity, language) for severity, language, _message in found] == expected
    assert problems() == [("error", "", "There is no text yet.")]


def test_problems_stand_in_the_order_of_the_texts() -> None:
    body = "[Ahoy](/a)\n\n<b>\n\n- one\n  two\n  [a](/b)\n\n- {name}"
    texts = (text("![](https://s.cz/b.png)", language="cs", preheader="{name}"), text(body, subject="<b>"))
    assert [(each.language, each.part, each.line) for each in find_problems(campaign(), texts)] == [
        ("en", "subject", None),
        *(("en", "body", line) for line in (1, 3, 7, 9)),
        ("cs", "preheader", None),
        ("cs", "body", 1),
    ]


@pytest.mark.parametrize("field", ["subject", "preheader"])
@pytest.mark.parametrize("wrong", ["\n", "\x00", "\u202e", "\u200b", "\ud800", "<b>", "{name}", "[a](b)"])
def test_subject_and_preheader_are_one_plain_line(field: str, wrong: str) -> None:
    for value, count in ((f"June{wrong} Bcc", 1), ("[Prague] #1, 5 < 6 🏴‍☠️ v\u00a0Praze {first_name|x}", 0)):
        found = problems(text(**{field: value}), segment=Segment(language="en"))
        assert [severity for severity, _language, _message in found] == ["error"] * count


ADDRESS = "error: Line 2: {} is not a complete address that begins with https://."
FIELD = "error: Line 2: {} is not a field, or cannot be used here: see “How to write it”."
HTML = (
    "error: Line 2: “{}” looks like HTML, and subscribers see it as it is. Use Markdown,"
    " or write \\ before it."
)
LINK = "error: Line 2: This is neither a link nor a picture. Write [Text](https://…), without spaces."
NO_ALT = "error: Line 2: The picture {} has no alt text. Say in the square brackets what it shows."
NO_PICTURE = "error: Line 2: This site has no picture {}."
PLACEHOLDER = "warning: Line 2: {} looks like a placeholder."


@pytest.mark.parametrize(
    ("line", "message", "named"),
    [
        ("[a](/boats)", ADDRESS, "/boats"),
        ("[a](https://sailing.cz@evil.cz/)", ADDRESS, "https://sailing.cz@evil.cz/"),
        ("[a](https://sailing.cz:99999/)", ADDRESS, "https://sailing.cz:99999/"),
        ("[a]()", ADDRESS, "()"),
        ("[a](mailto:{email})", FIELD, "{email}"),
        ("[a](https://sailing.cz/?u={invitation_url})", FIELD, "{invitation_url}"),
        ("[a](https://www.example.com/)", PLACEHOLDER, "https://www.example.com/"),
        ("![a](media:../admin-brand/theme.css)", NO_PICTURE, "media:../admin-brand/theme.css"),
        ("![]()", NO_ALT, "()"),
        ("{first_name|}", FIELD, "{first_name|}"),
        ("{first_name|*a*}", FIELD, "{first_name|a}"),
        ("{first_name|sail\nor}", FIELD, "{first_name"),
        ("{invitation_url}", FIELD, "{invitation_url}"),
        ("Now [a](https://sailing.cz/){.button}", FIELD, "{.button}"),
        ("<b>bold</b>", HTML, "<b>"),
        ("<!-- note -->", HTML, "<!--"),
        ("[a](https://sailing.cz/my file.pdf)", LINK, ""),
    ],
)
def test_what_would_be_sent_broken_is_named_with_its_line(line: str, message: str, named: str) -> None:
    assert message.format(named) in of_body(f"Ahoy\n{line}")


def test_hidden_characters_and_long_addresses_are_errors() -> None:
    for body in ("Text \u202e text", "Text &#x202e; text"):
        assert of_body(body)[0].startswith("error: The text contains invisible")
    (found,) = of_body(f"[a](https://sailing.cz/{'x' * 2000})")
    assert found.startswith("error: Line 1: https://sailing.cz/xxx")


def test_mail_that_gmail_would_cut_off_is_an_error() -> None:
    paragraph = "x" * 1000 + "\n\n"
    overhead = len(rendered(paragraph * 10).html.encode()) - 10_000
    assert overhead < 10_000
    assert of_body(paragraph * 80) == []
    (found,) = of_body(paragraph * 96)
    assert found.startswith("error: The email is")


def test_size_counts_the_addresses_of_links_that_count() -> None:
    link = "[a](https://sailing.cz/) "
    ten, twenty = (len(rendered(link * count).html.encode()) for count in (10, 20))
    body = link * (10 + (MAX_HTML_BYTES - ten) * 10 // (twenty - ten))
    assert len(rendered(body).html.encode()) <= MAX_HTML_BYTES
    assert any("Gmail" in message for message in of_body(body))
