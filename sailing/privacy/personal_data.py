"""Everything that is stored about a person, in sections of the apps (GDPR articles 15 and 20)."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Manager, Model, QuerySet
from django.template.defaultfilters import yesno
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

UNNAMED_COLUMNS = (  # labels that Django makes from names, for the catalogue
    _("purpose"),
    _("created at"),
    _("expires at"),
    _("used at"),
    _("last used at"),
    _("was email verified"),
    _("soft bounced at"),
)


@dataclass(frozen=True)
class Section:
    """The rows of one model that are about a person, found by the address.

    `name`, `title`: in JSON, in HTML. `exclude`: columns besides the key that are about nobody or others, or
    secret. `values`: instead of columns. `needs_verified_email`: for the proven owner only.
    """

    name: str
    title: Any
    model: type[Model]
    find: Callable[[str], QuerySet[Any]]
    exclude: Collection[str] = ()
    values: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    needs_verified_email: bool = True

    @property
    def columns(self) -> list[Any]:
        columns = (*self.model._meta.fields, *self.model._meta.many_to_many)
        return [each for each in columns if not each.primary_key and each.name not in self.exclude]

    def get_values(self, row: Any) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name in (each.name for each in self.columns):
            value = self.values[name](row) if name in self.values else getattr(row, name)
            values[name] = [str(each) for each in value.all()] if isinstance(value, Manager) else value
        return values

    def describe(self, row: Any) -> list[tuple[str, str]]:
        """Return labels and values as a person reads them: the label of a choice instead of its code."""
        values = self.get_values(row)
        for each in self.columns:
            if each.choices and each.name not in self.values:
                values[each.name] = getattr(row, f"get_{each.name}_display")()
        labels = [capfirst(gettext(str(each.verbose_name))) for each in self.columns]
        return list(zip(labels, map(_to_text, values.values()), strict=True))


sections: list[Section] = []  # set by the apps


@dataclass(frozen=True)
class Document:
    """The data of one person, as JSON and as a page that can be read without the site."""

    json: str
    html: str


def render(email: str, *, is_verified: bool) -> Document:
    created_at = timezone.now()
    shown = [each for each in sections if is_verified or not each.needs_verified_email]
    found = [(each, list(each.find(email))) for each in shown]
    plain = {each.name: list(map(each.get_values, rows)) for each, rows in found}
    context = {
        "created_at": _to_text(created_at),
        "is_verified": is_verified,
        "language": get_language(),
        "sections": [{"title": each.title, "rows": list(map(each.describe, rows))} for each, rows in found],
    }
    document = {"created_at": created_at, **plain}
    return Document(
        json=json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2),
        html=render_to_string("personal_data.html", context),
    )


def _to_text(value: Any) -> str:
    if value in (None, "", []):
        return "–"
    if isinstance(value, bool):
        return capfirst(str(yesno(value)))
    if isinstance(value, datetime):
        local = timezone.localtime(value)
        return f"{date_format(local, 'DATETIME_FORMAT')} ({local.tzname()})"
    return ", ".join(map(_to_text, value)) if isinstance(value, list) else str(value)
