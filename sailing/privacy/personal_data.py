"""Everything that is stored about a person, to be read by that person (GDPR articles 15 and 20).

Each app adds sections in a module `personal_data`, which is found at the start. A section lists columns
of one model by name, and the test fails for a column of any model that is neither in a section nor excused
there.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Manager, Model, QuerySet
from django.template.defaultfilters import yesno
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import get_language


@dataclass(frozen=True)
class Section:
    """The rows of one model that are about a person.

    `name`: in the JSON document. `title`, and the labels in `fields`: in the HTML document.
    `find`: returns the rows for an address. `fields`: columns with their labels. `heading`: the column that
    names a row in the HTML document; none if there is one row at most.
    `values`: for a column whose value tells the reader nothing, a function of the row.
    `applies`: for a column that tells the reader of the HTML document something only sometimes, when.
    `needs_verified_email`: the rows belong to the mailbox, so they are for its proven owner only.
    """

    name: str
    title: Any
    model: type[Model]
    find: Callable[[str], QuerySet[Any]]
    fields: Mapping[str, Any]
    values: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    heading: str = ""
    applies: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    needs_verified_email: bool = True


sections: list[Section] = []
"""Set by the apps."""


def get_labels(model: type[Model], *names: str) -> dict[str, Any]:
    """Return the labels of columns that the model names itself."""
    return {name: getattr(model._meta.get_field(name), "verbose_name") for name in names}  # noqa: B009


@dataclass(frozen=True)
class Document:
    """The data of one person, as JSON and as a page that can be read without the site."""

    json: str
    html: str


def render(email: str, *, is_verified: bool) -> Document:
    """Return the data of the person with an address, in the language of the request."""
    created_at = timezone.now()
    found = [
        (section, list(section.find(email)))
        for section in sections
        if is_verified or not section.needs_verified_email
    ]
    plain = {
        section.name: [
            {name: _to_json(_value(section, row, name)) for name in section.fields} for row in rows
        ]
        for section, rows in found
    }
    readable = [
        {
            "title": section.title,
            "rows": [_describe(section, row) for row in rows],
        }
        for section, rows in found
    ]
    context = {
        "created_at": _to_text(created_at),
        "is_verified": is_verified,
        "language": get_language(),
        "sections": readable,
    }
    return Document(
        json=json.dumps({"created_at": created_at.isoformat(), **plain}, ensure_ascii=False, indent=2),
        html=render_to_string("personal_data.html", context),
    )


def _value(section: Section, row: Any, name: str) -> Any:
    read = section.values.get(name)
    value = read(row) if read else getattr(row, name)
    return [str(each) for each in value.all()] if isinstance(value, Manager) else value


def _to_json(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, list):
        return [_to_json(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, Promise) else value


def _describe(section: Section, row: Any) -> dict[str, Any]:
    """Return the heading of a row, and its other labels with their values."""
    values = {name: _to_text(_display(section, row, name)) for name in section.fields}
    return {
        "heading": capfirst(values.pop(section.heading, "")),
        "values": [
            (capfirst(str(section.fields[name])), value)
            for name, value in values.items()
            if name not in section.applies or section.applies[name](row)
        ],
    }


def _display(section: Section, row: Any, name: str) -> Any:
    """Return a value, with the label of a choice instead of its code."""
    has_choices = name not in section.values and row._meta.get_field(name).choices
    return getattr(row, f"get_{name}_display")() if has_choices else _value(section, row, name)


def _to_text(value: Any) -> str:
    if value in (None, "", []):
        return "–"
    if isinstance(value, bool):
        return capfirst(str(yesno(value)))
    if isinstance(value, datetime):
        local = timezone.localtime(value)
        return f"{date_format(local, 'DATETIME_FORMAT')} ({local.tzname()})"
    return ", ".join(map(_to_text, value)) if isinstance(value, list) else str(value)
