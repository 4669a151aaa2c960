"""Change lists of Django admin: their look, their filters, and their history."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sailing.admin.pages import PagesMixin


def format_time(value: datetime, format_name: str = "DATETIME_FORMAT") -> str:
    """Return a time as text, in the language of the request and in TIME_ZONE.

    `date_format` alone shows UTC. Django's lists and templates convert the times that they show themselves.
    """
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


class StrictChangeList(ChangeList):
    """Django's list, for which the language in an address is no filter, and a malformed value a wrong one."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(request, *args, **kwargs)
        except ValueError as error:
            if ERROR_FLAG in request.GET:
                raise
            raise IncorrectLookupParameters(error) from error

    def get_filters_params(self, params: Any = None) -> Any:
        found = super().get_filters_params(params)
        found.pop("lang", None)
        return found

    def get_results(self, request: HttpRequest) -> None:
        if request.path:  # a job reads the rows itself
            super().get_results(request)


class PeriodFilter(admin.DateFieldListFilter):
    """Filter by a period, without "No date" and "Has date" at the end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.field.null:
            self.links = self.links[:-2]


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
        if value and value not in self.conditions:
            raise IncorrectLookupParameters(f"not a value of the filter: {value}")
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


class StrictListMixin(PagesMixin):
    """A ModelAdmin with a list in our look.

    `list_title`: the name of the list, if the model's own is jargon of Django. `empty_text`: what the list
    says while it has no rows. `parent_model`: the one whose list is above this one in the breadcrumbs.
    On a phone, `title_column` is the title of a row, by default the first, and `hidden_columns` do not show.
    """

    paginator = KeyPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_title: Any = ""
    empty_text: Any = _("Nothing is here yet.")
    parent_model: type[Model] | None = None
    number_columns: Sequence[str] = ()
    hidden_columns: Sequence[str] = ()
    title_column = ""

    def get_parent(self, request: HttpRequest) -> tuple[str, Any] | None:
        """Return the address and the name of the page above the list, or None if it is Home or forbidden."""
        if self.parent_model is None:
            return None
        parent = self.admin_site.get_model_admin(self.parent_model)
        if not parent.has_view_permission(request):
            return None
        url = reverse(f"admin:{parent.opts.app_label}_{parent.opts.model_name}_changelist")
        return url, capfirst(str(parent.opts.verbose_name_plural))

    def show_page(self, request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
        return super().show_page(request, template, **{"parent": self.get_parent(request), **context})

    def get_list_name(self) -> str:
        return str(self.list_title or capfirst(str(self.opts.verbose_name_plural)))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return StrictChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {"title": self.get_list_name(), "parent": self.get_parent(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_action_choices(self, request: HttpRequest, default_choices: Any = None) -> list[tuple[str, str]]:
        return super().get_action_choices(request, [("", gettext("Choose an action"))])

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if context.get("subtitle"):  # Django's own title: a verb, whose noun would need another case in Czech
            context |= {"title": context["subtitle"], "subtitle": None}
        context["parent"] = self.get_parent(request)
        return super().render_change_form(request, context, *args, **kwargs)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        context = {
            "entries": self.list_history(row) if row else [],
            "parent": self.get_parent(request),
            **(extra_context or {}),
        }
        return super().history_view(request, object_id, context)

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        return super().render_delete_form(request, {**context, "parent": self.get_parent(request)})

    def list_history(self, row: Any) -> list[Any]:
        """Return what the page with the history of a row shows, as `admin/entries.html` needs it."""
        from sailing.admin.row_page import list_changes  # which imports this module

        return list(list_changes(row))
