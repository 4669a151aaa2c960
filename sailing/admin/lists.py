"""Change lists of Django admin: they handle any query string without an error, and save filters by name."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, PAGE_VAR, ChangeList
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.db import DataError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sailing.history import describe_entry
from sailing.models import SavedFilter


def format_time(value: datetime, format_name: str = "DATETIME_FORMAT") -> str:
    """Return a time as text, in the language of the request and in the admin's time zone.

    `date_format` alone shows UTC. Django's lists and templates convert the times that they show themselves.
    """
    return date_format(timezone.localtime(value), format_name)


def render_badge(kind: str, label: Any) -> str:
    """Return a label for a list. `kind` is its colour: good, waiting, off or bad."""
    return format_html('<span class="badge badge-{}">{}</span>', kind, label)


def get_filter_query(request: HttpRequest) -> str:
    """Return the query string of a list without its page."""
    parameters = request.GET.copy()
    for name in (PAGE_VAR, ALL_VAR, ERROR_FLAG):
        parameters.pop(name, None)
    return parameters.urlencode()


def describe_filters(cl: ChangeList) -> list[str]:
    """Return the search term and the chosen filters of a list, as a person reads them."""
    found = [gettext("search: %(term)s") % {"term": cl.query}] if cl.query else []
    for spec in cl.filter_specs:
        # The first choice of each filter is "All".
        chosen = [choice["display"] for choice in list(spec.choices(cl))[1:] if choice["selected"]]
        if isinstance(spec, admin.DateFieldListFilter) and (period := _describe_period(spec, cl)):
            chosen = [period]
        if not chosen:
            chosen = [value for name in spec.expected_parameters() if (value := cl.params.get(str(name)))]
        found += [f"{spec.title}: {display}" for display in chosen]
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
    return timezone.localdate(at) if timezone.is_aware(at) else at.date()


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

    def get_filters(self, request: HttpRequest) -> Any:
        filters: Any = super().get_filters(request)
        _specs, _has_filters, unknown, *_rest = filters
        if unknown:
            raise IncorrectLookupParameters(f"not a filter of this list: {', '.join(unknown)}")
        return filters


class ChoicesOrBlankFilter(admin.ChoicesFieldListFilter):
    """Filter by a column with choices that may be blank, which Django's filter does not offer."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        yield from super().choices(changelist)
        yield {
            "selected": self.used_parameters.get(self.lookup_kwarg) == [""],
            "query_string": changelist.get_query_string({self.lookup_kwarg: ""}),
            "display": _("None"),
        }


class SaveFilterForm(forms.ModelForm):  # type: ignore[type-arg]
    """The name of a filter to save. The query comes from the address of the page."""

    class Meta:
        model = SavedFilter
        fields = ("name", "query")


class StrictListMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin with a `StrictChangeList` and saved filters. Use it for every model."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return StrictChangeList

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        view = self.admin_site.admin_view
        return [
            path("filters/save/", view(self.save_filter_view), name=f"{name}_save_filter"),
            path("filters/<int:pk>/delete/", view(self.delete_filter_view), name=f"{name}_delete_filter"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if ERROR_FLAG in request.GET and request.method == "GET":
            text = _("This filter is not valid, so the list is not filtered.")
            self.message_user(request, text, messages.WARNING)
        saved = self._get_saved_filters(request).order_by("name")
        query = get_filter_query(request)
        context = {
            "title": capfirst(str(self.opts.verbose_name_plural)),
            "saved_filters": saved,
            "filter_query": query,
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    def save_filter_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a name, and save the filters of the query string for this admin."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        list_url = self._get_list_url()
        try:
            cl = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{list_url}?{ERROR_FLAG}=1")
        query = get_filter_query(request)
        filters = describe_filters(cl)
        if not filters:
            self.message_user(request, _("Choose a filter first, or search for something."), messages.WARNING)
            return HttpResponseRedirect(list_url)
        saved = SavedFilter(user_id=request.user.pk or 0, model=self.opts.label)
        posted = {"name": request.POST.get("name", ""), "query": query} if request.method == "POST" else None
        initial = {"name": ", ".join(filters)[: SavedFilter.NAME_LENGTH]}
        form = SaveFilterForm(posted, instance=saved, initial=initial)
        if form.is_valid():
            self._replace_filter(form.save(commit=False))
            return HttpResponseRedirect(f"{list_url}?{saved.query}")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Save this filter"),
            "opts": self.opts,
            "form": form,
            "filters": filters,
            "back_url": f"{list_url}?{query}",
        }
        return TemplateResponse(request, "admin/save_filter.html", context)

    def _replace_filter(self, saved: SavedFilter) -> None:
        """Save a filter in place of those of the same admin with the same name, or with the same rows."""
        with transaction.atomic():
            admins = get_user_model()._default_manager.filter(pk=saved.user_id)
            list(admins.select_for_update(no_key=True).values_list("pk"))  # for a double click
            others = SavedFilter.objects.filter(user_id=saved.user_id, model=saved.model)
            others.filter(Q(name=saved.name) | Q(query=saved.query)).delete()
            saved.save()

    def delete_filter_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Delete a saved filter of this admin, and show the list as it was."""
        if request.method != "POST":
            raise Http404
        self._get_saved_filters(request).filter(pk=pk).delete()
        return HttpResponseRedirect(f"{self._get_list_url()}?{get_filter_query(request)}")

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().history_view(request, object_id, extra_context)
        if isinstance(response, TemplateResponse) and response.context_data:
            for entry in response.context_data["action_list"]:
                entry.change_message = describe_entry(entry)
        return response

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.run_validators(self.opts.pk.to_python(key))
            except ValidationError:
                raise SuspiciousOperation("The key of a selected row is malformed.") from None
        return super().response_action(request, queryset)

    def _get_saved_filters(self, request: HttpRequest) -> QuerySet[SavedFilter]:
        return SavedFilter.objects.filter(user_id=request.user.pk or 0, model=self.opts.label)

    def _get_list_url(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
