"""Find what is wrong with a campaign before it is sent."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import markdown
from newsletter.campaigns.markdown import FIELDS, MEDIA_NAME, MEDIA_SCHEME, PICTURE_NAME, Body, Excerpt
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignText, Picture
from newsletter.campaigns.rendering import PLACEHOLDER_DOMAIN, render

MAX_HTML_BYTES = 102_400
"""Gmail shows no more of a mail, and hides the link to unsubscribe with the rest."""

MAX_SUBJECT_LENGTH = 70
MAX_PREHEADER_LENGTH = 120
MAX_URL_LENGTH: int = CampaignLink._meta.get_field("url").max_length or 0

PLACEHOLDER_HOST = re.compile(r"(^|\.)(example\.(com|org|net)|example|invalid|test|localhost)$")
PLACEHOLDER_WORD = re.compile(r"\b(TODO|FIXME|XXX|lorem ipsum)\b", re.IGNORECASE)

UNSUPPORTED_PICTURE = re.compile(r"\.(avif|heic|svg|webp)$", re.IGNORECASE)
"""The end of an address whose picture Outlook on Windows does not show (https://www.caniemail.com/)."""


@dataclass(frozen=True)
class Rule:
    """What `pattern` finds in a text reaches readers as it stands."""

    severity: Literal["error", "warning"]
    pattern: re.Pattern[str]
    message: str | Promise


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
        r"|</?[a-z][^<>]*>",
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
        _("“%(text)s” is a row of a table. Mails have none; ::: columns puts texts side by side."),
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


@dataclass(frozen=True)
class Problem:
    """Something to correct. An error forbids sending. `language` is blank if it is about the campaign."""

    severity: Literal["error", "warning"]
    language: str
    message: str | Promise

    def __str__(self) -> str:
        name = dict(settings.LANGUAGES).get(self.language)
        return f"{name}: {self.message}" if name else str(self.message)


def find_problems(campaign: Campaign, texts: Iterable[CampaignText]) -> list[Problem]:
    """Return the problems of a campaign and its texts, errors first."""
    texts = list(texts)
    present = [text for text in texts if not text.is_missing]
    problems = list(_check_languages(campaign, present))
    for text in sorted(present, key=lambda text: text.language):
        problems += [
            Problem(severity, text.language, message) for severity, message in _check_text(campaign, text)
        ]
    return sorted(problems, key=lambda problem: problem.severity)


Found = tuple[Literal["error", "warning"], str | Promise]


def _check_languages(campaign: Campaign, present: list[CampaignText]) -> Iterator[Problem]:
    languages = [campaign.language] if campaign.language else [code for code, _name in settings.LANGUAGES]
    missing = [code for code in languages if code not in {text.language for text in present}]
    if not present:
        yield Problem("error", "", _("There is no text yet."))
    elif missing and not campaign.missing_language:
        yield Problem(
            "error",
            missing[0],
            _("This language has no text. Choose what its subscribers get, or write one."),
        )


def _check_text(campaign: Campaign, text: CampaignText) -> Iterator[Found]:
    yield from _check_line(text.subject, _("subject"))
    yield from _check_line(text.preheader, _("preheader"))
    if not text.subject.strip():
        yield "error", _("The subject is empty.")
    elif len(text.subject) > MAX_SUBJECT_LENGTH:
        yield (
            "warning",
            _("The subject has %(length)s characters. Mail programs show about %(limit)s.")
            % {"length": len(text.subject), "limit": MAX_SUBJECT_LENGTH},
        )
    if len(text.preheader) > MAX_PREHEADER_LENGTH:
        yield (
            "warning",
            _("The preheader has %(length)s characters. Mail programs show about %(limit)s.")
            % {"length": len(text.preheader), "limit": MAX_PREHEADER_LENGTH},
        )
    if not text.body.strip():
        yield "error", _("The body is empty.")
        return
    body = markdown.parse(text.body)
    yield from _check_links(body)
    yield from _check_pictures(body)
    yield from _check_markup(body)
    yield from _check_size(campaign, text, body)
    if any(PLACEHOLDER_DOMAIN in string.lower() for string in [text.subject, text.preheader, *body.strings]):
        yield (
            "error",
            _("%(domain)s stands for personal links and cannot be used.") % {"domain": PLACEHOLDER_DOMAIN},
        )
    if body.has_forbidden:
        yield "error", _("The text contains invisible characters that can change what it seems to say.")
    if found := PLACEHOLDER_WORD.search(f"{text.subject}\n{text.preheader}\n{text.body}"):
        yield "warning", _("The text still contains “%(word)s”.") % {"word": found[0]}


def _check_line(line: str, name: str | Promise) -> Iterator[Found]:
    if markdown.INVISIBLE.search(line):
        yield (
            "error",
            _("The %(part)s contains a line break or invisible characters. Please type it anew.")
            % {"part": name},
        )
    for rule in (HTML, LINK, LEFTOVER):
        if found := rule.pattern.search(line):
            message = _("The %(part)s is plain text: readers see “%(text)s” as it is.")
            yield "warning", message % {"part": name, "text": _shorten(found[0])}
            break
    for unknown in markdown.find_unknown_fields(line):
        yield "error", _explain_unknown_field(unknown)
    for found in markdown.FIELD.finditer(line):
        if found[1] in markdown.URL_FIELDS:
            yield (
                "error",
                _("%(field)s is an address and cannot be used in the %(part)s.")
                % {"field": found[0], "part": name},
            )


def _explain_unknown_field(text: str) -> str | Promise:
    if text.lstrip("{ ").startswith("first_name"):
        return _(
            "{first_name} needs plain words for readers whose name is not known, after a bar:"
            " {first_name|sailor}"
        )
    known = ", ".join(f"{{{name}}}" for name in FIELDS)
    return _("%(text)s is not a field. The fields are %(known)s.") % {"text": text, "known": known}


def _add_line_number(excerpt: Excerpt, message: str | Promise) -> str | Promise:
    return _("Line %(line)s: %(message)s") % {"line": excerpt.line, "message": message}


def _check_links(body: Body) -> Iterator[Found]:
    for link in body.links:
        if markdown.get_url_field(link.text):
            continue
        if problem := _find_link_problem(link.text):
            severity, message = problem
            yield severity, _add_line_number(link, message)
    for link in body.links_without_text:
        message = _("The link to %(url)s has no text.")
        yield "error", _add_line_number(link, message % {"url": _shorten(link.text)})
    for link in body.truncated_links:
        message = _("The address %(url)s ends where markup begins. If it goes on, write it as <https://…>.")
        yield "warning", _add_line_number(link, message % {"url": _shorten(link.text)})
    for excerpt in body.unused_definitions:
        message = _("Readers do not see this line: it defines the link %(label)s, which nothing uses.")
        yield "warning", _add_line_number(excerpt, message % {"label": excerpt.text})


def _find_link_problem(url: str) -> Found | None:
    values = {"url": _shorten(url)}
    parts = _split(url)
    if not url:
        return "error", _("A link has no address.")
    if parts is None:
        return "error", _("%(url)s is not a valid address.") % values
    if parts[0] not in ("mailto", "tel"):
        if not parts[0]:
            if unknown := markdown.find_unknown_fields(unquote(url)):
                return "error", _explain_unknown_field(unknown[0])
            return "error", _("%(url)s is not a complete address. Please begin it with https://.") % values
        if parts[0] != "https":
            return "error", _("%(url)s does not begin with https://.") % values
        if not parts[1] or "@" in url.partition("//")[2].partition("/")[0]:
            return "error", _("%(url)s is not a valid address.") % values
        if len(url) > MAX_URL_LENGTH:
            return "error", _("The address %(url)s is too long.") % values
        if PLACEHOLDER_HOST.search(parts[1]) or PLACEHOLDER_WORD.search(url):
            return "warning", _("%(url)s looks like a placeholder.") % values
    return _find_field_inside(url)


def _find_field_inside(url: str) -> Found | None:
    found = markdown.FIELD_LIKE.search(unquote(url))
    if found is None:
        return None
    message = _("%(text)s stays as it is in %(url)s. A field can only be the whole address of a link.")
    return "warning", message % {"url": _shorten(url), "text": found[0]}


def _check_pictures(body: Body) -> Iterator[Found]:
    names = [picture.text.removeprefix(MEDIA_SCHEME) for picture in body.pictures]
    wanted = list(filter(PICTURE_NAME.fullmatch, names))
    library = set(Picture.objects.filter(name__in=wanted).values_list("name", flat=True))
    for picture in body.pictures:
        for severity, message in _find_picture_problems(picture.text, library):
            yield severity, _add_line_number(picture, message)
    for picture in body.pictures_without_alt_text:
        message = _("The picture %(url)s has no alt text. Say in the square brackets what it shows.")
        yield "error", _add_line_number(picture, message % {"url": _shorten(picture.text)})


def _find_picture_problems(url: str, library: Collection[str]) -> Iterator[Found]:
    values = {"url": _shorten(url)}
    if url.startswith(MEDIA_SCHEME):
        name = url.removeprefix(MEDIA_SCHEME)
        if not MEDIA_NAME.fullmatch(name):
            message = _("%(url)s is not a picture that mail programs can show: JPEG, PNG or GIF.")
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
            yield "warning", _("%(url)s looks like a placeholder.") % values
        if found := _find_field_inside(url):
            yield found
    if UNSUPPORTED_PICTURE.search(urlsplit(url).path):
        yield (
            "warning",
            _("Outlook on Windows and some others do not show the picture %(url)s. Please use JPEG or PNG.")
            % values,
        )


def _check_markup(body: Body) -> Iterator[Found]:
    """Name what looks like markup in the text that readers see, of each kind once in a line."""
    named = set()
    for text in body.texts:
        for unknown in markdown.find_unknown_fields(text.text):
            yield "error", _add_line_number(text, _explain_unknown(unknown))
        for field in markdown.FIELD.finditer(text.text):
            if field[1] in markdown.URL_FIELDS:
                message = _("{%(name)s} is an address. Use it as the address of a link: [Text]({%(name)s})")
                yield "error", _add_line_number(text, message % {"name": field[1]})
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
                yield rule.severity, _add_line_number(text, rule.message % {"text": _shorten(found[0])})


def _explain_unknown(text: str) -> str | Promise:
    if text == markdown.BUTTON_ATTRIBUTE:
        return _("A button stands alone in its paragraph: [Text](https://…){.button}")
    if text.startswith("{width="):
        limits = {"limit": markdown.MAX_WIDTH}
        return _("A width follows its picture directly, and is at most %(limit)s.") % limits
    return _explain_unknown_field(text)


def _check_size(campaign: Campaign, text: CampaignText, body: Body) -> Iterator[Found]:
    # Links that count have an address of about this length.
    links = dict.fromkeys(body.list_urls(), f"{settings.SITE_URL}/newsletter/go/{'x' * 24}/")
    size = len(render(campaign, text, links=links, audience=campaign.user_type).html.encode())
    if size > MAX_HTML_BYTES:
        yield (
            "error",
            _(
                "The mail is %(size)s KB."
                " Gmail cuts off everything beyond 100 KB, including the unsubscribe link."
            )
            % {"size": -(-size // 1024)},
        )


def _split(url: str) -> tuple[str, str] | None:
    """Return scheme and host of a URL, or None if it is invalid."""
    try:
        parts = urlsplit(url)
        _port = parts.port  # raises if it is invalid
        return parts.scheme.lower(), parts.hostname or ""
    except ValueError:
        return None


def _shorten(text: str) -> str:
    """Return a text or a URL for a message, with its braces as they were typed."""
    text = text.replace("%7B", "{").replace("%7D", "}")
    return text if len(text) <= 80 else f"{text[:79]}…"
