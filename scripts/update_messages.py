"""Update the Czech catalogue of each app (`make messages`). Django's `makemessages` needs GNU gettext."""

import io
import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "cs"
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_noop": None,
    **{f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext")},
}
# The app whose catalogue has the strings of a template. The first match wins.
TEMPLATES = {
    "newsletter": {"newsletter", "mails/newsletter", "admin/newsletter", "admin/imports"},
    "accounts": {"accounts", "mails/accounts", "admin/accounts", "registration"},
    "sailing": {"."},
}


def get_path(app: str) -> Path:
    return ROOT / app / "locale" / LANGUAGE / "LC_MESSAGES" / "django.po"


def read_catalogue(app: str) -> Catalog:
    """Return the committed catalogue of an app."""
    with get_path(app).open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def extract_messages(app: str) -> Catalog:
    """Return every translatable string in the code and templates of an app, with its location."""
    catalogue = Catalog(locale=LANGUAGE)
    for path, code in _read_sources(app):
        for line, message, _comments, context in extract("python", io.BytesIO(code), KEYWORDS):
            catalogue.add(message, locations=[(str(path), line)], context=context)
    return catalogue


def _read_sources(app: str) -> Iterator[tuple[Path, bytes]]:
    for path in sorted((ROOT / app).rglob("*.py")):
        name = path.relative_to(ROOT)
        if not {"tests", "migrations"} & set(name.parts):
            yield name, path.read_bytes()
    for path in sorted((ROOT / "templates").rglob("*.*")):
        folders = {str(folder) for folder in path.relative_to(ROOT / "templates").parents}
        if app == next(name for name, own in TEMPLATES.items() if folders & own):
            # As Django rewrites it; parsed as Python, so it must not be indented.
            code = templatize(path.read_text(encoding="utf-8"))
            yield path.relative_to(ROOT), "\n".join(line.lstrip() for line in code.split("\n")).encode()


def update(app: str) -> None:
    """Rewrite the catalogue: keep translations, add new strings untranslated, drop removed strings."""
    path = get_path(app)
    header, blank_line, _messages = path.read_bytes().partition(b"\n\n")  # Babel's own contains the time
    catalogue = read_catalogue(app)
    catalogue.update(extract_messages(app), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        file.write(header + blank_line)
        write_po(file, catalogue, width=110, omit_header=True, sort_by_file=True, include_lineno=False)


if __name__ == "__main__":
    for name in TEMPLATES:
        update(name)
