"""Read the rows of an XLSX workbook as a stream (ECMA-376 part 1, section 18).

A workbook is a ZIP archive of XML files. Text cells refer to a table of shared strings, which is often as
large as the sheet and which libraries hold in memory. Here it is read as far as needed, and goes to a
temporary file when it is large (docs/decisions/019).

Against hostile files: no archive directory larger than a real one, no XML entities ("billion laughs"), no
piece of XML that expat would have to hold in memory, and limits on the unpacked sizes ("zip bomb").
"""

import re
import zipfile
import zlib
from array import array
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO
from xml.parsers import expat

import structlog
from django.utils.translation import gettext as _

from sailing.spreadsheets import MAX_COLUMNS, UnreadableFile

PART_SIZE = 65_536
"""Bytes of XML that are parsed at a time."""

MAX_SILENT_SIZE = 1_048_576
"""Bytes of XML without an element or text: an unfinished tag or comment, which expat holds in memory."""

MAX_CELL_LENGTH = 131_072
"""Characters. Excel itself allows 32,767."""

MAX_CELLS = 16_384
"""Of a row; Excel's own limit."""

MAX_ENTRIES = 10_000
MAX_DIRECTORY_SIZE = 2_097_152
MAX_SHEET_SIZE = 2**31
MAX_SMALL_SIZE = 2**22
MAX_STRINGS_SIZE = 2**29
"""Unpacked bytes."""

MAX_STRINGS_IN_MEMORY = 2**22
"""Bytes of shared strings. More of them go to a temporary file."""

BLOCK = 64
"""Shared strings that are stored and read together."""

_ZIP64_LOCATOR = b"PK\x06\x07"
_DIMENSION = re.compile(rb"<(?:\w+:)?dimension[^>]*ref=\"[A-Z]+[0-9]+:[A-Z]+([0-9]{1,7})\"")
_COLUMN = re.compile("[A-Z]{1,3}")

Attributes = Mapping[str, str]

logger = structlog.get_logger(__name__)


def is_workbook(file: BinaryIO) -> bool:
    """Return whether a ZIP archive is an XLSX workbook. Raises UnreadableFile."""
    with _open(file) as archive:
        return "xl/workbook.xml" in archive.namelist()


def read_sheet_size(file: BinaryIO) -> int | None:
    """Return the number of rows below the header that the sheet says it has. Raises UnreadableFile."""
    with _open(file) as archive, _open_part(archive, _find_sheet(archive), MAX_SHEET_SIZE) as sheet:
        found = _DIMENSION.search(sheet.read(PART_SIZE))
    return max(0, int(found[1]) - 1) if found else None


def read_sheet(file: BinaryIO) -> Iterator[list[str]]:
    """Return the rows of the first visible sheet. Raises UnreadableFile."""
    with _open(file) as archive:
        name = _find_sheet(archive)
        with _SharedStrings(archive) as strings, _open_part(archive, name, MAX_SHEET_SIZE) as part:
            sheet = _Sheet(strings)
            for _part in _parse(part, sheet):
                while sheet.rows:
                    yield sheet.rows.popleft()


@contextmanager
def _open(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Raises UnreadableFile, for errors while it is read too."""
    try:
        _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, KeyError, ValueError) as error:
        raise _damaged() from error
    except OSError as error:  # of the temporary file: the uploaded one is in the database
        logger.warning("temporary_file_failed", reason=error.strerror)
        problem = _("The server cannot store temporary files: its disk may be full or read-only.")
        remedy = _("Please save the workbook as CSV, which needs none, or try again later.")
        raise UnreadableFile(f"{problem} {remedy}") from error


def _check_directory(file: BinaryIO) -> None:
    """Check the size of the archive's directory, which `ZipFile` reads into memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_600))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise _damaged()
    entries = int.from_bytes(tail[end + 10 : end + 12], "little")
    directory_size = int.from_bytes(tail[end + 12 : end + 16], "little")
    has_large_directory = tail[max(0, end - 20) : end].startswith(_ZIP64_LOCATOR)
    if entries > MAX_ENTRIES or directory_size > MAX_DIRECTORY_SIZE or has_large_directory:
        raise _damaged()


def _open_part(archive: zipfile.ZipFile, name: str, max_size: int) -> IO[bytes]:
    entry = archive.getinfo(name)
    if entry.flag_bits & 1:
        raise UnreadableFile(_("The workbook is protected by a password. Please save it without one."))
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _damaged()
    if entry.file_size > max_size:
        raise UnreadableFile(_("The workbook is too large. Please split it or save it as CSV."))
    return archive.open(entry)


def _damaged() -> UnreadableFile:
    return UnreadableFile(_("The workbook is damaged. Please save it again in Excel, or as CSV."))


class _Handler:
    """Receives the elements of an XML file, by their names without a namespace."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Handle a start tag."""

    def end(self, name: str) -> None:
        """Handle an end tag."""

    def text(self, text: str) -> None:
        """Handle a part of the text."""


def _parse(file: IO[bytes], handler: _Handler) -> Iterator[None]:
    """Parse XML in parts, and yield after each."""
    events = 0

    def start(name: str, attributes: Attributes) -> None:
        nonlocal events
        events += 1
        handler.start(name.rpartition(" ")[2], attributes)

    def end(name: str) -> None:
        nonlocal events
        events += 1
        handler.end(name.rpartition(" ")[2])

    def text(text: str) -> None:
        nonlocal events
        events += 1
        handler.text(text)

    def refuse(*_arguments: object) -> None:
        raise _damaged()

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse  # no document type, so no entities
    silent = 0
    while part := file.read(PART_SIZE):
        before = events
        parser.Parse(part, False)
        silent = 0 if events > before else silent + len(part)
        if silent > MAX_SILENT_SIZE:
            raise _damaged()
        yield
    parser.Parse(b"", True)
    yield


class _Elements(_Handler):
    """The attributes of all elements of one name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.found: list[Attributes] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == self._name:
            # The id of a relationship has a namespace, in which two versions of the format differ.
            self.found.append({key.rpartition(" ")[2]: value for key, value in attributes.items()})


def _read_elements(archive: zipfile.ZipFile, part: str, name: str) -> list[Attributes]:
    elements = _Elements(name)
    with _open_part(archive, part, MAX_SMALL_SIZE) as file:
        for _part in _parse(file, elements):
            pass
    return elements.found


def _find_sheet(archive: zipfile.ZipFile) -> str:
    """Return the name of the part with the first visible sheet."""
    sheets = _read_elements(archive, "xl/workbook.xml", "sheet")
    visible = [sheet for sheet in sheets if sheet.get("state", "visible") == "visible"]
    if not visible:
        raise _damaged()
    for relationship in _read_elements(archive, "xl/_rels/workbook.xml.rels", "Relationship"):
        if relationship.get("Id") == visible[0]["id"]:
            target = relationship["Target"]
            return target[1:] if target.startswith("/") else f"xl/{target}"
    raise _damaged()


class _Text(_Handler):
    """Collects the text of an element, except the phonetic hints of Japanese text."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._length = 0
        self._is_text = False
        self._is_hint = False

    def text(self, text: str) -> None:
        if self._is_text:
            self._texts.append(text)
            self._length += len(text)
            if self._length > MAX_CELL_LENGTH:
                raise UnreadableFile(
                    _("A cell of the workbook has more than %(limit)d characters.")
                    % {"limit": MAX_CELL_LENGTH}
                )

    def take_text(self) -> str:
        text = "".join(self._texts)
        self._texts.clear()
        self._length = 0
        return text


class _SharedStrings(_Text):
    """The table of shared strings, read as far as needed and kept in memory or a temporary file.

    It has the strings separated by zero characters, which XML cannot contain. The offset of every
    BLOCKth string is in memory.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        super().__init__()
        self._parts: Iterator[None] = iter(())
        self._source: IO[bytes] | None = None
        with suppress(KeyError):  # a workbook need not have the table
            self._source = _open_part(archive, "xl/sharedStrings.xml", MAX_STRINGS_SIZE)
            self._parts = _parse(self._source, self)
        self._file = SpooledTemporaryFile(MAX_STRINGS_IN_MEMORY)  # noqa: SIM115 - closed by `__exit__`
        self._offsets = array("Q", [0])
        self._open_block: list[str] = []
        self._cached = (-1, [""])

    def __enter__(self) -> "_SharedStrings":
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()
        if self._source:
            self._source.close()

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self._texts.clear()
        elif name == "rPh":
            self._is_hint = True
        elif name == "t":
            self._is_text = not self._is_hint

    def end(self, name: str) -> None:
        if name == "t":
            self._is_text = False
        elif name == "rPh":
            self._is_hint = False
        elif name == "si":
            self._open_block.append(self.take_text())
            if len(self._open_block) == BLOCK:
                content = "\0".join(self._open_block).encode()
                self._file.seek(self._offsets[-1])
                self._file.write(content)
                self._offsets.append(self._offsets[-1] + len(content))
                self._open_block = []

    def get(self, index: int) -> str:
        """Return a string. Raises UnreadableFile if the table has no such string."""
        block, position = divmod(index, BLOCK)
        if block == self._cached[0]:
            return self._cached[1][position]
        while block >= len(self._offsets) - 1:
            if block == len(self._offsets) - 1 and position < len(self._open_block):
                return self._open_block[position]
            if next(self._parts, self) is self:
                raise _damaged()
        self._file.seek(self._offsets[block])
        content = self._file.read(self._offsets[block + 1] - self._offsets[block])
        self._cached = (block, content.decode().split("\0"))
        return self._cached[1][position]


class _Sheet(_Text):
    """Collects the rows of a sheet, as text."""

    def __init__(self, strings: _SharedStrings) -> None:
        super().__init__()
        self._strings = strings
        self._row: list[str] = []
        self._column = 0
        self._type = ""
        self.rows: deque[list[str]] = deque()

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            self._type = attributes.get("t", "n")
            reference = _COLUMN.match(attributes.get("r", ""))
            self._column = _column_number(reference[0]) if reference else len(self._row)
            self._texts.clear()
        elif name in ("v", "t"):
            self._is_text = not self._is_hint
        elif name == "rPh":
            self._is_hint = True
        elif name == "row":
            self._row = []

    def end(self, name: str) -> None:
        if name in ("v", "t"):
            self._is_text = False
        elif name == "rPh":
            self._is_hint = False
        elif name == "c":
            value = self.take_text()
            if value and self._type == "s":
                value = self._strings.get(int(value))
            if value:
                self._add(value)
        elif name == "row":
            self.rows.append(self._row)

    def _add(self, value: str) -> None:
        missing = self._column - len(self._row)
        if missing < 0:
            raise _damaged()
        if self._column >= MAX_COLUMNS:  # the empty cells before it would fill the memory
            raise UnreadableFile(_("The file has more than %(limit)d columns.") % {"limit": MAX_COLUMNS})
        self._row += [""] * missing
        self._row.append(value)


def _column_number(letters: str) -> int:
    """Return the number of a column, 0 for A and 26 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
