"""Forms of the pages on which campaigns are written, tested and scheduled."""

from typing import Any

from django import forms
from django.conf import settings
from django.forms.models import fields_for_model
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.checks import find_problems
from newsletter.campaigns.drafts import find_test_addresses
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState, CampaignText, Segment
from newsletter.campaigns.series import list_steps
from newsletter.campaigns.services import get_version
from newsletter.models import AUDIENCES

TEXT_FIELDS = ("subject", "preheader", "body")

DELAY_FIELDS = ("delay_days", "delay_hour")
"""The fields that only a step of the welcome series has."""


class LinesField(forms.CharField):
    """A text of several lines. Browsers send CRLF; its length counts each line break as one character."""

    def to_python(self, value: Any) -> Any:
        return (super().to_python(value) or "").replace("\r\n", "\n")


class CampaignForm(forms.ModelForm):  # type: ignore[type-arg]
    """A campaign and its texts, in the fields `subject_LANGUAGE`, `preheader_LANGUAGE` and `body_LANGUAGE`.

    `version`: the version of the campaign that the admin sees, so that nobody overwrites a newer one.
    `is_step`: whether it is a step of the welcome series; a new campaign is one if it has a delay.
    """

    is_conflict = False
    version = forms.CharField(widget=forms.HiddenInput, required=False)
    excluded_campaign = forms.ModelChoiceField(
        label=_("Leave out recipients of"),
        queryset=Campaign.objects.filter(state__in=ENDED_STATES, started_at__isnull=False),
        empty_label=_("No campaign"),
        required=False,
    )
    segment = forms.ModelChoiceField(
        label=_("Segment"), queryset=Segment.objects.all(), empty_label=_("No segment"), required=False
    )

    class Meta:
        model = Campaign
        fields = ("name", "user_type", "segment", "excluded_campaign", "is_public", *DELAY_FIELDS)
        widgets = {"name": forms.TextInput}
        error_messages = {"name": {"required": _("Give the campaign a name.")}}
        help_texts = {
            "is_public": _("After sending, anyone can read it on the site."),
            "delay_days": _("0 means within a minute of confirming."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        for name in ("segment", "excluded_campaign", "is_public") if self.is_step else DELAY_FIELDS:
            del self.fields[name]
        if self.is_step:
            user_type: Any = self.fields["user_type"]
            user_type.choices, user_type.required = AUDIENCES, True
            hour: Any = self.fields["delay_hour"]
            hour.choices = [("", _("The time they confirmed")), *hour.choices[1:]]
            hour.label = format_lazy("{label} ({time_zone})", label=hour.label, time_zone=settings.TIME_ZONE)
        stored = {text.language: text for text in self.instance.texts.all()} if self.instance.pk else {}
        for language, language_name in settings.LANGUAGES:
            fields = fields_for_model(CampaignText, TEXT_FIELDS, field_classes={"body": LinesField})
            for name, field in fields.items():
                key = f"{name}_{language}"
                field.label = format_lazy("{label} ({language})", label=field.label, language=language_name)
                field.widget.attrs |= {"lang": language, "class": f"campaign-{name}", "autocomplete": "off"}
                self.fields[key] = field
                self.initial.setdefault(key, getattr(stored.get(language), name, ""))
        if self.instance.pk:
            self.initial["version"] = get_version(self.instance)

    @property
    def is_step(self) -> bool:
        """Whether it is a step of the welcome series: the address of the page for a new one has a delay."""
        if self.instance.pk:
            return bool(self.instance.is_step)
        return "delay_days" in (self.data if self.is_bound else self.initial)

    @property
    def languages(self) -> list[dict[str, Any]]:
        """Return the fields of each language for the template."""
        return [
            {"code": language, **{field: self[f"{field}_{language}"] for field in TEXT_FIELDS}}
            for language, _name in settings.LANGUAGES
        ]

    def find_shown_language(self) -> str:
        """Return the language of the first error, or else the posted one; blank if there is neither."""
        names = [name.rpartition("_")[2] for name in self.errors]
        found = [language for language, _name in settings.LANGUAGES if language in names]
        return found[0] if found else self.data.get("shown", "")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("delay_days") == 0:
            cleaned["delay_hour"] = None
        if not self.instance.is_editable:
            message = _("Nothing was saved: sending has begun in the meantime, and the campaign is locked.")
            self.add_error(None, message)
        elif self.instance.pk and cleaned.get("version") != get_version(self.instance):
            self.is_conflict = True
            message = _(
                "Nothing was saved: this campaign was changed after you opened it. Copy your changes to"
                " the current version."
            )
            self.add_error(None, message)
        if self.is_step and {"user_type", "delay_days"} <= cleaned.keys():
            delay = {"delay_days": cleaned["delay_days"], "delay_hour": cleaned.get("delay_hour")}
            others = list_steps(cleaned["user_type"]).exclude(pk=self.instance.pk)
            if others.filter(**delay).exists():
                self.add_error("delay_days", _("Another step has this delay already."))
        # What is sent as it is must stay without errors.
        refusals = {
            CampaignState.SCHEDULED: _("Nothing was saved, because the campaign is scheduled: {problem}"),
            CampaignState.SENDING: _("Nothing was saved, because the step is on: {problem}"),
        }
        if (refusal := refusals.get(self.instance.state)) and not self.errors:
            for problem in find_problems(self.instance, self.build_texts()):
                if problem.severity == "error":
                    self.add_error(None, refusal.format(problem=problem))
        return cleaned

    def build_texts(self) -> list[CampaignText]:
        """Return the texts as they were posted or stored, unsaved. A field with an error counts as empty."""
        values = self.cleaned_data if self.is_bound else self.initial
        return [
            CampaignText(
                campaign=self.instance,
                language=language,
                **{name: values.get(f"{name}_{language}", "") for name in TEXT_FIELDS},
            )
            for language, _name in settings.LANGUAGES
        ]

    def save_texts(self) -> None:
        """Store the texts that have changed."""
        for text in self.build_texts():
            if any(f"{name}_{text.language}" in self.changed_data for name in TEXT_FIELDS):
                values = {name: getattr(text, name) for name in TEXT_FIELDS}
                CampaignText.objects.update_or_create(
                    campaign=self.instance, language=text.language, defaults=values
                )


class TestForm(forms.Form):
    """Who gets a test, and in which languages: at first the admin, in all that are written."""

    __test__ = False  # not a class of tests

    addresses = forms.MultipleChoiceField(
        label=_("Addresses"),
        help_text=_("Everyone who may sign in here, and the test addresses in the settings of the site."),
        choices=lambda: [(address, address) for address in find_test_addresses()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one address.")},
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one language.")},
    )

    def __init__(self, *args: Any, campaign: Campaign, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        written = campaign.list_languages()
        field: Any = self.fields["languages"]
        field.choices = [(code, name) for code, name in settings.LANGUAGES if code in written]
        self.initial = {"addresses": [user.email], "languages": written}


class ScheduleForm(forms.Form):
    """When to send a campaign, in the time zone of the site."""

    at = forms.SplitDateTimeField(
        label=_("Date and time"),
        error_messages={"required": _("Choose the date and the time.")},
        widget=forms.SplitDateTimeWidget(
            date_attrs={"type": "date", "aria-label": _("Date")},  # type: ignore[dict-item]
            time_attrs={"type": "time", "aria-label": _("Time")},  # type: ignore[dict-item]
            date_format="%Y-%m-%d",
            time_format="%H:%M",
        ),
    )
