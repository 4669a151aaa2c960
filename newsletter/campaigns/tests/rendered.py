"""Rendered campaigns for tests."""

import re
from html import unescape
from typing import Any

from django.template.loader import render_to_string

from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.campaigns.rendering import RenderedMail, render

KEY = "abcdefghijklmnopqrstuvwx"
LINKS = {
    "unsubscribe_url": "https://sailing.cz/newsletter/unsubscribe/d/1.AbCdEfGhIjKlMnOpQrStUvWxYz012345/?lang=cs",
    "preferences_url": "https://sailing.cz/newsletter/preferences/1.AbCdEfGhIjKlMnOpQrStUvWxYz012345/?lang=cs&a=b",
    "invitation_url": "https://sailing.cz/newsletter?invitation=0123456789abcdef0123456789abcdef",
}


def get_examples() -> str:
    """Return the examples of the help beside the editor, as one body."""
    page = render_to_string("admin/newsletter/campaigns/syntax.html")
    return unescape("\n\n".join(re.findall("<pre>(.*?)</pre>", page, re.DOTALL)))


def campaign(**fields: Any) -> Campaign:
    return Campaign(name="June", key=KEY, **fields)


def text(body: str = "Ahoy", *, language: str = "en", subject: str = "June", **fields: Any) -> CampaignText:
    return CampaignText(language=language, subject=subject, body=body, **fields)


def rendered(body: str = "Ahoy", *, audience: str = "sailor", **fields: Any) -> RenderedMail:
    return render(campaign(), text(body, **fields), links=None, audience=audience)
