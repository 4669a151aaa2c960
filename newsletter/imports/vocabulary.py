"""What the headings and the values of imported files mean (`words.toml`), if they are known."""

import re
import tomllib
import unicodedata
from enum import Enum
from pathlib import Path

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.mail.addresses import INVISIBLE


class Role(TextChoices):
    """What a column of a file says."""

    IGNORED = "ignored", _("Do not import")
    EMAIL = "email", _("Email")
    USER_TYPE = "user_type", _("Audience")
    FIRST_NAME = "first_name", _("First name")
    FULL_NAME = "full_name", _("Full name (the first word is kept)")
    LANGUAGE = "language", _("Language")
    SUBSCRIBED = "subscribed", _("Who is subscribed (yes, no or a state)")
    CONFIRMED = "confirmed", _("Who has confirmed (yes, no or when)")
    UNSUBSCRIBED = "unsubscribed", _("Who has left (yes, no or when)")
    BOUNCED = "bounced", _("Whose address does not work (yes, no or when)")


STATE_ROLES = (Role.SUBSCRIBED, Role.CONFIRMED, Role.UNSUBSCRIBED, Role.BOUNCED)


class RowState(Enum):
    """What a value says about the consent of its owner; a row says the first of those that its values say.

    CONFIRMED: nothing stands against it. It still takes an admin's documentation to come in as confirmed.
    """

    OPTED_OUT = "opted-out"
    UNKNOWN = "unknown"
    BOUNCED = "bounced"
    ASK = "ask"
    CONFIRMED = "confirmed"


class LeftOutReason(TextChoices):
    """Why a row is left out, without any value of the file, which is deleted after a day."""

    CELLS = "cells", _("The row has more cells than the first row.")
    LETTERS = "letters", _("The row has characters that cannot be read.")
    ADDRESS = "address", _("Not a valid email address.")
    AUDIENCE = "audience", _("Audience: write “sailor” or “company”.")
    STATE = "state", _("State: an unknown value.")
    SUPPRESSED = "suppressed", _("The address is on the do-not-contact list.")
    OPTED_OUT = "opted-out", _("The owner of this address has opted out.")
    BOUNCED = "bounced", _("Emails to this address come back.")
    CONFIRMED = "confirmed", _("The owner has confirmed on this site, so the subscription stays.")


def clean_cell(cell: str) -> str:
    """Return a cell without line breaks, doubled spaces and the invisible characters of office programs."""
    return " ".join(INVISIBLE.sub("", cell).split())


def _fold(text: str) -> str:
    """Return the start of a text, longer than any known word, without accents, which some programs drop."""
    letters = unicodedata.normalize("NFKD", clean_cell(text)[:64].lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def normalize_heading(cell: str) -> str:
    return " ".join(re.sub(r"[\s_.:?()-]+", " ", _fold(cell)).split())


def normalize_word(text: str) -> str:
    return re.sub(r"(?<=\w)[-_]+(?=\w)", " ", _fold(text))


_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def _invert(words: dict[str, list[str]]) -> dict[str, str]:
    return {_fold(word): meaning for meaning, synonyms in words.items() for word in synonyms}


HEADINGS = {role: set(map(_fold, headings)) for role, headings in _WORDS["headings"].items()}
YES, NO = (set(map(_fold, _WORDS["answers"][answer])) for answer in ("yes", "no"))
STATES = {word: RowState(state) for word, state in _invert(_WORDS["states"]).items()}
USER_TYPES, LANGUAGES = _invert(_WORDS["user_types"]), _invert(_WORDS["languages"])
BLANKS = ("", "null", r"\n")  # as databases write it, in lower case

SUSPECT = re.compile(
    r"unsub|subscribe[dr]|opt.?out|opted|bounce|clean|black.?list|block|suppress|disabl|enabl|spam|complain|abuse|statu"
    r"|newsletter|mailing|marketing|gdpr|dsgvo|rgpd|confirm|consent|do.?not|dnc|inactiv|inakt|inactif|delet|remov"
    r"|archiv|cancel|reject|verif|pending|permi|allow|double.?opt"
    r"|odhl|nedoru|stiznost|souhlas|vyraz|aktivn|odber|odebir|potvr|nezas|nepos|nekont|zablok|zrus"
    r"|abgem|abmeld|sperr|einwillig|bestatig|widersp|desab|desinscri|inscri|supprim|oppos"
)
"""Normalized headings, and names of files, that probably say who must not be mailed."""

DETAIL = re.compile(r"\b(?:campaign|reason|ip)\b")
"""Headings of what comes with leaving, and does not say who has left."""

TIME = re.compile(
    r"(?:(?P<iso>\d{4})[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])([./-]) ?(?:0?[1-9]|[12]\d|3[01])\2 ?(?P<year>\d{4}))"
    r"(?:[ T,]+\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:[ap]m)?(?: ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?",
    re.IGNORECASE,
)
"""A day, perhaps with a time: ISO 8601, and as Excel shows it with dots, slashes or hyphens."""


def read_state(role: str, cell: str) -> RowState:
    """Return what a cell of a column about a state says. A blank says neither confirmed nor left."""
    word = normalize_word(cell)
    if role in (Role.UNSUBSCRIBED, Role.BOUNCED):
        happened = RowState.OPTED_OUT if role == Role.UNSUBSCRIBED else RowState.BOUNCED
        if word in NO or word in BLANKS:
            return RowState.CONFIRMED
        is_known = word in YES or word == "x" or is_time(cell) or STATES.get(word) is happened
        return happened if is_known else RowState.UNKNOWN
    if word in YES or (role == Role.CONFIRMED and is_time(cell)):
        return RowState.CONFIRMED
    if word in NO and role == Role.SUBSCRIBED:
        return RowState.OPTED_OUT
    return RowState.ASK if word in NO or word in BLANKS else STATES.get(word, RowState.UNKNOWN)


def is_time(cell: str) -> bool:
    """Return whether a cell has a day of 1990 or later: the zero of databases and of Excel is earlier."""
    found = TIME.fullmatch(clean_cell(cell))
    return found is not None and 1990 <= int(found["iso"] or found["year"]) <= timezone.now().year
