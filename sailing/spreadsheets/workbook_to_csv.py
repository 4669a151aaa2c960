"""Convert the first visible sheet of a workbook to CSV, as a process of its own with limits.

    python -m sailing.spreadsheets.workbook_to_csv SOURCE TARGET

A small workbook can claim a sheet of a trillion cells or unpack to gigabytes, and the library then ends its
process. So this one may be ended; the exit status tells why (`Status`).
"""

import csv
import errno
import sys
from collections.abc import Iterator
from datetime import date
from enum import IntEnum
from typing import Any

import python_calamine
from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from sailing.limited_process import limit_resources
from sailing.spreadsheets.writing import escape_formula

MAX_ROWS = 100_000
"""Below the header."""

MAX_MEMORY = 400 * 1024 * 1024
"""Bytes of address space, of which Python and the library use about 100 MB."""

MAX_CPU_SECONDS = 30
MAX_CSV_SIZE = 200_000_000


class Status(IntEnum):
    DONE = 0
    TOO_LARGE = 3
    NO_SHEET = 4
    PROTECTED = 5
    DAMAGED = 6
    NOT_STORED = 7


def main(source: str, target: str) -> Status:
    """Convert a file with limits; return the exit status."""
    limit_resources(memory=MAX_MEMORY, cpu_seconds=MAX_CPU_SECONDS, file_size=MAX_CSV_SIZE)
    try:
        return convert(source, target)
    except MemoryError:
        return Status.TOO_LARGE
    except python_calamine.PasswordError:
        return Status.PROTECTED
    except (python_calamine.CalamineError, ValueError):
        return Status.DAMAGED
    except OSError as error:
        return Status.TOO_LARGE if error.errno == errno.EFBIG else Status.NOT_STORED


def convert(source: str, target: str) -> Status:
    """Write the filled rows of the first visible sheet. Raises what python-calamine raises, and OSError."""
    with CalamineWorkbook.from_path(source) as workbook:
        names = [
            sheet.name
            for sheet in workbook.sheets_metadata
            if sheet.visible is SheetVisibleEnum.Visible and sheet.typ is SheetTypeEnum.WorkSheet
        ]
        if not names:
            return Status.NO_SHEET
        rows = workbook.get_sheet_by_name(names[0]).iter_rows()
        with open(target, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            for number, row in enumerate(list_filled(rows)):
                if number > MAX_ROWS:
                    return Status.TOO_LARGE
                writer.writerow([escape_formula(cell) for cell in row])  # as in all our CSV files
    return Status.DONE


def list_filled(rows: Iterator[list[Any]]) -> Iterator[list[str]]:
    """Return the rows that are not blank, as text. A sheet may be formatted down to its last row."""
    for row in rows:
        cells = [format_cell(value) for value in row]
        if any(cells):
            yield cells


def format_cell(value: Any) -> str:
    """Return the text of a cell: dates as ISO 8601, whole numbers without a fraction."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date):
        return value.isoformat().replace("T", " ")
    return str(value).replace("\0", "").strip()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
