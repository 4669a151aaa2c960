"""Files of rows, written row by row, and CSV that a spreadsheet may open: no cell is run as a formula.

A cell that begins with one of `FORMULA_STARTS` is taken for a formula (OWASP, "CSV Injection"), and an
address like `=cmd|calc@example.org` is a valid one. Written, such a cell gets an apostrophe in front,
which spreadsheets show as text; read, it loses it again, so that a file survives the way out and back.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from import_export.formats.base_formats import CSV, JSON
from tablib import Dataset

CHUNK = 2000
"""Rows that are read, and written, at a time."""

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""As in Excel; some locales take the wide forms too."""

_FORMULA = re.compile(f"'*[{re.escape(FORMULA_STARTS)}]")
_NEUTRALISED = re.compile(f"'+[{re.escape(FORMULA_STARTS)}]")


def neutralise(cell: Any) -> Any:
    """The cell as it may stand in a file. An apostrophe that was there already stays: there are two then."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def restore(cell: Any) -> Any:
    """The cell as it was before `neutralise`."""
    return cell[1:] if isinstance(cell, str) and _NEUTRALISED.match(cell) else cell


@dataclass(frozen=True)
class Rows:
    """What goes out into a file: each row is read once, when it is written."""

    headers: Sequence[str]
    rows: Iterable[Sequence[Any]]


class StreamedJSON(JSON):
    """JSON for django-import-export: an array of objects."""

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
            csv.writer(file).writerows(part)
            yield file.getvalue()

    def create_dataset(self, in_stream: bytes | str, **kwargs: Any) -> Dataset:
        text = in_stream.decode(self.encoding or "utf-8-sig") if isinstance(in_stream, bytes) else in_stream
        heading = text.partition("\n")[0]
        delimiter = ";" if heading.count(";") > heading.count(",") else ","
        dataset: Dataset = super().create_dataset(text, delimiter=delimiter, **kwargs)
        restored = Dataset(headers=dataset.headers)
        restored.extend([restore(cell) for cell in row] for row in dataset)
        return restored
