"""Write rows as CSV that is safe to open in a spreadsheet (OWASP, "CSV Injection").

An apostrophe, which makes a cell text, stands before each formula start. Reading a file removes it again.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from django.utils.translation import get_language

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"  # as in Excel; in some locales the full-width forms count too
SEPARATORS = ",;|\t\r\n"  # characters at which a spreadsheet may split a line, even inside quotes

# Some spreadsheets skip quotes, apostrophes and spaces before a formula start.
_CELL_START = rf"(?:\A|(?<=[{re.escape(SEPARATORS)}]))"
_FORMULA = rf"(?=['\" ]*[{re.escape(FORMULA_STARTS)}])"
_UNSAFE = re.compile(_CELL_START + _FORMULA)
_ESCAPED = re.compile(f"{_CELL_START}'{_FORMULA}")


def escape_formula(cell: str) -> str:
    return _UNSAFE.sub("'", cell)


def unescape_formula(cell: str) -> str:
    return _ESCAPED.sub("", cell)


def write_csv(rows: Iterable[Sequence[str]], *, delimiter: str = "", has_mark: bool = True) -> bytes:
    """Return rows in UTF-8, by default with the mark and the delimiter that Excel expects in the language."""
    delimiter = delimiter or (";" if get_language() == "cs" else ",")
    text = io.StringIO(newline="")
    text.write("\ufeff" if has_mark else "")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, delimiter=delimiter)
    writer.writerows([escape_formula(cell) for cell in row] for row in rows)
    return text.getvalue().encode(errors="replace")
