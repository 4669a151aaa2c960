"""Files of rows, written row by row, and CSV that a spreadsheet may open: no cell is run as a formula.

A spreadsheet takes a cell that begins with one of `FORMULA_STARTS` for a formula (OWASP, "CSV Injection"),
and an address like `=cmd|calc@example.org` is a valid one. It may also split a line where we did not: Excel
splits at semicolons where the comma is the decimal sign, as in Czech. So an apostrophe, which spreadsheets
show as text, is written before each formula start at the beginning of a cell and after each of `SEPARATORS`.
Reading removes it again, so that a file survives the way out and back.
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

CHUNK = 2000
"""Rows that are read, and written, at a time."""

MAX_ROWS = 20_000
"""Of a file that is read: what one request can show and store well within its deadline."""

MAX_COLUMNS = 100
"""Of a CSV file that is read: each short row is filled up to the width of the first."""

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""As in Excel; some locales take the wide forms too."""

SEPARATORS = ",;|\t\r\n"
"""Where a spreadsheet may split a line, whatever the quotes say."""

# Quotes, apostrophes and spaces before a formula start do not stop every spreadsheet.
_BEGINS = rf"(?:\A|(?<=[{re.escape(SEPARATORS)}]))"
_FORMULA = rf"(?=['\" ]*[{re.escape(FORMULA_STARTS)}])"
_UNSAFE = re.compile(_BEGINS + _FORMULA)
_NEUTRALISED = re.compile(f"{_BEGINS}'{_FORMULA}")

_SURROGATE = re.compile("[\ud800-\udfff]")
"""JSON can spell such a code point alone; no database stores it, and no page shows it."""


def neutralise(cell: Any) -> Any:
    """Return the cell as it may stand in a file. An apostrophe that was there stays: there are two then."""
    return _UNSAFE.sub("'", cell) if isinstance(cell, str) else cell


def restore(cell: Any) -> Any:
    """Return the cell as it was before `neutralise`."""
    return _NEUTRALISED.sub("", cell) if isinstance(cell, str) else cell


@dataclass(frozen=True)
class Rows:
    """What goes out into a file: each row is read once, when it is written."""

    headers: Sequence[str]
    rows: Iterable[Sequence[Any]]


class StreamedJSON(JSON):
    """JSON for django-import-export: an array of objects."""

    def create_dataset(self, in_stream: bytes | str, **kwargs: Any) -> Dataset:
        """Read a file. Raises ValidationError for one that is no table, is too long or cannot be stored.

        tablib's own reader takes quadratic time for empty objects, and reads values by position, so that
        objects whose keys are in another order would get into the wrong columns.
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
        while part := list(islice(objects, CHUNK)):
            yield "".join(f", {item}" for item in part)
        yield "]"


class SpreadsheetCSV(CSV):
    """CSV for django-import-export. It reads semicolons too.

    Excel writes them where the comma is the decimal sign, as in Czech.
    """

    def export_data(self, dataset: Rows, **kwargs: Any) -> Iterator[str]:
        rows = chain([dataset.headers], ([neutralise(cell) for cell in row] for row in dataset.rows))
        while part := list(islice(rows, CHUNK)):
            file = io.StringIO()
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows(part)
            yield file.getvalue()

    def create_dataset(self, in_stream: bytes | str, **kwargs: Any) -> Dataset:
        """Read a file. Raises ValidationError for one that is too large, before it is read whole."""
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
            dataset.append([restore(cell) for cell in row] + missing)
        return dataset


def _decode(content: bytes | str, encoding: str | None) -> str:
    return content.decode(encoding or "utf-8-sig") if isinstance(content, bytes) else content


def _check_length(rows: Sequence[Any]) -> None:
    """Raise ValidationError for more rows than are read."""
    if len(rows) > MAX_ROWS:
        raise ValidationError(
            _("The file has more than %(limit)d rows. Please split it.") % {"limit": MAX_ROWS}
        )
