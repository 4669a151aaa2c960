"""CSV and JSON files of rows."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from tablib import Dataset

from sailing.admin.formats import (
    CHUNK_SIZE,
    FORMULA_STARTS,
    MAX_ROWS,
    SEPARATORS,
    Rows,
    SpreadsheetCSV,
    StreamedJSON,
    escape_formula,
    unescape_formula,
)

CELLS = st.text(st.sampled_from([*FORMULA_STARTS, *SEPARATORS, "'", "a", '"', " "]), max_size=8)
SPLITS = [*",;\t|\n", "[,;\t|\r\n]"]
"""Each separator alone, and all of them at once."""


@given(st.text() | CELLS)
def test_unescape_undoes_escape(cell: str) -> None:
    assert unescape_formula(escape_formula(cell)) == cell


@given(st.lists(st.text() | CELLS, min_size=2, max_size=2), st.sampled_from(SPLITS))
def test_no_field_begins_as_a_formula_whatever_separator_splits_it(row: list[str], split: str) -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [row])))
    for field in re.split(split if len(split) > 1 else re.escape(split), exported):
        assert not field.lstrip('" \t\r\n').startswith(tuple(FORMULA_STARTS))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "\n", "\r", "; ", ';"', ";'"])
def test_formula_after_a_separator_is_escaped(separator: str) -> None:
    """Where semicolons separate cells, the rest of this cell is a cell of its own."""
    written = escape_formula(f"x{separator}=cmd|' /C calc'!A0;y")
    assert re.split("[,;\t|\n\r]", written)[1].startswith("'")


@pytest.mark.parametrize("cell", ["plain", "o'brien", "'quoted", "a=b", "a;b", "", 12, None])
def test_other_cells_are_not_changed(cell: object) -> None:
    assert escape_formula(cell) == cell
    assert unescape_formula(cell) == cell


def test_every_field_is_quoted() -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [["a", 1]])))
    assert exported == '"one","two"\r\n"a","1"\r\n'


@given(st.lists(CELLS, min_size=2, max_size=2))
def test_exported_csv_is_imported_unchanged(row: list[str]) -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [row])))
    assert SpreadsheetCSV().create_dataset(exported)[0] == tuple(row)


def test_csv_contains_escaped_formulas() -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [["=1+1", "\tx"]])))
    assert list(csv.reader(io.StringIO(exported, newline="")))[1] == ["'=1+1", "'\tx"]


@pytest.mark.parametrize("text", ["one,two\na;b,c\n", "one;two\na;b\n"])
def test_delimiter_is_detected_in_the_header(text: str) -> None:
    assert SpreadsheetCSV().create_dataset(text).headers == ["one", "two"]


@pytest.mark.parametrize("number", [0, 1, 2, CHUNK_SIZE, CHUNK_SIZE + 1, 2 * CHUNK_SIZE + 2])
def test_file_contains_every_row(number: int) -> None:
    rows = [[f"a{row}", f"b{row}"] for row in range(number)]
    headers = ["one", "two"]
    as_json = "".join(StreamedJSON().export_data(Rows(headers, rows)))
    assert json.loads(as_json) == [dict(zip(headers, row, strict=True)) for row in rows]
    as_csv = "".join(SpreadsheetCSV().export_data(Rows(headers, rows)))
    assert list(csv.reader(io.StringIO(as_csv, newline=""))) == [headers, *rows]


@pytest.mark.parametrize("file_format", [SpreadsheetCSV, StreamedJSON])
def test_rows_are_streamed(file_format: type) -> None:
    read = 0

    def rows() -> Iterator[list[str]]:
        nonlocal read
        while True:
            read += 1
            yield ["endless"]

    content = file_format().export_data(Rows(["one"], rows()))
    for part in range(1, 4):
        next(content)
        assert read <= part * CHUNK_SIZE + 1


class TestBoundedReading:
    """A refused file costs no more than reading the allowed number of rows."""

    @pytest.fixture(autouse=True)
    def _no_dataset(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def insert(*args: object, **kwargs: object) -> None:
            pytest.fail("A row was inserted into a Dataset.")

        monkeypatch.setattr(Dataset, "insert", insert)

    def test_csv_is_read_up_to_the_row_limit_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read = 0
        reader = csv.reader

        def counting(*args: Any, **kwargs: Any) -> Iterator[list[str]]:
            nonlocal read
            for row in reader(*args, **kwargs):
                read += 1
                yield row

        monkeypatch.setattr(csv, "reader", counting)
        with pytest.raises(ValidationError, match=f"more than {MAX_ROWS} rows"):
            SpreadsheetCSV().create_dataset("a\n" * (2 * MAX_ROWS))
        assert read == MAX_ROWS + 2  # with the headers and the first row too many

    def test_csv_with_too_many_columns_is_refused(self) -> None:
        """Each short row would be padded to the width of the header."""
        with pytest.raises(ValidationError, match="more than 100 columns"):
            SpreadsheetCSV().create_dataset("," * 100 + "\n" + "a\n" * 10)

    def test_json_with_too_many_rows_builds_no_dataset(self) -> None:
        with pytest.raises(ValidationError, match=f"more than {MAX_ROWS} rows"):
            StreamedJSON().create_dataset(json.dumps([{"a": 1}] * (MAX_ROWS + 1)))

    @pytest.mark.parametrize("item", ["{}", "[]", "1", "null"])
    def test_json_rows_that_are_not_objects_build_no_dataset(self, item: str) -> None:
        with pytest.raises(ValidationError, match="list of objects"):
            StreamedJSON().create_dataset(f"[{', '.join([item] * 10)}]")


@pytest.mark.parametrize("file_format", [SpreadsheetCSV, StreamedJSON])
def test_file_with_the_maximum_of_rows_is_read(file_format: type) -> None:
    exported = "".join(file_format().export_data(Rows(["one"], [["a"]] * MAX_ROWS)))
    assert len(file_format().create_dataset(exported)) == MAX_ROWS
