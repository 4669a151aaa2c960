"""What reaches readers when an author tries to pass on personal links, hidden characters or markup.

The checks would refuse most of these texts.
"""

import re
from html.parser import HTMLParser

import pytest

from newsletter.campaigns.markdown import list_urls
from newsletter.campaigns.rendering import render
from newsletter.campaigns.tests.rendered import LINKS, campaign, text

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
    "%7Bpreferences_url%7D",
    "&#123;unsubscribe_url&#125;",
    "\x02preferences_url\x03",
    "&#2;unsubscribe_url&#3;",
    "a&#12;b&#x202e;c&#8294;",
    "a\x00\x01\x0b\x0c\x1b\x85b",
    "a\u202a\u202e\u2066\ufffe\uffff\ud800b",
    '"><script>alert(1)</script><img src="https://other.example/?u={preferences_url}" onerror="alert(1)">',
    "&quot;&gt;&lt;img src=https://other.example/p.png onerror=alert(1)&gt;",
    "{first_name|<b>}{first_name|&lt;script&gt;}{first_name|x}",
    '"%7Binvitation_url%7D"{invitation_url}',
    "javascript:alert(1)",
    "&#106;avascript:alert(1)",
    "java&#x0A;script:alert(1)",
    "vbscript:x",
    '" onmouseover="alert(1)',
    "</td></tr></table></body><script>alert(1)</script><iframe src=x>",
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


def build(payload: str) -> tuple[str, str, str, list[str]]:
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


HARMLESS = {(tag, name) for tag, name, _value in Markup(build("boats")[1]).attributes}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_text_passes_on_no_personal_link_hidden_character_or_markup(payload: str) -> None:
    subject, html, plain, urls = build(payload)
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
