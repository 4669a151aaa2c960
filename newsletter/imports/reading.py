"""Read an uploaded CSV file, row by row, so that memory does not grow with the file.

UTF-8, and UTF-16 with a byte order mark, are read as they are. Any other encoding is a guess, which is shown.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from newsletter.imports.rows import UNREADABLE
from newsletter.imports.vocabulary import HEADINGS, Role, normalize_heading
from sailing.csv_files import unescape_formula
from sailing.jobs import files
from sailing.jobs.models import JobFile

MAX_COLUMNS = 100
MAX_LINE_LENGTH = 131_072  # characters; also the csv module's limit on a field, which may have several lines

HEADER_ROWS = 10  # one of them is the header: a title may stand above it
DELIMITERS = ",;\t|"
OTHER_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"<", b"{", b"[", codecs.BOM_UTF32_LE)
"""Of workbooks (XLSX and ODS, XLS), PDF, HTML, XML, RTF, JSON and UTF-32."""

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
UTF_8, WINDOWS_1250 = "UTF-8", "Windows-1250"
ENCODINGS = (UTF_8, WINDOWS_1250, "ISO 8859-2", "Windows-1252", "Mac CentEuro", "Mac Roman", "CP852")
"""What a file without a mark may be in, the likeliest first, by names that Python knows too."""

PROBLEM_HEADINGS = ("problem", "problém")
"""Of the column that we add to a file of rows to correct: it is not read."""

SHOWN_CELLS = 5
_ASCII = re.compile("[\x00-\x7f]+")
_QUOTED = re.compile('"[^"]*"?')
_CELL_ENDS = re.compile(rb'[,;\t|"\r\n]+')


class UnreadableFile(Exception):
    """The file cannot be read. The message tells an admin why, in plain words."""


@dataclass(frozen=True)
class Text:
    """How the text of a file is encoded.

    `choices`: if the encoding is not certain, the encodings and how some cells would read in each.
    `decoded_twice`: cells that look as if another program had read the file in a wrong encoding, and how they
    would read otherwise.
    """

    encoding: str
    choices: dict[str, list[str]] = field(default_factory=dict)
    decoded_twice: list[tuple[str, str]] = field(default_factory=list)


def detect_encoding(file: JobFile) -> Text:
    """Return a file's encoding, by its first part beyond ASCII. Raises UnreadableFile, `files.DELETED`."""
    head = next(files.read_chunks(file), b"")
    encoding = next((name for mark, name in MARKS.items() if head.startswith(mark)), "")
    if head.lstrip().startswith(OTHER_STARTS) or (not encoding and b"\0" in head):
        raise UnreadableFile(
            _("Imports read CSV. In Excel, choose File, Save As, type “CSV UTF-8”, and import that file.")
        )
    if encoding:
        return Text(encoding)
    part = next((part for part in files.read_chunks(file) if not part.isascii()), b"")
    text = codecs.getincrementaldecoder(UTF_8)("replace").decode(part)  # its last character may be cut
    cells = list(dict.fromkeys(cell for cell in _CELL_ENDS.split(part) if not cell.isascii()))
    wrong = text.count(UNREADABLE)
    if not wrong:
        found = [(cell.decode(errors="replace"), _decode_twice(cell)) for cell in cells]
        return Text(UTF_8, decoded_twice=[each for each in found if each[1]][:SHOWN_CELLS])
    is_utf_8 = wrong < sum(not character.isascii() for character in text) - wrong
    if is_utf_8:
        cells = [cell for cell in cells if UNREADABLE in cell.decode(errors="replace")]
    readings = [[cell.decode(name, errors="replace") for name in ENCODINGS] for cell in cells]
    # First a cell for each set of encodings that it tells apart.
    first = {tuple(map(each.index, each)): each for each in reversed(readings)}.values()
    readings.sort(key=lambda each: each not in first)
    choices = {name: [each[index] for each in readings] for index, name in enumerate(ENCODINGS)}
    readable = (name for name, read in choices.items() if _ASCII.sub("", "".join(read)).isalpha())
    encoding = UTF_8 if is_utf_8 else next(readable, WINDOWS_1250)
    return Text(encoding, {name: read[:SHOWN_CELLS] for name, read in choices.items()})


def _decode_twice(cell: bytes) -> str:
    """Return what a cell said before it was read in a wrong encoding, or a blank text if it was not."""
    for encoding in ("cp1252", WINDOWS_1250):
        try:
            return cell.decode().encode(encoding).decode()
        except UnicodeError:
            continue
    return ""


class Rows:
    """The rows of a file below its `header`, without blank ones; reading raises UnreadableFile."""

    def __init__(self, text: io.TextIOWrapper, delimiter: str) -> None:
        self.delimiter = delimiter
        self._text = text
        self._skipped_columns = 0
        self.seek(0, 0)
        self.header = self._find_header()
        if normalize_heading(self.header[0]) in PROBLEM_HEADINGS:
            self._skipped_columns = 1
            self.header = self.header[1:]

    def __iter__(self) -> Iterator[list[str]]:
        return self

    def __next__(self) -> list[str]:
        start = self._line
        try:
            for row in self._reader:
                if any(cell.strip() for cell in row):
                    return [unescape_formula(cell) for cell in row[self._skipped_columns :]]
                start = self._line
        except csv.Error as error:
            raise UnreadableFile(
                _("Line %(line)d cannot be read: it is too long, or has a missing or extra quotation mark.")
                % {"line": start + 1}
            ) from error
        raise StopIteration

    def tell(self) -> tuple[int, int]:
        """Return the place of the next row, for `seek`: what `TextIOBase.tell` calls it, and its line."""
        return self._text.tell(), self._line

    def seek(self, place: int, line: int) -> None:
        """Continue with the row at a place."""
        self._text.seek(place)
        self._line = line
        self._reader: Any = csv.reader(self._read_lines(), delimiter=self.delimiter, strict=True)

    def _read_lines(self) -> Iterator[str]:
        while line := self._text.readline(MAX_LINE_LENGTH):
            if len(line) == MAX_LINE_LENGTH:
                raise csv.Error
            self._line += 1
            yield line

    def _find_header(self) -> list[str]:
        """Return the first of the first rows that has a heading for addresses, or else the first one."""
        for cells in islice(self, HEADER_ROWS):
            if any(normalize_heading(cell) in HEADINGS[Role.EMAIL] for cell in cells):
                return cells
            if any("@" in cell for cell in cells):
                break
        self.seek(0, 0)
        first = next(self, None)
        if first is None:
            raise UnreadableFile(_("The file is empty."))
        return first


@contextmanager
def open_rows(file: JobFile, encoding: str, delimiter: str = "") -> Iterator[Rows]:
    """Open an uploaded file, whose delimiter may be known. Reading raises UnreadableFile, `files.DELETED`."""
    with io.TextIOWrapper(files.open_uploaded(file), encoding, errors="replace", newline="") as text:
        rows = Rows(text, delimiter or _detect_delimiter(text.read(MAX_LINE_LENGTH)))
        if not rows.header or any("@" in cell for cell in rows.header):
            raise UnreadableFile(
                _("One of the first rows must contain the column names, such as Email, above the addresses.")
            )
        if len(rows.header) > MAX_COLUMNS:
            raise UnreadableFile(_("The file has more than %(limit)d columns.") % {"limit": MAX_COLUMNS})
        yield rows


def _detect_delimiter(text: str) -> str:
    lines = re.split("[\r\n]+", _QUOTED.sub("", text.lstrip("\ufeff\r\n")))[:20]
    # A title may contain any of them, rows contain theirs. `max` takes the first of equals.
    return max(DELIMITERS, key=lambda each: (sum(each in line for line in lines), lines[0].count(each)))
