"""CSV and XLSX files that are written as streams."""

import io
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sailing.spreadsheets.reading import detect_format, read_rows
from sailing.spreadsheets.tests.workbooks import read_workbook
from sailing.spreadsheets.writing import (
    CHUNK_ROWS,
    FORMULA_STARTS,
    SEPARATORS,
    Rows,
    escape_formula,
    unescape_formula,
    write_csv,
    write_xlsx,
)

CELLS = st.text(st.sampled_from([*FORMULA_STARTS, *SEPARATORS, "'", "a", '"', " "]), max_size=8)
WRITERS: dict[str, Callable[[Rows], Iterator[bytes]]] = {"csv": write_csv, "xlsx": write_xlsx}
SPLITS = [*",;\t|\n", "[,;\t|\r\n]"]
"""Each separator alone, and all of them at once."""


def write(rows: Rows, file_format: str = "csv") -> bytes:
    return b"".join(WRITERS[file_format](rows))


def read_back(content: bytes) -> list[list[str]]:
    if content.startswith(b"PK"):
        return read_workbook(content)
    file = io.BytesIO(content)
    return list(read_rows(file, detect_format(file)))


@given(st.text() | CELLS)
def test_unescape_undoes_escape(cell: str) -> None:
    assert unescape_formula(escape_formula(cell)) == cell


@given(
    st.lists(st.text(st.characters(codec="utf-8")) | CELLS, min_size=2, max_size=2), st.sampled_from(SPLITS)
)
def test_no_field_begins_as_a_formula_whatever_separator_splits_it(row: list[str], split: str) -> None:
    written = write([row]).decode("utf-8-sig")
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


def test_csv_has_the_mark_that_excel_needs_quoted_fields_and_escaped_formulas() -> None:
    assert write([["jméno", "two"], ["=1+1", "1"]]) == '\ufeff"jméno","two"\r\n"\'=1+1","1"\r\n'.encode()


def test_xlsx_contains_formulas_as_text() -> None:
    with zipfile.ZipFile(io.BytesIO(write([["a"], ["=1+1"]], "xlsx"))) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert '<c r="A2" t="inlineStr"><is><t>=1+1</t></is></c>' in sheet
    assert "<f>" not in sheet


def test_xlsx_escapes_what_xml_cannot_contain() -> None:
    assert read_back(write([["a"], ["x\x01<&>y"]], "xlsx")) == [["a"], ["x\x01<&>y"]]


@pytest.mark.parametrize("number", [0, CHUNK_ROWS, 2 * CHUNK_ROWS + 1])
@pytest.mark.parametrize("file_format", WRITERS)
def test_file_contains_every_row(file_format: str, number: int) -> None:
    rows = [["one", "two"], *([f"a{row}", f"b{row}"] for row in range(number))]
    assert read_back(write(rows, file_format)) == rows


@pytest.mark.parametrize("writer", [write_csv, write_xlsx])
def test_rows_are_streamed(writer: object) -> None:
    read = 0

    def rows() -> Iterator[list[str]]:
        nonlocal read
        while True:
            read += 1
            yield ["endless"]

    content = writer(rows())  # type: ignore[operator]
    for part in range(1, 4):
        next(content)
        assert read <= part * CHUNK_ROWS + 1


def test_unfinished_workbook_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    content = write_xlsx([["one"], ["two"]])
    next(content)
    assert list(tmp_path.iterdir())
    content.close()  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


@settings(max_examples=30)
@given(st.lists(CELLS.filter(str.strip), min_size=2, max_size=2))
@pytest.mark.parametrize("file_format", WRITERS)
def test_written_file_is_read_unchanged(file_format: str, row: list[str]) -> None:
    # XML and universal newlines make one line feed of every line break.
    expected = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row]
    found = read_back(write([["one", "two"], row], file_format))[1]
    assert [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in found] == expected
