"""The Markdown of campaigns as HTML and as plain text.

CommonMark without HTML, with links of bare addresses. A link with {.button} that stands alone is a button.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

import nh3
from django.conf import settings
from linkify_it import LinkifyIt
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

NAME_FIELD = re.compile(r"(?<!\{)\{first_name\|\s*([^{}|<>\s][^{}|<>\n]{0,59})\}(?!\})")
"""The first name of the reader, with the words for readers whose name is not known."""

INVITATION_FIELD = "{invitation_url}"
"""The address of a link by which the reader invites others."""

INVITATION_MARK = "\x02invitation_url\x03"
"""What stands for that address until a mail has its reader. No text contains it (FORBIDDEN)."""

FORBIDDEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f-\\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)
"""Control characters, surrogates, which cannot be encoded, and what changes the direction of text."""

INVISIBLE = re.compile(f"{FORBIDDEN.pattern}|[\\t\\r\\n\u2028\u2029\u200b\u2060\ufeff]")
"""What does not belong in a line of its own. The joiner U+200D does: some emoji consist of several."""

MEDIA_SCHEME = "media:"
"""Of pictures that admins have added (`newsletter.campaigns.pictures`)."""

BODY_WIDTH = 520
"""Width of a picture in pixels. Outlook on Windows knows no other unit."""

MAX_NESTING = 50
"""Nested elements that are written. Some parsers of HTML overflow the stack at some thousands."""

BUTTON = "{.button}"
HEADINGS = {"h1": "h2", "h4": "h3", "h5": "h3", "h6": "h3"}
"""The title of the mail is its only h1."""

CLASSES = {
    **dict.fromkeys(("ul", "ol"), "mail-list"),
    "h2": "mail-h2",
    "h3": "mail-h3",
    "hr": "mail-line",
    "li": "mail-item",
    "p": "mail-text",
    "a": "mail-link",
    "code": "mail-code",
    "img": "mail-picture",
}

_TITLE = re.compile(r"(?:[ \t]*\n)* {0,3}#{1,6}[ \t].*\n?")
_TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
_TARGET = r"\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:\s[^()]*)?\)"
_LABEL = r"\[((?:[^\[\]\\]|\\.)*)\]"
_PICTURE = re.compile(rf"(?<!\\)!{_LABEL}{_TARGET}")
_LINK = re.compile(rf"(?<!\\){_LABEL}{_TARGET}|https?://[^\s<>]*[^\s<>.,;:!?'\"*_()\[\]]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


class _Renderer(RendererHTML):
    """Writes layout that Outlook understands: it needs tables."""

    def fence(self, tokens: Any, idx: int, options: Any, env: Any) -> str:
        return f'<pre class="mail-block-code">{escapeHtml(tokens[idx].content)}</pre>'

    code_block = fence

    def button_open(self, *args: Any) -> str:
        cell = '<td class="mail-button-cell" align="center" bgcolor="#1B66B8">'
        return f'{_TABLE} class="mail-button"><tr>{cell}'

    def button_close(self, *args: Any) -> str:
        return "</td></tr></table>"

    def blockquote_open(self, *args: Any) -> str:
        return f'{_TABLE} class="mail-quote" width="100%"><tr><td class="mail-quote-cell">'

    blockquote_close = button_close


def _add_classes(state: StateCore) -> None:
    """Give all tokens the classes of the style sheet (a core rule of markdown-it)."""
    for token in [*state.tokens, *(child for block in state.tokens for child in block.children or [])]:
        token.tag = HEADINGS.get(token.tag, token.tag)
        token.hidden |= token.level > MAX_NESTING
        if token.nesting >= 0 and token.tag in CLASSES:
            token.attrSet("class", CLASSES[token.tag])


def _find_buttons(state: StateCore) -> None:
    """Turn paragraphs of nothing but a link with BUTTON into buttons (a core rule of markdown-it)."""
    for before, inline, after in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        children = inline.children or []
        types = [token.type for token in children]
        is_link = types[:1] + types[-2:] == ["link_open", "link_close", "text"]
        is_link = is_link and types.count("link_open") == 1 and before.type == "paragraph_open"
        if is_link and children[-1].content.strip() == BUTTON:
            before.type, after.type = "button_open", "button_close"
            children.pop()
            children[0].attrSet("class", "mail-button-link")


_parser = MarkdownIt("commonmark", {"html": False, "linkify": True}, renderer_cls=_Renderer)
_parser.linkify = LinkifyIt(options={"fuzzy_link": False})
# Not the inline rule of the same name: it takes minutes for a text of nothing but "://".
_parser.core.ruler.enable("linkify")
_parser.core.ruler.push("classes", _add_classes)
_parser.core.ruler.push("buttons", _find_buttons)
parse = _parser.parse

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
        "td": {"align", "bgcolor"},
    },
    url_schemes={"https", "http", "mailto", "tel"},
    link_rel=None,
)


def to_html(source: str, links: Mapping[str, str]) -> str:
    """Return sanitized HTML, with classes instead of styles. `links`: a URL instead of a link's own."""
    tokens = parse(source)
    for _line, token in iterate_inline(tokens):
        if token.type == "link_open":
            url = str(token.attrs["href"])
            token.attrs["href"] = links.get(url, url)
        elif token.type == "image":
            url = str(token.attrs["src"])
            if url.startswith(MEDIA_SCHEME):
                url = build_media_url(url.removeprefix(MEDIA_SCHEME))
            token.attrs |= {"src": url, "width": BODY_WIDTH}
    html = _cleaner.clean(FORBIDDEN.sub("\ufffd", _parser.renderer.render(tokens, _parser.options, {})))
    return html.replace('href="%7Binvitation_url%7D"', f'href="{INVITATION_MARK}"')


def to_text(source: str, links: Mapping[str, str]) -> str:
    """Return the Markdown with links as "text (URL)" and pictures as their alt texts."""

    def write_link(found: re.Match[str]) -> str:
        words, url = (found[1], found[2]) if found[2] is not None else ("", found[0])
        target = INVITATION_MARK if url == INVITATION_FIELD else links.get(_parser.normalizeLink(url), url)
        return f"{words} ({target})" if words not in ("", url) else target

    text = FORBIDDEN.sub("\ufffd", unescape(source)).replace(BUTTON, "")
    return _ESCAPE.sub(r"\1", _LINK.sub(write_link, _PICTURE.sub(r"\1", text))).strip()


def split_title(source: str) -> tuple[str, str]:
    """Return the words of the heading with which a text begins, or a blank string, and the rest."""
    found = _TITLE.match(source)
    if not found:
        return "", source
    return get_words(token for _line, token in iterate_inline(parse(found[0]))), source[found.end() :]


def get_words(children: Iterable[Token]) -> str:
    """Return the words of inline tokens, without addresses."""
    return "".join(
        " " if token.type.endswith("break") else get_words(token.children or []) or token.content
        for token in children
    )


def list_urls(source: str) -> list[str]:
    """Return the distinct web addresses of the links, in order."""
    tokens = [token for _line, token in iterate_inline(parse(source)) if token.type == "link_open"]
    urls = dict.fromkeys(str(token.attrs["href"]) for token in tokens)
    return [url for url in urls if url.lower().startswith(("https:", "http:"))]


def iterate_inline(tokens: Iterable[Token]) -> Iterator[tuple[int, Token]]:
    """Yield the tokens inside of blocks with their lines, counted from 1."""
    for block in tokens:
        line = block.map[0] + 1 if block.map else 1
        for token in block.children or []:
            yield line, token
            line += token.type.endswith("break")


def build_media_url(name: str) -> str:
    """Return the absolute URL of a picture of the library."""
    return f"{settings.SITE_URL}/newsletter/pictures/{name}"
