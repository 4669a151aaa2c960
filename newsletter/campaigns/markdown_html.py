"""Write parsed Markdown as HTML for mails."""

from collections.abc import Sequence
from typing import Any

import nh3
from django.conf import settings
from django.urls import reverse
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from newsletter.campaigns.markdown import (
    MEDIA_SCHEME,
    PICTURE_NAME,
    SAFE_SCHEMES,
    Body,
    Values,
    get_words,
    parser,
)

TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
COLUMN = '<td class="mail-column mail-column-{}" width="50%" valign="top">'


class _HtmlRenderer(RendererHTML):
    """Writes tokens as HTML. Layout that Outlook understands needs tables."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return escapeHtml(env["values"].fill(tokens[idx].content))

    def address(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Write a bare address or escaped character, in which no field is filled in."""
        return escapeHtml(tokens[idx].content)

    text_special = address

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        href = env["values"].get_href(str(token.attrs["href"]))
        return f'<a class="{token.attrs["class"]}" href="{escapeHtml(href)}">'

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        source = str(token.attrs["src"])
        if source.startswith(MEDIA_SCHEME):
            source = build_media_url(source.removeprefix(MEDIA_SCHEME))
        alt = get_words(token.children or [], env["values"])
        return (
            f'<img class="{token.attrs["class"]}" src="{escapeHtml(source)}" alt="{escapeHtml(alt)}" '
            f'width="{token.attrs["width"]}">'
        )

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<pre class="mail-block-code">{escapeHtml(tokens[idx].content)}</pre>'

    code_block = fence

    def button_open(self, *args: Any) -> str:
        return (
            f'{TABLE} class="mail-button"><tr><td class="mail-button-cell" align="center" bgcolor="#1B66B8">'
        )

    def button_close(self, *args: Any) -> str:
        return "</td></tr></table>"

    def blockquote_open(self, *args: Any) -> str:
        return f'{TABLE} class="mail-quote" width="100%"><tr><td class="mail-quote-cell">'

    blockquote_close = button_close

    def container_columns_open(self, *args: Any) -> str:
        return f'{TABLE} class="mail-columns" width="100%"><tr>{COLUMN.format("left")}'

    def container_next_open(self, *args: Any) -> str:
        return f"</td>{COLUMN.format('right')}"

    def container_next_close(self, *args: Any) -> str:
        return ""

    container_columns_close = button_close


_renderer = _HtmlRenderer()

# A second line of defence: the renderer writes nothing else.
_cleaner = nh3.Cleaner(
    tags={
        *("a", "br", "code", "em", "img", "strong"),
        *("h2", "h3", "hr", "li", "ol", "p", "pre", "ul"),
        *("table", "tbody", "td", "tr"),
    },
    attributes={
        "*": {"class"},
        "a": {"href"},
        "img": {"src", "alt", "width"},
        "ol": {"start"},
        "table": {"role", "cellpadding", "cellspacing", "border", "width"},
        "td": {"align", "valign", "width", "bgcolor"},
    },
    url_schemes=SAFE_SCHEMES,
    url_relative="deny",
    link_rel=None,
)


def to_html(body: Body, values: Values) -> str:
    """Return sanitized HTML, with classes instead of styles."""
    return _cleaner.clean(_renderer.render(body.tokens, parser.options, {"values": values}))


def build_media_url(name: str) -> str:
    """Return the absolute URL of a picture of this site.

    A file has its name without a hash, so that the picture of an old mail is found after later deployments.
    """
    if PICTURE_NAME.fullmatch(name):
        return f"{settings.SITE_URL}{reverse('newsletter:campaigns:picture', args=[name])}"
    return f"{settings.SITE_URL}{settings.STATIC_URL}media/{name}"
