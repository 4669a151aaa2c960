"""Filters of the list of subscribers."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from newsletter.models import State, Subscription, get_state_condition
from sailing.admin.lists import ChoicesOrBlankFilter, format_time

COUNTED_ROWS = 100_000
"""A longer list has no numbers of its states: they would take as long as the list itself."""


def has_import_permission(request: HttpRequest) -> bool:
    """Return whether the admin may import subscribers, and see and undo imports."""
    return request.user.has_perm("newsletter.add_subscription")


class StateFilter(admin.SimpleListFilter):
    """Filter by `Subscription.state`, which is derived from several fields. Each choice has its number."""

    title = _("state")
    parameter_name = "state"
    template = "admin/newsletter/subscription/state_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return State.choices

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        value = self.value()
        return queryset.in_state(State(value)) if value else queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        self.changelist = changelist
        return super().choices(changelist)

    def list_counted(self) -> Iterator[tuple[Any, int | None]]:
        """Yield each choice with its number of rows under the other filters, for the template alone."""
        counts: list[int | None] = [None] * (1 + len(State))
        if self.changelist.result_count <= COUNTED_ROWS:
            rows: QuerySet[Any] = self.changelist.queryset
            if self.value():
                rows = self.changelist.get_queryset(self.request, exclude_parameters=[self.parameter_name])
            wanted = {state.name: Count("pk", filter=get_state_condition(state)) for state in State}
            found = rows.order_by().aggregate(**wanted)
            counts = [sum(found.values()), *found.values()]
        return zip(super().choices(self.changelist), counts, strict=True)


class SourceFilter(ChoicesOrBlankFilter):
    """Filter by the page of the site that a subscriber came from. A blank one is the site, as in the list."""

    blank_label = _("The site")

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> Any:
        rows: Any = super().queryset(request, queryset)
        is_blank = self.used_parameters.get(self.lookup_kwarg) == [""]
        return rows.filter(is_imported=False, is_added_by_admin=False) if is_blank else rows


class BounceFilter(admin.DateFieldListFilter):
    """Filter by the day on which mail to an address began to fail, without Django's choices for no date."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.links = tuple(link for link in self.links if self.lookup_kwarg_isnull not in link[1])


class ImportFilter(admin.SimpleListFilter):
    """Filter by one of the last imports, or any or none. `has_names`: of files, which are not translated."""

    has_names = True

    title = _("import")
    parameter_name = "import"
    ANY = "any"
    NONE = "none"
    CHOICES = 8

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        found: list[tuple[str, Any]] = [(self.ANY, _("Imported")), (self.NONE, _("Not imported"))]
        if has_import_permission(request):
            batches = apps.get_model("imports", "ImportBatch").objects
            for each in batches.all()[: self.CHOICES]:
                found.append((str(each.pk), f"{each}, {format_time(each.created_at)}"))
        return found

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> QuerySet[Subscription]:
        value = self.value()
        if value in (self.ANY, self.NONE):
            return queryset.filter(is_imported=value == self.ANY)
        return queryset.filter(import_batch=int(value)) if value else queryset
