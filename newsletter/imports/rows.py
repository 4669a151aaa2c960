"""What the rows of an imported file say: which column has what, and what a cell means.

Files come from other newsletter tools and from Excel. A value that is not known never means consent.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter.first_names import clean_first_name
from newsletter.imports.vocabulary import (
    BOUNCED_COLUMN,
    COLUMN,
    CONFIRMED_HEADINGS,
    CONFIRMED_WORDS,
    FIRST_WORD,
    HEADINGS,
    LANGUAGES,
    LEAVING,
    NEVER,
    NO,
    NOTHING,
    STATES_BY_WORD,
    TIME,
    TITLES,
    UNCONFIRMED_WORDS,
    USER_TYPES,
    VALUE,
    YES,
    LeftOutReason,
    RowState,
    clean_cell,
    normalize_heading,
    normalize_word,
)
from newsletter.models import Source, Subscription, UserType
from sailing.mail.addresses import normalize_email, unwrap_address

HEADER_ROWS = 10
"""The header is one of the first rows: a title or notes may stand above it."""

ColumnMapping = Mapping[str, str]
"""For each field a reference to its value: `column:2`, or `value:sailor` for all rows, or blank for none."""


LABELS = {
    "email": gettext_lazy("Email"),
    "user_type": gettext_lazy("Audience"),
    "first_name": gettext_lazy("First name"),
    "state": gettext_lazy("State"),
    "language": gettext_lazy("Language"),
    "source": gettext_lazy("Source"),
}


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
    """The file has a column for it, and does not say that the owner confirmed.

    Also of an address that has a subscription which ended here.
    """
    is_known: bool = False
    """It is on the list already."""
    is_repeated: bool = False
    """It is earlier in the file."""
    reason: LeftOutReason | None = None
    """That of the first problem."""

    def leave_out(self, reason: LeftOutReason, problem: str = "") -> None:
        """Add a problem, by default the label of the reason."""
        self.subscription = None
        self.reason = self.reason or reason
        self.problems.append(problem or str(reason.label))


def split_header(rows: Iterator[list[str]]) -> tuple[list[str], Iterator[list[str]]]:
    """Return the row with the names of the columns, and the rows below it.

    It is the first of the first rows that has a heading for addresses, or the first row.
    """
    start: list[list[str]] = []
    for cells in islice(rows, HEADER_ROWS):
        start.append(cells)
        if any(normalize_heading(cell) in HEADINGS["email"][COLUMN] for cell in cells):
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
        if normalize_heading(cell) in headings and str(index) not in used
    ]


def find_unused_columns(header: Sequence[str], mapping: ColumnMapping) -> list[str]:
    """Return the names of the columns that are not imported."""
    references = [*mapping.values(), *find_other_states(header, mapping)]
    used = {reference.partition(":")[2] for reference in references if not reference.startswith(VALUE)}
    return [name for index, name in enumerate(name_columns(header)) if str(index) not in used]


def name_columns(header: Sequence[str]) -> list[str]:
    """Return the headings, with a number in place of each blank one."""
    return [cell.strip() or _("Column %(number)d") % {"number": at} for at, cell in enumerate(header, 1)]


def find_unused_states(header: Sequence[str], file_name: str, mapping: ColumnMapping) -> list[str]:
    """Return what seems to say who must not be mailed, if nothing is mapped to the state."""
    if mapping.get("state") or find_other_states(header, mapping):
        return []
    used = {reference.removeprefix(COLUMN) for reference in mapping.values() if reference.startswith(COLUMN)}
    names = [name.strip() for index, name in enumerate(header) if str(index) not in used]
    suspects = [name for name in names if LEAVING.search(normalize_heading(name))]
    return suspects or ([file_name] if LEAVING.search(file_name) else [])


def check_row(cells: Sequence[str], mapping: ColumnMapping, header: Sequence[str]) -> CheckedRow:
    """Check one row of a file."""
    row = CheckedRow(cells)
    if any(cell.strip() for cell in cells[len(header) :]):
        row.leave_out(LeftOutReason.CELLS)
    values: dict[str, Any] = {"source": "", "language": _read_language(cells, mapping)}
    try:
        row.email = values["email"] = read_address(_read_field(cells, mapping, "email"))
    except ValidationError as error:
        is_invalid = error.code == "invalid"  # its own text speaks to the owner of the address
        problem = "" if is_invalid else f"{error.messages[0].removesuffix('.')}."
        row.leave_out(LeftOutReason.ADDRESS, problem)
    unknown_states = _read_states(row, mapping, header)
    row.is_unconfirmed = _is_unconfirmed(cells, mapping, header)
    values["user_type"] = USER_TYPES.get(normalize_word(_read_field(cells, mapping, "user_type")))
    if values["user_type"] is None and row.state is not RowState.ASK:
        values["user_type"] = UserType.SAILOR  # it counts for the address, in both audiences
    if values["user_type"] is None:
        row.leave_out(LeftOutReason.AUDIENCE)
    for text in unknown_states:
        row.leave_out(LeftOutReason.STATE, _("State: “%(value)s” is not known.") % {"value": text})
    values["first_name"] = _read_first_name(cells, mapping)
    source = _read_field(cells, mapping, "source").lower()
    if source in Source.values:
        values["source"] = source
    if not row.problems:
        row.subscription = Subscription(**values, is_imported=True)
    return row


def read_address(text: str) -> str:
    """Return the normalized address in a cell. Raises ValidationError for none, and for more than one."""
    address = unwrap_address(text)
    if address.count("@") > 1 and re.search(r"@.*[\s,;/|]+.*@", address):
        raise ValidationError(_("The cell has more than one address."))
    return normalize_email(address)


def _guess_column(name: str, header: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    for reading, headings in HEADINGS[name].items():
        for index, cell in enumerate(header):
            if normalize_heading(cell) in headings and _fits(name, columns[index]):
                return f"{reading}{index}"
    if name == "state":
        for index, cells in enumerate(columns):
            words = {normalize_word(cell) for cell in cells if cell}
            if words and words <= STATES_BY_WORD.keys():
                return f"{COLUMN}{index}"
    return ""


def _fits(name: str, cells: Iterable[str]) -> bool:
    """Return whether a column holds values of a field, judged by its first rows."""
    words = {normalize_word(cell) for cell in cells if cell}
    if name == "user_type":
        return not words or bool(words & USER_TYPES.keys())
    if name == "first_name":
        return not any("@" in cell for cell in cells)
    if name == "source":
        return not words or bool({word.replace(" ", "-") for word in words} & set(Source.values))
    return True


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
    return "" if normalize_word(text) in NOTHING else clean_first_name(text)


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
    columns = [
        f"{COLUMN}{index}"
        for index, cell in enumerate(header)
        if normalize_heading(cell) in CONFIRMED_HEADINGS
    ]
    if mapping.get("state", "").startswith(COLUMN):
        columns.append(mapping["state"])
    others = {normalize_word(_read_value(cells, other)) for other in find_other_states(header, mapping)}
    return bool(others & UNCONFIRMED_WORDS) or not all(
        _says_confirmed(_read_value(cells, column)) for column in columns
    )


def _says_confirmed(text: str) -> bool:
    """Return whether a value is a word for a confirmation, or the time of one."""
    is_time = TIME.fullmatch(text) and not NEVER.fullmatch(text)
    return bool(is_time) or normalize_word(text) in CONFIRMED_WORDS


def _read_state(cells: Sequence[str], reference: str) -> RowState | None:
    """Return what a row says about consent, or None for a value that is not known."""
    text = _read_value(cells, reference)
    word = normalize_word(text)
    if reference.startswith(VALUE):
        return RowState(reference.removeprefix(VALUE))
    if not word:
        return RowState.ASK
    if reference.startswith(COLUMN):
        if word in YES:
            return RowState.ASK
        return RowState.OPTED_OUT if word in NO else STATES_BY_WORD.get(word)
    happened = RowState.BOUNCED if reference.startswith(BOUNCED_COLUMN) else RowState.OPTED_OUT
    if word in NO | NOTHING or NEVER.fullmatch(text):
        return RowState.ASK
    if word in YES or TIME.fullmatch(text) or STATES_BY_WORD.get(word) is happened:
        return happened
    return None
