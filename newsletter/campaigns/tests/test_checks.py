"""What is found wrong with a campaign before it is sent."""

from dataclasses import replace
from typing import Any

import pytest
from pytest_django import Settings

from newsletter.campaigns.checks import MAX_HTML_BYTES, find_problems
from newsletter.campaigns.markdown import PERSONAL_FIELDS
from newsletter.campaigns.models import CampaignText, MissingLanguage, Segment
from newsletter.campaigns.tests.rendered import campaign, get_examples, rendered, text


def problems(*texts: CampaignText, **fields: Any) -> list[tuple[str, str, str]]:
    found = find_problems(campaign(**{"missing_language": MissingLanguage.OTHER, **fields}), texts)
    return [(problem.severity, problem.language, str(replace(problem, language=""))) for problem in found]


def of_body(body: str) -> list[str]:
    """Return the problems of an English body, as "severity: message"."""
    return [f"{severity}: {message}" for severity, _language, message in problems(text(body))]


GOOD = (
    "# Title for {audience}\n\n[Boats](https://sailing.cz/boats){.button}\n\n"
    "![A boat](media:hero-sailors.jpg) ![Logo](https://sailing.cz/a.png){width=99}\n\n"
    "::: columns\nLeft\n::: next\nRight\n::: end\n\n"
    "[mail](mailto:hello@sailing.cz) [call](tel:+420123456789) [settings]({preferences_url})\n\n"
    "[in the browser]({web_version_url})"
)


def test_complete_campaign_has_no_problems() -> None:
    both = (text(GOOD), text(GOOD, language="cs"))
    assert problems(*both, missing_language="") == []


def test_examples_of_the_help_have_no_problems() -> None:
    assert of_body(get_examples().replace("https://…", "https://sailing.cz/")) == []


def test_missing_language_needs_a_choice() -> None:
    czech = text(GOOD, language="cs")
    ((severity, language, message),) = problems(czech, text("", subject=" "), missing_language="")
    assert (severity, language) == ("error", "en")
    assert "no text" in message
    assert problems(czech, missing_language=MissingLanguage.LEAVE_OUT) == []


@pytest.mark.parametrize(
    ("written", "choice", "count", "missing", "message"),
    [
        ("en", "other", 1, "cs", "1 reader gets the English text, because there is none in their language."),
        ("cs", "other", 1943, "en", "1,943 readers get the Czech text, because"),
        ("en", "leave-out", 943, "cs", "943 readers are left out, because"),
    ],
)
def test_readers_without_a_text_in_their_language_are_counted(
    written: str, choice: str, count: int, missing: str, message: str
) -> None:
    texts = [text(GOOD, language=written)]
    [problem] = find_problems(campaign(missing_language=choice), texts, without_text=count)
    assert (problem.severity, problem.language) == ("warning", missing)
    assert str(problem.message).startswith(message)
    both = [text(GOOD), text(GOOD, language="cs")]
    assert find_problems(campaign(missing_language=choice), both, without_text=count) == []


def test_language_outside_the_audience_may_be_missing() -> None:
    assert problems(text(GOOD), missing_language="", language="en") == []
    assert problems(text(GOOD), missing_language="", segment=Segment(language="en")) == []
    ((severity, language, _message),) = problems(text(GOOD), missing_language="", language="cs")
    assert (severity, language) == ("error", "cs")


def test_text_subject_and_body_are_required() -> None:
    assert problems() == [("error", "", "There is no text yet.")]
    assert problems(text("", subject="June")) == [("error", "en", "The body is empty.")]
    assert problems(text("Ahoy", subject="")) == [("error", "en", "The subject is empty.")]


def test_problems_stand_in_the_order_of_the_texts() -> None:
    body = "[Ahoy](/a) {audience}\n\nTODO\n\n- one\n  two\n  [a](/b)\n\n- {name}"
    campaign_texts = (text(body, subject="<b>"), text("![](media:og.jpg)", language="cs", preheader="{name}"))
    found = find_problems(campaign(), campaign_texts)
    assert [(each.language, each.part, each.line) for each in found] == [
        ("en", "subject", None),
        ("en", "body", 1),
        ("en", "body", 3),
        ("en", "body", 7),
        ("en", "body", 9),
        ("cs", "preheader", None),
        ("cs", "body", 1),
    ]


@pytest.mark.parametrize(
    ("field", "length", "count"),
    [("subject", 70, 0), ("subject", 71, 1), ("preheader", 120, 0), ("preheader", 121, 1)],
)
def test_long_line_is_a_warning(field: str, length: int, count: int) -> None:
    found = problems(text(**{field: "x" * length}))
    assert [severity for severity, *_rest in found] == ["warning"] * count


@pytest.mark.parametrize("character", ["\n", "\x00", "\u202e", "\u2028", "\u200b", "\ud800"])
@pytest.mark.parametrize("field", ["subject", "preheader"])
def test_line_break_or_invisible_character_is_an_error(character: str, field: str) -> None:
    ((severity, _language, message),) = problems(text(**{field: f"June{character}Bcc: x"}))
    assert severity == "error"
    assert field in message
    assert problems(text(**{field: "🏴‍☠️ Regata v\u00a0Praze 👨‍👩‍👧"})) == []


@pytest.mark.parametrize("field", ["subject", "preheader"])
def test_subject_and_preheader_know_the_audience_only(field: str) -> None:
    assert problems(text(**{field: "June for {audience}"})) == []
    for wrong in ("{name}", "{{audience}}", "{unsubscribe_url}", "campaign.invalid"):
        ((severity, _language, message),) = problems(text(**{field: f"June {wrong}"}))
        assert severity == "error"
        assert wrong in message


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/boats", "error: Line 3: /boats is not a complete address"),
        ("http://sailing.cz/", "error: Line 3: http://sailing.cz/ does not begin with https"),
        ("javascript:alert(1)", "error: Line 3: javascript:alert(1) does not begin"),
        ("https:///boats", "error: Line 3: https:///boats is not a valid"),
        ("https://sailing.cz@evil.cz/", "error: Line 3: https://sailing.cz@evil.cz/ is not a valid"),
        ("https://sailing.cz:99999/", "error: Line 3: https://sailing.cz:99999/ is not a valid"),
        ("{name}", "error: Line 3: {name} is not a field"),
        ("{audience}", "error: Line 3: {audience} is not a complete"),
        ("https://sailing.cz/?a={audience}", "warning: Line 3: {audience} stays as it is in https://sail"),
        ("mailto:{email}", "warning: Line 3: {email} stays as it is in mailto:{email}"),
        ("", "error: Line 3: A link has no address"),
        (f"https://sailing.cz/{'x' * 2000}", "error: Line 3: The address https://sailing.cz/xxx"),
        ("https://www.example.com/", "warning: Line 3: https://www.example.com/ looks like a placeholder"),
    ],
)
def test_bad_link_is_named_with_its_line(url: str, expected: str) -> None:
    (found,) = of_body(f"Ahoy\n\nOne [a]({url})")
    assert found.startswith(expected)


@pytest.mark.parametrize(
    "url", ["https://sailing.cz/?f=%7B%22id%22:1%7D", "https://sailing.cz/%C4%8D?a=100%25"]
)
def test_data_in_an_address_is_fine(url: str) -> None:
    assert of_body(f"[a]({url}) {url}") == []


@pytest.mark.parametrize("data", ["*|EMAIL|*", "%recipient%", "{{name}}"])
def test_field_of_another_tool_in_an_address_is_a_warning(data: str) -> None:
    (found,) = of_body(f"[a](https://sailing.cz/?a={data})")
    assert found.startswith(f"warning: Line 1: {data} stays as it is in")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("media:unknown.webp", "error: Line 1: This site has no picture media:unknown.webp"),
        ("media:../admin-brand/theme.css", "error: Line 1: media:../admin-brand/theme.css is not a picture"),
        ("http://sailing.cz/a.png", "error: Line 1: The picture http://sailing.cz/a.png needs an https"),
        ("https://example.org/a.png", "warning: Line 1: https://example.org/a.png looks like a placeholder"),
        ("media:hero-sailors-960.webp", "warning: Line 1: Outlook on Windows and some others do not show"),
        ("https://sailing.cz/a.AVIF?w=520#top", "warning: Line 1: Outlook on Windows and some others do not"),
        ("https://sailing.cz/a.png?u={preferences_url}", "warning: Line 1: {preferences_url} stays as it is"),
    ],
)
def test_bad_picture_is_named(url: str, expected: str) -> None:
    (found,) = of_body(f"![A boat]({url})")
    assert found.startswith(expected)


def test_pictures_that_mail_programs_show_are_fine() -> None:
    assert of_body("![A](media:og.jpg) ![B](https://sailing.cz/a.JPG?b=c.webp)") == []


@pytest.mark.parametrize("alt", ["", " "])
def test_picture_needs_alt_text(alt: str) -> None:
    (found,) = of_body(f"![{alt}](media:og.jpg)")
    assert found.startswith("error: Line 1: The picture media:og.jpg has no alt text")


@pytest.mark.parametrize("field", ["{last_name}", "{{audience}}", "{ audience }", "{AUDIENCE}"])
def test_unknown_field_is_named(field: str) -> None:
    (found,) = of_body(f"Ahoy\n\n- {field}")
    assert found.startswith(f"error: Line 3: {field} is not a field")


@pytest.mark.parametrize(
    "field",
    [
        "{first_name}",
        "{first_name|}",
        "{first_name|*sailor*}",
        "{first_name|www.sailing.cz}",
        "{{first_name|sailor}}",
        f"{{first_name|{'x' * 61}}}",
    ],
)
def test_first_name_needs_plain_words_for_readers_without_one(field: str) -> None:
    assert any(found.startswith("error: Line 1: {first_name} needs plain words") for found in of_body(field))


def test_first_name_may_stand_in_each_part_but_not_in_an_address() -> None:
    field = "{first_name|dear sailor}"
    for part in ("subject", "preheader", "body"):
        assert problems(text(**{part: f"Ahoy {field}"})) == []
    assert of_body("[a]({first_name|b})")[0].startswith("error: Line 1: {first_name%7Cb} is not a complete")
    assert problems(text(subject="Ahoy {first_name}"))[0][2].startswith("{first_name} needs")


def test_misplaced_button_and_width_are_explained() -> None:
    assert "stands alone" in of_body("Now [a](https://sailing.cz/){.button}")[0]
    assert "at most 600" in of_body("![a](media:og.jpg){width=601}")[0]
    assert "at most 600" in of_body("Text {width=60}")[0]


HTML = "error: “{}” looks like HTML"
LINK = "error: “{}” is neither a link nor a picture"
FIELD = "error: {} is not a field"
TABLE = "error: “{}” is a row of a table"
AS_IT_IS = "warning: Readers see “{}” as it is"
NO_BLOCK = "warning: “{}” is neither a heading nor a list"
NO_LINK = "warning: “{}” is not a link"


@pytest.mark.parametrize(
    ("line", "message", "named"),
    [
        ("<b>bold</b>", HTML, "<b>"),
        ('<a href="https://sailing.cz/">a</a>', HTML, "<a href="),
        ("<!-- note -->", HTML, "<!--"),
        ("<%= name %>", HTML, "<%"),
        ("<<First Name>>", AS_IT_IS, "<First Name>"),
        ("[a](https://sailing.cz/my file.pdf)", LINK, "[a]("),
        ("[**a** b](my file.pdf)", AS_IT_IS, "]("),
        ("[a] (https://sailing.cz/)", LINK, "[a] ("),
        ("(a)[https://sailing.cz/]", AS_IT_IS, ")["),
        ("[a][b]", AS_IT_IS, "[a]"),
        ("![a](https://sailing.cz/a.png", LINK, "![a]("),
        ("[[Boats]]", AS_IT_IS, "[[Boats]]"),
        ("*|FNAME|*", FIELD, "|FNAME|"),
        ("%recipient.name%", FIELD, "%recipient.name%"),
        ('{{ contact.NAME | default: "you" }}', FIELD, '{{ contact.NAME | default: "you" }}'),
        ("{% if name %}", FIELD, "{% if name %}"),
        ("![{name}](media:og.jpg)", FIELD, "{name}"),
        ("|a|b|", TABLE, "|a|b|"),
        ("**a", AS_IT_IS, "**"),
        ("_a", AS_IT_IS, "_"),
        ("~~a~~", AS_IT_IS, "~~"),
        ("==a==", AS_IT_IS, "=="),
        (":anchor:", AS_IT_IS, ":anchor:"),
        ("[First name]", AS_IT_IS, "[First name]"),
        ("#Title", NO_BLOCK, "#T"),
        ("• item", NO_BLOCK, "•"),
        ("sailing.cz/boats", NO_LINK, "sailing.cz/boats"),
        ("https:// sailing", NO_LINK, "https://"),
        ("https://sailing.cz/?a=1&amp;b=2", "warning: The address {} ends where", "https://sailing.cz/?a=1"),
        ("https://sailing.cz/__a__/", "warning: The address {} ends where", "https://sailing.cz/"),
        ("[](https://sailing.cz/)", "error: The link to {} has no text", "https://sailing.cz/"),
    ],
)
def test_text_that_looks_like_markup_is_named_with_its_line(line: str, message: str, named: str) -> None:
    severity, _colon, words = message.format(named).partition(" ")
    (found,) = of_body(f"Ahoy\n{line}")
    assert found.startswith(f"{severity} Line 2: {words}")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("Ahoy\n\n[Prague]: start", [3]),
        ("[a]: https://sailing.cz/a\n[b]: https://sailing.cz/b\n\n[b] [B][b]", [1]),
        ("[a]: https://sailing.cz/a\n[a]: https://sailing.cz/b\n\n[a]", [2]),
        ("![a]\n\n> [a]: media:og.jpg", []),
        ("# [a](https://sailing.cz/) ![b](media:og.jpg) www.sailing.cz", [1, 1]),
    ],
)
def test_line_that_vanishes_is_named(body: str, lines: list[int]) -> None:
    found = of_body(body)
    assert [message.partition(": Readers do not see")[0] for message in found] == [
        f"warning: Line {line}" for line in lines
    ]


def test_picture_without_an_address_is_named_in_the_title_too() -> None:
    assert "needs an https address" in of_body("# ![a]()")[0]


@pytest.mark.parametrize(
    "line",
    [
        r"\<b> \[a] \#Title \*\*a \~\~a\~\~ \:a: \|a| [a\](b) sailing\.cz",
        "`<b> [a](b c) {name} **a sailing.cz`",
        "3 < 4 <3 a < b, 12:30:15, 5 * 3 * 2, 90 €* and ____, 100% of 50% {audience}",
        "*Until June",
        "+420 123 456 789",
        "-5 °C",
        "#1 in Prague",
        "s.r.o., a.s., e.g. this. The end.To be. 24.12.2026",
        "[sailing.cz](https://sailing.cz/) ![sailing.cz](media:og.jpg)",
        "(https://sailing.cz/), **www.sailing.cz** and *hello@sailing.cz*!",
        "[a](https://sailing.cz/?a=[b]&c=~~d~~) <https://sailing.cz/__a__/>",
    ],
)
def test_text_that_is_no_markup_is_fine(line: str) -> None:
    assert of_body(f"Ahoy\n{line}") == []


def test_address_in_a_very_long_paragraph_is_named() -> None:
    (found,) = of_body("Ahoy\n" + "word " * 1_000 + "www.sailing.cz")
    assert found.startswith("warning: Line 2: “www.sailing.cz” is not a link")


@pytest.mark.parametrize("field", ["subject", "preheader"])
@pytest.mark.parametrize("markup", ["<b>", "[a](https://sailing.cz/)", "**"])
def test_markup_in_the_subject_or_preheader_is_named(field: str, markup: str) -> None:
    ((_severity, _language, message),) = problems(text(**{field: f"June {markup}"}))
    assert field in message
    assert markup[:3] in message
    assert problems(text(**{field: "[Prague] #1 for Jan_Novak, 5 < 6"})) == []


@pytest.mark.parametrize(
    "body",
    [
        "- ::: columns\n  a\n  ::: next\n  b\n  :::",
        ":::: columns\na\n::: next\nb\n::::",
        "::: columns\na\n::: next\nb",
        "a\n\n::: next\n\nb",
        "::: columns\na\n::: end",
    ],
)
def test_incomplete_columns_are_an_error(body: str) -> None:
    found = of_body(body)
    assert found
    assert all("belongs to no row" in message for message in found)


def test_forgotten_placeholder_is_a_warning() -> None:
    word = "Lorem ipsum"
    assert of_body(f"Ahoy\nText {word}") == [f"warning: Line 2: The text still contains “{word}”."]
    assert problems(text(subject=word)) == [("warning", "en", f"The text still contains “{word}”.")]


@pytest.mark.parametrize("name", [*PERSONAL_FIELDS, "web_version_url"])
def test_address_field_outside_of_a_link_is_an_error(name: str) -> None:
    (found,) = of_body(f"See {{{name}}}")
    assert found.startswith(f"error: Line 1: {{{name}}} is an address")


def test_invitation_link_is_an_error_while_invitations_are_turned_off(settings: Settings) -> None:
    body = "Ahoy\n[Invite]({invitation_url})"
    assert of_body(body) == []
    settings.INVITATIONS = False
    (found,) = of_body(body)
    assert found.startswith("error: Line 2: Invitations are turned off")


@pytest.mark.parametrize(
    "body",
    [
        "https://preferences-url.campaign.invalid/",
        "![a](https://sailing.cz/p.png?u=https://a.campaign.invalid/)",
        '![a](https://sailing.cz/p.png "campaign.invalid")',
        "![campaign.invalid](media:og.jpg)",
        "campaign&#46;invalid",
        "`campaign.invalid`",
    ],
)
def test_domain_of_placeholders_is_an_error(body: str) -> None:
    assert "error: campaign.invalid stands for personal links and cannot be used." in of_body(body)


@pytest.mark.parametrize("character", ["\u202e", "\x1b", "\ufffe", "&#12;", "&#x202e;"])
def test_characters_that_change_what_a_text_says_are_an_error(character: str) -> None:
    (found,) = of_body(f"Text {character} text")
    assert found.startswith("error: The text contains invisible")


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
