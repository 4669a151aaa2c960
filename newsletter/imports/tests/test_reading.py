"""How a file is read: its encoding, separator, header and limits, and what its rows mean."""

import codecs
import re
from itertools import product
from pathlib import Path

import pytest

from newsletter.imports import reading
from newsletter.imports.reading import UnreadableFile, detect_encoding, open_rows
from newsletter.imports.rows import Plan, guess_roles, read_row
from newsletter.imports.tests.helpers import upload
from newsletter.imports.vocabulary import STATE_ROLES, Role, RowState, read_state
from sailing.csv_files import write_csv

pytestmark = pytest.mark.django_db

NAMES = ["Tomáš", "Žofie", "Šárka", "Ťapka", "Jiří"]


def read(content: str | bytes, encoding: str = "") -> list[list[str]]:
    """Return the header and the rows of a file."""
    file = upload(content)
    with open_rows(file, encoding or detect_encoding(file).encoding) as rows:
        return [rows.header, *rows]


def make_list(names: list[str]) -> str:
    return "email,name\n" + "".join(f"a{row}@example.org,{name}\n" for row, name in enumerate(names))


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"", "utf-8"), (codecs.BOM_UTF8, "utf-8"), (b"", "utf-16"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_encodings_that_are_certain_are_read_without_a_question(mark: bytes, encoding: str) -> None:
    content = mark + make_list(NAMES).encode(encoding)
    text = detect_encoding(upload(content))
    assert (text.choices, text.decoded_twice) == ({}, [])
    assert [row[1] for row in read(content)] == ["name", *NAMES]


@pytest.mark.parametrize("encoding", reading.ENCODINGS[1:])
def test_any_other_encoding_is_a_choice_that_shows_the_cells(encoding: str) -> None:
    names = ["Hélène", "Zoë", "Jürgen"] if encoding in ("Windows-1252", "Mac Roman") else NAMES
    content = make_list(names).encode(encoding)
    text = detect_encoding(upload(content))
    assert tuple(text.choices) == reading.ENCODINGS
    assert sorted(text.choices[encoding]) == sorted(names)
    assert [row[1] for row in read(content, encoding)] == ["name", *names]


@pytest.mark.parametrize("wrong", ["cp1252", "cp1250"])
def test_text_that_was_decoded_twice_is_named(wrong: str) -> None:
    names = ["Jürgen", "Zoé"]
    text = detect_encoding(upload(make_list([name.encode().decode(wrong) for name in names])))
    assert [repaired for _cell, repaired in text.decoded_twice] == names


@pytest.mark.parametrize("delimiter", [*",;\t|"])
def test_separator_is_found_and_cells_are_kept(delimiter: str) -> None:
    rows = [["email", "note"], ["a@example.org", 'x, y; z\t|"\r\nline'], ["=b@example.org", "'quoted"]]
    assert read(write_csv(rows, delimiter=delimiter)) == rows
    assert read(f"sep={delimiter}\nemail{delimiter}note\na@example.org{delimiter}1\n")[1][1] == "1"


def test_title_blank_rows_and_column_of_problems_are_skipped() -> None:
    rows = 'Our list; as of May\n\nProblem,Email,Name\n"Not valid.",a@example.org,Ada\n,,\n'
    assert read(rows) == [["Email", "Name"], ["a@example.org", "Ada"]]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        *((start, "type “CSV UTF-8”") for start in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF-1.7")),
        *((text, "type “CSV UTF-8”") for text in (b" <html>", b'[{"a": 1}]', "a,b".encode("utf-16-le"))),
        ("\n,,\n", "The file is empty."),
        ("a@example.com,sailor\nb@example.com,sailor\n", "One of the first rows must contain"),
        (",".join(["email"] * 101), "more than 100 columns"),
        ('email\na@example.org\n"b@example.org\nc@example.org\n', "Line 3 cannot be read"),
        ("email\n" + "x," * 70_000, "Line 2 cannot be read"),
        ('email\n"' + "x\n" * 70_000, "Line 2 cannot be read"),
    ],
)
def test_file_that_cannot_be_read_is_refused_with_a_reason(content: str | bytes, problem: str) -> None:
    with pytest.raises(UnreadableFile, match=problem):
        read(content)


CONFIRMED, ASK, LEFT = RowState.CONFIRMED, RowState.ASK, RowState.OPTED_OUT
BOUNCED, UNKNOWN = RowState.BOUNCED, RowState.UNKNOWN


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("files/*")), ids=lambda path: path.stem)
def test_people_are_in_the_state_that_their_tool_had_them_in(path: Path) -> None:
    """The address of each person names the state."""
    file = upload(path.read_bytes(), path.name)
    encoding = detect_encoding(file).encoding
    with open_rows(file, encoding) as below:
        rows = list(below)
    assert rows
    plan = Plan(encoding, below.delimiter, guess_roles(below.header, rows), user_type="sailor")
    assert "" not in plan.roles
    for cells in rows:
        row = read_row(cells, plan)
        expected = re.match("[a-z-]+", next(cell for cell in cells if "@" in cell))
        assert expected
        is_unknown = row.reason and row.state is not BOUNCED
        assert ("left-out" if is_unknown else row.state.value) == expected[0].rstrip("-")
        assert bool(row.problems) is bool(row.reason)


VALUES: dict[tuple[Role, ...], dict[RowState, str]] = {
    (Role.SUBSCRIBED,): {
        CONFIRMED: "1|true|yes|Y|ano|ja|oui|WAHR|VRAI|PRAVDA|confirmed|Active|opted-in|potvrzeno|abonné",
        ASK: "|null|NULL|\\N|  |unconfirmed|pending|not subscribed|nepotvrzená|en attente",
        LEFT: "0|false|no|ne|nein|non|FALSCH|FAUX|NEPRAVDA|Unsubscribed|Marked as Spam|abgemeldet|désabonné",
        BOUNCED: "hard-bounced|cleaned|nedoručitelný|ungültig",
        UNKNOWN: "perhaps|x|2023-11-20|1700503333|zrušeno2",
    },
    (Role.CONFIRMED,): {
        CONFIRMED: "1|true|yes|ano|confirmed|2024-01-01|2024-01-01T00:00:00.000Z|2024-01-01 10:00:00 +0000|"
        "2024-01-01 10:00:00 UTC|20. 11. 2023 18:02|20.11.2023|1/31/2024 3:05 PM|31/01/2024|01-02-2024",
        ASK: "|null|\\N|0|no|ne|nein|unconfirmed|pending",
        LEFT: "unsubscribed|odhlášen",
        UNKNOWN: "x|perhaps|never|2999-01-01",
    },
    (Role.UNSUBSCRIBED,): {
        CONFIRMED: "|null|\\N|0|no|ne|nein|FALSE|NEPRAVDA|FALSCH|FAUX",
        LEFT: "1|TRUE|yes|x|X|ano|20. 11. 2023 18:02|2023-11-20|2024-01-01 10:00:00+00|unsubscribed|"
        "Odhlasena",
        UNKNOWN: "perhaps|active|bounced|1700503333|45250.5|2999-01-01",
    },
    (Role.BOUNCED,): {
        CONFIRMED: "|no|ne|0",
        BOUNCED: "1|yes|2023/10/10|hard bounce",
        UNKNOWN: "perhaps|unsubscribed|soft",
    },
    # Signs, errors of Excel, zeros of databases, other words and broken bytes.
    STATE_ROLES: {
        UNKNOWN: "✓|✔|★|?|-|–|!|*|+|.|#N/A|#REF!|#DIV/0!|NaN|nil|none|n/a|undefined|2|00|-1|0.0|ok|retired|"
        "0000-00-00|0000-00-00 00:00:00|0001-01-01T00:00:00|1970-01-01 00:00:00|01/01/1970|30. 12. 1899|"
        "1969-12-31|2024-13-01|2024-00-00|odhl\ufffd\ufffden|an\ufffd|\ufffd|yes?|no!|ano ne"
    },
}
TABLE = [
    (role, cell, state)
    for roles, states in VALUES.items()
    for state, cells in states.items()
    for role, cell in product(roles, cells.split("|"))
]


@pytest.mark.parametrize(("role", "cell", "state"), TABLE)
def test_value_means_only_what_it_is_known_to_mean(role: Role, cell: str, state: RowState) -> None:
    assert read_state(role, cell) is state
    row = read_row(["jana@example.org", cell], Plan("", ",", [Role.EMAIL, role], "sailor"))
    assert (row.state, bool(row.reason)) == (state, state in (UNKNOWN, BOUNCED))
    if state is UNKNOWN and "\ufffd" not in cell:
        assert row.problems == [f"{role.label}: “{cell}” is not known."]


def test_all_columns_about_a_state_count() -> None:
    roles = [Role.EMAIL, Role.SUBSCRIBED, Role.UNSUBSCRIBED, Role.CONFIRMED, Role.BOUNCED]
    for cells, state, is_left_out in (
        (["yes", "", "2024-01-01", ""], CONFIRMED, False),
        (["yes", "", "", ""], ASK, False),
        (["yes", "no", "2024-01-01", "gone"], UNKNOWN, True),
        (["yes", "2024-02-01", "2024-01-01", "gone"], LEFT, False),
        (["bounced", "yes", "", ""], LEFT, False),
        (["perhaps", "no", "2024-01-01", ""], UNKNOWN, True),
        (["yes", "no", "pending", "yes"], BOUNCED, True),
        (["yes", "no", "2024-01-01"], ASK, False),  # the row ends before it says whether the address works
    ):
        row = read_row(["jana@example.org", *cells], Plan("", ",", roles, "sailor"))
        assert (row.state, bool(row.reason)) == (state, is_left_out), cells


def test_opt_out_counts_whatever_else_is_wrong_with_a_row() -> None:
    roles = [Role.EMAIL, Role.USER_TYPE, Role.UNSUBSCRIBED, Role.FIRST_NAME]
    for cells, reason in (
        (["jana@example.org", "crew", "yes", ""], None),
        (["jana@example.org", "sailor", "yes", "\ufffd"], None),
        (["jana@example.org", "sailor", "yes", "", "more"], None),
        (["jana@example.org", "sailor", "no", "", "more"], "cells"),
        (["jana", "sailor", "yes", ""], "address"),
        (["jana@example.org", "sailor", "no", "\ufffd"], "letters"),
        (["jana@example.org", "crew", "no", ""], "audience"),
    ):
        assert read_row(cells, Plan("", ",", roles)).reason == reason, cells
    everybody = read_row(["jana@example.org"], Plan("", ",", [Role.EMAIL], "sailor", has_left=True))
    assert (everybody.state, everybody.reason) == (LEFT, None)


def test_cell_means_what_it_shows_or_nothing() -> None:
    for role, cell, name, value in (
        (Role.EMAIL, "ja\u200bna@exam\u00adple.org\ufeff", "email", "jana@example.org"),
        (Role.EMAIL, "Jana Vlnová <Jana@Example.org>", "email", "jana@example.org"),
        (Role.EMAIL, "jana@example.org, petr@example.org", "reason", "address"),
        (Role.FIRST_NAME, "  Jean-Luc\t", "first_name", "Jean-Luc"),
        (Role.FULL_NAME, "None", "first_name", ""),
        (Role.FULL_NAME, "Eva Nováková", "first_name", "Eva"),
        (Role.FULL_NAME, "Ing. arch. Petr Malý", "first_name", ""),
        (Role.FULL_NAME, "Novák, Jan", "first_name", ""),
        (Role.LANGUAGE, "English", "language", "en"),
        (Role.LANGUAGE, "sk", "language", "cs"),  # as the admin chose
    ):
        plan = Plan("", ",", [role, Role.EMAIL], "sailor", "cs")
        assert getattr(read_row([cell, "eva@example.org"], plan), name) == value, cell


@pytest.mark.parametrize(
    ("header", "values", "roles"),
    [
        ("Email|Group", "jana@example.org|unsubscribed", "email|subscribed"),
        ("Email|unsubscribed_members", "jana@example.org|", "email|?"),
        ("Email|Newsletter?", "jana@example.org|maybe", "email|?"),
        ("Email|OdhlÃ¡Å¡en", "jana@example.org|", "email|?"),
        ("Email|State", "jana@example.org|Texas", "email|?"),
        ("Email|Email address|Note", "jana@example.org|jana@example.org|2", "email||"),
        ("Jméno|Adresa|E-mail", "Jana|Přístav 5|jana@example.org", "first_name||email"),
        ("Email|DO NOT CONTACT", "jana@example.org|x", "email|?"),
        ("Email|De\u0301sabonne\u0301 ?", "jana@example.org|oui", "email|unsubscribed"),
        ("Email|Type", "jana@example.org|regular", "email|subscribed"),
    ],
)
def test_columns_are_guessed_and_what_may_say_who_left_is_asked(header: str, values: str, roles: str) -> None:
    guess = guess_roles(header.split("|"), [values.split("|")])
    assert guess == [{"": Role.IGNORED, "?": ""}.get(role, role) for role in roles.split("|")]
