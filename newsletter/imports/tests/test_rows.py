"""What the rows of imported files mean: files of other tools, states in words, cells of office programs."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError

from newsletter.imports.rows import (
    check_row,
    find_unused_states,
    guess_mapping,
    read_address,
    split_header,
)
from newsletter.imports.vocabulary import RowState
from sailing.spreadsheets.reading import detect_format, read_rows

ASK, LEFT, BOUNCED = RowState.ASK, RowState.OPTED_OUT, RowState.BOUNCED
OUT = None
"""The row is left out."""

FILES = sorted((Path(__file__).parent / "files").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_people_are_in_the_state_that_their_tool_had_them_in(path: Path) -> None:
    """The address of each person names the state."""
    with path.open("rb") as file:
        header, below = split_header(read_rows(file, detect_format(file)))
        rows = list(below)
    assert rows
    mapping = guess_mapping(header, rows)
    mapping["user_type"] = mapping["user_type"] or "value:sailor"
    for cells in rows:
        row = check_row(cells, mapping, header)
        expected = re.match("[a-z-]+", next(cell for cell in cells if "@" in cell))
        assert expected
        assert (row.state.value if row.subscription else "left-out") == expected[0]
        assert bool(row.problems) is (row.subscription is None)


@pytest.mark.parametrize(
    ("heading", "cell", "state"),
    [
        ("column:1", "", ASK),
        ("column:1", "ano", ASK),
        ("column:1", "0", LEFT),
        ("column:1", "Marked as Spam", LEFT),
        ("column:1", "hard-bounced", BOUNCED),
        ("column:1", "perhaps", OUT),
        ("column:1", "2023-11-20", OUT),
        ("column:1", "NULL", OUT),
        ("opted-out:1", "", ASK),
        ("opted-out:1", "no", ASK),
        ("opted-out:1", "NULL", ASK),
        ("bounced:1", "\\N", ASK),
        ("opted-out:1", "0000-00-00 00:00:00", ASK),
        ("opted-out:1", "TRUE", LEFT),
        ("opted-out:1", "20. 11. 2023 18:02", LEFT),
        ("opted-out:1", "45250.5", LEFT),
        ("opted-out:1", "1700503333", LEFT),
        ("opted-out:1", "perhaps", OUT),
        ("bounced:1", "2023/10/10", BOUNCED),
        ("bounced:1", "ne", ASK),
        ("value:opted-out", "whatever", LEFT),
        ("value:bounced", "", BOUNCED),
        ("", "no", ASK),
    ],
)
def test_value_that_is_not_known_never_means_consent(heading: str, cell: str, state: RowState | None) -> None:
    mapping = {"email": "column:0", "user_type": "value:sailor", "state": heading}
    row = check_row(["jana@example.org", cell], mapping, ["email", "x"])
    assert (row.state if row.subscription else OUT) is state
    assert state or row.problems == [f"State: “{cell}” is not known."]


@pytest.mark.parametrize(
    ("cells", "is_confirmed"),
    [
        ("1|true|yes|Y|x|ano|confirmed|active|opted-in|potvrzeno", True),
        ("2024-01-01|2024-01-01T00:00:00Z|2024-01-01 10:00:00 +0000|20. 11. 2023 18:02|1/31/2024", True),
        ("1700503333|1700503333000|45250.5", True),
        ("|null|NULL|none|None|n/a|NaN|\\N|nil|-|–|?|never|nein|undefined|perhaps", False),
        ("0|no|false|ne|unsubscribed|bounced|unconfirmed|pending|not subscribed|nepotvrzená", False),
        ("0000-00-00|0000-00-00 00:00:00|00.00.0000|00/00/00|0000-00-00T00:00:00Z", False),
        (
            "0001-01-01T00:00:00|1970-01-01 00:00:00|01/01/1970 01:00|1969-12-31|30. 12. 1899|1900-01-00",
            False,
        ),
        ("0000000000|00000|00000.0", False),
    ],
)
def test_only_what_says_so_counts_as_confirmed_elsewhere(cells: str, is_confirmed: bool) -> None:
    mapping = {"email": "column:0", "user_type": "value:sailor"}
    for heading, cell in product(("Confirmed at", "CONFIRM_TIME", "Potvrzeno"), cells.split("|")):
        row = check_row(["jana@example.org", cell], mapping, ["email", heading])
        assert (cell, row.is_unconfirmed) == (cell, not is_confirmed)


@pytest.mark.parametrize(
    ("cell", "address"),
    [
        ("\u00a0jana@example.org\u00a0", "jana@example.org"),
        ("ja\u200bna@exam\u00adple.org\ufeff", "jana@example.org"),
        ("jana@example.org_x000D_", "jana@example.org"),
        ("mailto:jana@example.org?subject=Ahoy", "jana@example.org"),
        ("Jana Vlnová <Jana@Example.org>", "jana@example.org"),
        ('"Vlnová, Jana" <jana@example.org>;', "jana@example.org"),
        ("„jana@example.org“", "jana@example.org"),
        ("mailto:jana%2Bsail@example.org", "jana+sail@example.org"),
        ("jana@example.org.", "jana@example.org"),
        ("jana＠example.org", "jana@example.org"),
        ("o'brien@example.org", "o'brien@example.org"),
        ("jana@example.org, petr@example.org", None),
        ("jana@example.org petr@example.org", None),
        ("jana@example.org/petr@example.org", None),
        ("jana (at) example.org", None),
        ("jana @example.org", None),
        ("ján@example.org", None),
        ("\u212aapitan@example.org", None),
        ("jana@\u212aayak.org", None),
        ("", None),
    ],
)
def test_address_is_what_the_cell_shows_or_refused(cell: str, address: str | None) -> None:
    mapping = {"email": "column:0", "user_type": "value:sailor"}
    row = check_row([cell], mapping, ["email"])
    assert (row.subscription.email if row.subscription else None) == address


def test_refusals_name_their_reason() -> None:
    with pytest.raises(ValidationError, match="more than one address"):
        read_address("jana@example.org, petr@example.org")
    with pytest.raises(ValidationError, match="no accents"):
        read_address("ján@example.org")


@pytest.mark.parametrize(
    ("header", "name", "unused"),
    [
        ("email,unsubscribed_members", "list.csv", ["unsubscribed_members"]),
        ("email,Newsletter?", "list.csv", ["Newsletter?"]),
        ("email,name", "cleaned_members_export.csv", ["cleaned_members_export.csv"]),
        ("email,name", "Odhlášení.xlsx", ["Odhlášení.xlsx"]),
        ("email,name", "list.csv", []),
        ("email,unsubscribed_at", "list.csv", []),  # it is used
    ],
)
def test_what_seems_to_say_who_left_and_is_not_used_is_named(
    header: str, name: str, unused: list[str]
) -> None:
    assert find_unused_states(header.split(","), name, {"email": "column:0"}) == unused


@pytest.mark.parametrize(
    ("heading", "cell", "name"),
    [
        ("First Name", "  Jean-Luc\t", "Jean-Luc"),
        ("Jméno", "O&#39;Brien", "O'Brien"),
        ("First Name", "<b>Eva</b>", "Eva"),
        ("First Name", "J.R.", "J. R."),
        ("First Name", "www.spam.com", "www. spam. com"),
        ("First Name", "https://spam.com", ""),
        ("First Name", "Win 1000", ""),
        ("First Name", "a\u202eb", ""),
        ("First Name", "x" * 51, ""),
        ("First Name", "- & -", ""),
        ("First Name", "NULL", ""),
        ("Name", "None", ""),
        ("Name", "Eva Nováková", "Eva"),
        ("Jméno a příjmení", "Ing. arch. Petr Malý", ""),
        ("Name", "MUDr. Petra Malá", "Petra"),
        ("Name", "Novák, Jan", ""),
        ("Name", "J. Novák", ""),
        ("Surname", "Nováková", ""),
    ],
)
def test_first_name_is_kept_if_the_file_has_one(heading: str, cell: str, name: str) -> None:
    header, rows = ["Email", "Type", heading], [["eva@example.org", "sailor", cell]]
    row = check_row(rows[0], guess_mapping(header, rows), header)
    assert row.subscription
    assert row.subscription.first_name == name


@pytest.mark.parametrize(
    ("cell", "language"), [("cs-CZ", "cs"), ("CZ", "cs"), ("English", "en"), ("sk", "cs"), ("", "cs")]
)
def test_other_language_becomes_that_which_the_admin_chose(cell: str, language: str) -> None:
    mapping = {
        "email": "column:0",
        "user_type": "value:sailor",
        "language": "column:1",
        "other_language": "cs",
    }
    row = check_row(["jana@example.org", cell], mapping, ["email", "jazyk"])
    assert row.subscription
    assert row.subscription.language == language


def test_columns_are_guessed_by_what_they_hold() -> None:
    header = ["Email", "Contact", "Group"]
    rows = [["yes", "jana@example.org", "unsubscribed"], ["no", "petr@example.org", "active"]]
    mapping = guess_mapping(header, rows)
    assert (mapping["email"], mapping["state"]) == ("column:1", "column:2")
