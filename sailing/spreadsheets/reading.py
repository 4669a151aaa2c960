"""Recognise a file and read its rows.

CSV may be separated by commas, semicolons, tabs or vertical bars, and encoded in UTF-8, UTF-16 or
Windows-1250, as Excel and Google Sheets write it. Of an XLSX workbook the first visible sheet is read.

The files come from admins, but a mistake or an attack must neither fill the memory nor take minutes. So
everything is read in parts, and each part that a file could make large has a limit.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from django.utils.translation import gettext as _

from sailing.spreadsheets import MAX_COLUMNS, UnreadableFile
from sailing.spreadsheets.writing import unescape_formula
from sailing.spreadsheets.xlsx_reading import is_workbook, read_sheet, read_sheet_size

MAX_ROW_LENGTH = 131_072
"""Characters of one CSV row. This is also the csv module's limit on one field."""

HEAD_SIZE = 65_536
PART_SIZE = 1_048_576
"""Bytes that are decoded at a time to find the encoding."""

DELIMITERS = ",;\t|"

_QUOTED = re.compile('"[^"]*"?')
_EXCEL_HINT = re.compile("(?:sep=)(.)[\r\n]+", re.IGNORECASE)
"""A first line such as `sep=;`, which tells Excel the delimiter."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class FileFormat:
    """How to read a file. `encoding` and `delimiter` are those of CSV.

    `row_count`: the rows below the header, or None if unknown. It is an estimate: a CSV cell may contain
    line breaks, and a sheet may claim rows that are empty.
    """

    kind: str
    encoding: str = ""
    delimiter: str = ""
    row_count: int | None = None


def detect_format(file: BinaryIO) -> FileFormat:
    """Return the format of a seekable file. Raises UnreadableFile."""
    file.seek(0)
    head = file.read(HEAD_SIZE)
    if not head.strip():
        raise UnreadableFile(_("The file is empty."))
    if head.startswith(b"PK\x03\x04"):
        if not is_workbook(file):
            reason = _("This is not an Excel workbook but another kind of file, perhaps OpenDocument (.ods).")
            raise UnreadableFile(f"{reason} {_save_again()}")
        return FileFormat("xlsx", row_count=read_sheet_size(file))
    _refuse_other_kinds(head)
    return _detect_csv(file, head)


def read_rows(file: BinaryIO, file_format: FileFormat) -> Iterator[list[str]]:
    """Return the rows of a seekable file, the header first, without blank rows. Raises UnreadableFile."""
    rows = read_sheet(file) if file_format.kind == "xlsx" else _read_csv(file, file_format)
    header: list[str] = []
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if not header:
            header = row
            _check_header(header)
        yield row
    if not header:
        raise UnreadableFile(_("The file is empty."))


def _check_header(header: Sequence[str]) -> None:
    if len(header) > MAX_COLUMNS:
        raise UnreadableFile(_("The file has more than %(limit)d columns.") % {"limit": MAX_COLUMNS})


def _save_again() -> str:
    return _("Please save it as XLSX or CSV and choose it again.")


def _refuse_other_kinds(head: bytes) -> None:
    text = head.lstrip().lower()
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        reason = _("This file is in the old Excel format (.xls) or protected by a password.")
    elif head.startswith(b"%PDF"):
        reason = _("This is a PDF, not a table.")
    elif text.startswith((b"<!doctype", b"<html", b"<?xml", b"<table", b"{\\rtf")):
        reason = _("This is a web page or a document, not a table, whatever its name says.")
    elif text.startswith((b"[{", b'{"')):
        reason = _("This is a JSON file.")
    else:
        return
    raise UnreadableFile(f"{reason} {_save_again()}")


def _detect_csv(file: BinaryIO, head: bytes) -> FileFormat:
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), "")
    for encoding in [marked] if marked else _guess_encodings(head):
        lines = _count_lines(file, encoding)
        if lines is not None:
            text = head.decode(encoding, errors="ignore")
            return FileFormat("csv", encoding, _detect_delimiter(text), max(0, lines - 1))
    reason = _("The characters in this file cannot be read.")
    raise UnreadableFile(f"{reason} {_save_again()}")


def _guess_encodings(head: bytes) -> Sequence[str]:
    """Return encodings to try for a file without a byte order mark.

    In UTF-16 every second byte of most European text is zero. Almost no text in Windows-1250 is valid UTF-8.
    """
    half = len(head) // 4
    if head[1::2].count(0) > half:
        return ["utf-16-le"]
    if head[0::2].count(0) > half:
        return ["utf-16-be"]
    return ["utf-8", "cp1250"]


def _count_lines(file: BinaryIO, encoding: str) -> int | None:
    """Return the number of lines of a whole file; None if the encoding is wrong. Raises UnreadableFile."""
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = returns = 0
    end = ""
    file.seek(0)
    try:
        while part := file.read(PART_SIZE):
            text = decoder.decode(part)
            if "\0" in text:
                reason = _("This is not a text file, or it is damaged.")
                raise UnreadableFile(f"{reason} {_save_again()}")
            feeds += text.count("\n")
            returns += text.count("\r")
            end = text[-1:] or end
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    return (feeds or returns) + (end not in ("\n", "\r"))


def _detect_delimiter(text: str) -> str:
    if hint := _EXCEL_HINT.match(text.lstrip("\ufeff")):
        return hint[1]
    heading = re.split("[\r\n]", _QUOTED.sub("", text.lstrip("\ufeff\r\n")), maxsplit=1)[0]
    return max(DELIMITERS, key=heading.count)  # the first of equals: a single column has commas


class _BoundedLines:
    """The lines of a text for the csv module, which itself would read any long line or row into memory."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._length = 0
        self._lines = 0
        self._quotes = 0
        self.rows = 1

    def __iter__(self) -> "_BoundedLines":
        return self

    def __next__(self) -> str:
        line = self._text.readline(MAX_ROW_LENGTH - self._length + 1)
        if not line:
            if self._lines > 1 and self._quotes % 2:
                raise UnreadableFile(
                    _("Row %(row)d has a quotation mark that is never closed.") % {"row": self.rows}
                )
            raise StopIteration
        self._length += len(line)
        self._lines += 1
        self._quotes += line.count('"')
        if self._length > MAX_ROW_LENGTH:
            raise UnreadableFile(
                _("Row %(row)d is too long, or has a quotation mark that is never closed.")
                % {"row": self.rows}
            )
        return line

    def end_row(self) -> None:
        self._length = self._lines = self._quotes = 0
        self.rows += 1


def _read_csv(file: BinaryIO, file_format: FileFormat) -> Iterator[list[str]]:
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=file_format.encoding, newline="")
    lines = _BoundedLines(text)
    try:
        is_first = True
        for row in csv.reader(lines, delimiter=file_format.delimiter):
            lines.end_row()
            if is_first and file_format.encoding.startswith("utf-16-") and row:
                row[0] = row[0].lstrip("\ufeff")
            if is_first and row and row[0].lower() == "sep=" and not any(row[1:]):
                continue
            is_first = False
            yield [unescape_formula(cell) for cell in row]
    except csv.Error as error:
        raise UnreadableFile(_("Row %(row)d cannot be read.") % {"row": lines.rows}) from error
    finally:
        with suppress(ValueError):  # the owner of the file has closed it already
            text.detach()  # otherwise it would close the file
