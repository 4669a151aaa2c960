"""The form with the time at which a campaign is sent."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class LocalTimeField(forms.SplitDateTimeField):
    """A date and time in the current time zone, also on the days on which its clocks change.

    A time that occurs twice means the first one (PEP 495, `fold`). Raises ValidationError, with a time
    that exists, for one that is skipped.
    """

    def compress(self, data_list: Any) -> datetime | None:
        """Return the moment in UTC: Python takes a repeated time for unequal to that of another zone."""
        if not data_list:
            return None
        day, time = data_list
        local = datetime.combine(day, time, tzinfo=timezone.get_current_timezone())
        try:
            at = local.astimezone(UTC)
        except OverflowError as error:
            raise forms.ValidationError(self.error_messages["invalid_date"]) from error
        shown = timezone.localtime(at)
        if shown.time() != time:
            text = _("The clocks skip this time on that day. Choose %(time)s, for example.")
            raise forms.ValidationError(text % {"time": date_format(shown, "TIME_FORMAT")})
        return at


class ScheduleForm(forms.Form):
    """When to send a campaign, in the time zone of the site."""

    at = LocalTimeField(
        label=gettext_lazy("Date and time"),
        error_messages={"required": gettext_lazy("Choose the date and the time.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["at"].widget = forms.SplitDateTimeWidget(
            date_attrs={
                "type": "date",
                "min": timezone.localdate().isoformat(),
                "aria-label": _("Date"),
                "required": "",
            },
            time_attrs={"type": "time", "aria-label": _("Time"), "required": ""},
            date_format="%Y-%m-%d",
            time_format="%H:%M",
        )

    def clean_at(self) -> datetime:
        at: datetime = self.cleaned_data["at"]
        if at <= timezone.now():
            raise forms.ValidationError(_("This time has passed. Choose a later one."))
        return at
