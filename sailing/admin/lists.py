"""Change lists of Django admin: their cells, their filters, and reading one page of them."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _


def format_time(value: datetime, format_name: str = "DATETIME_FORMAT") -> str:
    """Return a time as text, in TIME_ZONE: `date_format` alone shows UTC."""
    return date_format(timezone.localtime(value), format_name)


def render_badge(kind: str, label: Any) -> str:
    """Return a label for a list. `kind` is its color: good, waiting, planned, active, off or bad."""
    return format_html('<span class="badge badge-{}">{}</span>', kind, capfirst(str(label)))


def find_model_admin(label: str) -> Any:
    """Return the admin of the lists of a model (`app.Model`); None if this release does not have it."""
    try:
        return admin.site.get_model_admin(apps.get_model(label))
    except (LookupError, ValueError, NotRegistered):
        return None


class ChoicesOrBlankFilter(admin.ChoicesFieldListFilter):
    """Filter by a column with choices that may be blank, which Django's filter does not offer."""

    blank_label: Any = _("Not given")

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        yield from super().choices(changelist)
        yield {
            "selected": self.used_parameters.get(self.lookup_kwarg) == [""],
            "query_string": changelist.get_query_string({self.lookup_kwarg: ""}),
            "display": self.blank_label,
        }


class ConditionFilter(admin.SimpleListFilter):
    """Filter by one of several conditions. `conditions`: the label and the condition of each value."""

    conditions: ClassVar[Mapping[str, tuple[Any, Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(value, label) for value, (label, _condition) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(self.conditions[value][1]) if value else queryset


class KeyPaginator(Paginator):  # type: ignore[type-arg]
    """Read a page in two steps, its keys and then its rows, so that no row before it is joined.

    The keys of the first page are read first: without a second page, a slow search need not run to count.
    """

    @cached_property
    def _first_keys(self) -> list[Any]:
        rows: Any = self.object_list
        return list(rows.values_list("pk", flat=True)[: self.per_page + 1])

    @cached_property
    def count(self) -> int:
        total: int = super().count if len(self._first_keys) > self.per_page else len(self._first_keys)
        return total

    def page(self, number: Any) -> Page[Any]:
        page = super().page(number)
        all_rows: Any = self.object_list
        rows: Any = page.object_list
        is_first = page.number == 1
        keys = self._first_keys[: self.per_page] if is_first else list(rows.values_list("pk", flat=True))
        page.object_list = all_rows.filter(pk__in=keys)
        return page
