"""CSV files that are safe to open in a spreadsheet."""

import csv
import io
import re

import pytest
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from sailing.csv_files import FORMULA_STARTS, SEPARATORS, escape_formula, unescape_formula, write_csv

CELLS = st.text(st.characters(codec="utf-8")) | st.text(
    st.sampled_from([*FORMULA_STARTS, *SEPARATORS, "'", "a", '"', " "]), max_size=8
)
SPLITS = [*",;\t|\n", "[,;\t|\r\n]"]  # each separator alone, and all of them at once


@example(["x;'=cmd|' /C calc'!A0;y", ""], ";", ",")
@given(st.lists(CELLS, min_size=2, max_size=2), st.sampled_from(SPLITS), st.sampled_from(",;"))
def test_no_field_is_a_formula_and_each_is_read_unchanged(row: list[str], split: str, delimiter: str) -> None:
    written = write_csv([row], delimiter=delimiter, has_mark=False).decode()
    for field in re.split(split if len(split) > 1 else re.escape(split), written):
        assert not field.lstrip('" \t\r\n').startswith(tuple(FORMULA_STARTS))
    (found,) = csv.reader(io.StringIO(written, newline=""), delimiter=delimiter)
    assert [unescape_formula(cell) for cell in found] == row


def test_other_cells_are_not_changed() -> None:
    for cell in ("plain", "o'brien", "'quoted", "a=b", "a;b", ""):
        assert escape_formula(cell) == unescape_formula(cell) == cell


@pytest.mark.parametrize(("language", "delimiter"), [("cs", ";"), ("en", ",")])
def test_file_has_the_mark_and_separator_of_excel_and_quoted_fields(language: str, delimiter: str) -> None:
    with translation.override(language):
        written = write_csv([["jméno", "two"], ["=1+1", "1"]])
    assert written == f'\ufeff"jméno"{delimiter}"two"\r\n"\'=1+1"{delimiter}"1"\r\n'.encode()
