"""Find what is wrong with a campaign before it is sent."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import markdown, rendering
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignText, Picture

MAX_HTML_BYTES = 102_400
"""Gmail shows no more of a mail, and hides the link to unsubscribe with the rest."""

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PARTS = ("", "subject", "preheader", "body")

PLACEHOLDER_HOST = re.compile(r"(^|\.)(example\.(com|org|net)|example|invalid|test|localhost)$")
HTML = re.compile(
    r"</?(?:a|b|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|s|script|span|strong|style|table|td|th|tr|u|ul)\b"
    r"(?:[^<>]*>|\s+[\w:-]+=)|<!--",
    re.IGNORECASE,
)
MARKUP = "<>"
"""Stands between words where markup begins or ends. No field has that inside."""

FIELD = re.compile(r"\{{1,3}[ \t]?[.\w#/%<][^{}\n]*\}{1,3}|\{first_name|\{\w+$")
"""What looks like a field, or like the beginning of one, which a line break may have cut."""


@dataclass(frozen=True)
class Problem:
    """Something to correct. An error forbids sending.

    `part`: the field of the text, or blank. `line`: of the body, counted from 1, or None. `language`: blank
    if it is about the campaign, or not known yet.
    """

    severity: str
    message: str | Promise
    part: str = "body"
    line: int | None = None
    language: str = ""

    def __str__(self) -> str:
        name = dict(settings.LANGUAGES).get(self.language)
        line = gettext("Line %(line)s") % {"line": self.line} if self.line else ""
        return ": ".join(str(part) for part in (name, line, self.message) if part)


def find_problems(campaign: Campaign, texts: Iterable[CampaignText]) -> list[Problem]:
    """Return the problems of a campaign and its texts, in the order of the editor."""
    written = {text.language: text for text in texts if not text.is_missing}
    if not written:
        return [_error(_("There is no text yet."), part="")]
    problems = [
        replace(problem, language=text.language)
        for text in written.values()
        for problem in [*_check_headers(text), *_check_body(campaign, text)]
    ]
    wanted = campaign.segment.language if campaign.segment else ""
    for language in [wanted] if wanted else LANGUAGES:
        if language not in written:
            message = _("There is no text in this language: its subscribers get the other language.")
            problems.append(Problem("warning", message, part="", language=language))
    return sorted(
        problems, key=lambda each: (LANGUAGES.index(each.language), PARTS.index(each.part), each.line or 0)
    )


def _check_headers(text: CampaignText) -> Iterator[Problem]:
    if not text.subject.strip():
        yield _error(_("The subject is empty."), part="subject")
    for part, line in (("subject", text.subject), ("preheader", text.preheader)):
        if markdown.INVISIBLE.search(line):
            yield _error(_("It contains a line break or invisible characters. Please retype it."), part=part)
        yield from (replace(problem, part=part) for problem in _check_words(line))


def _check_body(campaign: Campaign, text: CampaignText) -> Iterator[Problem]:
    if not text.body.strip():
        yield _error(_("The body is empty."))
    if markdown.FORBIDDEN.search(unescape(text.body)):
        yield _error(_("The text contains invisible characters that can change what it seems to say."))
    words: dict[int, str] = defaultdict(str)
    # What is escaped is meant as it stands.
    for line, token in markdown.iterate_inline(markdown.parse(re.sub(r"\\[<{\]]", "", text.body))):
        found: Iterable[Problem] = ()
        if token.type == "link_open":
            found = _check_link(str(token.attrs["href"]))
        elif token.type == "image":
            found = _check_picture(str(token.attrs["src"]), token.content)
        yield from (replace(problem, line=line) for problem in found)
        if not token.type.endswith("break"):
            words[line] += token.content if token.type == "text" else MARKUP
    for line, content in words.items():
        yield from (replace(problem, line=line) for problem in _check_words(content))
    # Links that count have an address of about this length.
    counted = f"{settings.SITE_URL}/newsletter/go/{'x' * 24}/"
    mail = rendering.render(campaign, text, links=dict.fromkeys(markdown.list_urls(text.body), counted))
    if (size := len(mail.html.encode())) > MAX_HTML_BYTES:
        message = _(
            "The email is %(size)s KB."
            " Gmail cuts off everything beyond 100 KB, including the unsubscribe link."
        )
        yield _error(message, size=-(-size // 1024))


def _check_words(words: str) -> Iterator[Problem]:
    if found := HTML.search(words):
        message = _(
            "“%(text)s” looks like HTML, and subscribers see it as it is. Use Markdown, or write \\"
            " before it."
        )
        yield _error(message, text=found[0])
    if "](" in words:
        yield _error(_("This is neither a link nor a picture. Write [Text](https://…), without spaces."))
    for found in FIELD.finditer(markdown.NAME_FIELD.sub("", words)):
        message = _("%(text)s is not a field, or cannot be used here: see “Formatting help”.")
        yield _error(message, text=found[0].replace(MARKUP, ""))


def _check_link(url: str) -> Iterator[Problem]:
    if unquote(url) == markdown.INVITATION_FIELD:
        return
    if url.startswith(("mailto:", "tel:")):
        yield from _check_words(unquote(url))
    else:
        yield from _check_url(url)


def _check_url(url: str) -> Iterator[Problem]:
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port  # raises if it is invalid
        is_valid = parts.scheme == "https" and host and "@" not in parts.netloc
    except ValueError:
        is_valid = False
    if not is_valid or len(url) > CampaignLink.URL_LENGTH:
        yield _error(_("%(url)s must be a complete address that begins with https://."), url=url or "()")
    elif PLACEHOLDER_HOST.search(host):
        yield replace(_error(_("%(url)s looks like a placeholder."), url=url), severity="warning")
    yield from _check_words(unquote(url))


def _check_picture(url: str, alt_text: str) -> Iterator[Problem]:
    name = url.removeprefix(markdown.MEDIA_SCHEME)
    if name == url:
        yield from _check_url(url)
    elif not Picture.objects.filter(name=name).exists():
        yield _error(_("This site has no picture %(url)s."), url=url)
    yield from _check_words(alt_text)
    if not alt_text.strip():
        message = _("The picture %(url)s has no alt text. Describe it in the square brackets.")
        yield _error(message, url=url or "()")


def _error(message: str | Promise, *, part: str = "body", **values: Any) -> Problem:
    shown = {name: Truncator(value).chars(80) for name, value in values.items()}
    return Problem("error", message % shown if shown else message, part)
