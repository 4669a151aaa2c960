"""What a row of an imported file says, by what each of its columns means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from newsletter.imports import vocabulary
from newsletter.imports.vocabulary import (
    HEADINGS,
    STATE_ROLES,
    LeftOutReason,
    Role,
    RowState,
    clean_cell,
    normalize_heading,
    normalize_word,
    read_state,
)
from newsletter.models import UserType, clean_first_name
from sailing.mail.addresses import normalize_email

UNREADABLE = "\ufffd"  # stands for bytes that are no letters in the encoding of a file


@dataclass(frozen=True)
class Plan:
    """How a file is read, as an admin has chosen it. It is stored as JSON.

    `roles`: what each column says. `user_type`, `language`: of the rows that do not say it. `has_left`:
    everybody in the file has.
    """

    encoding: str
    delimiter: str
    roles: Sequence[str]
    user_type: str = ""
    language: str = "en"
    has_left: bool = False

    @cached_property
    def columns(self) -> dict[str, int]:
        """The first column of each role."""
        return {role: index for index, role in reversed(list(enumerate(self.roles)))}

    def get_cell(self, cells: Sequence[str], role: Role) -> str:
        """Return the cell of a role, or a blank one."""
        index = self.columns.get(role, len(cells))
        return clean_cell(cells[index]) if index < len(cells) else ""


@dataclass
class Row:
    """A row of a file: the subscription that it describes, or its problems. `reason`: of the first."""

    cells: Sequence[str]
    email: str = ""
    user_type: str = ""
    first_name: str = ""
    language: str = ""
    state: RowState = RowState.CONFIRMED
    reason: LeftOutReason | None = None
    problems: list[str] = field(default_factory=list)

    def leave_out(self, reason: LeftOutReason, problem: str = "") -> None:
        """Add a problem, by default the label of the reason."""
        self.reason = self.reason or reason
        self.problems.append(problem or str(reason.label))


def read_row(cells: Sequence[str], plan: Plan) -> Row:
    """Return what a row says.

    An opt-out counts whatever else its row says, so that it is not lost. Any other row with an unknown value
    is left out.
    """
    row = Row(cells, user_type=plan.user_type, first_name=_read_first_name(cells, plan))
    if Role.USER_TYPE in plan.columns:
        row.user_type = vocabulary.USER_TYPES.get(normalize_word(plan.get_cell(cells, Role.USER_TYPE)), "")
    word = re.split("[-_ ]", plan.get_cell(cells, Role.LANGUAGE).lower())[0]
    row.language = vocabulary.LANGUAGES.get(word, plan.language)
    values = [
        (role, cells[index], read_state(role, cells[index]))
        for index, role in enumerate(plan.roles[: len(cells)])
        if role in STATE_ROLES
    ]
    states = {state for _role, _cell, state in values}
    if plan.has_left:
        states.add(RowState.OPTED_OUT)
    if any(role in STATE_ROLES for role in plan.roles[len(cells) :]):
        states.add(RowState.ASK)  # the row ends before a column that would say more
    row.state = next((state for state in RowState if state in states), RowState.CONFIRMED)
    try:
        row.email = normalize_email(plan.get_cell(cells, Role.EMAIL))
    except ValidationError:
        row.leave_out(LeftOutReason.ADDRESS)
    if row.state is RowState.OPTED_OUT:
        row.user_type = row.user_type or UserType.SAILOR  # it counts in both audiences
        return row
    if any(cell.strip() for cell in cells[len(plan.roles) :]):
        row.leave_out(LeftOutReason.CELLS)
    if any(UNREADABLE in cell for cell in cells):
        row.leave_out(LeftOutReason.LETTERS)
    if not row.user_type:
        row.leave_out(LeftOutReason.AUDIENCE)
    for role, cell, state in values:
        if state is RowState.UNKNOWN:
            text = _("%(column)s: “%(value)s” is not known.")
            shown = {"column": Role(role).label, "value": clean_cell(cell)[:40]}
            row.leave_out(LeftOutReason.STATE, text % shown)
    if row.state is RowState.BOUNCED:
        row.leave_out(LeftOutReason.BOUNCED)
    return row


def _read_first_name(cells: Sequence[str], plan: Plan) -> str:
    """Return the first name in a row, or a blank one: then mails greet without a name."""
    text = plan.get_cell(cells, Role.FIRST_NAME)
    if not text and (words := plan.get_cell(cells, Role.FULL_NAME).split()):
        # "Novák, Jan" and "J. Novák" do not begin with a first name.
        text = "" if words[0].endswith((",", ".")) else words[0]
    return "" if text.lower() in (*vocabulary.BLANKS, "none", "n/a") else clean_first_name(text)


def guess_roles(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the probable role of each column; blank for one that may say who must not be mailed."""
    roles: list[str] = []
    for index, heading in enumerate(header):
        cells = [cell for row in rows if (cell := clean_cell("".join(row[index : index + 1])))]
        role = _guess_role(heading, cells)
        roles.append(Role.IGNORED if role and role in roles and role not in STATE_ROLES else role)
    return roles


def _guess_role(heading: str, cells: Sequence[str]) -> str:
    words = {normalize_word(cell) for cell in cells}
    for role in _find_roles(heading):
        if role == Role.USER_TYPE and words and not words & vocabulary.USER_TYPES.keys():
            continue
        if role == Role.EMAIL and cells and not any("@" in cell for cell in cells):
            continue
        if role == Role.SUBSCRIBED and cells and all(map(vocabulary.is_time, cells)):
            return Role.CONFIRMED  # since when
        unknown = sum(read_state(role, cell) is RowState.UNKNOWN for cell in cells)
        return "" if role in STATE_ROLES and 2 * unknown > len(cells) else role
    text = normalize_heading(heading)
    if vocabulary.DETAIL.search(text):
        return Role.IGNORED
    if words and words <= vocabulary.STATES.keys():
        return Role.SUBSCRIBED
    return "" if words & vocabulary.STATES.keys() or vocabulary.SUSPECT.search(text) else Role.IGNORED


def _find_roles(heading: str) -> list[str]:
    """Return what a column with a heading may say, the likeliest first."""
    text = normalize_heading(heading)
    return [role for role, headings in HEADINGS.items() if text in headings]


def find_ignored_states(header: Sequence[str], roles: Sequence[str]) -> list[int]:
    """Return the columns that are known to say a state, but are read as something else."""
    return [
        index
        for index, (heading, role) in enumerate(zip(header, roles, strict=False))
        if role not in STATE_ROLES and set(_find_roles(heading)) & set(STATE_ROLES)
    ]
