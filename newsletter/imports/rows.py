"""What the rows of an imported file say: which column has what, and what a cell means.

Files come from other newsletter tools and from Excel. A value that is not known never means consent.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter.models import Source, Subscription, UserType, clean_first_name
from sailing.mail.addresses import INVISIBLE, normalize_email, unwrap_address

HEADER_ROWS = 10
"""The header is one of the first rows: a title or notes may stand above it."""

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

ColumnMapping = Mapping[str, str]
"""For each field a reference to its value: `column:2`, or `value:sailor` for all rows, or blank for none."""


class RowState(Enum):
    """What a row says about the consent of its owner."""

    ASK = "ask"
    """Nothing that counts here: the owner is asked before anything is sent."""
    OPTED_OUT = "opted-out"
    BOUNCED = "bounced"


LABELS = {
    "email": gettext_lazy("Email"),
    "user_type": gettext_lazy("Audience"),
    "first_name": gettext_lazy("First name"),
    "state": gettext_lazy("State"),
    "language": gettext_lazy("Language"),
    "source": gettext_lazy("Source"),
}


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

CONFIRMED_HEADINGS = _split_words(
    "confirmed|is confirmed|confirmed at|confirm time|confirmation time|double optin|double opt in|potvrzeno"
)
"""Headings of columns that say who has confirmed elsewhere: yes, or when."""

STATES_BY_WORD = {word: state for state, words in STATE_WORDS.items() for word in words}

TIME = re.compile(r"\d{1,4}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{1,4}(?!\d).*|\d{10,13}|\d{5}([.,]\d+)?")
"""A date, a Unix time or Excel's number of days: it happened."""

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


@dataclass
class CheckedRow:
    """A row of a file, and the subscription that it describes, or its problems."""

    cells: Sequence[str]
    subscription: Subscription | None = None
    state: RowState = RowState.ASK
    problems: list[str] = field(default_factory=list)
    email: str = ""
    """The normalized address, also of a row that is left out."""
    is_unconfirmed: bool = False
    """The file has a column for it, and does not say that the owner confirmed."""
    is_known: bool = False
    """It is on the list already."""
    is_repeated: bool = False
    """It is earlier in the file."""

    def refuse(self, problem: str) -> None:
        """Leave the row out."""
        self.subscription = None
        self.problems.append(problem)


def split_header(rows: Iterator[list[str]]) -> tuple[list[str], Iterator[list[str]]]:
    """Return the row with the names of the columns, and the rows below it.

    It is the first of the first rows that has a heading for addresses, or the first row.
    """
    start: list[list[str]] = []
    for cells in islice(rows, HEADER_ROWS):
        start.append(cells)
        if any(_normalize_heading(cell) in HEADINGS["email"][COLUMN] for cell in cells):
            return cells, rows
    return start[0], chain(start[1:], rows)


def guess_mapping(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return where the values of each field probably are, by the headings and by what the columns hold."""
    columns = [[clean_cell(row[index]) for row in rows if index < len(row)] for index in range(len(header))]
    guess = {name: _guess_column(name, header, columns) for name in LABELS}
    addresses = Counter({index: sum("@" in cell for cell in cells) for index, cells in enumerate(columns)})
    named = guess["email"].removeprefix(COLUMN)
    if addresses and (not named or not addresses[int(named)]):
        index, count = addresses.most_common(1)[0]
        guess["email"] = f"{COLUMN}{index}" if count else guess["email"]
    return guess


def find_other_states(header: Sequence[str], mapping: ColumnMapping) -> list[str]:
    """Return more columns that say who must not be mailed, by their headings, as `opted-out:7`.

    A file may have one for those who left and one for bounces.
    """
    if mapping.get("state", "").startswith(VALUE):
        return []
    used = {reference.partition(":")[2] for reference in mapping.values()}
    return [
        f"{reading}{index}"
        for index, cell in enumerate(header)
        for reading, headings in HEADINGS["state"].items()
        if _normalize_heading(cell) in headings and str(index) not in used
    ]


def find_unused_columns(header: Sequence[str], mapping: ColumnMapping) -> list[str]:
    """Return the names of the columns that are not imported."""
    references = [*mapping.values(), *find_other_states(header, mapping)]
    used = {reference.partition(":")[2] for reference in references if not reference.startswith(VALUE)}
    return [name_column(header, index) for index in range(len(header)) if str(index) not in used]


def name_column(header: Sequence[str], index: int) -> str:
    return header[index].strip() or _("Column %(number)d") % {"number": index + 1}


def find_unused_states(header: Sequence[str], file_name: str, mapping: ColumnMapping) -> list[str]:
    """Return what seems to say who must not be mailed, if nothing is mapped to the state."""
    if mapping.get("state") or find_other_states(header, mapping):
        return []
    used = {reference.removeprefix(COLUMN) for reference in mapping.values() if reference.startswith(COLUMN)}
    names = [name.strip() for index, name in enumerate(header) if str(index) not in used]
    suspects = [name for name in names if LEAVING.search(_normalize_heading(name))]
    return suspects or ([file_name] if LEAVING.search(file_name) else [])


def check_row(cells: Sequence[str], mapping: ColumnMapping, header: Sequence[str]) -> CheckedRow:
    """Check one row of a file."""
    row = CheckedRow(cells)
    if any(cell.strip() for cell in cells[len(header) :]):
        row.problems.append(_("The row has more cells than the first row."))
    values: dict[str, Any] = {"source": "", "language": _read_language(cells, mapping)}
    try:
        row.email = values["email"] = read_address(_read_field(cells, mapping, "email"))
    except ValidationError as error:
        row.problems.append(f"{error.messages[0].removesuffix('.')}.")
    unknown_states = _read_states(row, mapping, header)
    row.is_unconfirmed = _is_unconfirmed(cells, mapping, header)
    values["user_type"] = USER_TYPES.get(_normalize_word(_read_field(cells, mapping, "user_type")))
    if values["user_type"] is None and row.state is not RowState.ASK:
        values["user_type"] = UserType.SAILOR  # it counts for the address, in both audiences
    if values["user_type"] is None:
        row.problems.append(_("Audience: write sailor or company."))
    row.problems += [_("State: “%(value)s” is not known.") % {"value": text} for text in unknown_states]
    values["first_name"] = _read_first_name(cells, mapping)
    source = _read_field(cells, mapping, "source").lower()
    if source in Source.values:
        values["source"] = source
    if not row.problems:
        row.subscription = Subscription(**values, is_imported=True)
    return row


def clean_cell(cell: str) -> str:
    """Return a cell without what Excel, Word and mail programs leave in it: escapes, invisible characters."""
    text = ESCAPE.sub(lambda match: chr(int(match[1], 16)), cell)
    return " ".join(INVISIBLE.sub("", text).split())


def read_address(text: str) -> str:
    """Return the normalized address in a cell. Raises ValidationError for none, and for more than one."""
    address = unwrap_address(text)
    if address.count("@") > 1 and re.search(r"@.*[\s,;/|]+.*@", address):
        raise ValidationError(_("The cell has more than one address."))
    return normalize_email(address)


def _guess_column(name: str, header: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    for reading, headings in HEADINGS[name].items():
        for index, cell in enumerate(header):
            if _normalize_heading(cell) in headings and _fits(name, columns[index]):
                return f"{reading}{index}"
    if name == "state":
        for index, cells in enumerate(columns):
            words = {_normalize_word(cell) for cell in cells if cell}
            if words and words <= STATES_BY_WORD.keys():
                return f"{COLUMN}{index}"
    return ""


def _fits(name: str, cells: Iterable[str]) -> bool:
    """Return whether a column holds values of a field, judged by its first rows."""
    words = {_normalize_word(cell) for cell in cells if cell}
    if name == "user_type":
        return not words or bool(words & USER_TYPES.keys())
    if name == "first_name":
        return not any("@" in cell for cell in cells)
    if name == "source":
        return not words or bool({word.replace(" ", "-") for word in words} & set(Source.values))
    return True


@lru_cache(1000)
def _normalize_heading(cell: str) -> str:
    return " ".join(re.sub(r"[\s_.:()-]+", " ", clean_cell(cell).lower()).split())


def _normalize_word(text: str) -> str:
    return " ".join(re.sub(r"[\s_-]+", " ", clean_cell(text).lower()).split())


def _read_field(cells: Sequence[str], mapping: ColumnMapping, name: str) -> str:
    return _read_value(cells, mapping.get(name, ""))


def _read_value(cells: Sequence[str], reference: str) -> str:
    """Return the value of a field in a row, without what surrounds it."""
    reading, _colon, value = reference.partition(":")
    if f"{reading}:" == VALUE:
        return value
    index = int(value) if value else len(cells)
    return clean_cell(cells[index]) if index < len(cells) else ""


def _read_language(cells: Sequence[str], mapping: ColumnMapping) -> str:
    """Return the language of a row, or that which the admin chose for all others."""
    language = LANGUAGES.get(re.split("[-_ ]", _read_field(cells, mapping, "language").lower())[0])
    return language or mapping.get("other_language") or settings.LANGUAGE_CODE


def _read_first_name(cells: Sequence[str], mapping: ColumnMapping) -> str:
    """Return the first name in a row, or a blank one: then mails greet without a name."""
    text = _read_field(cells, mapping, "first_name")
    if mapping.get("first_name", "").startswith(FIRST_WORD):
        words = TITLES.sub("", text).split()
        # "Novák, Jan" and "J. Novák" do not begin with a first name.
        text = words[0] if words and not words[0].endswith((",", ".")) else ""
    return clean_first_name(text)


def _read_states(row: CheckedRow, mapping: ColumnMapping, header: Sequence[str]) -> list[str]:
    """Set the state of a row by all columns that say one; return the values that are not known."""
    unknown = []
    for reference in (mapping.get("state", ""), *find_other_states(header, mapping)):
        state = _read_state(row.cells, reference)
        if state is None and reference != mapping.get("state") and reference.startswith(COLUMN):
            continue  # MailerLite's "Subscribed" is a date
        if state is None:
            unknown.append(_read_value(row.cells, reference)[:40])
        elif state is RowState.OPTED_OUT or row.state is RowState.ASK:
            row.state = state
    return unknown


def _is_unconfirmed(cells: Sequence[str], mapping: ColumnMapping, header: Sequence[str]) -> bool:
    """Return whether a row does not say that its owner confirmed, although the file has a column for it."""
    words = [
        _normalize_word(_read_value(cells, f"{COLUMN}{index}"))
        for index, cell in enumerate(header)
        if _normalize_heading(cell) in CONFIRMED_HEADINGS
    ]
    if mapping.get("state", "").startswith(COLUMN):
        words.append(_normalize_word(_read_field(cells, mapping, "state")))
    others = {_normalize_word(_read_value(cells, other)) for other in find_other_states(header, mapping)}
    return bool(others & UNCONFIRMED_WORDS) or any(
        not word or word in NO or word in UNCONFIRMED_WORDS for word in words
    )


def _read_state(cells: Sequence[str], reference: str) -> RowState | None:
    """Return what a row says about consent, or None for a value that is not known."""
    text = _read_value(cells, reference)
    word = _normalize_word(text)
    if reference.startswith(VALUE):
        return RowState(reference.removeprefix(VALUE))
    if not word:
        return RowState.ASK
    if reference.startswith(COLUMN):
        if word in YES:
            return RowState.ASK
        return RowState.OPTED_OUT if word in NO else STATES_BY_WORD.get(word)
    happened = RowState.BOUNCED if reference.startswith(BOUNCED_COLUMN) else RowState.OPTED_OUT
    if word in NO:
        return RowState.ASK
    if word in YES or TIME.fullmatch(text) or STATES_BY_WORD.get(word) is happened:
        return happened
    return None
