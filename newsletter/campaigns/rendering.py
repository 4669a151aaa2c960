"""Render the text of a campaign once for each language, and build the mails of its deliveries.

The personal links and the first name of a delivery are fields until then.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from pathlib import Path
from urllib.parse import urlsplit

import css_inline
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

from newsletter.campaigns import markdown
from newsletter.campaigns.models import Campaign, CampaignText
from sailing.mail.links import page_url
from sailing.mail.transport import build_provider_headers

PERSONAL_LINKS = ("unsubscribe_url", "preferences_url", "invitation_url")

FIELD = re.compile(f"\x02(\\w+)\x03|{markdown.NAME_FIELD.pattern}")
"""What is filled in for each reader. No text contains the marks of a personal link (markdown.FORBIDDEN)."""

STYLES = "mails/campaign-mail.css"
DARK_STYLES = "mails/campaign-mail-dark.css"
OUTLOOK_STYLES = "mails/campaign-mail-outlook.css"
PREHEADER_LENGTH = 140

_inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


@dataclass(frozen=True)
class RenderedMail:
    """A mail without its recipient, whose fields are filled in later.

    `document` is the HTML with classes only. `list_headers`: of mails to many (RFC 2919, RFC 8058, and
    Gmail's Feedback-ID), with List-Unsubscribe for each reader.
    """

    subject: str
    preheader: str
    html: str
    text: str
    document: str
    list_headers: Mapping[str, str]

    def build_message(
        self, *, recipient: str, reference: str, links: Mapping[str, str], first_name: str = ""
    ) -> EmailMultiAlternatives:
        """Return the mail of a delivery.

        `reference`: of the delivery; the webhooks of providers return it. `links` has the URLs of
        PERSONAL_LINKS. `first_name`: of the reader, or blank.
        """
        headers = {
            "Message-ID": f"<{reference}@{get_host()}>",
            **build_provider_headers(reference),
            **self.list_headers,
            "List-Unsubscribe": f"<{links['unsubscribe_url']}>",
        }
        message = EmailMultiAlternatives(
            fill(self.subject, links, first_name=first_name),
            fill(self.text, links, first_name=first_name),
            settings.DEFAULT_FROM_EMAIL,
            [recipient],
            headers=headers,
        )
        message.attach_alternative(fill_html(self.html, links, first_name=first_name), "text/html")
        return message

    def build_preview(self) -> str:
        """Return the HTML for a page, which allows no inline styles. Links open in a new tab."""
        head = f'<link rel="stylesheet" href="{static(STYLES)}"><base target="_blank">'
        return self.document.replace("</head>", f"{head}</head>", 1)


def fill(content: str, links: Mapping[str, str], *, first_name: str = "") -> str:
    """Return a subject or a text for one reader: with the URLs of PERSONAL_LINKS, and the first name."""
    return FIELD.sub(lambda field: links[field[1]] if field[1] else first_name or field[2].rstrip(), content)


def fill_html(content: str, links: Mapping[str, str], *, first_name: str = "") -> str:
    """Return HTML for one reader, like `fill`."""
    return fill(content, {name: escape(url) for name, url in links.items()}, first_name=escape(first_name))


def render(campaign: Campaign, text: CampaignText, *, links: Mapping[str, str]) -> RenderedMail:
    """Render a text. `links` maps the web addresses in it to those that count."""
    language, audience = text.language, campaign.audience
    title, body = markdown.split_title(text.body)
    subject, preheader = clean_line(text.subject), clean_line(text.preheader)
    html = markdown.to_html(body, links)
    with translation.override(language):
        context = {
            **{name: f"\x02{name}\x03" for name in PERSONAL_LINKS},
            "web_version_url": build_web_version_url(campaign, language),
            "language": language,
            "user_type": audience,
            "subject": subject,
            "title": clean_line(title) or subject,
            "preheader": preheader or _get_first_words(html),
            "home_url": page_url("/", language=language),
            "privacy_url": page_url("/", language=language) + "#privacy",
            "operator_name": settings.OPERATOR_NAME,
            "operator_address": settings.OPERATOR_ADDRESS,
        }
        plain = render_to_string(
            "mails/newsletter/campaign.txt", {**context, "body": markdown.to_text(body, links)}
        )
        context["body"] = mark_safe(html)  # noqa: S308 - sanitized by `to_html`
        document = render_to_string("mails/newsletter/campaign.html", context)
    return RenderedMail(
        subject=subject,
        preheader=preheader,
        html=_inline(document),
        text=plain.strip() + "\n",
        document=document,
        list_headers={
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"<{audience or 'all'}.newsletter.{get_host()}>",
            "Feedback-ID": f"{campaign.pk or 0}:{audience or 'all'}-{language}:campaign:sailing",
        },
    )


def render_web_version(text: CampaignText) -> tuple[str, SafeString]:
    """Return the title and the body for the web version: HTML with the classes of the style sheet `STYLES`.

    The title is the subject, or else the heading with which the text begins. A heading with the words of the
    title is left out. The link to invite leads to the newsletter's form: the page does not know its reader.
    """
    heading, rest = markdown.split_title(text.body)
    heading = fill(clean_line(heading), {})
    title = render_summary(text)[0] or heading
    body = rest if heading == title else text.body
    links = {"invitation_url": page_url("/newsletter", language=text.language)}
    html = mark_safe(fill_html(markdown.to_html(body, {}), links))  # noqa: S308 - sanitized by `to_html`
    return title, html


def render_summary(text: CampaignText) -> tuple[str, str]:
    """Return the subject and the preheader of a text, for readers whose name is not known."""
    return fill(clean_line(text.subject), {}), fill(clean_line(text.preheader), {})


def build_web_version_url(campaign: Campaign, language: str) -> str:
    """Return the absolute URL of the web version of a campaign."""
    path = reverse("newsletter:campaigns:web_version", args=[campaign.key])
    return page_url(path, language=language)


def clean_line(text: str) -> str:
    """Return a subject, preheader or title on one line, without invisible characters."""
    return re.sub(" +", " ", markdown.INVISIBLE.sub(" ", text)).strip(" ")


def _get_first_words(html: str) -> str:
    """Return the beginning of a text, whole words."""
    # A name is one word, so that its field is not cut in two.
    words = markdown.NAME_FIELD.sub(
        lambda field: field[0].replace(" ", "\u00a0"), clean_line(unescape(strip_tags(html)))
    )
    return words if len(words) <= PREHEADER_LENGTH else f"{words[:PREHEADER_LENGTH].rpartition(' ')[0]}…"


def get_host() -> str:
    """Return the host of the site, for headers that name one."""
    return str(urlsplit(settings.SITE_URL).hostname)


def _inline(document: str) -> str:
    """Write the light styles into the elements; the rules for phones and for dark mode go into the head."""
    styles, outlook_styles = _read_styles()
    html = _inliner.inline(document.replace("</head>", f"{styles}</head>", 1))
    return html.replace("</head>", f"{outlook_styles}</head>", 1)


@cache
def _read_styles() -> tuple[str, str]:
    """Return the styles of all mail programs, and those that must not be inlined."""
    light, dark, outlook = map(_read, (STYLES, DARK_STYLES, OUTLOOK_STYLES))
    return (
        f"<style>{light}@media (prefers-color-scheme: dark) {{{dark}}}</style>",
        f"<style>{outlook}</style>",
    )


def _read(name: str) -> str:
    """Return a style sheet without its comments, which would be sent."""
    content = Path(str(finders.find(name))).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", content, flags=re.DOTALL)
