"""Change lists of Django admin: they handle any query string without an error."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, PAGE_VAR, ChangeList
from django.contrib.messages.storage import default_storage
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.core.paginator import Page, Paginator
from django.db import DatabaseError, DataError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sailing.admin.missing_row import MissingRowMixin
from sailing.admin.pages import PagesMixin
from sailing.errors import is_database_unavailable
from sailing.history import describe_entry, find_changes

SHOWN_CHANGES = 100


def format_time(value: datetime, format_name: str = "DATETIME_FORMAT") -> str:
    """Return a time as text, in the language of the request and in TIME_ZONE.

    `date_format` alone shows UTC. Django's lists and templates convert the times that they show themselves.
    """
    return date_format(timezone.localtime(value), format_name)


def render_badge(kind: str, label: Any) -> str:
    """Return a label for a list. `kind` is its color: good, waiting, planned, active, off or bad."""
    return format_html('<span class="badge badge-{}">{}</span>', kind, capfirst(str(label)))


def render_number(number: Any, unit: Any) -> str | None:
    """Return a number for a list, with the unit that shows on a phone, where no column names it."""
    return format_html('{} <span class="unit">{}</span>', number, unit) if number else None


def render_time(value: datetime, label: Any) -> str:
    """Return a time for a list, with the label that shows on a phone, where no column names it."""
    return format_html('<span class="time-label">{}: </span>{}', capfirst(str(label)), format_time(value))


def get_filter_query(request: HttpRequest) -> str:
    """Return the query string of a list without its page."""
    parameters = request.GET.copy()
    for name in (PAGE_VAR, ALL_VAR, ERROR_FLAG):
        parameters.pop(name, None)
    return parameters.urlencode()


def find_model_admin(label: str) -> Any:
    """Return the admin of the lists of a model (`app.Model`); None if this release does not have it."""
    try:
        return admin.site.get_model_admin(apps.get_model(label))
    except (LookupError, ValueError, NotRegistered):
        return None


def build_list_request(user: Any, query: str) -> HttpRequest:
    """Return a request for a list with a query string, for what reads the list outside of its page.

    The list does not count its rows then.
    """
    request = HttpRequest()
    request.method = "GET"
    request.GET = QueryDict(query)
    request.user = user
    return request


def describe_filters(cl: ChangeList) -> list[str]:
    """Return the search term and the chosen filters of a list, as a person reads them."""
    found = [gettext("search: %(term)s") % {"term": cl.query}] if cl.query else []
    return [*found, *(label for label, _url in list_chosen_filters(cl))]


def list_chosen_filters(cl: ChangeList) -> list[tuple[str, str]]:
    """Return the chosen filters as a person reads them, each with the query string of the list without it."""
    found = []
    for spec in cl.filter_specs:
        # The first choice of each filter is "All".
        chosen = [choice["display"] for choice in list(spec.choices(cl))[1:] if choice["selected"]]
        if isinstance(spec, admin.DateFieldListFilter) and (period := _describe_period(spec, cl)):
            chosen = [period]
        if not chosen:
            chosen = [value for name in spec.expected_parameters() if (value := cl.params.get(str(name)))]
        url = cl.get_query_string(remove=[str(name) for name in spec.expected_parameters()])
        found += [(f"{spec.title}: {display}", url) for display in chosen]
    return found


def _describe_period(spec: admin.DateFieldListFilter, cl: ChangeList) -> str:
    """Return the days of a date filter. Its address has the days too, so "Today" would soon be wrong."""
    first = _parse_day(cl.params.get(str(spec.lookup_kwarg_since)))
    end = _parse_day(cl.params.get(str(spec.lookup_kwarg_until)))
    if first is None:
        return ""
    if end is None:
        return gettext("since %(day)s") % {"day": date_format(first)}
    last = end - timedelta(days=1)
    return date_format(first) if last <= first else f"{date_format(first)} – {date_format(last)}"


def _parse_day(value: Any) -> date | None:
    text = str(value or "")
    at: datetime | None = parse_datetime(text)
    if at is None:
        return parse_date(text)
    try:
        return timezone.localdate(at) if timezone.is_aware(at) else at.date()
    except OverflowError:  # the first or the last day of the calendar, in a zone far away
        return None


class StrictChangeList(ChangeList):
    """A change list that accepts the parameters of its own filters only.

    Django passes other parameters to the database as lookups, so `?email__regex=(` or
    `?created_at__year=99999999999` fails when the rows are read, too late for Django's redirect to `?e=1`.
    """

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(request, *args, **kwargs)
        except (ValueError, OverflowError, DataError) as error:
            # The database rejected the value of a filter. Without parameters the error is a bug.
            if set(request.GET) <= {ERROR_FLAG}:
                raise
            raise IncorrectLookupParameters(error) from error

    def get_filters_params(self, params: Any = None) -> Any:
        """Leave out the language, which the address of any page may have."""
        found = super().get_filters_params(params)
        found.pop("lang", None)
        return found

    def get_results(self, request: HttpRequest) -> None:
        if request.path:  # not that of `build_list_request`
            super().get_results(request)

    def get_filters(self, request: HttpRequest) -> Any:
        filters: Any = super().get_filters(request)
        _specs, _has_filters, unknown, *_rest = filters
        if unknown:
            raise IncorrectLookupParameters(f"not a filter of this list: {', '.join(unknown)}")
        return filters


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
        if not value:
            return queryset
        if value not in self.conditions:
            raise IncorrectLookupParameters(f"not a value of the filter: {value}")
        return queryset.filter(self.conditions[value][1])


class KeyPaginator(Paginator):  # type: ignore[type-arg]
    """Read a page in two steps, its keys and then its rows, so that no row before it is joined."""

    def page(self, number: Any) -> Page[Any]:
        page = super().page(number)
        all_rows: Any = self.object_list
        rows: Any = page.object_list
        page.object_list = all_rows.filter(pk__in=list(rows.values_list("pk", flat=True)))
        return page


class StrictListMixin(PagesMixin, MissingRowMixin):
    """A ModelAdmin with a `StrictChangeList`. Use it for every model with a list.

    `list_title`: the name of the list, if the model's own is jargon of Django. `empty_text`: what the list
    says while it has no rows. `parent_model`: the one whose list is above this one in the breadcrumbs.
    """

    paginator = KeyPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_title: Any = ""
    empty_text: Any = _("Nothing is here yet.")
    parent_model: type[Model] | None = None

    def get_parent(self, request: HttpRequest) -> tuple[str, Any] | None:
        """Return the address and the name of the page above the list, or None if it is Home or forbidden."""
        if self.parent_model is None:
            return None
        parent = self.admin_site.get_model_admin(self.parent_model)
        if not parent.has_view_permission(request):
            return None
        url = reverse(f"admin:{parent.opts.app_label}_{parent.opts.model_name}_changelist")
        return url, capfirst(str(parent.opts.verbose_name_plural))

    def get_list_name(self) -> str:
        return str(self.list_title or capfirst(str(self.opts.verbose_name_plural)))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return StrictChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if ERROR_FLAG in request.GET and request.method == "GET":
            text = _("This filter is not valid, so the list is not filtered.")
            self.message_user(request, text, messages.WARNING)
        context = {"title": self.get_list_name(), "parent": self.get_parent(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_action_choices(self, request: HttpRequest, default_choices: Any = None) -> list[tuple[str, str]]:
        return super().get_action_choices(request, [("", gettext("Choose an action"))])

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except DatabaseError as error:
            if request.method != "POST" or is_database_unavailable(error):
                raise
            # Since the form was checked, another request has stored the same value, or erased the row
            # (`save(update_fields=...)` raises DatabaseError then). What this attempt tells is not true.
            request._messages = default_storage(request)  # type: ignore[attr-defined]
            return super().changeform_view(request, *args, **kwargs)

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
        return [
            {"at": entry.action_time, "text": describe_entry(entry), "details": (str(entry.user),)}
            for entry in find_changes(row)[:SHOWN_CHANGES]
        ]

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.run_validators(self.opts.pk.to_python(key))
            except ValidationError:
                raise SuspiciousOperation("The key of a selected row is malformed.") from None
        return super().response_action(request, queryset)
