"""What reaches readers when an author tries to pass on personal links, hidden characters or markup.

The texts are sent without their checks, which would refuse most of them.
"""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.utils import timezone

from newsletter.campaigns.markdown import parse
from newsletter.campaigns.models import CampaignLink, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory, CampaignTextFactory, DeliveryFactory
from tests.mail_server import MailServer
from tests.mailbox import read, send_pending

PLACES = (
    "# @",
    "@",
    "https://other.example/?u=@",
    "https://other.example/?u=[@](@)",
    "https://other.example/?u=[](@)",
    "https://other.example/?u=![@](@)",
    "![@](https://other.example/p.png?u=@)",
    '![Boat](https://other.example/p.png "@"){width=@}',
    "![Boat](@)",
    "![Boat](media:@)",
    "![Boat][p@]\n\n[p@]: https://other.example/p.png?u=@",
    '[@](https://other.example/?u=@ "@")',
    "[Boats](@)",
    "[Boats](mailto:@)",
    "[Boats](<https://other.example/@>){.button}",
    "[Boats](https://other.example/?u=@){.button}",
    "[Boats][l@]\n\n[l@]: <https://other.example/?u=@> '@'",
    "[Boats][o]\n\n[o]: @",
    "[unused]: https://other.example/?u=@",
    "<https://other.example/?u=@>",
    "<@>",
    "www.other.example/@",
    '<img src="https://other.example/?u=@" @>',
    "<!-- @ -->",
    "`@` **@** _@_",
    "```@\n@\n```",
    "    @",
    "> @\n\n- @\n\n1. @",
    "::: columns\n@\n::: next\n![Boat](https://other.example/?u=@)\n::: end",
    r"\@",
)
"""Markdown, in which `@` stands for the payload."""

PAYLOADS = (
    "{preferences_url}",
    "{unsubscribe_url}",
    "%7Bpreferences_url%7D",
    "&#123;preferences_url&#125;",
    "&lcub;unsubscribe_url&rcub;",
    "https://preferences-url.campaign.invalid/",
    "https://unsubscribe-url.campaign&#46;invalid/",
    "//preferences-url.campaign%2Einvalid/",
    "a&#12;b",
    "a&#x202e;b&#8294;",
    "a\x01\x0b\x0c\x1b\x85b",
    "a\u202a\u202e\u2066\ufffe\uffffb",
    '"><script>alert(1)</script><img src="https://other.example/?u={preferences_url}" onerror="alert(1)">',
    "&quot;&gt;&lt;img src=https://other.example/p.png onerror=alert(1)&gt;",
    "javascript:alert(1)",
    "&#106;avascript:alert(1)",
    "java&#x0A;script:alert(1)",
    "vbscript:x",
    '" onmouseover="alert(1)',
    "</td></tr></table></body><script>alert(1)</script><iframe src=x>",
    "<!--[if mso]><script>alert(1)</script><![endif]-->",
    "data:text/html,<script>alert(1)</script>",
)

BODY = "\n\n".join(PLACES)


FORBIDDEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


@pytest.fixture
def mails(transactional_db: None, server: MailServer) -> dict[str, EmailMessage]:
    """Return the mail that arrives for each payload, which stands in every place; "boats" is harmless."""
    payload_of = {}
    now = timezone.now()
    for payload in ("boats", *PAYLOADS):
        campaign = CampaignFactory(state=CampaignState.SENDING, started_at=now, prepared_at=now, languages=())
        text = CampaignTextFactory(
            campaign=campaign, subject=f"June {payload}", preheader=payload, body=BODY.replace("@", payload)
        )
        urls = parse(text.body).list_urls()
        CampaignLink.objects.bulk_create(CampaignLink(campaign=campaign, url=url) for url in urls)
        payload_of[DeliveryFactory(campaign=campaign).subscription.email] = payload
    send_pending()
    return {payload_of[recipient]: message for (recipient,), message in server.received}


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


def find_leaks(message: EmailMessage) -> Iterator[str]:
    """Yield each place in which the reader's token stands, except as the whole address of a link of ours."""
    own = re.escape(f"{settings.SITE_URL}/newsletter/") + r"(?:unsubscribe/d|preferences)/([\w.-]+)/\?lang=en"
    found = re.fullmatch(f"<{own}>", message["List-Unsubscribe"].strip())
    assert found
    token = found[1]
    for name, value in message.items():
        if token in value and name != "List-Unsubscribe":
            yield f"{name}: {value}"
    html = Markup(read(message, "html"))
    if token in html.words:
        yield html.words
    for tag, name, value in html.attributes:
        if token in value and not ((tag, name) == ("a", "href") and re.fullmatch(own, value)):
            yield f"{tag} {name}={value}"
    text = read(message, "plain")
    # Mail programs make a link of what stands together. `<` ends an address (RFC 3986, appendix C).
    whole = re.sub(rf"(?:(?<=\s)|(?<=<)){own}(?=[\s>])", "", text)
    yield from (line for line in whole.splitlines() if token in line)


def test_texts_pass_on_no_personal_link_hidden_character_or_markup(mails: dict[str, EmailMessage]) -> None:
    assert len(mails) == len(PAYLOADS) + 1
    leaks = {payload: list(find_leaks(message)) for payload, message in mails.items()}
    assert not any(leaks.values()), leaks

    hidden = {
        payload: FORBIDDEN.findall(f"{message['Subject']}{read(message, 'html')}{read(message, 'plain')}")
        for payload, message in mails.items()
    }
    assert not any(hidden.values()), hidden

    attributes = {payload: Markup(read(message, "html")).attributes for payload, message in mails.items()}
    addresses = {
        value for found in attributes.values() for _tag, name, value in found if name in ("href", "src")
    }
    assert {address for address in addresses if not re.match("https?://|mailto:", address)} == set()

    markup = {payload: {(tag, name) for tag, name, _value in found} for payload, found in attributes.items()}
    added = {payload: found - markup["boats"] for payload, found in markup.items()}
    assert not any(added.values()), added
