"""Find what is wrong in the Markdown of a campaign: links, pictures, and markup that readers would see."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import markdown
from newsletter.campaigns.markdown import FIELDS, MEDIA_NAME, MEDIA_SCHEME, PICTURE_NAME, Body
from newsletter.campaigns.models import CampaignLink, Picture

Severity = Literal["error", "warning"]

MAX_URL_LENGTH: int = CampaignLink._meta.get_field("url").max_length or 0

PLACEHOLDER_HOST = re.compile(r"(^|\.)(example\.(com|org|net)|example|invalid|test|localhost)$")
PLACEHOLDER_WORD = re.compile(r"\b(TODO|FIXME|XXX|lorem ipsum)\b", re.IGNORECASE)

UNSUPPORTED_PICTURE = re.compile(r"\.(avif|heic|svg|webp)$", re.IGNORECASE)
"""The end of an address whose picture Outlook on Windows does not show (https://www.caniemail.com/)."""


@dataclass(frozen=True)
class Problem:
    """Something to correct. An error forbids sending.

    `part`: the field of the text, or blank. `line`: of the body, counted from 1, or None. `language`: blank
    if it is about the campaign, or not known yet.
    """

    severity: Severity
    message: str | Promise
    part: str = "body"
    line: int | None = None
    language: str = ""

    def __str__(self) -> str:
        name = dict(settings.LANGUAGES).get(self.language)
        line = gettext("Line %(line)s") % {"line": self.line} if self.line else ""
        return ": ".join(str(part) for part in (name, line, self.message) if part)


@dataclass(frozen=True)
class Rule:
    """What `pattern` finds in a text reaches readers as it stands."""

    severity: Severity
    pattern: re.Pattern[str]
    message: str | Promise


LOOKS_LIKE_PLACEHOLDER = _("%(url)s looks like a placeholder.")

READ_LITERALLY = _("Readers see “%(text)s” as it is. Write \\ before it if that is intended.")

HTML = Rule(
    "error",
    re.compile(
        r"</?(?:a|b|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|span|strong|table|td|th|tr|u|ul)\b[^<>]*>"
        r"|</?[a-z][\w:-]*\s+[\w:-]+=|<![a-z-]+|<[%?]",
        re.IGNORECASE,
    ),
    _("“%(text)s” looks like HTML, and readers see it as it is. Use Markdown, or write \\ before it."),
)

LINK = Rule(
    "error",
    re.compile(
        r"!?\[[^\[\]]*\] ?\((?:$|https?:|www\.|mailto:|media:|\{)|\]\((?:$|https?:|www\.|mailto:|media:)"
    ),
    _("“%(text)s” is neither a link nor a picture. Write [Text](https://…), without spaces."),
)

LEFTOVER = Rule(
    "warning",
    re.compile(
        r"(?<!\*)\*{2,3}(?!\*)|(?<!_)__(?!_)|(?<![\w_])_(?=[^\W_])|~~|(?<![\w:]):[a-z][\w+-]*:(?![\w:])"
        r"|</?[a-z][^<>]*>|==(?=\w)",
        re.IGNORECASE,
    ),
    READ_LITERALLY,
)
"""Markup that failed, or that mails do not know."""

BRACKETS = Rule("warning", re.compile(r"\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]|!\[|\]\(|\)\[$"), READ_LITERALLY)
"""A footnote, the box of a task, a placeholder, or a link whose definition is missing."""

HOST = Rule(
    "warning",
    re.compile(
        r"\b(?:https?:/*|www\.)\S*|(?<![\w@./-])[\w-]+(?:\.[\w-]+)*"
        r"\.(?:com|cz|de|eu|hr|info|net|org|pl|sk|uk)(?![\w@-])(?:/\S*)?"
    ),
    _("“%(text)s” is not a link. Begin it with https:// if it should be one."),
)

LINE_STARTS = (
    Rule(
        "error",
        re.compile(r"(?=.*\|)(?:\|.*\|$|(?=.*--)[-:| ]+$)"),
        _("“%(text)s” is a row of a table. Emails have none; ::: columns puts texts side by side."),
    ),
    Rule(
        "error",
        re.compile(r":::.*"),
        _("“%(text)s” belongs to no row. A row is ::: columns, ::: next, ::: end, in this order."),
    ),
    Rule(
        "warning",
        re.compile(r"#+[^\W\d_]|[-+][^\W\d_]|•"),
        _("“%(text)s” is neither a heading nor a list. These begin with #, - or 1. and a space."),
    ),
)


Found = tuple[Severity, str | Promise]


def find_body_problems(body: Body) -> Iterator[Problem]:
    """Return the problems of a body whose line is known."""
    yield from _check_links(body)
    yield from _check_pictures(body)
    yield from _check_markup(body)


def explain_unknown_field(text: str) -> str | Promise:
    if text.lstrip("{ ").startswith("first_name"):
        return _(
            "{first_name} needs plain words for readers whose name is not known, after a bar:"
            " {first_name|sailor}"
        )
    known = ", ".join(f"{{{name}}}" for name in FIELDS)
    return _("%(text)s is not a field. The fields are %(known)s.") % {"text": text, "known": known}


def _check_links(body: Body) -> Iterator[Problem]:
    for link in body.links:
        if field := markdown.get_url_field(link.text):
            if field == "invitation_url" and not settings.INVITATIONS:
                off = _("Invitations are turned off, so {invitation_url} would lead to the form.")
                yield Problem("error", off, line=link.line)
            continue
        if problem := _find_link_problem(link.text):
            severity, message = problem
            yield Problem(severity, message, line=link.line)
    for link in body.links_without_text:
        message = _("The link to %(url)s has no text.")
        yield Problem("error", message % {"url": shorten(link.text)}, line=link.line)
    for hidden in body.hidden_in_title:
        message = _(
            "Readers do not see %(url)s: the title of the email is plain text. Move it below the title."
        )
        yield Problem("warning", message % {"url": shorten(hidden.text)}, line=hidden.line)
    for link in body.truncated_links:
        message = _("The address %(url)s ends where markup begins. If it goes on, write it as <https://…>.")
        yield Problem("warning", message % {"url": shorten(link.text)}, line=link.line)
    for excerpt in body.unused_definitions:
        message = _("Readers do not see this line: it defines the link %(label)s, which nothing uses.")
        yield Problem("warning", message % {"label": excerpt.text}, line=excerpt.line)


def _find_link_problem(url: str) -> Found | None:
    values = {"url": shorten(url)}
    parts = _split(url)
    if not url:
        return "error", _("A link has no address.")
    if parts is None:
        return "error", _("%(url)s is not a valid address.") % values
    if parts[0] not in ("mailto", "tel"):
        if not parts[0]:
            if unknown := markdown.find_unknown_fields(unquote(url)):
                return "error", explain_unknown_field(unknown[0])
            return "error", _("%(url)s is not a complete address. Please begin it with https://.") % values
        if parts[0] != "https":
            return "error", _("%(url)s does not begin with https://.") % values
        if not parts[1] or "@" in url.partition("//")[2].partition("/")[0]:
            return "error", _("%(url)s is not a valid address.") % values
        if len(url) > MAX_URL_LENGTH:
            return "error", _("The address %(url)s is too long.") % values
        if PLACEHOLDER_HOST.search(parts[1]) or PLACEHOLDER_WORD.search(url):
            return "warning", LOOKS_LIKE_PLACEHOLDER % values
    return _find_field_inside(url)


def _find_field_inside(url: str) -> Found | None:
    found = markdown.FIELD_LIKE.search(unquote(url))
    if found is None:
        return None
    message = _("%(text)s stays as it is in %(url)s. A field can only be the whole address of a link.")
    return "warning", message % {"url": shorten(url), "text": found[0]}


def _check_pictures(body: Body) -> Iterator[Problem]:
    names = [picture.text.removeprefix(MEDIA_SCHEME) for picture in body.pictures]
    wanted = list(filter(PICTURE_NAME.fullmatch, names))
    library = set(Picture.objects.filter(name__in=wanted).values_list("name", flat=True))
    for picture in body.pictures:
        for severity, message in _find_picture_problems(picture.text, library):
            yield Problem(severity, message, line=picture.line)
    for picture in body.pictures_without_alt_text:
        message = _("The picture %(url)s has no alt text. Say in the square brackets what it shows.")
        yield Problem("error", message % {"url": shorten(picture.text)}, line=picture.line)


def _find_picture_problems(url: str, library: Collection[str]) -> Iterator[Found]:
    values = {"url": shorten(url)}
    if url.startswith(MEDIA_SCHEME):
        name = url.removeprefix(MEDIA_SCHEME)
        if not MEDIA_NAME.fullmatch(name):
            message = _("%(url)s is not a picture that email programs can show: JPEG, PNG or GIF.")
            yield "error", message % values
            return
        if name not in library and not finders.find(f"media/{name}"):
            yield "error", _("This site has no picture %(url)s.") % values
            return
    else:
        parts = _split(url)
        if parts is None or parts[0] != "https" or not parts[1]:
            yield "error", _("The picture %(url)s needs an https address, or media: and a name.") % values
            return
        if PLACEHOLDER_HOST.search(parts[1]) or PLACEHOLDER_WORD.search(url):
            yield "warning", LOOKS_LIKE_PLACEHOLDER % values
        if found := _find_field_inside(url):
            yield found
    if UNSUPPORTED_PICTURE.search(urlsplit(url).path):
        yield (
            "warning",
            _("Outlook on Windows and some others do not show the picture %(url)s. Please use JPEG or PNG.")
            % values,
        )


def _check_markup(body: Body) -> Iterator[Problem]:
    """Name what looks like markup in the text that readers see, of each kind once in a line."""
    named = set()
    for text in body.texts:
        for unknown in markdown.find_unknown_fields(text.text):
            yield Problem("error", _explain_unknown(unknown), line=text.line)
        for field in markdown.URL_FIELD.finditer(text.text):
            message = _("{%(name)s} is an address. Use it as the address of a link: [Text]({%(name)s})")
            yield Problem("error", message % {"name": field[1]}, line=text.line)
        rules: tuple[Rule, ...] = (HTML, LINK, LEFTOVER, BRACKETS)
        if not text.is_label:
            rules = (*rules, HOST)
        if text.starts_line:
            rules = (*rules, *LINE_STARTS)
        starts = set()  # the first rule explains best what begins at the same place
        for rule in rules:
            find = rule.pattern.match if rule in LINE_STARTS else rule.pattern.search
            found = find(text.text)
            if found is None or found.start() in starts:
                continue
            starts.add(found.start())
            if (text.line, rule) not in named:
                named.add((text.line, rule))
                yield Problem(rule.severity, rule.message % {"text": shorten(found[0])}, line=text.line)


def _explain_unknown(text: str) -> str | Promise:
    if text == markdown.BUTTON_ATTRIBUTE:
        return _("A button stands alone in its paragraph: [Text](https://…){.button}")
    if text.startswith("{width="):
        limits = {"limit": markdown.MAX_WIDTH}
        return _("A width follows its picture directly, and is at most %(limit)s.") % limits
    return explain_unknown_field(text)


def _split(url: str) -> tuple[str, str] | None:
    """Return scheme and host of a URL, or None if it is invalid."""
    try:
        parts = urlsplit(url)
        _port = parts.port  # raises if it is invalid
        return parts.scheme.lower(), parts.hostname or ""
    except ValueError:
        return None


def shorten(text: str) -> str:
    """Return a text or a URL for a message, with its braces as they were typed."""
    text = text.replace("%7B", "{").replace("%7D", "}")
    return text if len(text) <= 80 else f"{text[:79]}…"
