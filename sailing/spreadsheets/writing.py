"""Write rows as CSV and XLSX, as streams of bytes, safe to open in a spreadsheet.

A spreadsheet runs a CSV cell that begins with one of `FORMULA_STARTS` as a formula (OWASP, "CSV Injection"),
and `=cmd|calc@example.org` is a valid address. It may also split cells: where the comma is the decimal
separator, as in Czech, Excel splits lines at semicolons. So CSV has an apostrophe, which makes a cell text,
before each formula start at the beginning of a cell and after each of `SEPARATORS`. Reading a file removes it
again. In XLSX every cell is marked as text, which no program runs.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from tempfile import TemporaryDirectory

import xlsxwriter

CHUNK_ROWS = 2000
"""Rows that are written at a time."""

MAX_SHEET_ROWS = 100_000
"""Below the header of an XLSX sheet: as many as an import reads. Ending a file of more takes too long."""

PART_BYTES = 1_000_000

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""As in Excel. In some locales the full-width forms count too."""

SEPARATORS = ",;|\t\r\n"
"""Characters at which a spreadsheet may split a line, even inside quotes."""

# Some spreadsheets skip quotes, apostrophes and spaces before a formula start.
_CELL_START = rf"(?:\A|(?<=[{re.escape(SEPARATORS)}]))"
_FORMULA = rf"(?=['\" ]*[{re.escape(FORMULA_STARTS)}])"
_UNSAFE = re.compile(_CELL_START + _FORMULA)
_ESCAPED = re.compile(f"{_CELL_START}'{_FORMULA}")

Rows = Iterable[Sequence[str]]


def escape_formula(cell: str) -> str:
    """Return the cell for a CSV file. An apostrophe of its own is kept beside the added one."""
    return _UNSAFE.sub("'", cell)


def unescape_formula(cell: str) -> str:
    """Undo `escape_formula`."""
    return _ESCAPED.sub("", cell)


def write_csv(rows: Rows, *, delimiter: str = ",", has_mark: bool = True) -> Iterator[bytes]:
    """Write CSV in UTF-8, with the byte order mark that Excel needs unless `has_mark` is off."""
    remaining = iter(rows)
    mark = "\ufeff" if has_mark else ""
    while part := list(islice(remaining, CHUNK_ROWS)):
        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, delimiter=delimiter)
        writer.writerows([escape_formula(cell) for cell in row] for row in part)
        yield (mark + text.getvalue()).encode(errors="replace")
        mark = ""


def write_xlsx(rows: Rows) -> Iterator[bytes]:
    """Write an XLSX workbook with one sheet, whose first row is the header.

    The parts are empty until all rows are in a temporary file, because the library compresses it at the end.
    """
    with TemporaryDirectory() as folder, open(f"{folder}/rows.xlsx", "w+b") as file:
        with xlsxwriter.Workbook(file, {"constant_memory": True, "tmpdir": folder}) as workbook:
            sheet = workbook.add_worksheet("Sailing")
            sheet.set_column(0, 0, 36)
            sheet.set_column(1, 40, 20)
            sheet.freeze_panes(1, 0)
            sheet.set_row(0, None, workbook.add_format({"bold": True}))
            for number, row in enumerate(rows):
                for column, cell in enumerate(row):
                    sheet.write_string(number, column, cell)
                if number % CHUNK_ROWS == 0:
                    yield b""
        file.seek(0)
        yield from iter(lambda: file.read(PART_BYTES), b"")
