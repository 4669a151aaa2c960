"""XLSX workbooks for tests."""

import io
import zipfile
from collections.abc import Mapping

SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
WORKBOOK = {
    "xl/workbook.xml": (
        '<workbook xmlns="m" xmlns:r="r"><sheets><sheet name="One" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}


def workbook(
    rows: str = "", strings: str | None = None, parts: Mapping[str, str | bytes] | None = None
) -> bytes:
    """Return a workbook with the XML of its rows and of its shared strings."""
    sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    contents: dict[str, str | bytes] = {**WORKBOOK, SHEET: sheet}
    if strings is not None:
        contents[STRINGS] = f"<sst>{strings}</sst>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**contents, **(parts or {})}.items():
            archive.writestr(name, content)
    return file.getvalue()


def large_workbook(values: list[str]) -> bytes:
    """Return a workbook with one column of shared strings, behind 6 MB of others in their table."""
    strings = [*["x" * 100_000] * 64, *values]
    rows = "".join(f'<row><c t="s"><v>{64 + index}</v></c></row>' for index in range(len(values)))
    return workbook(rows, "".join(f"<si><t>{string}</t></si>" for string in strings))
