"""Update the Czech gettext catalogue of each app from its code and templates (`make messages`).

Uses Babel, because Django's `makemessages` needs GNU gettext.
"""

import io
import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation import template as django_templates

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "cs"
# The gettext functions in code and in templates as Django rewrites them.
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
# Babel's own header contains the time of the run.
HEADER = r"""# Czech texts of the app "{app}".
msgid ""
msgstr ""
"Project-Id-Version: Sailing\n"
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=((n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2);\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""
# The app whose catalogue has the strings of a template. The first match wins.
TEMPLATES = {
    "newsletter": ("newsletter", "mails/newsletter", "admin/newsletter", "admin/imports"),
    "accounts": ("accounts", "mails/accounts", "admin/accounts", "registration"),
    "sailing": ("",),
}


def catalogue_path(app: str) -> Path:
    return ROOT / app / "locale" / LANGUAGE / "LC_MESSAGES" / "django.po"


def read_catalogue(app: str) -> Catalog:
    """Return the committed catalogue of an app, or an empty one."""
    path = catalogue_path(app)
    if not path.exists():
        return Catalog(locale=LANGUAGE)
    with path.open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def extract_messages(app: str) -> Catalog:
    """Return every translatable string in the code and templates of an app, with its location."""
    catalogue = Catalog(project="Sailing", locale=LANGUAGE)
    for path, code in _read_sources(app):
        for line, message, _comments, context in extract("python", io.BytesIO(code), KEYWORDS):
            catalogue.add(message, locations=[(str(path.relative_to(ROOT)), line)], context=context)
    return catalogue


def _read_sources(app: str) -> Iterator[tuple[Path, bytes]]:
    for path in sorted((ROOT / app).rglob("*.py")):
        if not {"tests", "migrations"} & set(path.relative_to(ROOT).parts):
            yield path, path.read_bytes()
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.is_file() and _get_app(path.relative_to(ROOT / "templates")) == app:
            code = django_templates.templatize(path.read_text(encoding="utf-8"))
            # Parsed as Python, so it must not be indented.
            yield path, "\n".join(line.lstrip() for line in code.split("\n")).encode()


def _get_app(template: Path) -> str:
    inside = {str(parent) for parent in template.parents}
    return next(app for app, folders in TEMPLATES.items() if inside & set(folders) or folders == ("",))


def update(app: str) -> None:
    """Rewrite the catalogue: keep translations, add new strings untranslated, drop removed strings."""
    catalogue = read_catalogue(app)
    catalogue.update(extract_messages(app), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path = catalogue_path(app)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.format(app=app).encode())
        write_po(file, catalogue, width=110, omit_header=True, sort_by_file=True, include_lineno=False)


if __name__ == "__main__":
    for name in TEMPLATES:
        update(name)
