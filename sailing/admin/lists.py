"""Lists of Django admin that answer any address with rows, no rows, or a redirect to the whole list."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db import DataError
from django.http import HttpRequest, HttpResponse


class StrictChangeList(ChangeList):
    """A list that takes the parameters of its own filters and no others.

    Django passes any other parameter on to the database as a lookup, so that `?email__regex=(` or
    `?created_at__year=99999999999` fails only when the rows are read, which is too late for Django's own
    redirect to `?e=1`.
    """

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        try:
            super().__init__(request, *args, **kwargs)
        except (ValueError, OverflowError, DataError) as error:
            # A value that a filter takes and the database does not. Without parameters it is our own error.
            if set(request.GET) <= {ERROR_FLAG}:
                raise
            raise IncorrectLookupParameters(error) from error

    def get_filters(self, request: HttpRequest) -> Any:
        filters: Any = super().get_filters(request)
        _specs, _has_filters, unknown, *_rest = filters
        if unknown:
            raise IncorrectLookupParameters(f"not a filter of this list: {', '.join(unknown)}")
        return filters


class StrictListMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """For every ModelAdmin: its list is a `StrictChangeList`."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return StrictChangeList

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.run_validators(self.opts.pk.to_python(key))
            except ValidationError:
                raise SuspiciousOperation("A chosen row has no possible key.") from None
        return super().response_action(request, queryset)
