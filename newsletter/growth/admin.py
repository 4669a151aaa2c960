"""The growth page, and its numbers as a file."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.admin.growth import sections
from newsletter.growth.figures import MAX_ORIGINS, read_growth
from newsletter.growth.models import DailyTotal, get_bounds, get_today
from sailing.admin.exports import send_csv
from sailing.admin.pages import PagesMixin
from sailing.admin.read_only import ReadOnlyMixin
from sailing.csv_files import write_csv

PERIODS = (30, 90, 365)
"""Days of the periods that one click shows; the first at the start."""

MAX_DAYS = 3660

FILE_FIELDS = ("day", "measure", "user_type", "language", "origin", "campaign", "count")


class PeriodForm(forms.Form):
    """The first and the last day to show."""

    since = forms.DateField(
        label=pgettext_lazy("day", "From"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    until = forms.DateField(
        label=pgettext_lazy("day", "To"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if (since := values.get("since")) and (until := values.get("until")):
            if since > until:
                raise forms.ValidationError(_("The first day is after the last one."))
            if (until - since).days >= MAX_DAYS:
                raise forms.ValidationError(_("Please choose at most ten years."))
        return values


@admin.register(DailyTotal)
class DailyTotalAdmin(ReadOnlyMixin, PagesMixin):
    """The growth page in place of the list of the totals."""

    def get_urls(self) -> list[Any]:
        return [self.route("export/", self.export, "export"), *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        form, first, last = self._read_period(request)
        growth = read_growth(first, last)
        bounds = get_bounds(first)[0], get_bounds(last)[1]
        return self.show_page(
            request,
            "admin/newsletter/growth/page.html",
            status=200 if form.is_valid() else 422,
            title=gettext("Growth"),
            form=form,
            first=first,
            last=last,
            periods=[_describe_period(days) for days in PERIODS],
            growth=growth,
            origins=growth.origins[:MAX_ORIGINS],
            has_more_origins=len(growth.origins) > MAX_ORIGINS,
            time_zone=timezone.get_default_timezone_name(),
            sections=[
                (template, part)
                for template, get_context in sections
                if (part := get_context(request, bounds)) is not None
            ],
        )

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """Return the totals of the period as CSV; the page says what is wrong with a bad one."""
        form, first, last = self._read_period(request)
        if not form.is_valid():
            return self.changelist_view(request)
        return send_csv(write_csv(_list_totals(first, last)), f"growth-{first}-{last}.csv")

    def _read_period(self, request: HttpRequest) -> tuple[PeriodForm, date, date]:
        """Return the form with the period that it names, or the first of PERIODS if it names none.

        Raises PermissionDenied.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        default = _describe_period(PERIODS[0])
        form = PeriodForm(request.GET if PeriodForm.base_fields.keys() & request.GET.keys() else default)
        values = form.cleaned_data if form.is_valid() else default
        return form, values["since"], values["until"]


def _describe_period(days: int) -> dict[str, Any]:
    """Return a period that ends today."""
    today = get_today()
    return {"days": days, "since": today - timedelta(days=days - 1), "until": today}


def _list_totals(first: date, last: date) -> Iterator[Sequence[str]]:
    yield FILE_FIELDS
    rows = DailyTotal.objects.filter(day__range=(first, last)).order_by("day", "pk").values_list(*FILE_FIELDS)
    for row in rows.iterator():
        yield [str(value) for value in row]
