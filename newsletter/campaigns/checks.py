"""Find what is wrong with a campaign before it is sent."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from newsletter.campaigns import markdown
from newsletter.campaigns.markdown import Body
from newsletter.campaigns.markup_checks import (
    HTML,
    LEFTOVER,
    LINK,
    PLACEHOLDER_WORD,
    Problem,
    explain_unknown_field,
    find_body_problems,
    shorten,
)
from newsletter.campaigns.models import Campaign, CampaignText, MissingLanguage
from newsletter.campaigns.rendering import PLACEHOLDER_DOMAIN, render

MAX_HTML_BYTES = 102_400
"""Gmail shows no more of a mail, and hides the link to unsubscribe with the rest."""

MAX_SUBJECT_LENGTH = 70
MAX_PREHEADER_LENGTH = 120

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PARTS = ("subject", "preheader", "body")

TEXT_NAMES = {"en": _("the English text"), "cs": _("the Czech text")}


def find_problems(
    campaign: Campaign, texts: Iterable[CampaignText], *, without_text: int = 0
) -> list[Problem]:
    """Return the problems of a campaign and its texts, in the order in which the editor shows them.

    `without_text`: the readers of the audience without a text in their language; 0 if nobody counted them.
    """
    texts = list(texts)
    present = [text for text in texts if not text.is_missing]
    problems = list(_check_languages(campaign, present, without_text))
    for text in present:
        problems += [replace(problem, language=text.language) for problem in _check_text(campaign, text)]
    return sorted(problems, key=get_place)


def get_place(problem: Problem) -> tuple[int, int, int, str]:
    """Return what sorts problems as the editor shows them."""
    language = LANGUAGES.index(problem.language) if problem.language else -1
    part = PARTS.index(problem.part) if problem.part else -1
    return language, part, problem.line or 0, problem.severity


def explain_missing_text(campaign: Campaign, written: str, count: int) -> str:
    """Return what happens to readers without a text in their language; `written`: which one there is."""
    if campaign.missing_language == MissingLanguage.LEAVE_OUT:
        text = ngettext(
            "%(number)s reader is left out, because there is no text in their language.",
            "%(number)s readers are left out, because there is no text in their language.",
            count,
        )
    else:
        text = ngettext(
            "%(number)s reader gets %(text)s, because there is none in their language.",
            "%(number)s readers get %(text)s, because there is none in their language.",
            count,
        )
    return text % {"number": intcomma(count), "text": TEXT_NAMES[written]}


def _check_languages(campaign: Campaign, present: list[CampaignText], without_text: int) -> Iterator[Problem]:
    wanted = campaign.language or (campaign.segment.language if campaign.segment else "")
    languages = [wanted] if wanted else LANGUAGES
    missing = [code for code in languages if code not in {text.language for text in present}]
    if not present:
        yield Problem("error", _("There is no text yet."), part="")
    elif missing and not campaign.missing_language:
        yield Problem(
            "error",
            _("This language has no text. Choose what its subscribers get, or write one."),
            part="",
            language=missing[0],
        )
    elif missing and without_text:
        message = explain_missing_text(campaign, present[0].language, without_text)
        yield Problem("warning", message, part="", language=missing[0])


def _check_text(campaign: Campaign, text: CampaignText) -> Iterator[Problem]:
    yield from _check_line("subject", text.subject, _("subject"))
    yield from _check_line("preheader", text.preheader, _("preheader"))
    if not text.subject.strip():
        yield Problem("error", _("The subject is empty."), "subject")
    elif len(text.subject) > MAX_SUBJECT_LENGTH:
        message = _("The subject has %(length)s characters. Email programs show about %(limit)s.")
        limits = {"length": len(text.subject), "limit": MAX_SUBJECT_LENGTH}
        yield Problem("warning", message % limits, "subject")
    if len(text.preheader) > MAX_PREHEADER_LENGTH:
        message = _("The preheader has %(length)s characters. Email programs show about %(limit)s.")
        limits = {"length": len(text.preheader), "limit": MAX_PREHEADER_LENGTH}
        yield Problem("warning", message % limits, "preheader")
    if not text.body.strip():
        yield Problem("error", _("The body is empty."))
        return
    body = markdown.parse(text.body)
    yield from find_body_problems(body)
    yield from _check_size(campaign, text, body)
    if any(PLACEHOLDER_DOMAIN in string.lower() for string in [text.subject, text.preheader, *body.strings]):
        message = _("%(domain)s stands for personal links and cannot be used.")
        yield Problem("error", message % {"domain": PLACEHOLDER_DOMAIN})
    if body.has_forbidden:
        message = _("The text contains invisible characters that can change what it seems to say.")
        yield Problem("error", message)
    yield from _check_placeholders(text)


def _check_line(part: str, line: str, name: str | Promise) -> Iterator[Problem]:
    if markdown.INVISIBLE.search(line):
        message = _("The %(part)s contains a line break or invisible characters. Please type it anew.")
        yield Problem("error", message % {"part": name}, part)
    for rule in (HTML, LINK, LEFTOVER):
        if found := rule.pattern.search(line):
            message = _("The %(part)s is plain text: readers see “%(text)s” as it is.")
            yield Problem("warning", message % {"part": name, "text": shorten(found[0])}, part)
            break
    for unknown in markdown.find_unknown_fields(line):
        yield Problem("error", explain_unknown_field(unknown), part)
    for found in markdown.URL_FIELD.finditer(line):
        message = _("%(field)s is an address and cannot be used in the %(part)s.")
        yield Problem("error", message % {"field": found[0], "part": name}, part)


def _check_size(campaign: Campaign, text: CampaignText, body: Body) -> Iterator[Problem]:
    # Links that count have an address of about this length.
    links = dict.fromkeys(body.list_urls(), f"{settings.SITE_URL}/newsletter/go/{'x' * 24}/")
    size = len(render(campaign, text, links=links, audience=campaign.user_type).html.encode())
    if size > MAX_HTML_BYTES:
        message = _(
            "The email is %(size)s KB."
            " Gmail cuts off everything beyond 100 KB, including the unsubscribe link."
        )
        yield Problem("error", message % {"size": -(-size // 1024)})


def _check_placeholders(text: CampaignText) -> Iterator[Problem]:
    for part in PARTS:
        content: str = getattr(text, part)
        if found := PLACEHOLDER_WORD.search(content):
            line = content.count("\n", 0, found.start()) + 1 if part == "body" else None
            message = _("The text still contains “%(word)s”.")
            yield Problem("warning", message % {"word": found[0]}, part, line)
