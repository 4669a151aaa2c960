"""How an uploaded file is read: its encoding, its separator, its header, and its limits."""

import codecs
from itertools import product
from pathlib import Path

import pytest

from newsletter.imports import reading
from newsletter.imports.reading import UnreadableFile, examine, open_rows
from newsletter.imports.tests.helpers import upload
from sailing.csv_files import write_csv

pytestmark = pytest.mark.django_db

CASES = Path(__file__).parent / "cases"
NAMES = ["Tomáš", "Žofie", "Šárka", "Ťapka", "Jiří"]


def read(content: str | bytes, encoding: str = "") -> list[list[str]]:
    """Return the header and the rows of a file."""
    file = upload(content)
    with open_rows(file, encoding or examine(file).encoding) as rows:
        return [rows.header, *rows]


def make_list(names: list[str]) -> str:
    return "email,name\n" + "".join(f"a{row}@example.org,{name}\n" for row, name in enumerate(names))


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"", "utf-8"), (codecs.BOM_UTF8, "utf-8"), (b"", "utf-16"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_encodings_that_are_certain_are_read_without_a_question(mark: bytes, encoding: str) -> None:
    content = mark + make_list(NAMES).encode(encoding)
    text = examine(upload(content))
    assert (text.choices, text.decoded_twice) == ({}, [])
    assert [row[1] for row in read(content)] == ["name", *NAMES]


@pytest.mark.parametrize("encoding", reading.ENCODINGS[1:])
def test_any_other_encoding_is_a_choice_that_shows_the_cells(encoding: str) -> None:
    names = ["Hélène", "Zoë", "Jürgen"] if encoding in ("Windows-1252", "Mac Roman") else NAMES
    content = make_list(names).encode(encoding)
    text = examine(upload(content))
    assert tuple(text.choices) == reading.ENCODINGS
    assert sorted(text.choices[encoding]) == sorted(names)
    assert [row[1] for row in read(content, encoding)] == ["name", *names]


@pytest.mark.parametrize("wrong", ["cp1252", "cp1250"])
def test_text_that_was_decoded_twice_is_named(wrong: str) -> None:
    names = ["Jürgen", "Zoé"]
    text = examine(upload(make_list([name.encode().decode(wrong) for name in names])))
    assert [repaired for _cell, repaired in text.decoded_twice] == names


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04",
        b"\xd0\xcf\x11\xe0",
        b"%PDF-1.7",
        b" <html>",
        b'[{"a": 1}]',
        "a,b".encode("utf-16-le"),
    ],
)
def test_what_is_no_csv_gets_the_sentence_that_says_how_to_save_it(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="type “CSV UTF-8”"):
        examine(upload(content))


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
        ("\n,,\n", "The file is empty."),
        ("a@example.com,sailor\nb@example.com,sailor\n", "One of the first rows must contain"),
        (",".join(["email"] * 101), "more than 100 columns"),
        ('email\na@example.org\n"b@example.org\nc@example.org\n', "Line 5 cannot be read"),
        ("email\n" + "x" * 131_073, "Line 2 cannot be read"),
        ("email\n" + "x," * 70_000, "Line 2 cannot be read"),
        ('email\n"' + "x\n" * 70_000, "cannot be read"),
    ],
)
def test_file_that_cannot_be_read_is_refused_with_a_reason(content: str, problem: str) -> None:
    with pytest.raises(UnreadableFile, match=problem):
        read(content)


def test_line_breaks_of_all_systems_end_a_row() -> None:
    for end, mark in product(("\n", "\r\n", "\r"), ("", "\ufeff")):
        assert read(f"{mark}email,name{end}a@example.org,Ada{end}")[1:] == [["a@example.org", "Ada"]]
