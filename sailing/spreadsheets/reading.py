"""Recognize a file and read its rows.

CSV may be separated by commas, semicolons, tabs or vertical bars, and encoded in UTF-8, UTF-16 or
Windows-1250, as Excel and Google Sheets write it. A workbook (XLSX, XLS, ODS) is converted to CSV first.

The files come from admins, but a mistake or an attack must neither fill the memory nor take minutes. So
everything is read in parts, and each part that a file could make large has a limit.
"""

import codecs
import csv
import errno
import io
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import structlog
from django.utils.translation import gettext as _

from sailing import limited_process
from sailing.spreadsheets import MAX_COLUMNS, UnreadableFile, workbook_to_csv
from sailing.spreadsheets.workbook_to_csv import Status
from sailing.spreadsheets.writing import unescape_formula

MAX_ROW_LENGTH = 131_072
"""Characters of one CSV row. This is also the csv module's limit on one field."""

HEAD_SIZE = 65_536
PART_SIZE = 1_048_576
"""Bytes that are decoded at a time to find the encoding."""

DELIMITERS = ",;\t|"
DELIMITED_LINES = 20
"""The first ones, in which the delimiter of a file is looked for."""

MAX_WORKBOOK_SIZE = 20_000_000
"""Bytes."""

CONVERSION_SECONDS = 60.0
WAIT_SECONDS = 0.2

WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""Of XLSX and ODS, and of XLS."""

OTHER_STARTS = (b"%pdf", b"<!doctype", b"<html", b"<?xml", b"<table", b"{\\rtf", b"[{", b'{"')
"""Of PDF, HTML, XML, RTF and JSON, in lower case."""

_QUOTED = re.compile('"[^"]*"?')
_EXCEL_HINT = re.compile("(?:sep=)(.)[\r\n]+", re.IGNORECASE)
"""A first line such as `sep=;`, which tells Excel the delimiter."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class FileFormat:
    """How to read a CSV file.

    `row_count`: the rows below the header. It is an estimate: a cell may contain line breaks.
    """

    encoding: str
    delimiter: str
    row_count: int


def is_workbook(file: BinaryIO) -> bool:
    """Return whether a seekable file seems to be a workbook, by its first bytes."""
    file.seek(0)
    return file.read(4) in WORKBOOK_STARTS


class Conversion:
    """A process that writes the rows of a workbook to a CSV file."""

    def __init__(self, source: Path, target: Path) -> None:
        self._target = target
        self._deadline = time.monotonic() + CONVERSION_SECONDS
        module = workbook_to_csv.__name__
        self.process = limited_process.start(module, str(source), str(target), stdout=subprocess.DEVNULL)

    def is_running(self) -> bool:
        """Wait for a moment; return whether the process still runs."""
        if time.monotonic() > self._deadline:
            self.process.kill()
        try:
            self.process.wait(WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            return True
        return False

    def open_rows(self) -> tuple[BinaryIO, FileFormat]:
        """Open the CSV file of a process that has ended, and return its format. Raises UnreadableFile.

        Dates are written as ISO 8601, numbers without a fraction as integers. The format is known: it must
        not be guessed from the cells, which may contain any delimiter.
        """
        status = self.process.returncode
        if status == Status.NO_SHEET:
            raise UnreadableFile(_("The workbook has no visible sheet."))
        if status == Status.PROTECTED:
            raise UnreadableFile(_("The workbook is protected by a password. Please save it without one."))
        if status == Status.NOT_STORED:
            raise OSError(errno.EIO, "the converted file cannot be stored")
        if status == Status.TOO_LARGE or status < 0:  # a signal: it has reached a limit
            raise UnreadableFile(describe_workbook_limits())
        if status != Status.DONE:
            reason = _("This workbook is damaged, protected by a password, or another kind of file.")
            raise UnreadableFile(f"{reason} {_save_again()}")
        rows = self._target.open("rb")
        row_count = max(0, (_count_lines(rows, "utf-8") or 0) - 1)
        rows.seek(0)
        return rows, FileFormat("utf-8", ",", row_count)


@contextmanager
def convert_workbook(file: BinaryIO) -> Iterator[Conversion]:
    """Convert the first visible sheet of a workbook to CSV, in temporary files. Raises UnreadableFile."""
    if file.seek(0, io.SEEK_END) > MAX_WORKBOOK_SIZE:
        raise UnreadableFile(describe_workbook_limits())
    try:
        with TemporaryDirectory() as folder:
            source = Path(folder, "workbook")
            file.seek(0)
            with source.open("wb") as copy:
                shutil.copyfileobj(file, copy)
            conversion = Conversion(source, Path(folder, "rows.csv"))
            try:
                yield conversion
            finally:
                conversion.process.kill()
                conversion.process.wait()
    except OSError as error:  # of the temporary files: the uploaded one is in the database
        logger.warning("temporary_file_failed", reason=error.strerror)
        problem = _("The server cannot store temporary files: its disk may be full or read-only.")
        remedy = _("Please save the workbook as CSV, which needs none, or try again later.")
        raise UnreadableFile(f"{problem} {remedy}") from error


def describe_workbook_limits() -> str:
    """Return the reason why a workbook is refused that is too large or needs too much."""
    return _(
        "A workbook may have at most 20 MB and 100,000 rows. Please save it as CSV, which may have 1,000,000,"
        " and choose it again."
    )


def detect_format(file: BinaryIO) -> FileFormat:
    """Return the format of a seekable CSV file. Raises UnreadableFile."""
    file.seek(0)
    head = file.read(HEAD_SIZE)
    if not head.strip():
        raise UnreadableFile(_("The file is empty."))
    if not head.lstrip().lower().startswith(OTHER_STARTS):
        marked = [name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)]
        for encoding in marked or ("utf-8", "cp1250"):  # almost no text in Windows-1250 is valid UTF-8
            lines = _count_lines(file, encoding)
            if lines is not None:
                text = head.decode(encoding, errors="ignore")
                return FileFormat(encoding, _detect_delimiter(text), max(0, lines - 1))
    reason = _("This is not a table but a PDF, a web page or another kind of file, or it is damaged.")
    raise UnreadableFile(f"{reason} {_save_again()}")


def read_rows(file: BinaryIO, file_format: FileFormat) -> Iterator[list[str]]:
    """Return the rows of a seekable CSV file, the header first, without blank rows. Raises UnreadableFile."""
    header: list[str] = []
    for row in _read_csv(file, file_format):
        if not any(cell.strip() for cell in row):
            continue
        if not header:
            header = row
            if len(header) > MAX_COLUMNS:
                raise UnreadableFile(_("The file has more than %(limit)d columns.") % {"limit": MAX_COLUMNS})
        yield row
    if not header:
        raise UnreadableFile(_("The file is empty."))


def _save_again() -> str:
    return _("Please save it as XLSX or CSV and choose it again.")


def _count_lines(file: BinaryIO, encoding: str) -> int | None:
    """Return the number of lines of a whole file; None if the encoding is wrong or it is no text."""
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = returns = 0
    end = ""
    file.seek(0)
    try:
        while part := file.read(PART_SIZE):
            text = decoder.decode(part)
            if "\0" in text:
                return None
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
    lines = re.split("[\r\n]+", _QUOTED.sub("", text.lstrip("\ufeff\r\n")))[:DELIMITED_LINES]
    # A title may contain any of them, rows contain theirs. The first of equals: a single column has commas.
    return max(DELIMITERS, key=lambda each: (sum(each in line for line in lines), lines[0].count(each)))


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
            if is_first and row and row[0].lower() == "sep=" and not any(row[1:]):
                continue
            is_first = False
            yield [unescape_formula(cell) for cell in row]
    except csv.Error as error:
        raise UnreadableFile(_("Row %(row)d cannot be read.") % {"row": lines.rows}) from error
    finally:
        with suppress(ValueError):  # the owner of the file has closed it already
            text.detach()  # otherwise it would close the file
