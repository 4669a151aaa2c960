"""Build the mail of one delivery from a rendered campaign."""

import json
from collections.abc import Mapping
from html import escape

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from newsletter.campaigns.rendering import RenderedMail, get_host


def build_message(
    rendered: RenderedMail, *, recipient: str, reference: str, links: Mapping[str, str], first_name: str = ""
) -> EmailMultiAlternatives:
    """Return the mail of a delivery.

    `reference`: see `newsletter.campaigns.tokens`; the webhooks of providers return it. `links` has the URLs
    of PERSONAL_FIELDS. `first_name`: of the reader, or blank.
    """
    metadata = {"delivery": reference}
    headers = {
        "Message-ID": f"<{reference}@{get_host()}>",
        **build_list_headers(rendered, unsubscribe_url=links["unsubscribe_url"]),
    }
    if settings.EMAIL_PROVIDER == "ses":  # its reports quote the header
        headers["X-Metadata"] = json.dumps(metadata)
    message = EmailMultiAlternatives(
        rendered.fill(rendered.subject, links, first_name=first_name),
        rendered.fill(rendered.text, links, first_name=first_name),
        settings.DEFAULT_FROM_EMAIL,
        [recipient],
        headers=headers,
    )
    message.metadata = metadata  # type: ignore[attr-defined]  # read by django-anymail
    html_links = {name: escape(url) for name, url in links.items()}
    html = rendered.fill(rendered.html, html_links, first_name=escape(first_name))
    message.attach_alternative(html, "text/html")
    return message


def build_list_headers(rendered: RenderedMail, *, unsubscribe_url: str) -> dict[str, str]:
    """Return the headers of mails to many (RFC 2919, RFC 8058, and Gmail's Feedback-ID)."""
    return {
        "List-Unsubscribe": f"<{unsubscribe_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": rendered.list_id,
        "Feedback-ID": rendered.feedback_id,
    }
