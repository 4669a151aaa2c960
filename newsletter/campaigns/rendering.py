"""Render the text of a campaign once for each language and audience, and build the mails of its deliveries.

The personal links and the first name of a delivery are placeholders until then.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

import css_inline
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from newsletter.campaigns import markdown, markdown_html, markdown_text
from newsletter.campaigns.markdown import NAME_MARKS, PERSONAL_FIELDS, Values
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import UserType
from sailing.mail import provider_headers
from sailing.mail.links import page_url, privacy_url

PLACEHOLDER_DOMAIN = "campaign.invalid"
"""The domain of what stands for a personal link. It cannot exist (RFC 2606)."""

STYLES = "mails/campaign-mail.css"
DARK_STYLES = "mails/campaign-mail-dark.css"
PREHEADER_LENGTH = 140

_MARKED_NAME = re.compile("{0}([^{1}]*){1}".format(*NAME_MARKS))


@dataclass(frozen=True, eq=False)
class RenderedMail:
    """A mail without its recipient.

    `html` and `text` contain the `placeholders` of the personal links, by PERSONAL_FIELDS; every part may
    contain NAME_MARKS. `document` is the HTML with classes only. `feedback_id` and `list_id` are header
    values. Compared by identity: it is the key of a cache.
    """

    subject: str
    preheader: str
    html: str
    text: str
    document: str
    placeholders: Mapping[str, str]
    feedback_id: str = ""
    list_id: str = ""

    def fill(self, content: str, links: Mapping[str, str], *, first_name: str = "") -> str:
        """Return a part of the mail for one reader. In HTML, `links` and `first_name` are escaped."""
        for name, placeholder in self.placeholders.items():
            content = content.replace(placeholder, links[name])
        return _MARKED_NAME.sub(lambda marked: first_name or marked[1], content)

    def build_message(
        self, *, recipient: str, reference: str, links: Mapping[str, str], first_name: str = ""
    ) -> EmailMultiAlternatives:
        """Return the mail of a delivery.

        `reference`: see `newsletter.campaigns.tokens`; the webhooks of providers return it. `links` has the
        URLs of PERSONAL_FIELDS. `first_name`: of the reader, or blank.
        """
        headers = {
            "Message-ID": f"<{reference}@{get_host()}>",
            **provider_headers.build(reference),
            **self.build_list_headers(unsubscribe_url=links["unsubscribe_url"]),
        }
        message = EmailMultiAlternatives(
            self.fill(self.subject, links, first_name=first_name),
            self.fill(self.text, links, first_name=first_name),
            settings.DEFAULT_FROM_EMAIL,
            [recipient],
            headers=headers,
        )
        html_links = {name: escape(url) for name, url in links.items()}
        html = self.fill(self.html, html_links, first_name=escape(first_name))
        message.attach_alternative(html, "text/html")
        return message

    def build_list_headers(self, *, unsubscribe_url: str) -> dict[str, str]:
        """Return the headers of mails to many (RFC 2919, RFC 8058, and Gmail's Feedback-ID)."""
        return {
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": self.list_id,
            "Feedback-ID": self.feedback_id,
        }

    def build_preview(self, *, is_dark: bool = False) -> str:
        """Return the HTML with linked style sheets, for pages whose policy allows no inline styles.

        It is dark or not whatever the device prefers.
        """
        names = (STYLES, DARK_STYLES) if is_dark else (STYLES,)
        links = "".join(f'<link rel="stylesheet" href="{static(name)}">' for name in names)
        return self.document.replace("</head>", f"{links}</head>", 1)


def render(
    campaign: Campaign, text: CampaignText, *, links: Mapping[str, str] | None, audience: str
) -> RenderedMail:
    """Render a text for readers of one audience, or in neutral words if it is blank.

    `links` maps the web addresses in the text to those that count; None keeps the originals.
    """
    body = markdown.parse(text.body)
    language = text.language
    placeholders = _make_placeholders()
    with translation.override(language):
        values = Values(
            words=describe_audience(audience),
            urls={**placeholders, "web_version_url": build_web_version_url(campaign, language)},
            links=links or {},
            name_marks=NAME_MARKS,
        )
        subject = fill_line(text.subject, values)
        preheader = fill_line(text.preheader, values)
        title = markdown_text.get_title_text(body, values) or subject
        context = {
            **values.urls,
            "language": language,
            "user_type": audience,
            "subject": subject,
            "title": title,
            "preheader": preheader or markdown_text.get_first_words(body, values, length=PREHEADER_LENGTH),
            "home_url": page_url("/", language=language),
            "privacy_url": privacy_url(language=language),
            "operator_name": settings.OPERATOR_NAME,
            "operator_address": settings.OPERATOR_ADDRESS,
        }
        plain = render_to_string(
            "mails/newsletter/campaign.txt",
            {
                **context,
                "title": markdown_text.underline(title, "="),
                "body": markdown_text.to_text(body, values),
            },
        )
        # Sanitized by `to_html`.
        context["body"] = mark_safe(markdown_html.to_html(body, values))  # noqa: S308
        document = render_to_string("mails/newsletter/campaign.html", context)
        return RenderedMail(
            subject=subject,
            preheader=preheader,
            html=_inline(document),
            text=plain.strip() + "\n",
            document=document,
            placeholders=placeholders,
            feedback_id=f"{campaign.pk or 0}:{audience or 'all'}-{language}:campaign:sailing",
            list_id=f"<{audience or 'all'}.newsletter.{get_host()}>",
        )


def render_web_version(campaign: Campaign, text: CampaignText) -> tuple[str, SafeString]:
    """Return the title and the body for the web version: HTML with the classes of the style sheet `STYLES`.

    The title is the first heading of a text that begins with one, otherwise the subject. Personal links lead
    to the newsletter's form, because the page does not know its reader.
    """
    language, body = text.language, markdown.parse(text.body)
    with translation.override(language):
        form_url = page_url("/newsletter", language=language)
        urls = {
            **dict.fromkeys(PERSONAL_FIELDS, form_url),
            "web_version_url": build_web_version_url(campaign, language),
        }
        values = Values(words=describe_audience(campaign.audience), urls=urls, links={})
        title = clean_line(markdown_text.get_title_text(body, values)) or fill_line(text.subject, values)
        html = markdown_html.to_html(body, values)
    return title, mark_safe(html)  # noqa: S308 - sanitized by `to_html`


def render_summary(campaign: Campaign, text: CampaignText) -> tuple[str, str]:
    """Return the subject and the preheader of a text, without what is known about a reader.

    Needs no body.
    """
    with translation.override(text.language):
        values = Values(words=describe_audience(campaign.audience), urls={}, links={})
        return fill_line(text.subject, values), fill_line(text.preheader, values)


def build_web_version_url(campaign: Campaign, language: str) -> str:
    """Return the absolute URL of the web version of a campaign."""
    path = reverse("newsletter:campaigns:web_version", args=[campaign.key])
    return page_url(path, language=language)


def clean_line(text: str) -> str:
    """Return a subject, preheader or title on one line, without invisible characters."""
    return re.sub(" +", " ", markdown.INVISIBLE.sub(" ", text)).strip(" ")


def fill_line(text: str, values: Values) -> str:
    """Return a subject or preheader with its audience, like `clean_line`."""
    return values.fill(clean_line(text))


def _make_placeholders() -> dict[str, str]:
    """Return an address for each personal link that nobody can have written into a text."""
    return {
        name: f"https://{name.replace('_', '-')}.{secrets.token_hex(16)}.{PLACEHOLDER_DOMAIN}/"
        for name in PERSONAL_FIELDS
    }


def describe_audience(audience: str) -> dict[str, str]:
    """Return the words for AUDIENCE_FIELDS in the current language: in the nominative, and with "for"."""
    if audience == UserType.SAILOR:
        return {"audience": gettext("sailors"), "for_audience": gettext("for sailors")}
    if audience == UserType.COMPANY:
        return {"audience": gettext("companies"), "for_audience": gettext("for companies")}
    return {
        "audience": gettext("sailors and companies"),
        "for_audience": gettext("for sailors and companies"),
    }


def get_host() -> str:
    """Return the host of the site, for headers that name one."""
    return settings.SITE_URL.partition("://")[2].partition(":")[0]


def _inline(document: str) -> str:
    """Write the light styles into the elements; the rules for phones and for dark mode go into the head."""
    inliner, head_styles = _prepare_styles()
    html = inliner.inline(document.replace("</head>", f"{head_styles}</head>", 1))
    return html.replace("</head>", f"{OUTLOOK_DARK_STYLES}</head>", 1)


@cache
def _prepare_styles() -> tuple[css_inline.CSSInliner, str]:
    dark = _read(DARK_STYLES)
    styles = f"<style>{_read(STYLES)}@media (prefers-color-scheme: dark) {{{dark}}}</style>"
    inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    return inliner, styles


def _read(name: str) -> str:
    """Return a style sheet without its comments, which would be sent."""
    content = Path(str(finders.find(name))).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", content, flags=re.DOTALL)


OUTLOOK_DARK_STYLES = """<style>
[data-ogsb] .mail-page { background-color: #04101F !important; }
[data-ogsb] .mail-card { background-color: #0A1E38 !important; }
[data-ogsc] .mail-text, [data-ogsc] .mail-item { color: #EEF6FE !important; }
[data-ogsc] .mail-h2, [data-ogsc] .mail-h3 { color: #EEF6FE !important; }
[data-ogsc] .mail-footer { color: #CFE6FC !important; }
[data-ogsc] .mail-link { color: #7CBDF7 !important; }
</style>"""
"""Outlook's apps mark their dark mode with attributes instead of a media query."""
