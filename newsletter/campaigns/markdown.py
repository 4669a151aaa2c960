"""The Markdown of campaigns, parsed. It is written by `markdown_html` and `markdown_text`.

CommonMark without HTML, and four additions that the help beside the editor explains: links of bare
addresses, buttons, pictures of this site with a width, and rows of two columns. Merge fields are filled in
while the tokens are written, so that no value is ever parsed. Those of addresses are filled in as the whole
address of a link only: next to other characters they would give a personal link to another site.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any
from urllib.parse import unquote

from linkify_it import LinkifyIt
from linkify_it.main import Match
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

PERSONAL_FIELDS = ("unsubscribe_url", "preferences_url", "invitation_url")
URL_FIELDS = (*PERSONAL_FIELDS, "web_version_url")
AUDIENCE_FIELDS = ("audience", "for_audience")
FIELDS = (*URL_FIELDS, *AUDIENCE_FIELDS, "first_name|…")
"""As messages name them."""

NAME_FIELD = re.compile(r"(?<!\{)\{first_name\|\s*([^{}|\s][^{}|\n]{0,59})\}(?!\})")
"""The first name of the reader, with the words for readers whose name is not known."""

AUDIENCE_FIELD = re.compile(r"(?<!\{)\{(" + "|".join(AUDIENCE_FIELDS) + r")\}(?!\})")
URL_FIELD = re.compile(r"(?<!\{)\{(" + "|".join(URL_FIELDS) + r")\}(?!\})")
FIELD = re.compile(f"{URL_FIELD.pattern}|{AUDIENCE_FIELD.pattern}|{NAME_FIELD.pattern}")
BRACES = re.compile(r"\{{1,3}[ \t]?[.\w#/%][^{}]{0,100}\}{1,3}")
OTHER_FIELDS = re.compile(r"\*?\|[A-Z][A-Z0-9_]+(?::[^|]{0,60})?\|\*?|(?<![\w%])%[A-Za-z][\w.]{2,40}%(?!\w)")
FIELD_LIKE = re.compile(rf"{BRACES.pattern}|{OTHER_FIELDS.pattern}|\{{[ \t]?first_name")
"""What looks like a merge field, ours or one of Mailchimp, Mailgun and the like, or an attribute.

Markup or an address in the words for readers without a name leaves only the beginning of the field.
"""

NAME_MARKS = ("\x02", "\x03")
"""What `Values` writes around the words for readers without a name. No text contains them (`CONTROL`)."""

CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f-\\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that no text has. Surrogates cannot be encoded. A feed, which is XML, can have none of them."""

REVERSING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of text, and so can make it read otherwise."""

FORBIDDEN = re.compile(f"{CONTROL.pattern}|{REVERSING.pattern}")

INVISIBLE = re.compile(f"{FORBIDDEN.pattern}|[\\t\\r\\n\u2028\u2029\u200b\u2060\ufeff]")
"""What does not belong in a line of its own. The joiner U+200D does: some emoji consist of several."""

MEDIA_SCHEME = "media:"
MEDIA_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(?:jpe?g|png|gif|webp)")
"""Names of pictures of this site. WebP is a warning of the checks; few mail programs know AVIF or SVG."""

PICTURE_NAME = re.compile(r"[0-9a-f]{24}\.(?:jpg|png)")
"""Names of pictures that admins have added (`newsletter.campaigns.pictures`)."""

BODY_WIDTH = 520
COLUMN_WIDTH = 248
"""Width of a picture in pixels. Outlook on Windows knows no other unit."""

MAX_WIDTH = 600

MAX_LINKIFIED_LENGTH = 5_000
"""Characters of a paragraph in which bare addresses become links: linkify-it takes quadratic time."""

SAFE_SCHEMES = {"https", "http", "mailto", "tel"}
WEB_URL = re.compile("https?://", re.IGNORECASE)
SAFE_URL = re.compile(f"({'|'.join(sorted(SAFE_SCHEMES))}):", re.IGNORECASE)

BUTTON_ATTRIBUTE = "{.button}"
WIDTH_ATTRIBUTE = re.compile(r"\{width=([1-9][0-9]{0,3})\}")
ROW_END = re.compile(r"^:::[ \t]*end[ \t\r]*$", re.MULTILINE)
"""The end of a row. The plugin's own is ::: alone."""

ROW = ["container_columns_open", "container_next_open", "container_next_close", "container_columns_close"]
"""The tokens of the markers of a complete row."""


@dataclass(frozen=True)
class Excerpt:
    """A part of the Markdown. `line` counts from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class Text(Excerpt):
    """Text that is no markup and not escaped. Alt texts and the texts of links count as labels."""

    starts_line: bool
    is_label: bool


@dataclass
class Body:
    """A parsed body.

    `title`: the first heading, if the body begins with one; it is no longer among the tokens. `links` and
    `pictures`: their addresses. `hidden_in_title`: those that the title, which is plain text, leaves out.
    `truncated_links`: bare addresses directly before markup or an escaped character. `unused_definitions`: of
    links (CommonMark, section 4.7). `texts`: all others. `strings`: everything that stands in the mail or is
    hidden in its markup. `has_forbidden`: characters were replaced.
    """

    title: list[Token] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    links: list[Excerpt] = field(default_factory=list)
    hidden_in_title: list[Excerpt] = field(default_factory=list)
    links_without_text: list[Excerpt] = field(default_factory=list)
    truncated_links: list[Excerpt] = field(default_factory=list)
    pictures: list[Excerpt] = field(default_factory=list)
    pictures_without_alt_text: list[Excerpt] = field(default_factory=list)
    unused_definitions: list[Excerpt] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    has_forbidden: bool = False

    def list_urls(self) -> list[str]:
        """Return the distinct web addresses of the links, in order."""
        return list(dict.fromkeys(link.text for link in self.links if WEB_URL.match(link.text)))


@dataclass(frozen=True)
class Values:
    """What a rendering fills in.

    `words`: for each of AUDIENCE_FIELDS. `urls`: the address for each of URL_FIELDS. `links`: a URL instead
    of a link's own.
    `name_marks`: NAME_MARKS for a mail, whose reader's name is filled in later (`RenderedMail.fill`).
    """

    words: Mapping[str, str]
    urls: Mapping[str, str]
    links: Mapping[str, str]
    name_marks: tuple[str, str] = ("", "")

    def fill(self, text: str) -> str:
        if "{" not in text:
            return text
        start, end = self.name_marks
        text = AUDIENCE_FIELD.sub(lambda field: self.words[field[1]], text)
        return NAME_FIELD.sub(lambda field: f"{start}{field[1].rstrip()}{end}", text)

    def get_href(self, url: str) -> str:
        name = get_url_field(url)
        return self.urls[name] if name else self.links.get(url, url)


def get_url_field(url: str) -> str:
    """Return the name of the field that is the address of a link, or a blank string."""
    name = url.removeprefix("%7B").removesuffix("%7D")
    return name if name in URL_FIELDS and url == f"%7B{name}%7D" else ""


@lru_cache(2)  # the preview needs the same texts several times
def parse(source: str) -> Body:
    """Parse Markdown. The time is linear in its length."""
    env: dict[str, Any] = {}
    tokens = parser.parse(ROW_END.sub(":::", FORBIDDEN.sub("\ufffd", source)), env)
    # Entities become characters while they are parsed.
    strings = list(_find_strings(tokens))
    has_forbidden = bool(FORBIDDEN.search(source) or any(map(FORBIDDEN.search, strings)))
    _replace_forbidden(tokens)
    unused = _find_unused_definitions(tokens, env)
    body = Body(unused_definitions=unused, strings=strings, has_forbidden=has_forbidden)
    if tokens and tokens[0].type == "heading_open":
        body.title = tokens[1].children or []
        _collect(tokens[:3], body)
        body.hidden_in_title = [
            Excerpt(
                str(token.attrs["src" if token.type == "image" else "href"]), (tokens[1].map or [0])[0] + 1
            )
            for token in body.title
            if token.type == "image" or (token.type == "link_open" and token.info != "auto")
        ]
        tokens = tokens[3:]
    _collect(tokens, body)
    body.tokens = tokens
    return body


# --- Parsing ---------------------------------------------------------------------------------


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the library
        """Accept every address: the checks name the bad ones, and sanitizing removes them."""
        return True


class _Linkify(LinkifyIt):
    """Finds bare addresses as GitHub does: with a scheme, with www., or of an email (GFM, section 6.9)."""

    def pretest(self, text: str) -> bool:
        return len(text) <= MAX_LINKIFIED_LENGTH and super().pretest(text)

    def match(self, text: str) -> list[Match]:
        # A missing space after a full stop ("the end.To be") looks like a host too.
        found = super().match(text) or []
        return [match for match in found if match.schema or match.text.lower().startswith("www.")]

    def normalize(self, match: Match) -> None:
        super().normalize(match)
        if not match.schema:
            match.url = f"https://{match.text}"


def _is_marker(name: str, text: str, markup: str) -> bool:
    """Return whether a line is a marker of this name. The text is what follows the colons."""
    return markup == ":::" and text.strip() == name


def _check_rows(state: StateCore) -> None:
    """Turn the markers of incomplete and nested rows back into text (a core rule of markdown-it)."""
    lines = [*state.src.split("\n"), ""]
    tokens = [token for token in state.tokens if token.type in ROW]
    index = 0
    while index < len(tokens):
        token = tokens[index]
        row = [token.type for token in tokens[index : index + 4]]
        # The end of the text closes a container too.
        if row == ROW and token.level == 0 and token.map and lines[token.map[1]].lstrip().startswith(":::"):
            index += 4
            continue
        if token.nesting == 1:
            token.type, token.nesting, token.content, token.children = "inline", 0, f":::{token.info}", []
        else:
            token.type, token.hidden = "", True
        index += 1


def _find_strings(tokens: Sequence[Token]) -> Iterator[str]:
    """Return the texts and the addresses of tokens, decoded. The words of a paragraph are also one string."""
    for token in tokens:
        yield token.content
        yield from (unquote(str(value)) for value in token.attrs.values())
        if token.children:
            yield get_words(token.children)
            yield from _find_strings(token.children)


def _replace_forbidden(tokens: Sequence[Token]) -> None:
    for token in tokens:
        token.content = FORBIDDEN.sub("\ufffd", token.content)
        _replace_forbidden(token.children or [])


def _find_unused_definitions(tokens: Sequence[Token], env: Mapping[str, Any]) -> list[Excerpt]:
    used = {child.meta.get("label") for token in tokens for child in token.children or []}
    references = env.get("references", {})
    unused = [{"label": label, **references[label]} for label in references if label not in used]
    unused += env.get("duplicate_refs", [])
    return [Excerpt(f"[{entry['label']}]", entry["map"][0] + 1) for entry in unused]


EMPHASIS = {"em_open", "em_close", "strong_open", "strong_close"}
MAX_EMPHASIS = 10
"""Nested elements that are written. Parsers of HTML overflow the stack at some thousands."""

CLASSES = {
    "paragraph_open": "mail-text",
    "bullet_list_open": "mail-list",
    "ordered_list_open": "mail-list",
    "list_item_open": "mail-item",
    "hr": "mail-line",
    "code_inline": "mail-code",
}


def _collect(tokens: Sequence[Token], body: Body) -> None:
    """Give the tokens their classes, and note what the checks need."""
    in_column = False
    for index, token in enumerate(tokens):
        if token.type in CLASSES:
            token.attrSet("class", CLASSES[token.type])
        elif token.type in ("heading_open", "heading_close"):
            # The title of the mail is its h1.
            token.tag = "h2" if token.tag in ("h1", "h2") else "h3"
            if token.nesting == 1:
                token.attrSet("class", f"mail-{token.tag}")
        elif token.type in ("container_columns_open", "container_columns_close"):
            in_column = token.nesting == 1
        elif token.type == "inline":
            children = token.children or []
            line = token.map[0] + 1 if token.map else 1
            _collect_inline(children, body, line, COLUMN_WIDTH if in_column else BODY_WIDTH)
            around = tokens[index - 1], tokens[index + 1]
            if _is_button(children) and around[0].type == "paragraph_open":
                around[0].type, around[1].type = "button_open", "button_close"
                children.pop()
                children[0].attrSet("class", "mail-button-link")
            body.texts += _find_texts(children, line)


def _is_button(children: Sequence[Token]) -> bool:
    """Return whether a paragraph contains nothing but a link with the attribute of a button."""
    return (
        len(children) > 2
        and children[0].type == "link_open"
        and children[-2].type == "link_close"
        and children[-1].content.strip() == BUTTON_ATTRIBUTE
        and sum(token.type == "link_open" for token in children) == 1
    )


def _collect_inline(children: Sequence[Token], body: Body, line: int, width: int) -> None:
    depth = label_start = 0
    for index, token in enumerate(children):
        if token.type in EMPHASIS:
            depth += max(token.nesting, 0)
            token.hidden = depth > MAX_EMPHASIS
            depth += min(token.nesting, 0)
        elif token.type in ("softbreak", "hardbreak"):
            line += 1
        elif token.type == "link_open":
            token.attrSet("class", "mail-link")
            body.links.append(Excerpt(str(token.attrs["href"]), line))
            label_start = index + 1
            if token.info == "auto":
                children[index + 1].type = "address"
                after = children[index + 3] if index + 3 < len(children) else None
                if after and (after.nesting == 1 or after.type == "text_special"):
                    body.truncated_links.append(body.links[-1])
        elif token.type == "link_close":
            if not get_words(children[label_start:index]).strip():
                body.links_without_text.append(body.links[-1])
        elif token.type == "code_inline":
            token.attrSet("class", CLASSES["code_inline"])
        elif token.type == "image":
            url = str(token.attrs["src"])
            body.pictures.append(Excerpt(url, line))
            if not get_words(token.children or []).strip():
                body.pictures_without_alt_text.append(Excerpt(url, line))
            token.attrs.pop("title", None)
            token.attrs |= {"class": "mail-picture", "width": width}
            after = children[index + 1] if index + 1 < len(children) else None
            attribute = after and WIDTH_ATTRIBUTE.match(after.content)
            if after and attribute and int(attribute[1]) <= MAX_WIDTH:
                after.content = after.content[attribute.end() :]
                token.attrs |= {"class": "mail-picture-small", "width": min(int(attribute[1]), width)}


def _find_texts(children: Sequence[Token], line: int, *, is_label: bool = False) -> Iterator[Text]:
    starts_line = not is_label
    for token in children:
        if token.type == "text":
            yield Text(token.content, line, starts_line, is_label)
        elif token.type == "image":
            yield from _find_texts(token.children or [], line, is_label=True)
        elif token.type in ("link_open", "link_close"):
            is_label = token.nesting == 1
        starts_line = token.type in ("softbreak", "hardbreak")
        line += starts_line


def find_unknown_fields(text: str) -> list[str]:
    """Return what looks like a merge field or an attribute and is no field of ours."""
    return [found[0] for found in FIELD_LIKE.finditer(text) if not FIELD.fullmatch(found[0])]


parser = _Parser("commonmark", {"html": False, "linkify": True, "store_labels": True})
parser.linkify = _Linkify().add("//", None)
# Not the inline rule of the same name: it takes minutes for a text of nothing but "://".
parser.core.ruler.enable("linkify")
# Escaped characters stay tokens of their own, so that the checks know them from markup that failed.
parser.core.ruler.disable("text_join")
for _name in ("columns", "next"):
    parser.use(container_plugin, _name, validate=partial(_is_marker, _name))
parser.core.ruler.after("block", "check_rows", _check_rows)

LITERALS = ("code_inline", "address", "text_special")
"""Inline tokens in which no field is filled in."""


def get_words(children: Sequence[Token], values: Values | None = None) -> str:
    """Return the words of inline tokens, without addresses. Without `values` they keep their fields."""
    parts = []
    for token in children:
        if token.type == "text":
            parts.append(values.fill(token.content) if values else token.content)
        elif token.type in LITERALS:
            parts.append(token.content)
        elif token.type == "image":
            parts.append(get_words(token.children or [], values))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)
