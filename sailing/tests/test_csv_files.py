"""CSV files that are safe to open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from sailing.csv_files import (
    FORMULA_STARTS,
    SEPARATORS,
    escape_formula,
    unescape_formula,
    write_csv,
)

CELLS = st.text(st.sampled_from([*FORMULA_STARTS, *SEPARATORS, "'", "a", '"', " "]), max_size=8)
SPLITS = [*",;\t|\n", "[,;\t|\r\n]"]
"""Each separator alone, and all of them at once."""


def write(rows: Iterable[Sequence[str]], delimiter: str = ",") -> bytes:
    return write_csv(rows, delimiter=delimiter)


def read_back(content: bytes, delimiter: str = ",") -> list[list[str]]:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return [[unescape_formula(cell) for cell in row] for row in csv.reader(text, delimiter=delimiter)]


@given(st.text() | CELLS)
def test_unescape_undoes_escape(cell: str) -> None:
    assert unescape_formula(escape_formula(cell)) == cell


@given(
    st.lists(st.text(st.characters(codec="utf-8")) | CELLS, min_size=2, max_size=2),
    st.sampled_from(SPLITS),
    st.sampled_from(",;"),
)
def test_no_field_begins_as_a_formula_whatever_separator_splits_it(
    row: list[str], split: str, delimiter: str
) -> None:
    written = write([row], delimiter).decode("utf-8-sig")
    for field in re.split(split if len(split) > 1 else re.escape(split), written):
        assert not field.lstrip('" \t\r\n').startswith(tuple(FORMULA_STARTS))


def test_formula_after_a_separator_is_escaped() -> None:
    """Where semicolons separate cells, the rest of this cell is a cell of its own."""
    for separator in (*SEPARATORS, "; ", ';"', ";'"):
        written = escape_formula(f"x{separator}=cmd|' /C calc'!A0;y")
        assert re.split("[,;\t|\n\r]", written)[1].startswith("'")


def test_other_cells_are_not_changed() -> None:
    for cell in ("plain", "o'brien", "'quoted", "a=b", "a;b", ""):
        assert escape_formula(cell) == unescape_formula(cell) == cell


def test_file_has_the_mark_that_excel_needs_quoted_fields_and_escaped_formulas() -> None:
    rows = [["jméno", "two"], ["=1+1", "1"]]
    assert write(rows) == '\ufeff"jméno","two"\r\n"\'=1+1","1"\r\n'.encode()
    assert write_csv(rows[1:], has_mark=False) == b'"\'=1+1","1"\r\n'


@pytest.mark.parametrize(("language", "delimiter"), [("cs", ";"), ("en", ",")])
def test_separator_is_that_of_the_language(language: str, delimiter: str) -> None:
    with translation.override(language):
        assert write_csv([["one", "two"]]).decode("utf-8-sig") == f'"one"{delimiter}"two"\r\n'


@settings(max_examples=30)
@given(st.lists(CELLS, min_size=2, max_size=2), st.sampled_from(",;"))
def test_written_file_is_read_unchanged(row: list[str], delimiter: str) -> None:
    assert read_back(write([["one", "two"], row], delimiter), delimiter)[1] == row
