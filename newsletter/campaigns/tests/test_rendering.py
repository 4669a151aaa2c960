"""The text of a campaign as HTML and as plain text, whatever its author writes."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from pytest_django import Settings

from newsletter.campaigns.markdown import list_urls
from newsletter.campaigns.rendering import render, render_web_version
from newsletter.campaigns.tests.rendered import KEY, LINKS, build, campaign, get_examples, rendered, text
from sailing.mail.links import page_url
from tests.mailbox import Reader, read


@pytest.mark.parametrize(
    ("user_type", "language", "eyebrow", "reason"),
    [
        ("company", "en", "Newsletter for companies", "subscribed to our newsletter for companies."),
        ("sailor", "cs", "Newsletter pro jachtaře", "odebíráte náš newsletter pro jachtaře."),
        ("", "en", "Newsletter", "subscribed to our newsletter."),
    ],
)
def test_footer_has_the_reason_and_links(user_type: str, language: str, eyebrow: str, reason: str) -> None:
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


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# Fair *winds* [a](https://sailing.cz) `b`\n\nText", "Fair winds a b"),
        ("\n\n  ## Fair winds ##\nText", "Fair winds"),
        ("Text\n\n# Later", "Ahoy &lt;b&gt;"),
    ],
)
def test_title_is_the_first_heading_or_the_subject(body: str, title: str) -> None:
    mail = rendered(body, subject="Ahoy <b>")
    assert re.findall(r"<h1[^>]*>(.*)</h1>", mail.html) == [title]
    words = title.replace("&lt;b&gt;", "<b>")
    assert mail.text.startswith(f"{words}\n\n")
    assert "\nText" in mail.text
    assert render_web_version(text(body, subject="Ahoy <b>"))[0] == words


def test_preheader_or_the_first_words_stand_before_everything_else() -> None:
    assert Reader(rendered(preheader="News").html).shown.startswith("News")
    words = Reader(rendered("# Title\n\n" + "Fair [winds](https://sailing.cz/) " * 50).html).shown
    assert words.startswith("Fair winds Fair winds")
    assert words.index("…") < 145


def test_styles_are_inline_and_in_the_head_of_a_mail_and_linked_in_its_preview() -> None:
    mail = rendered("Text")
    head, body = mail.html.split("<body")
    for part in ("prefers-color-scheme: dark", "max-width: 480px", "[data-ogsc]"):
        assert part in head
    assert '<p class="mail-text" style="' in body
    preview = mail.build_preview()
    assert not re.search("<style|style=", preview)
    assert Reader(preview).shown == Reader(mail.html).shown
    [url] = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)">', preview)
    assert finders.find(url)


def test_every_class_has_a_style() -> None:
    every_syntax = get_examples() + "\n\n    code `x`\n\n`y`\n\n### Small"
    css = Path(str(finders.find("mails/campaign-mail.css"))).read_text(encoding="utf-8")
    used = set(" ".join(re.findall(r'class="([^"]*)"', rendered(every_syntax).document)).split())
    assert used - set(re.findall(r"\.(mail-[\w-]+)", css)) == set()


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
    title, html = render_web_version(text(body))
    assert title == "To you"
    assert "style=" not in html
    assert ">Ahoy crew <" in html
    assert Reader(html).links == ["http://testserver/newsletter?lang=en", "https://sailing.cz/"]


@pytest.mark.parametrize(
    ("start", "end"), [("*a ", "b* "), ("> ", ""), ("- ", ""), ("![", "](b)"), ("[", "]")]
)
def test_deep_nesting_overflows_no_stack(start: str, end: str) -> None:
    depth = 2 * sys.getrecursionlimit()
    assert "unsubscribe_url" in rendered(start * depth + end * depth).html


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
    """The attributes and the text of a page."""

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
