"""The text of a campaign as HTML and as plain text, whatever its author writes, and what is wrong with it."""

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from newsletter.campaigns.checks import MAX_HTML_BYTES, find_problems
from newsletter.campaigns.markdown import list_urls
from newsletter.campaigns.models import Campaign, CampaignText, Segment
from newsletter.campaigns.rendering import RenderedMail, render, render_web_version
from sailing.mail.links import page_url
from tests.mailbox import Reader, read

pytestmark = pytest.mark.django_db

KEY = "abcdefghijklmnopqrstuvwx"
LINKS = {
    "unsubscribe_url": "https://sailing.cz/newsletter/manage/AbCdEfGhIjKlMnOpQrStUv.1.x/?lang=cs",
    "preferences_url": "https://sailing.cz/newsletter/manage/AbCdEfGhIjKlMnOpQrStUv.1.y/?lang=cs&a=b#preferences",
    "invitation_url": "https://sailing.cz/newsletter?invitation=0123456789abcdef0123456789abcdef",
}


def get_examples() -> str:
    page = render_to_string("admin/newsletter/campaigns/syntax.html")
    return unescape("\n\n".join(re.findall("<pre>(.*?)</pre>", page, re.DOTALL)))


def campaign(**fields: Any) -> Campaign:
    return Campaign(name="June", key=KEY, **fields)


def text(body: str = "Ahoy", *, language: str = "en", subject: str = "June", **fields: Any) -> CampaignText:
    return CampaignText(language=language, subject=subject, body=body, **fields)


def rendered(body: str = "Ahoy", *, user_type: str = "sailor", **fields: Any) -> RenderedMail:
    return render(campaign(user_type=user_type), text(body, **fields), links={})


def build(body: str = "Ahoy", **changes: Any) -> EmailMessage:
    """Return the mail of a delivery as its recipient parses it. `changes`: of the mail, or of its text."""
    given = {"recipient": "jana@post.cz", "reference": "7.key", "links": LINKS, "first_name": ""}
    values = {name: changes.pop(name, value) for name, value in given.items()}
    message = rendered(body, **changes).build_message(**values)
    parsed = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert not parsed.defects
    return parsed


def test_footer_has_the_reason_and_links() -> None:
    for user_type, language, eyebrow, reason in (
        ("company", "en", "Newsletter for companies", "subscribed to our newsletter for companies."),
        ("sailor", "cs", "Newsletter pro jachtaře", "odebíráte náš newsletter pro jachtaře."),
        ("", "en", "Newsletter", "subscribed to our newsletter."),
    ):
        mail = build(user_type=user_type, language=language)
        html, plain = read(mail, "html"), read(mail, "plain")
        assert f'<html lang="{language}"' in html
        assert f"{eyebrow} June" in Reader(html).shown
        web_version = f"http://testserver/newsletter/issues/{KEY}/?lang={language}"
        own = [LINKS[name] for name in ("unsubscribe_url", "preferences_url")]
        expected = [*own, web_version, f"{page_url('/', language=language)}#privacy"]
        assert Reader(html).links[-4:] == expected
        assert reason in Reader(html).shown
        assert [part for part in (reason, *expected) if part not in plain] == []


def test_title_is_the_first_heading_or_the_subject() -> None:
    for body, title in (
        ("# Fair *winds* [a](https://sailing.cz) `b`\n\nText", "Fair winds a b"),
        ("\n\n  ## Fair winds ##\nText", "Fair winds"),
        ("Text\n\n# Later", "Ahoy &lt;b&gt;"),
    ):
        mail, words = rendered(body, subject="Ahoy <b>"), title.replace("&lt;b&gt;", "<b>")
        assert re.findall(r"<h1[^>]*>(.*)</h1>", mail.html) == [title]
        assert mail.text.startswith(f"{words}\n\n")
        assert "\nText" in mail.text


def test_preheader_or_the_first_words_stand_before_everything_else() -> None:
    assert Reader(rendered(preheader="News").html).shown.startswith("News")
    words = Reader(rendered("# Title\n\n" + "Fair [winds](https://sailing.cz/) " * 50).html).shown
    assert words.startswith("Fair winds Fair winds")
    assert words.index("…") < 145


def test_styles_are_inline_and_in_the_head_of_a_mail_and_linked_in_its_preview() -> None:
    mail = rendered(get_examples() + "\n\n    code `x`\n\n`y`\n\n### Small")
    head, body = mail.html.split("<body")
    for part in ("prefers-color-scheme: dark", "max-width: 480px", "[data-ogsc]"):
        assert part in head
    assert "dashed" not in mail.html  # what the preview shows in place of a missing picture
    assert '<p class="mail-text" style="' in body
    preview = mail.build_preview()
    assert not re.search("<style|style=", preview)
    assert Reader(preview).shown == Reader(mail.html).shown
    [url] = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)">', preview)
    css = Path(str(finders.find(url))).read_text(encoding="utf-8")
    used = set(" ".join(re.findall(r'class="([^"]*)"', mail.document)).split())
    assert used <= set(re.findall(r"\.(mail-[\w-]+)", css))


def test_headers_of_a_delivery() -> None:
    message = build(subject="Červen", language="cs")
    assert message["Subject"] == "Červen"
    assert message["To"] == "jana@post.cz"
    assert message["Message-ID"] == "<7.key@testserver>"
    assert message["List-Unsubscribe"].strip() == f"<{LINKS['unsubscribe_url']}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["List-Id"] == "<sailor.newsletter.testserver>"
    assert message["Feedback-ID"] == "0:sailor-cs:campaign:sailing"
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]


@pytest.mark.parametrize("subject", ["June\r\nBcc: all@post.cz", "June\rX-A: b", "June\u2028\u202e\ud800"])
def test_subject_is_one_visible_line_and_adds_no_header(subject: str) -> None:
    message = build(subject=subject)
    assert set(message.keys()) == set(build().keys())
    assert str(message["Subject"]).startswith("June")
    assert str(message["Subject"]).isprintable()


@pytest.mark.parametrize(
    ("markdown", "html", "plain"),
    [
        ("[a](https://s.cz/a?x=1&y=2)", '<a href="https://go/1?a&amp;b" class="mail-link">a</a>', "a (https://go/1?a&b)"),
        ("https://s.cz/č.", '<a href="https://go/2" class="mail-link">https://s.cz/č</a>.', "https://go/2."),
        ("**<https://s.cz/č>**", '<a href="https://go/2" class="mail-link">https://s.cz/č</a>', "**<https://go/2>**"),
        ("[a][r]\n\n[r]: https://s.cz/č", '<a href="https://go/2" class="mail-link">a</a>', "[r]: https://go/2"),
        ("a_b@s.cz", '<a href="mailto:a_b@s.cz" class="mail-link">a_b@s.cz</a>', "a_b@s.cz"),
        ("www.s.cz s.cz The end.To", ">www.s.cz s.cz The end.To<", "www.s.cz s.cz The end.To"),
        ("[B](https://s.cz/b){.button}", '<a href="https://s.cz/b" class="mail-button-link">B</a>', "B (https://s.cz/b)"),
        ("Now [B](https://s.cz/b){.button}", "{.button}</p>", "Now B (https://s.cz/b)"),
        (
            "![A *boat*](media:b)",
            'src="http://testserver/newsletter/pictures/b" alt="A boat" class="mail-picture" width="520">',
            "A *boat*",
        ),
        ("[![A](media:b.png)](https://s.cz/b)", 'alt="A" class="mail-picture"', "A (https://s.cz/b)"),
        (r"\<b> \[a\](b) \*c\* &amp;", "&lt;b&gt; [a](b) *c* &amp;", "<b> [a](b) *c* &"),
        ("- **a**\n- b\n\n> c", "<strong>a</strong>", "- **a**\n- b\n\n> c"),
        ("`<b>`", '<code class="mail-code">&lt;b&gt;</code>', "`<b>`"),
    ],
)  # fmt: skip
def test_markdown_becomes_html_and_plain_text(markdown: str, html: str, plain: str) -> None:
    links = {"https://s.cz/a?x=1&y=2": "https://go/1?a&b", "https://s.cz/%C4%8D": "https://go/2"}
    mail = render(campaign(), text(markdown), links=links)
    assert html in mail.document
    assert f"\n{plain}\n" in mail.text


def test_distinct_web_links_are_found_in_order() -> None:
    body = (
        "[b](https://sailing.cz/b) <https://sailing.cz/a> [b](https://sailing.cz/b 'title')\n\n"
        "[mail](mailto:a@sailing.cz) [own]({invitation_url}) ![pic](https://sailing.cz/p.png)\n\n"
        "[ref] [č](https://sailing.cz/č) https://sailing.cz/bare\n\n[ref]: https://sailing.cz/ref"
    )
    assert list_urls(body) == [f"https://sailing.cz/{path}" for path in ("b", "a", "ref", "%C4%8D", "bare")]


@pytest.mark.parametrize(("name", "words"), [("", "dear sailor"), ("Eva", "Eva")])
def test_first_name_or_the_words_for_it_stand_in_each_part(name: str, words: str) -> None:
    field = "{first_name|dear sailor}"
    body = f"# To {field}\n\n{'word ' * 22}{field}, {field} ![For {field}](media:b.png) {{{field}}}"
    mail = build(body, subject=f"Ahoy {field}", first_name=name)
    html, plain = read(mail, "html"), read(mail, "plain")
    assert mail["Subject"] == f"Ahoy {words}"
    assert f">To {words}</h1>" in html
    assert f'alt="For {words}"' in html
    assert f"word {words}, {words} For {words} {{{field}}}" in plain
    assert f"word {words}" in html.partition("<table")[0].replace("&nbsp;", " ")  # the preheader


def test_web_version_has_classes_and_knows_no_reader() -> None:
    body = "# To {first_name|you}\n\nAhoy {first_name|crew} [invite]({invitation_url}) [all](https://sailing.cz/)"
    title, html = render_web_version(text(body, subject="News for {first_name|you}"))
    assert title == "News for you"
    assert ">To you</h" in html
    assert "style=" not in html
    assert ">Ahoy crew <" in html
    assert Reader(html).links == ["http://testserver/newsletter?lang=en", "https://sailing.cz/"]
    for subject in ("To {first_name|you}", ""):
        title, html = render_web_version(text(body, subject=subject))
        assert title == "To you"
        assert "To you" not in html  # said once


PLACES = """# @

@ `@` **@** _@_ \\@ <@> <!-- @ --> <img src="https://other.example/?u=@" @>

https://other.example/?u=@ <https://other.example/?u=@> www.other.example/@

https://other.example/?u=[@](@) ![@](https://other.example/p.png?u=@) ![Boat](@) ![Boat](media:@)

[@](https://other.example/?u=@ "@") [Boats](@) [Boats](mailto:@) [Boats](<@>) [Boats][l] ![Boat][p@]

[Boats](https://other.example/?u=@){.button}

[l]: <https://other.example/?u=@> '@'
[p@]: https://other.example/p.png?u=@

```@
@
```

    @

> @

- @

1. @
"""
"""Markdown, in which `@` stands for the payload."""

PAYLOADS = (
    "{preferences_url}",
    "&#123;unsubscribe_url&#125;",
    "\x02preferences_url\x03",
    "a&#12;b&#x202e;c&#8294;",
    "a\u202a\u202e\u2066\ufffe\uffff\ud800b",
    '"><script>alert(1)</script><img src="https://other.example/?u={preferences_url}" onerror="alert(1)">',
    "&quot;&gt;&lt;img src=https://other.example/p.png onerror=alert(1)&gt;",
    "{first_name|<b>}{first_name|&lt;script&gt;}{first_name|x}",
    '"%7Binvitation_url%7D"{invitation_url}',
    "javascript:alert(1)",
    "java&#x0A;script:alert(1)",
    '" onmouseover="alert(1)',
    "<!--[if mso]><script>alert(1)</script><![endif]-->",
    "data:text/html,<script>alert(1)</script>",
)

FORBIDDEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Markup(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str, str]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs] or [(tag, "", "")]

    def handle_data(self, data: str) -> None:
        self.words += data


def build_hostile(payload: str) -> tuple[str, str, str, list[str]]:
    """Return the subject, the HTML and the text of a mail with a payload in every place, and its links."""
    content = text(PLACES.replace("@", payload), subject=f"June {payload}", preheader=payload)
    urls = list_urls(content.body)
    counted = {url: f"https://testserver/go/{number}/" for number, url in enumerate(urls)}
    mail = render(campaign(), content, links=counted)
    message = mail.build_message(
        recipient="jana@post.cz", reference="1.key", links=LINKS, first_name="<script>alert(1)</script>"
    )
    [(html, _type)] = message.alternatives
    return str(message.subject), str(html), str(message.body), urls


HARMLESS = {(tag, name) for tag, name, _value in Markup(build_hostile("boats")[1]).attributes}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_text_passes_on_no_personal_link_hidden_character_or_markup(payload: str) -> None:
    subject, html, plain, urls = build_hostile(payload)
    markup = Markup(html)
    assert {(tag, name) for tag, name, _value in markup.attributes} - HARMLESS == set()
    assert not FORBIDDEN.search(subject + html + plain)

    for name in ("unsubscribe_url", "preferences_url"):  # the ones of the footer
        assert [value for _tag, _name, value in markup.attributes if LINKS[name] in value] == [LINKS[name]]
        assert LINKS[name] not in markup.words + subject
        assert re.findall(rf"\S*{re.escape(LINKS[name])}\S*", plain) == [LINKS[name]]

    addresses = [value for _tag, name, value in markup.attributes if name in ("href", "src")]
    assert not [address for address in addresses if re.match(r"\W*(javascript|vbscript|data)", address)]
    hrefs = {value for _tag, name, value in markup.attributes if name == "href"}
    assert urls
    assert not hrefs & set(urls), "a link that is not counted"


def problems(*texts: CampaignText, **fields: Any) -> list[tuple[str, str]]:
    return [(found.severity, found.language) for found in find_problems(campaign(**fields), texts)]


def of_body(body: str) -> list[str]:
    """Return the problems of a body in both languages, as "severity: message"."""
    found = find_problems(campaign(), [text(body), text(body, language="cs")])
    return [f"{each.severity}: {replace(each, language='')}" for each in found if each.language == "en"]


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


def test_each_language_needs_its_text() -> None:
    assert problems() == [("error", "")]  # there is no text yet
    for czech, fields, expected in (
        ({}, {}, [("warning", "cs")]),
        ({}, {"segment": Segment(language="en")}, []),
        ({}, {"segment": Segment(language="cs")}, [("warning", "cs")]),
        ({"subject": "Červen"}, {}, [("error", "cs")]),
        ({"body": "Ahoj"}, {}, [("error", "cs")]),
    ):
        texts = text(GOOD), text(**{"body": "", "language": "cs", "subject": " ", **czech})
        assert problems(*texts, **fields) == expected


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
        assert problems(text(**{field: value}), segment=Segment(language="en")) == [("error", "en")] * count


ADDRESS = "error: Line 2: {} must be a complete address that begins with https://."
HIDDEN = "error: The text contains invisible characters that can change what it seems to say."
FIELD = "error: Line 2: {} is not a field, or cannot be used here: see “Formatting help”."
HTML = (
    "error: Line 2: “{}” looks like HTML, and subscribers see it as it is. Use Markdown,"
    " or write \\ before it."
)
LINK = "error: Line 2: This is neither a link nor a picture. Write [Text](https://…), without spaces."
NO_ALT = "error: Line 2: The picture {} has no alt text. Describe it in the square brackets."
NO_PICTURE = "error: Line 2: This site has no picture {}."
PLACEHOLDER = "warning: Line 2: {} looks like a placeholder."


@pytest.mark.parametrize(
    ("line", "message", "named"),
    [
        ("[a](/boats)", ADDRESS, "/boats"),
        ("[a](https://sailing.cz@evil.cz/)", ADDRESS, "https://sailing.cz@evil.cz/"),
        ("[a](https://sailing.cz:99999/)", ADDRESS, "https://sailing.cz:99999/"),
        ("[a]()", ADDRESS, "()"),
        (f"[a](https://sailing.cz/{'x' * 2000})", ADDRESS, f"https://sailing.cz/{'x' * 60}…"),
        ("Text \u202e text", HIDDEN, ""),
        ("Text &#x202e; text", HIDDEN, ""),
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


def test_mail_that_gmail_would_cut_off_is_an_error_counted_with_the_addresses_of_links_that_count() -> None:
    paragraph = "x" * 1000 + "\n\n"
    assert of_body(paragraph * 80) == []
    assert of_body(paragraph * 96)[0].startswith("error: The email is")
    link = "[a](https://sailing.cz/) "
    ten, twenty = (len(rendered(link * count).html.encode()) for count in (10, 20))
    body = link * (10 + (MAX_HTML_BYTES - ten) * 10 // (twenty - ten))
    assert len(rendered(body).html.encode()) <= MAX_HTML_BYTES
    assert any("Gmail" in message for message in of_body(body))
