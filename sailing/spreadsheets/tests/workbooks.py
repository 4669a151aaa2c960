"""Workbooks for tests."""

import io
import zipfile
from collections.abc import Iterable

from python_calamine import load_workbook

from sailing.spreadsheets.writing import write_xlsx

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(rows: Iterable[list[str]] = ()) -> bytes:
    """Return an XLSX workbook with these rows."""
    return b"".join(write_xlsx([list(row) for row in rows]))


def read_workbook(content: bytes) -> list[list[str]]:
    """Return the cells of the first sheet, which must be text."""
    rows = load_workbook(io.BytesIO(content)).get_sheet_by_index(0).iter_rows()
    return [[str(cell) for cell in row] for row in rows]


def sheet(rows: str, count: int = 1) -> bytes:
    """Return a workbook with the XML of its rows, `count` times (ECMA-376 part 1, section 18.3.1.73)."""
    file, any_workbook = io.BytesIO(), io.BytesIO(workbook([["any"]]))
    new = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with zipfile.ZipFile(any_workbook) as old, new:
        for name in old.namelist():
            if name != SHEET:
                new.writestr(name, old.read(name))
        with new.open(SHEET, "w") as part:
            part.write(f'<worksheet xmlns="{MAIN}"><sheetData>'.encode())
            for _time in range(count):
                part.write(rows.encode())
            part.write(b"</sheetData></worksheet>")
    return file.getvalue()
