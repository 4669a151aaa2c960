"""Workbooks for tests."""

import io
import zipfile
from collections.abc import Iterable, Mapping

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


def with_parts(content: bytes, parts: Mapping[str, str]) -> bytes:
    """Return a workbook with some of its XML files replaced, or with more of them."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *parts]):
            new.writestr(name, parts[name] if name in parts else old.read(name))
    return file.getvalue()


def sheet(rows: str) -> bytes:
    """Return a workbook with the XML of its rows (ECMA-376 part 1, section 18.3.1.73)."""
    xml = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    return with_parts(workbook([["any"]]), {SHEET: xml})


def open_document(rows: Iterable[list[str]]) -> bytes:
    """Return an ODS workbook with these rows (OpenDocument 1.3, part 3, section 9)."""
    names = {
        "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
        "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
        "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    }
    namespaces = " ".join(f'xmlns:{name}="{address}"' for name, address in names.items())
    cells = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(f"<table:table-row>{''.join(map(cells.format, row))}</table:table-row>" for row in rows)
    files: Mapping[str, str] = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns'
        ':manifest:1.0"><manifest:file-entry manifest:full-path="/"/></manifest:manifest>',
        "content.xml": f"<office:document-content {namespaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="One">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()
