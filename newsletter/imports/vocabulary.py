"""The words of imported files, in English, Czech and other tools: headings, and values of cells."""

import re
import unicodedata
from enum import Enum
from functools import lru_cache

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from newsletter.models import UserType
from sailing.mail.addresses import INVISIBLE

COLUMN = "column:"
"""The column has the value of each row. Of the state: who is subscribed (yes), or a word for the state."""
OPTED_OUT_COLUMN = "opted-out:"
"""The column says who has opted out: yes, or the time of it."""
BOUNCED_COLUMN = "bounced:"
"""The column says whose address does not work: yes, or the time of it."""
FIRST_WORD = "first-word:"
"""The column has full names, of which the first word is kept."""
VALUE = "value:"
"""All rows have the same value."""


class RowState(Enum):
    """What a row says about the consent of its owner."""

    ASK = "ask"
    """Nothing that counts here: the owner is asked before anything is sent."""
    OPTED_OUT = "opted-out"
    BOUNCED = "bounced"


class LeftOutReason(TextChoices):
    """Why a row is left out, without any value of the file, which is deleted after a day."""

    CELLS = "cells", _("The row has more cells than the first row.")
    ADDRESS = "address", _("Not a valid email address.")
    AUDIENCE = "audience", _("Audience: write sailor or company.")
    STATE = "state", _("State: an unknown value.")
    SUPPRESSED = "suppressed", _("The address is on the do-not-contact list.")
    OPTED_OUT = "opted-out", _("The owner of this address has opted out.")
    BOUNCED = "bounced", _("Emails to this address come back.")
    CONFIRMED = "confirmed", _("The owner has confirmed on this site, so the subscription stays.")


def _split_words(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in " ".join(text.split()).split("|"))


HEADINGS: dict[str, dict[str, frozenset[str]]] = {
    "email": {
        COLUMN: _split_words(
            """email|e mail|mail|address|email address|e mail address|email adresa|
            e mailová adresa|emailová adresa|adresa"""
        )
    },
    "user_type": {COLUMN: _split_words("user type|type|audience|typ|typ uživatele|skupina|druh")},
    "first_name": {
        COLUMN: _split_words("first name|firstname|first|fname|given name|forename|jméno|křestní jméno"),
        FIRST_WORD: _split_words(
            "name|full name|fullname|jméno a příjmení|celé jméno|subscriber name|member name|contact name"
        ),
    },
    "source": {COLUMN: _split_words("source|zdroj")},
    "language": {COLUMN: _split_words("language|lang|locale|jazyk|řeč")},
    "state": {
        OPTED_OUT_COLUMN: _split_words(
            """unsubscribed|unsubscribed at|unsubscribed on|unsub time|unsub|unsubscribe date|
            unsubscription date|date unsubscribed|opted out|opt out|optout|opt out date|
            optout time|email opt out|has opted out of email|hasoptedoutofemail|do not email|
            email disabled|blocklisted|blacklisted|email blocklisted|email blacklisted|
            emailblacklisted|blocked|suppressed|complained|complained at|spam complaint|
            odhlášen|odhlášeno|odhlášení|datum odhlášení|odhlásil se|nezasílat|zablokován"""
        ),
        BOUNCED_COLUMN: _split_words(
            """clean time|cleaned|bounced|bounced at|bounce date|hard bounce|hard bounced|
            hard bounces|undeliverable|invalid|nedoručitelné|nedoručitelný|neplatný"""
        ),
        COLUMN: _split_words(
            """status|state|subscribed|active|is active|subscribed to emails|email subscribed|
            subscription status|email status|contact status|email marketing|
            email marketing status|accepts email marketing|opt in|opted in|optin|consent|stav|
            aktivní|odebírá|odběr|přihlášen|souhlas"""
        ),
    },
}
"""Headings of a field, in English, Czech and other tools, by how the column is read. In lower case, with
spaces for other separators."""

LEAVING = re.compile(
    r"unsub|opt.?out|opted|bounce|clean|black.?list|block|suppress|disabled|spam|complain|abuse|status"
    r"|subscribed|newsletter|mailing|marketing|gdpr|odhlá|nedoruč|stížnost|souhlas|vyřaz|aktivn|odběr|odebír",
    re.IGNORECASE,
)
"""Words by which a heading, or the name of a file, probably says who must not be mailed."""

YES = _split_words("1|true|yes|y|x|ano|a|pravda|t|on")
NO = _split_words("0|false|no|n|ne|nepravda|f|off")

NOTHING = _split_words(r"null|none|n/a|\n")
"""What databases and programs write in place of a blank, in lower case."""

STATE_WORDS = {
    RowState.ASK: _split_words(
        """active|enabled|subscribed|subscriber|confirmed|regular|premium|gifted|free|paid|
        comped|opted in|opt in|unconfirmed|pending|unactivated|new|non subscribed|aktivní|
        přihlášen|přihlášena|přihlášený|přihlášeno|potvrzeno|potvrzený|odebírá|nepotvrzeno|
        nepotvrzený|čeká"""
    ),
    RowState.OPTED_OUT: _split_words(
        """unsubscribed|unsubscribe|unsub|opted out|opt out|optout|disabled|inactive|
        blocklisted|blacklisted|blocked|suppressed|deleted|removed|archived|complained|
        complaint|spam|spam complaint|marked as spam|spammy|abuse|junk|paused|left|
        odhlášen|odhlášena|odhlášený|odhlášeno|odhlásil se|odhlásila se|neaktivní|zablokován|
        zablokovaný|blokovaný|vyřazen|vyřazený|smazán|smazaný|stížnost"""
    ),
    RowState.BOUNCED: _split_words(
        """bounced|bounce|hard bounce|hard bounced|cleaned|invalid|undeliverable|undelivered|
        nonexistent|dead|nedoručitelný|nedoručitelná|nedoručitelné|neplatný|neplatná|
        nefunkční"""
    ),
}
"""Words for states in English, Czech and other tools. Who did not confirm there is asked here, as all are."""

UNCONFIRMED_WORDS = _split_words(
    """unconfirmed|unactivated|pending|new|non subscribed|not subscribed|
    nepotvrzeno|nepotvrzený|nepotvrzená|čeká"""
)
"""Words for the state of people who did not confirm elsewhere."""

CONFIRMED_WORDS = YES | STATE_WORDS[RowState.ASK] - UNCONFIRMED_WORDS

CONFIRMED_HEADINGS = _split_words(
    "confirmed|is confirmed|confirmed at|confirm time|confirmation time|double optin|double opt in|potvrzeno"
)
"""Headings of columns that say who has confirmed elsewhere: yes, or when."""

STATES_BY_WORD = {word: state for state, words in STATE_WORDS.items() for word in words}

TIME = re.compile(r"\d{1,4}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{1,4}(?!\d).*|\d{10,13}|\d{5}([.,]\d+)?")
"""A date, a Unix time or Excel's number of days: it happened."""

NEVER = re.compile(r"[0\W]*|(\d{1,2}\W{1,2}\d{1,2}\W{1,2})?(0\d{3}|1[0-8]\d\d|19[0-7]\d)\b.*")
"""The zero of a database, of .NET, Unix or Excel in place of a time: a date before newsletters by email."""

TITLES = re.compile(
    r"^(?:(?:ing|bc|mgr|judr|mudr|mvdr|phdr|rndr|paeddr|doc|prof|dr|mr|mrs|ms|miss|pan|paní|p)\b[. ]+)+",
    re.IGNORECASE,
)

USER_TYPES = {
    **dict.fromkeys(_split_words("sailor|sailors|jachtař|jachtaři|námořník"), UserType.SAILOR),
    **dict.fromkeys(_split_words("company|companies|firma|firmy|společnost"), UserType.COMPANY),
}
LANGUAGES = {
    **dict.fromkeys(_split_words("en|eng|english|angličtina|anglicky"), "en"),
    **dict.fromkeys(_split_words("cs|cz|ces|cze|czech|čeština|česky"), "cs"),
}

ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
"""How Excel writes a character that XML cannot hold (ECMA-376 part 1, section 22.9.2.19)."""


def clean_cell(cell: str) -> str:
    """Return a cell without what Excel, Word and mail programs leave in it: escapes, invisible characters."""
    text = ESCAPE.sub(_unescape, cell)
    return " ".join(INVISIBLE.sub("", text).split())


def _unescape(match: re.Match[str]) -> str:
    """Return the character of an escape, or a space for a control character or a surrogate."""
    character = chr(int(match[1], 16))
    return " " if unicodedata.category(character) in ("Cc", "Cs") else character


@lru_cache(1000)
def normalize_heading(cell: str) -> str:
    return " ".join(re.sub(r"[\s_.:()-]+", " ", clean_cell(cell).lower()).split())


def normalize_word(text: str) -> str:
    return " ".join(re.sub(r"[\s_-]+", " ", clean_cell(text).lower()).split())
