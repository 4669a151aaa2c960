"""Render the text of a campaign once for each language and audience.

The personal links of a delivery are left as placeholders; `newsletter.campaigns.mails` fills them in.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import css_inline
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import markdown, markdown_html, markdown_text
from newsletter.campaigns.markdown import PERSONAL_FIELDS, Body, Values
from newsletter.campaigns.models import MAX_BODY_LENGTH, Campaign, CampaignText
from newsletter.models import UserType
from sailing.mail_links.tokens import page_url, privacy_url

__all__ = [
    "PERSONAL_FIELDS",
    "PLACEHOLDER_DOMAIN",
    "RenderedMail",
    "TextTooLong",
    "find_links",
    "find_subject",
    "find_title",
    "get_host",
    "parse",
    "render",
    "render_web_version",
]

PLACEHOLDER_DOMAIN = "campaign.invalid"
"""The domain of what stands for a personal link. It cannot exist (RFC 2606)."""

STYLES = "mails/campaign-mail.css"
DARK_STYLES = "mails/campaign-mail-dark.css"
PREHEADER_LENGTH = 140


class TextTooLong(ValueError):
    """A body is too long to be rendered. `message` is for the admin."""

    def __init__(self, length: int) -> None:
        super().__init__(f"{length} characters")
        self.message = _("The text has %(length)s characters; at most %(limit)s are possible.") % {
            "length": length,
            "limit": MAX_BODY_LENGTH,
        }


@dataclass(frozen=True, eq=False)
class RenderedMail:
    """A mail without its recipient.

    `html` and `text` contain the `placeholders` of the personal links, by PERSONAL_FIELDS. `document` is the
    HTML with classes only. `feedback_id` and `list_id` are header values. Compared by identity: it is the key
    of a cache.
    """

    subject: str
    html: str
    text: str
    document: str
    placeholders: Mapping[str, str]
    feedback_id: str = ""
    list_id: str = ""

    def fill_links(self, content: str, links: Mapping[str, str]) -> str:
        """Return a part of the mail with other addresses than the placeholders."""
        for name, placeholder in self.placeholders.items():
            content = content.replace(placeholder, links[name])
        return content

    @property
    def preview_html(self) -> str:
        """The mail with linked style sheets, for pages whose policy allows no inline styles. Never dark."""
        return _link_styles(self.document, STYLES)

    @property
    def preview_dark_html(self) -> str:
        """The same in its dark colours, whatever the device prefers."""
        return _link_styles(self.document, STYLES, DARK_STYLES)


def parse(text: CampaignText) -> Body:
    """Parse the Markdown of a text, once for each object. Raises TextTooLong, before any work."""
    source = text.body
    if len(source) > MAX_BODY_LENGTH:
        raise TextTooLong(len(source))
    if text.parsed is None or text.parsed[0] != source:
        text.parsed = (source, markdown.parse(source))
    body: Body = text.parsed[1]
    return body


def render(
    campaign: Campaign, text: CampaignText, *, links: Mapping[str, str] | None, audience: str
) -> RenderedMail:
    """Render a text for readers of one audience, or in neutral words if it is blank.

    `links` maps the URLs of `find_links` to those that count; None keeps the originals.
    Raises TextTooLong.
    """
    body = parse(text)
    language = text.language
    placeholders = _make_placeholders()
    with translation.override(language):
        values = Values(
            audience=_describe_audience(audience),
            urls={**placeholders, "web_version_url": build_web_version_url(campaign, language)},
            links=links or {},
        )
        subject = fill_line(text.subject, values)
        preheader = fill_line(text.preheader, values)
        title = values.fill(markdown_text.get_title_text(body)) or subject
        context = {
            **values.urls,
            "language": language,
            "user_type": audience,
            "subject": subject,
            "title": title,
            "preheader": preheader
            or values.fill(markdown_text.get_first_words(body, length=PREHEADER_LENGTH)),
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
        # Sanitised by `to_html`.
        context["body"] = mark_safe(markdown_html.to_html(body, values))  # noqa: S308
        document = render_to_string("mails/newsletter/campaign.html", context)
        return RenderedMail(
            subject=subject,
            html=_inline(document),
            text=plain.strip() + "\n",
            document=document,
            placeholders=placeholders,
            feedback_id=f"{campaign.pk or 0}:{audience or 'all'}-{language}:campaign:sailing",
            list_id=f"<{audience or 'all'}.newsletter.{get_host()}>",
        )


def render_web_version(campaign: Campaign, text: CampaignText) -> SafeString:
    """Return the body for the web version: HTML with the classes of the style sheet `STYLES`.

    Personal links lead to the newsletter's form, because the page does not know its reader.
    Raises TextTooLong.
    """
    language = text.language
    with translation.override(language):
        form_url = page_url("/newsletter", language=language)
        urls = {
            **dict.fromkeys(PERSONAL_FIELDS, form_url),
            "web_version_url": build_web_version_url(campaign, language),
        }
        values = Values(audience=_describe_audience(campaign.user_type), urls=urls, links={})
        html = markdown_html.to_html(parse(text), values)
    return mark_safe(html)  # noqa: S308 - sanitised by `to_html`


def find_title(campaign: Campaign, text: CampaignText) -> str:
    """Return the title of a text: its first heading if it begins with one, otherwise the subject.

    Of a text that is too long to be parsed it is the subject.
    """
    with translation.override(text.language):
        values = Values(audience=_describe_audience(campaign.user_type), urls={}, links={})
        heading = markdown_text.get_title_text(parse(text)) if len(text.body) <= MAX_BODY_LENGTH else ""
        return fill_line(heading or text.subject, values)


def find_subject(campaign: Campaign, text: CampaignText) -> str:
    """Return the subject of a text, as the mail has it. Needs no body."""
    with translation.override(text.language):
        values = Values(audience=_describe_audience(campaign.user_type), urls={}, links={})
        return fill_line(text.subject, values)


def find_links(text: CampaignText) -> list[str]:
    """Return the distinct web addresses to which a text links, in order. Raises TextTooLong."""
    return list_urls(parse(text))


def list_urls(body: Body) -> list[str]:
    """Return what `find_links` returns, of a parsed body."""
    urls = (excerpt.text for excerpt in body.links)
    return list(dict.fromkeys(url for url in urls if re.match("https?://", url, re.IGNORECASE)))


def build_web_version_url(campaign: Campaign, language: str) -> str:
    """Return the absolute URL of the web version of a campaign."""
    path = reverse("newsletter:campaigns:web_version", args=[campaign.key])
    return page_url(path, language=language)


def fill_line(text: str, values: Values) -> str:
    """Return a subject or preheader on one line, without invisible characters, and with its audience."""
    return re.sub(" +", " ", values.fill(markdown.INVISIBLE.sub(" ", text))).strip(" ")


def _make_placeholders() -> dict[str, str]:
    """Return an address for each personal link that nobody can have written into a text."""
    return {
        name: f"https://{name.replace('_', '-')}.{secrets.token_hex(16)}.{PLACEHOLDER_DOMAIN}/"
        for name in PERSONAL_FIELDS
    }


def _describe_audience(audience: str) -> str:
    if audience == UserType.SAILOR:
        return gettext("sailors")
    if audience == UserType.COMPANY:
        return gettext("companies")
    return gettext("sailors and companies")


def get_host() -> str:
    """Return the host of the site, for headers that name one."""
    return settings.SITE_URL.partition("://")[2].partition(":")[0]


def _link_styles(document: str, *names: str) -> str:
    links = "".join(f'<link rel="stylesheet" href="{static(name)}">' for name in names)
    return document.replace("</head>", f"{links}</head>", 1)


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
    path = finders.find(name)
    if not path:
        raise FileNotFoundError(name)
    return re.sub(r"/\*.*?\*/", "", Path(path).read_text(encoding="utf-8"), flags=re.DOTALL)


OUTLOOK_DARK_STYLES = """<style>
[data-ogsb] .mail-page { background-color: #04101F !important; }
[data-ogsb] .mail-card { background-color: #0A1E38 !important; }
[data-ogsc] .mail-text, [data-ogsc] .mail-item { color: #EEF6FE !important; }
[data-ogsc] .mail-h2, [data-ogsc] .mail-h3 { color: #EEF6FE !important; }
[data-ogsc] .mail-footer { color: #CFE6FC !important; }
[data-ogsc] .mail-link { color: #7CBDF7 !important; }
</style>"""
"""Outlook's apps mark their dark mode with attributes instead of a media query."""
