"""CSV and JSON files of rows: streamed export, bounded import, protection against CSV injection.

A spreadsheet runs a cell that begins with one of `FORMULA_STARTS` as a formula (OWASP, "CSV Injection"), and
`=cmd|calc@example.org` is a valid address. It may also split cells: where the comma is the decimal separator,
as in Czech, Excel splits lines at semicolons. So export writes an apostrophe, which makes a cell text, before
each formula start at the beginning of a cell and after each of `SEPARATORS`. Import removes it again.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export.formats.base_formats import CSV, JSON
from tablib import Dataset

CHUNK_SIZE = 2000
"""Rows that are read or written at a time."""

MAX_ROWS = 20_000
"""Rows of an imported file that one request can show and store well within its deadline."""

MAX_COLUMNS = 100
"""Columns of an imported CSV file. Short rows are padded to the width of the first."""

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""As in Excel. In some locales the full-width forms count too."""

SEPARATORS = ",;|\t\r\n"
"""Characters at which a spreadsheet may split a line, even inside quotes."""

# Some spreadsheets skip quotes, apostrophes and spaces before a formula start.
_CELL_START = rf"(?:\A|(?<=[{re.escape(SEPARATORS)}]))"
_FORMULA = rf"(?=['\" ]*[{re.escape(FORMULA_STARTS)}])"
_UNSAFE = re.compile(_CELL_START + _FORMULA)
_ESCAPED = re.compile(f"{_CELL_START}'{_FORMULA}")

_SURROGATE = re.compile("[\ud800-\udfff]")
"""JSON can contain a lone surrogate, which cannot be stored or encoded."""


def escape_formula(cell: Any) -> Any:
    """Return the cell for a file. An apostrophe of its own is kept beside the added one."""
    return _UNSAFE.sub("'", cell) if isinstance(cell, str) else cell


def unescape_formula(cell: Any) -> Any:
    """Undo `escape_formula`."""
    return _ESCAPED.sub("", cell) if isinstance(cell, str) else cell


@dataclass(frozen=True)
class Rows:
    """The rows of an export. Each is read when it is written."""

    headers: Sequence[str]
    rows: Iterable[Sequence[Any]]


class StreamedJSON(JSON):
    """JSON for django-import-export: an array of objects."""

    def create_dataset(self, in_stream: bytes | str, **kwargs: Any) -> Dataset:
        """Read a file. Raises ValidationError if it is no table, too long or cannot be stored.

        tablib's reader takes quadratic time for empty objects. It also reads values by position, so objects
        with another order of keys would get into the wrong columns.
        """
        objects = json.loads(_decode(in_stream, self.encoding))
        not_a_table = ValidationError(_("The file must be a list of objects with the same keys."))
        if not isinstance(objects, list):
            raise not_a_table
        _check_length(objects)
        if not all(item and isinstance(item, dict) and item.keys() == objects[0].keys() for item in objects):
            raise not_a_table
        headers = list(objects[0]) if objects else []
        rows = [[item[key] for key in headers] for item in objects]
        if any(_SURROGATE.search(str(cell)) for row in [headers, *rows] for cell in row):
            raise ValidationError(_("The file contains an incomplete character (such as \\ud800)."))
        dataset = Dataset(headers=headers)
        dataset.extend(rows)
        return dataset

    def export_data(self, dataset: Rows, **kwargs: Any) -> Iterator[str]:
        objects = (json.dumps(dict(zip(dataset.headers, row, strict=True))) for row in dataset.rows)
        yield "["
        yield from islice(objects, 1)
        while part := list(islice(objects, CHUNK_SIZE)):
            yield "".join(f", {item}" for item in part)
        yield "]"


class SpreadsheetCSV(CSV):
    """CSV for django-import-export. It also reads semicolons as separators, as Czech Excel writes them."""

    def export_data(self, dataset: Rows, **kwargs: Any) -> Iterator[str]:
        rows = chain([dataset.headers], ([escape_formula(cell) for cell in row] for row in dataset.rows))
        while part := list(islice(rows, CHUNK_SIZE)):
            file = io.StringIO()
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows(part)
            yield file.getvalue()

    def create_dataset(self, in_stream: bytes | str, **kwargs: Any) -> Dataset:
        """Read a file. Raises ValidationError if it is too large, before reading all of it."""
        text = _decode(in_stream, self.encoding)
        heading = text.partition("\n")[0]
        delimiter = ";" if heading.count(";") > heading.count(",") else ","
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        headers = next(lines, [])
        if len(headers) > MAX_COLUMNS:
            raise ValidationError(_("The file has more than %(limit)d columns.") % {"limit": MAX_COLUMNS})
        rows = list(islice(filter(None, lines), MAX_ROWS + 1))
        _check_length(rows)
        dataset = Dataset(headers=headers)
        for row in rows:
            missing = [""] * (len(headers) - len(row))
            dataset.append([unescape_formula(cell) for cell in row] + missing)
        return dataset


def _decode(content: bytes | str, encoding: str | None) -> str:
    return content.decode(encoding or "utf-8-sig") if isinstance(content, bytes) else content


def _check_length(rows: Sequence[Any]) -> None:
    """Raise ValidationError for more than `MAX_ROWS` rows."""
    if len(rows) > MAX_ROWS:
        raise ValidationError(
            _("The file has more than %(limit)d rows. Please split it.") % {"limit": MAX_ROWS}
        )
