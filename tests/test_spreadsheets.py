"""CSV files that a spreadsheet may open."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tablib import Dataset

from sailing.spreadsheets import FORMULA_STARTS, SpreadsheetCSV, neutralise, restore

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
    exported = SpreadsheetCSV().export_data(Dataset(row, headers=["one", "two"]))
    assert SpreadsheetCSV().create_dataset(exported)[0] == tuple(row)


def test_what_stands_in_the_file_is_neutralised() -> None:
    exported = SpreadsheetCSV().export_data(Dataset(["=1+1", "\tx"], headers=["one", "two"]))
    assert list(csv.reader(io.StringIO(exported, newline="")))[1] == ["'=1+1", "'\tx"]


@pytest.mark.parametrize("text", ["one,two\na;b,c\n", "one;two\na;b\n"])
def test_the_heading_tells_the_delimiter(text: str) -> None:
    assert SpreadsheetCSV().create_dataset(text).headers == ["one", "two"]
