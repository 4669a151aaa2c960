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


def sheet(rows: str) -> bytes:
    """Return a workbook with the XML of its rows (ECMA-376 part 1, section 18.3.1.73)."""
    xml = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    file, any_workbook = io.BytesIO(), io.BytesIO(workbook([["any"]]))
    with zipfile.ZipFile(any_workbook) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == SHEET else old.read(name))
    return file.getvalue()
