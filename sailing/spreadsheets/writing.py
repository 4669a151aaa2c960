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
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, TypedDict, cast
from xml.sax.saxutils import escape

CHUNK_ROWS = 2000
"""Rows that are written at a time."""

MAX_SHEET_ROWS = 1_048_576
"""Of an XLSX sheet, with the header."""

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""As in Excel. In some locales the full-width forms count too."""

SEPARATORS = ",;|\t\r\n"
"""Characters at which a spreadsheet may split a line, even inside quotes."""

# Some spreadsheets skip quotes, apostrophes and spaces before a formula start.
_CELL_START = rf"(?:\A|(?<=[{re.escape(SEPARATORS)}]))"
_FORMULA = rf"(?=['\" ]*[{re.escape(FORMULA_STARTS)}])"
_UNSAFE = re.compile(_CELL_START + _FORMULA)
_ESCAPED = re.compile(f"{_CELL_START}'{_FORMULA}")

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot contain (section 2.2)."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_WORKBOOK_PARTS = {
    "[Content_Types].xml": f"""<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="{_CONTENT}.styles+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_CONTENT}.worksheet+xml"/>
</Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/>
</Relationships>""",
    "xl/workbook.xml": f"""<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONSHIPS}">
<sheets><sheet name="Sailing" sheetId="1" r:id="rId1"/></sheets>
</workbook>""",
    "xl/_rels/workbook.xml.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="{_RELATIONSHIPS}/styles" Target="styles.xml"/>
</Relationships>""",
    # Style 1 is the bold one of the header.
    "xl/styles.xml": f"""<styleSheet xmlns="{_MAIN}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="2"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>""",
}
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET_START = f"""{_DECLARATION}<worksheet xmlns="{_MAIN}">
<sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<cols><col min="1" max="1" width="36" customWidth="1"/>
<col min="2" max="40" width="20" customWidth="1"/></cols>
<sheetData>"""
_SHEET_END = "</sheetData></worksheet>"

_GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""Deflated, without a name, a time or a known system."""

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
    """Write an XLSX workbook with one sheet, whose first row is the header."""
    parts = _Parts()
    with zipfile.ZipFile(cast(IO[bytes], parts), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _WORKBOOK_PARTS.items():
            archive.writestr(name, _DECLARATION + content)
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(_SHEET_START.encode())
            remaining = iter(rows)
            for row in islice(remaining, 1):
                sheet.write(_sheet_row(row, style=1).encode())
            while part := list(islice(remaining, CHUNK_ROWS)):
                sheet.write("".join(map(_sheet_row, part)).encode(errors="replace"))
                yield parts.take()
            sheet.write(_SHEET_END.encode())
    yield parts.take()


class GzipPart(TypedDict):
    """What the next part of a gzip file needs to know of those before it. It holds JSON."""

    checksum: int
    size: int


def compress(content: bytes, before: GzipPart | None, *, is_last: bool = False) -> tuple[bytes, GzipPart]:
    """Compress the next part of a gzip file (RFC 1952); return it, with the state for the part after it.

    The parts are one member, because browsers ignore all later ones. Each can be written by another process:
    it refers to no earlier part and ends at a byte (RFC 1951, section 3.2.4).
    """
    state = before or GzipPart(checksum=0, size=0)
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    part = compressor.compress(content) + compressor.flush(zlib.Z_FINISH if is_last else zlib.Z_SYNC_FLUSH)
    after = GzipPart(checksum=zlib.crc32(content, state["checksum"]), size=state["size"] + len(content))
    head = b"" if before else _GZIP_HEAD
    end = struct.pack("<LL", after["checksum"], after["size"] % 2**32) if is_last else b""
    return head + part + end, after


class _Parts:
    """A file that cannot seek, and so makes `ZipFile` write a stream. `take` removes what is written."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, content: bytes) -> int:
        self._written.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def take(self) -> bytes:
        content = b"".join(self._written)
        self._written.clear()
        return content


def _sheet_row(row: Sequence[str], style: int = 0) -> str:
    return f"<row>{''.join(_sheet_cell(cell, style) for cell in row)}</row>"


def _sheet_cell(cell: str, style: int) -> str:
    if not cell:
        return "<c/>"
    text = escape(_NOT_XML.sub(" ", cell))
    return f'<c t="inlineStr" s="{style}"><is><t xml:space="preserve">{text}</t></is></c>'
