"""Change lists of Django admin that handle any query string without an error."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html


def render_badge(kind: str, label: Any) -> str:
    """Return a label for a list. `kind` is its colour: good, waiting, off or bad."""
    return format_html('<span class="badge badge-{}">{}</span>', kind, label)


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
            "display": changelist.model_admin.get_empty_value_display(),
        }


class StrictListMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin with a `StrictChangeList`. Use it for every model."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return StrictChangeList

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.run_validators(self.opts.pk.to_python(key))
            except ValidationError:
                raise SuspiciousOperation("The key of a selected row is malformed.") from None
        return super().response_action(request, queryset)
