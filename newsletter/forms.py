"""The forms of the newsletter (spec section 5), for its pages, its services and Django admin."""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from graphene.utils.str_converters import to_camel_case

from newsletter.models import (
    MAX_FIRST_NAME_LENGTH,
    ConsentEvent,
    Interest,
    LeavingReason,
    Source,
    UserType,
    validate_first_name,
)
from sailing.errors import BadUserInput
from sailing.input_limits import clean_line
from sailing.mail.addresses import normalize_email

PAUSE_DAYS = (30, 90)
RESUME = 0

MIN_FILL_MILLISECONDS = 1000
"""People take longer to fill in the form."""

CHOICE_ERRORS = {name: _("Please choose sailor or company") for name in ("required", "invalid_choice")}


def read_form(form: forms.Form) -> dict[str, Any]:
    """Return the values of a form. Raises BadUserInput with a field's first problem and GraphQL name."""
    for name, problems in form.errors.items():
        raise BadUserInput(problems[0], field=to_camel_case(name))
    return form.cleaned_data


class EmailField(forms.CharField):
    """An address, as it is stored."""

    widget = forms.EmailInput

    def clean(self, value: Any) -> str:
        return normalize_email(value or "")


class SubscriptionForm(forms.Form):
    """What a visitor sends. `website` is the honeypot, `fill_time` in milliseconds from showing the form."""

    email = EmailField()
    user_type = forms.ChoiceField(choices=UserType, error_messages=CHOICE_ERRORS)
    source = forms.ChoiceField(
        choices=Source, required=False, error_messages={"invalid_choice": _("This source is not known")}
    )
    website = forms.CharField(required=False, strip=False)
    fill_time = forms.IntegerField(required=False)

    def is_from_bot(self) -> bool:
        """Return whether the honeypot is filled in, or the form faster than a person could."""
        fill_time = self.cleaned_data["fill_time"]
        is_too_fast = fill_time is not None and fill_time < MIN_FILL_MILLISECONDS
        return is_too_fast or bool(self.cleaned_data["website"])


class AddressForm(forms.Form):
    """The right address of a subscriber, typed by an admin."""

    email = EmailField(label=_("Email address"))


class AddForm(AddressForm):
    """A subscriber whom an admin adds."""

    first_name = forms.CharField(
        label=_("First name (optional)"),
        max_length=MAX_FIRST_NAME_LENGTH,
        required=False,
        validators=[validate_first_name],
    )
    user_type = forms.ChoiceField(label=_("Audience"), choices=UserType)
    language = forms.ChoiceField(label=_("Language of emails"), choices=settings.LANGUAGES)


class InterestsForm(forms.Form):
    """What the owner of an address is interested in."""

    interest = forms.TypedMultipleChoiceField(
        choices=lambda: [(each.pk, str(each)) for each in Interest.objects.filter(is_offered=True)],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "Checkbox-input"}),
    )


class PreferencesForm(InterestsForm):
    """What an address gets: all audiences, and what else is to change."""

    audience = forms.MultipleChoiceField(
        choices=[(UserType.SAILOR, _("News for sailors")), (UserType.COMPANY, _("News for companies"))],
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "Checkbox-input"}),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES, required=False, widget=forms.RadioSelect(attrs={"class": "Choices-radio"})
    )
    pause = forms.TypedChoiceField(
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect(attrs={"class": "Choices-radio"}),
    )

    def __init__(self, *args: Any, is_paused: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A function, because the language of the page is active only while it is rendered.
        self.fields["pause"].choices = partial(_list_pauses, is_paused)  # type: ignore[attr-defined]


def _list_pauses(is_paused: bool) -> list[tuple[Any, Any]]:
    pauses = [(days, ngettext("%(days)d day", "%(days)d days", days) % {"days": days}) for days in PAUSE_DAYS]
    return [
        *([("", _("No change")), (RESUME, _("Resume now"))] if is_paused else [("", _("No pause"))]),
        *pauses,
    ]


class LeavingForm(forms.Form):
    """Why an owner unsubscribed. A comment without a reason has another one than those listed."""

    reason = forms.ChoiceField(choices=LeavingReason, required=False)
    comment = forms.CharField(required=False)

    def clean_comment(self) -> str:
        return clean_line(" ".join(self.cleaned_data["comment"].split()), limit=ConsentEvent.COMMENT_LENGTH)

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if values.get("comment") and not values.get("reason"):
            values["reason"] = LeavingReason.OTHER
        return values
