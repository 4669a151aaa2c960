"""Rendered campaigns for tests."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from typing import Any

from django.template.loader import render_to_string

from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.campaigns.rendering import RenderedMail, render

KEY = "abcdefghijklmnopqrstuvwx"
LINKS = {
    "unsubscribe_url": "https://sailing.cz/newsletter/manage/AbCdEfGhIjKlMnOpQrStUv.1.x/?lang=cs",
    "preferences_url": "https://sailing.cz/newsletter/manage/AbCdEfGhIjKlMnOpQrStUv.1.y/?lang=cs&a=b#preferences",
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
