"""CSV files that a spreadsheet may open."""

import csv
import io
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sailing.spreadsheets import (
    CHUNK,
    FORMULA_STARTS,
    Rows,
    SpreadsheetCSV,
    StreamedJSON,
    neutralise,
    restore,
)

CELLS = st.text(st.sampled_from([*FORMULA_STARTS, "'", "a", ",", ";", '"', " "]), max_size=6)


@given(st.text() | CELLS)
def test_no_cell_begins_as_a_formula_and_each_comes_back_as_it_was(cell: str) -> None:
    assert not neutralise(cell).startswith(tuple(FORMULA_STARTS))
    assert restore(neutralise(cell)) == cell


@pytest.mark.parametrize("cell", ["plain", "o'brien", "'quoted", "a=b", "", 12, None])
def test_what_is_no_formula_is_left_alone(cell: object) -> None:
    assert neutralise(cell) == cell
    assert restore(cell) == cell


@given(st.lists(CELLS, min_size=2, max_size=2))
def test_a_file_survives_the_way_out_and_back(row: list[str]) -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [row])))
    assert SpreadsheetCSV().create_dataset(exported)[0] == tuple(row)


def test_what_stands_in_the_file_is_neutralised() -> None:
    exported = "".join(SpreadsheetCSV().export_data(Rows(["one", "two"], [["=1+1", "\tx"]])))
    assert list(csv.reader(io.StringIO(exported, newline="")))[1] == ["'=1+1", "'\tx"]


@pytest.mark.parametrize("text", ["one,two\na;b,c\n", "one;two\na;b\n"])
def test_the_heading_tells_the_delimiter(text: str) -> None:
    assert SpreadsheetCSV().create_dataset(text).headers == ["one", "two"]


@pytest.mark.parametrize("number", [0, 1, 2, CHUNK, CHUNK + 1, 2 * CHUNK + 2])
def test_every_row_is_in_the_file_whatever_their_number(number: int) -> None:
    rows = [[f"a{row}", f"b{row}"] for row in range(number)]
    headers = ["one", "two"]
    as_json = "".join(StreamedJSON().export_data(Rows(headers, rows)))
    assert json.loads(as_json) == [dict(zip(headers, row, strict=True)) for row in rows]
    as_csv = "".join(SpreadsheetCSV().export_data(Rows(headers, rows)))
    assert list(csv.reader(io.StringIO(as_csv, newline=""))) == [headers, *rows]


@pytest.mark.parametrize("file_format", [SpreadsheetCSV, StreamedJSON])
def test_rows_are_read_as_they_are_written(file_format: type) -> None:
    read = 0

    def rows() -> Iterator[list[str]]:
        nonlocal read
        while True:
            read += 1
            yield ["endless"]

    content = file_format().export_data(Rows(["one"], rows()))
    for part in range(1, 4):
        next(content)
        assert read <= part * CHUNK + 1
