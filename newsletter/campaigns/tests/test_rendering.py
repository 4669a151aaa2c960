"""The text of a campaign as HTML and as plain text."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation

from newsletter.campaigns.markdown import parse
from newsletter.campaigns.rendering import describe_audience, render, render_web_version
from newsletter.campaigns.tests.rendered import KEY, campaign, get_examples, rendered, text
from newsletter.models import UserType
from sailing.mail.links import privacy_url
from tests.mailbox import Reader

WEB_VERSION = f"http://testserver/newsletter/issues/{KEY}/?lang=en"


def shown(body: str, **fields: str) -> str:
    """Return the words of a rendered body."""
    return Reader(rendered(body, **fields).html).shown


# --- The whole mail --------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "cs"])
def test_mail_ends_with_the_personal_links_and_the_web_version(language: str) -> None:
    mail = rendered(language=language)
    web_version = WEB_VERSION.replace("=en", f"={language}")
    own = [mail.placeholders[name] for name in ("unsubscribe_url", "preferences_url")]
    expected = [*own, web_version, privacy_url(language=language)]
    assert Reader(mail.html).links[-4:] == expected
    assert [link for link in expected if link not in mail.text] == []


@pytest.mark.parametrize(
    ("audience", "language", "eyebrow", "reason"),
    [
        ("company", "en", "Newsletter for companies", "subscribed to our newsletter for companies."),
        ("sailor", "cs", "Newsletter pro jachtaře", "odebíráte náš newsletter pro jachtaře."),
        ("", "en", "Newsletter", "subscribed to our newsletter."),
    ],
)
def test_mail_says_why_its_reader_gets_it(audience: str, language: str, eyebrow: str, reason: str) -> None:
    mail = rendered(audience=audience, language=language)
    words = Reader(mail.html).shown
    assert f"{eyebrow} June" in words
    assert reason in words
    assert reason in mail.text
    assert f'<html lang="{language}"' in mail.html


def test_operator_is_named_in_the_footer(settings: Any) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_ADDRESS = "Sailing & Co.", "Praha 2"
    mail = rendered()
    assert "Sailing & Co., Praha 2" in Reader(mail.html).shown
    assert "\nSailing & Co., Praha 2\n" in mail.text


def test_first_heading_is_the_title() -> None:
    mail = rendered("# Fair *winds* for {audience}\n\nText", subject="Subject")
    assert mail.html.count("Fair winds for sailors") == 1
    assert re.search(r"<h1[^>]*>Fair winds for sailors</h1>", mail.html)
    assert mail.text.startswith("Fair winds for sailors\n" + "=" * 22 + "\n\nText\n")
    assert mail.subject == "Subject"
    assert render_web_version(campaign(), text("# Fair *winds*", subject="Subject"))[0] == "Fair winds"


def test_subject_is_the_title_of_a_text_without_a_heading() -> None:
    assert re.search(r"<h1[^>]*>Ahoy &lt;b&gt;</h1>", rendered("Text\n\n# Later", subject="Ahoy <b>").html)
    assert render_web_version(campaign(), text("Text", subject="Ahoy"))[0] == "Ahoy"


def test_preheader_stands_before_everything_else() -> None:
    assert shown("Text", preheader="News for {audience}").startswith("News for sailors")


def test_first_words_replace_a_blank_preheader() -> None:
    words = shown("# Title\n\n" + "Fair [winds](https://sailing.cz/) " * 50)
    assert words.startswith("Fair winds Fair winds")
    assert words.index("…") < 145


def test_light_styles_are_inline_and_the_others_in_the_head() -> None:
    html = rendered("Text").html
    head, body = html.split("<body")
    assert "prefers-color-scheme: dark" in head
    assert "max-width: 480px" in head
    assert "[data-ogsc]" in head
    assert "/*" not in head
    assert '<p class="mail-text" style="' in body
    assert "<link" not in html


@pytest.mark.parametrize("is_dark", [False, True])
def test_preview_has_linked_styles_only(is_dark: bool) -> None:
    mail = rendered("**Text**")
    html = mail.build_preview(is_dark=is_dark)
    assert "<style" not in html
    assert "style=" not in html
    assert Reader(html).shown == Reader(mail.html).shown
    assert ("campaign-mail-dark.css" in html) is is_dark
    for url in re.findall(r'<link rel="stylesheet" href="/static/([^"]+)">', html):
        assert finders.find(url)


def test_every_class_has_a_style() -> None:
    every_syntax = get_examples() + "\n\n    code `x`\n\n`y`\n\n### Small"
    css = Path(str(finders.find("mails/campaign-mail.css"))).read_text(encoding="utf-8")
    used = set(" ".join(re.findall(r'class="([^"]*)"', rendered(every_syntax).document)).split())
    assert used - set(re.findall(r"\.(mail-[\w-]+)", css)) == set()


# --- Markup ----------------------------------------------------------------------------------


def test_link_is_replaced_by_the_one_that_counts() -> None:
    body = text("[a](https://sailing.cz/a?x=1&y=2) [b](https://sailing.cz/b) www.sailing.cz")
    links = {"https://sailing.cz/a?x=1&y=2": "https://go/1?a&b", "https://www.sailing.cz": "https://go/2"}
    mail = render(campaign(), body, links=links, audience="")
    assert Reader(mail.html).links[1:4] == ["https://go/1?a&b", "https://sailing.cz/b", "https://go/2"]
    assert "a <https://go/1?a&b> b <https://sailing.cz/b> https://go/2\n" in mail.text


def test_distinct_web_links_are_found_in_order() -> None:
    body = (
        "[b](https://sailing.cz/b) <https://sailing.cz/a> [b](https://sailing.cz/b 'title')\n\n"
        "[mail](mailto:a@sailing.cz) [own]({preferences_url}) ![pic](https://sailing.cz/p.png)\n\n"
        "[ref] [č](https://sailing.cz/č) https://sailing.cz/bare\n\n[ref]: https://sailing.cz/ref"
    )
    expected = ["b", "a", "ref", "%C4%8D", "bare"]
    assert parse(body).list_urls() == [f"https://sailing.cz/{path}" for path in expected]


@pytest.mark.parametrize(
    ("markdown", "label", "href", "plain"),
    [
        ("See www.sailing.cz/a_b.", "www.sailing.cz/a_b", "https://www.sailing.cz/a_b", "See {}."),
        ("(https://sailing.cz/a_(b))", "https://sailing.cz/a_(b)", "https://sailing.cz/a_(b)", "({})"),
        ("**https://sailing.cz/č**", "https://sailing.cz/č", "https://sailing.cz/%C4%8D", "{}"),
        ("# Title\n\n_HTTPS://sailing.cz_", "HTTPS://sailing.cz", "HTTPS://sailing.cz", "{}"),
        ("<https://sailing.cz/č>", "https://sailing.cz/č", "https://sailing.cz/%C4%8D", "{}"),
        ("Write to my_boat@sailing.cz!", "my_boat@sailing.cz", "mailto:my_boat@sailing.cz", "Write to {}!"),
        ("https://a.cz/{audience}", "https://a.cz/{audience}", "https://a.cz/%7Baudience%7D", "{}"),
    ],
)
def test_bare_address_is_a_link(markdown: str, label: str, href: str, plain: str) -> None:
    mail = rendered(markdown)
    assert Reader(mail.html).links[1] == href
    assert re.search(rf'<a class="mail-link"[^>]*>{re.escape(label)}</a>', mail.html)
    assert f"\n{plain.format(href.removeprefix('mailto:'))}\n" in mail.text


@pytest.mark.parametrize(
    "markdown",
    ["sailing.cz", "The end.To be", "//sailing.cz", "`www.sailing.cz`", "http\\://sailing.cz", "@sailing"],
)
def test_other_text_with_dots_is_no_link(markdown: str) -> None:
    assert len(Reader(rendered(markdown).html).links) == len(Reader(rendered().html).links)


def test_only_a_link_alone_in_its_paragraph_is_a_button() -> None:
    mail = rendered("[See the boats](https://sailing.cz/boats){.button}")
    assert re.search(r'<td class="mail-button-cell"[^>]*><a class="mail-button-link" href="https:', mail.html)
    assert "\nSee the boats: https://sailing.cz/boats\n" in mail.text
    assert "{.button}" not in mail.html + mail.text
    html = rendered("Now [see](https://sailing.cz/boats){.button}").html
    assert 'mail-button-link" href' not in html
    assert "{.button}" in html


@pytest.mark.parametrize(
    ("markdown", "width"),
    [
        ("![a](https://sailing.cz/a.png)", 520),
        ("![a](https://sailing.cz/a.png){width=200}", 200),
        ("![a](https://sailing.cz/a.png){width=600}", 520),
        ("::: columns\n![a](https://sailing.cz/a.png)\n::: next\n::: end", 248),
        ("::: columns\n![a](https://sailing.cz/a.png){width=99}\n::: next\n::: end", 99),
    ],
)
def test_picture_has_a_width_for_outlook(markdown: str, width: int) -> None:
    html = rendered(markdown).html
    (image,) = re.findall("<img[^>]*>", html)
    assert f'width="{width}"' in image
    assert "{width" not in html


@pytest.mark.parametrize(("line_break", "end"), [("\n", "::: end"), ("\r\n", "::: end"), ("\n", ":::")])
def test_columns_stand_side_by_side(line_break: str, end: str) -> None:
    lines = ["Before", "::: columns", "## Left", "", "- one", "::: next", "Right", end, "After"]
    mail = rendered(line_break.join(lines))
    assert len(re.findall('<td class="mail-column', mail.html)) == 2
    left, right = mail.html.index("mail-column-left"), mail.html.rindex("mail-column-right")
    assert left < mail.html.index(">one<") < right < mail.html.index(">Right<") < mail.html.index(">After<")
    assert "Before\n\nLeft\n----\n\n- one\n\nRight\n\nAfter\n" in mail.text


def test_columns_after_a_list_are_not_a_part_of_it() -> None:
    body = parse("- one\n::: columns\nLeft\n::: next\nRight\n::: end")
    types = [token.type for token in body.tokens]
    assert types.index("bullet_list_close") < types.index("container_columns_open")


@pytest.mark.parametrize(
    "markdown", ["::: columns\nLeft", "::: next\nRight\n::: end", "::: columns\n::: columns\n::: end"]
)
def test_incomplete_columns_stay_text(markdown: str) -> None:
    html = rendered(markdown).html
    assert "mail-column-left" not in html.partition("<body")[2]
    assert ":::" in html


def test_plain_text_reads_well() -> None:
    body = (
        "Hello **you**, read [this](https://sailing.cz/a).  \nSecond line\n\n"
        "## Heading\n\n- one\n- two\n  1. inner\n  2. [link](https://sailing.cz/b)\n\n"
        "> Quote\n>\n> more\n\n***\n\n<https://sailing.cz/c> and <hello@sailing.cz>\n\n```\ncode\n  more\n```"
    )
    assert rendered(body).text.split("\n--\n")[0] == (
        "June\n====\n\n"
        "Hello you, read this <https://sailing.cz/a>.\nSecond line\n\n"
        "Heading\n-------\n\n- one\n- two\n  1. inner\n  2. link: https://sailing.cz/b\n\n"
        "> Quote\n>\n> more\n\n* * *\n\nhttps://sailing.cz/c and hello@sailing.cz\n\n    code\n      more\n"
    )


# --- Fields ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("audience", "language", "words", "with_preposition"),
    [
        ("sailor", "en", "sailors", "for sailors"),
        ("", "en", "sailors and companies", "for sailors and companies"),
        ("company", "cs", "firmy", "pro firmy"),
        ("", "cs", "jachtaři a firmy", "pro jachtaře a firmy"),
    ],
)
def test_audience_is_described_alone_and_with_its_preposition(
    audience: str, language: str, words: str, with_preposition: str
) -> None:
    with translation.override(language):
        assert describe_audience(audience) == {"audience": words, "for_audience": with_preposition}


def test_audience_is_filled_in() -> None:
    body = "Ahoy {audience}, a course {for_audience}!"
    mail = rendered(body, subject="{audience}: {for_audience}", audience="company", language="cs")
    assert mail.subject == "firmy: pro firmy"
    for words in (mail.text, Reader(mail.html).shown):
        assert "Ahoy firmy, a course pro firmy!" in words


def test_help_shows_what_an_audience_becomes() -> None:
    page = render_to_string("admin/newsletter/campaigns/syntax.html")
    for language in ("en", "cs"):
        with translation.override(language):
            found = [words for each in UserType.values for words in describe_audience(each).values()]
        assert [words for words in found if f"“{words}”" not in page] == []


def test_words_for_readers_without_a_name_stay_whole_in_each_part() -> None:
    field = "{first_name|dear sailor}"
    body = f"# To {field}\n\n{'word ' * 25}{field}, {field} ![For {field}](media:og.jpg)"
    mail = rendered(body, subject=f"Ahoy {field}")
    links = dict.fromkeys(mail.placeholders, "https://sailing.cz/")
    for name, words in (("", "dear sailor"), ("Eva", "Eva")):
        parts = [mail.fill(part, links, first_name=name) for part in (mail.subject, mail.html, mail.text)]
        assert parts[0] == f"Ahoy {words}"
        assert f'alt="For {words}"' in parts[1]
        assert f"word {words}, {words} [For {words}]" in parts[2]
        assert re.search("[\x02\x03{]", parts[1].partition("<body")[2] + parts[2]) is None
    title, html = render_web_version(campaign(), text(body))
    assert title == "To dear sailor"
    assert "word dear sailor, dear sailor" in html


def test_fields_are_addresses_of_links() -> None:
    mail = rendered(
        "[a]({unsubscribe_url}) [b]({preferences_url}) [i]({invitation_url})"
        " [c]({web_version_url}) {web_version_url}"
    )
    assert Reader(mail.html).links[1:5] == [*mail.placeholders.values(), WEB_VERSION]
    assert "{web_version_url}" in Reader(mail.html).shown
    assert f"c <{WEB_VERSION}> {{web_version_url}}" in mail.text


def test_escaped_field_is_not_filled_in() -> None:
    escaped, written = r"\{audience} and \{first_name|sailor}", "{audience} and {first_name|sailor}"
    title, picture = rendered(f"# {escaped}"), rendered(f"![{escaped}](media:og.jpg)")
    assert f">{written}</h1>" in title.html
    assert title.text.startswith(f"{written}\n===")
    assert render_web_version(campaign(), text(f"# {escaped}"))[0] == written
    assert f'alt="{written}"' in picture.html
    assert f"[{written}]" in picture.text
    assert shown(escaped).startswith(written), "the preheader"


def test_placeholders_of_two_renderings_differ() -> None:
    first, second = rendered().placeholders, rendered().placeholders
    assert not set(first.values()) & set(second.values())


@pytest.mark.parametrize(
    "markdown", ["{last_name}", "{{audience}}", "{{ settings.SECRET_KEY }}", "`{audience}`", "{audience"]
)
def test_everything_else_in_braces_stays_as_it_is(markdown: str) -> None:
    mail = rendered(markdown, subject=markdown.strip("`"))
    assert markdown.strip("`") in mail.text
    assert settings.SECRET_KEY not in mail.html + mail.text
    assert mail.subject == markdown.strip("`") or "`" in markdown


def test_picture_of_this_site_has_its_lasting_address() -> None:
    mail = rendered("![A *boat*](media:hero-sailors.jpg)")
    assert 'src="http://testserver/static/media/hero-sailors.jpg" alt="A boat"' in re.sub(
        r' width="\d+"', "", mail.html
    )
    assert "\n[A boat]\n" in mail.text


def test_escaped_characters_stay_as_they_are() -> None:
    mail = rendered(r"\{audience\} \<b> \[a\](b)")
    assert "{audience} <b> [a](b)" in Reader(mail.html).shown
    assert "{audience} <b> [a](b)" in mail.text


# --- The web version -------------------------------------------------------------------------


def test_web_version_has_classes_and_no_personal_links() -> None:
    _title, html = render_web_version(
        campaign(user_type="company"),
        text("# Title\n\nFor {audience}: [leave]({unsubscribe_url}) [all](https://sailing.cz/)"),
    )
    assert "style=" not in html
    assert "Title" not in html
    assert "For companies" in html
    assert Reader(html).links == ["http://testserver/newsletter?lang=en", "https://sailing.cz/"]


# --- Hostile texts ---------------------------------------------------------------------------


def test_control_characters_and_surrogates_are_replaced() -> None:
    mail = rendered("a\x00b\x1bc\ud800d", preheader="\ud800x")
    assert "a\ufffdb\ufffdc\ufffdd" in mail.text
    mail.html.encode()


DEPTH = 2_000
"""More than Python's limit of recursion."""


@pytest.mark.parametrize(
    "markdown",
    [
        "*a " * DEPTH + "b* " * DEPTH,
        "> " * DEPTH + "a",
        "- " * DEPTH + "a",
        "![" * DEPTH + "a" + "](b)" * DEPTH,
        "[" * DEPTH + "]" * DEPTH,
    ],
    ids=["emphasis", "quotes", "lists", "pictures", "brackets"],
)
def test_deep_nesting_overflows_no_stack(markdown: str) -> None:
    assert sys.getrecursionlimit() < DEPTH
    assert "campaign.invalid" in rendered(markdown).html


def count_calls(markdown: str) -> int:
    """Return how many functions of Python are called while a text is rendered."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        rendered(markdown)
    finally:
        sys.setprofile(None)
    return calls


UNITS = ["![", "[a](", "*a **b ", "a**b", "`", "<", "&", "> a\na\n", "- a\n", "::: columns\n", "[a]: b\n"]


@pytest.mark.parametrize("unit", [*UNITS, "{a} ", "\\", "www.a.cz*b*", "a@b.cz "])
def test_work_grows_linearly_with_the_text(unit: str) -> None:
    short, long = (count_calls(unit * (size // len(unit))) for size in (500, 2_000))
    assert long < 6 * short
