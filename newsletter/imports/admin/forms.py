"""The forms of an import: the file, and what its columns mean."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import RegexValidator
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter import mails
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import LABELS, find_unused_columns, find_unused_states, name_columns
from newsletter.imports.vocabulary import (
    BOUNCED_COLUMN,
    COLUMN,
    FIRST_WORD,
    OPTED_OUT_COLUMN,
    VALUE,
    RowState,
)
from newsletter.models import Subscription, UserType
from sailing.spreadsheets.reading import MAX_WORKBOOK_SIZE, describe_workbook_limits

MAX_FILE_SIZE = 200_000_000
"""Bytes. A million rows of ten columns."""

MAX_SUBJECT_LENGTH = 100
MAX_TEXT_LENGTH = 1000

PLAIN = RegexValidator(
    r"[{}<>\x00-\x08\x0b\x0c\x0e-\x1f]",
    gettext_lazy("This text is plain: please leave out { } < >."),
    inverse_match=True,
)
"""Refuses what readers would see as it is: fields and HTML."""


class ChooseFileForm(forms.Form):
    """A file in a plain form. FILE_UPLOAD_HANDLERS drops larger ones."""

    file = forms.FileField(
        label=gettext_lazy("File to import"),
        error_messages={
            "required": gettext_lazy("Choose a file of at most 2.5 MB. Larger ones need JavaScript.")
        },
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.xls,.ods"}),
    )


class SlicedFileForm(forms.Form):
    """The name and the size of a file that is uploaded in slices next."""

    name = forms.CharField(max_length=1000)
    size = forms.IntegerField(
        min_value=1,
        max_value=MAX_FILE_SIZE,
        error_messages={
            "min_value": gettext_lazy("The file is empty."),
            "max_value": gettext_lazy("Choose a file of at most 200 MB."),
        },
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a large workbook before it is uploaded."""
        name, size = self.cleaned_data.get("name", ""), self.cleaned_data.get("size", 0)
        if name.lower().endswith((".xlsx", ".xls", ".ods")) and size > MAX_WORKBOOK_SIZE:
            raise forms.ValidationError(describe_workbook_limits())
        return self.cleaned_data


class MappingForm(forms.Form):
    """Where the values of each field are: in a column, or the same for all rows.

    `unused`: what seems to say who must not be mailed, if the state is not chosen.
    """

    def __init__(self, header: Sequence[str], file_name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self._header, self._file_name = header, file_name
        columns = list(enumerate(name_columns(header)))
        readings: dict[str, list[tuple[str, str]]] = {
            "state": [
                (COLUMN, _("The column says who is subscribed")),
                (OPTED_OUT_COLUMN, _("The column says who has left (yes, or when)")),
                (BOUNCED_COLUMN, _("The column says whose address does not work")),
            ],
            "first_name": [
                (COLUMN, _("In the column")),
                (FIRST_WORD, _("The first word of the column")),
            ],
        }
        for_all: dict[str, list[tuple[str, Any]]] = {
            "user_type": [(f"{VALUE}{value}", label) for value, label in UserType.choices],
            "language": [(f"{VALUE}{code}", name) for code, name in settings.LANGUAGES],
            "state": [
                (f"{VALUE}{RowState.OPTED_OUT.value}", _("Everyone in this file has left")),
                (f"{VALUE}{RowState.BOUNCED.value}", _("No address in this file works")),
            ],
        }
        blanks = {"state": _("Not in the file: ask everyone")}
        for name, label in LABELS.items():
            is_required = name in ("email", "user_type")
            blank = _("Please choose") if is_required else blanks.get(name, _("Not in the file"))
            choices: list[Any] = [("", blank)]
            choices += [
                (title, [(f"{reading}{index}", column) for index, column in columns])
                for reading, title in readings.get(name, [(COLUMN, _("In the column"))])
            ]
            if name in for_all:
                choices.append((_("The same for all rows"), for_all[name]))
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=is_required)
        self.fields["other_language"] = forms.ChoiceField(
            label=_("Language where the file has none"), choices=settings.LANGUAGES, required=False
        )
        self.order_fields(["email", "user_type", "first_name", "state", "language", "other_language"])
        self.unused_columns = find_unused_columns(header, self.get_mapping())
        self.unused = find_unused_states(header, file_name, self.get_mapping())
        if self.unused:
            # Not required by the browser, which would not update the preview then.
            self.fields["nobody_left"] = forms.BooleanField(
                label=_("Nobody in this file has left: ask everyone"), required=False
            )

    @property
    def mapping_fields(self) -> list[Any]:
        return [field for field in self if field.name in self.get_mapping()]

    def get_mapping(self) -> dict[str, str]:
        """Return where the values are, as chosen or as guessed."""
        return {name: self[name].value() or "" for name in (*LABELS, "other_language")}

    def clean_nobody_left(self) -> bool:
        if not self.cleaned_data["nobody_left"]:
            raise forms.ValidationError(_("Choose the state, or confirm that nobody has left."))
        return True


class ConsentForm(forms.Form):
    """The documentation by which people come in as confirmed."""

    is_confirmed = forms.BooleanField(
        label=gettext_lazy("Import them as confirmed: they agreed, and I can prove it"), required=False
    )
    consent_date = forms.DateField(
        label=gettext_lazy("Latest date of consent"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        required=False,
    )
    consent_origin = forms.CharField(
        label=gettext_lazy("Where they agreed"),
        help_text=gettext_lazy("For example: sign-up form of the boat show in Prague"),
        max_length=ImportBatch.ORIGIN_LENGTH,
        required=False,
    )
    consent_proof = forms.CharField(
        label=gettext_lazy("Proof"),
        help_text=gettext_lazy(
            "For example: signed sheets, binder 12; or the log of the tool, kept until 2030"
        ),
        max_length=ImportBatch.PROOF_LENGTH,
        required=False,
    )

    def clean_consent_date(self) -> date | None:
        day: date | None = self.cleaned_data["consent_date"]
        if day and day > timezone.localdate():
            raise forms.ValidationError(_("Nobody can have agreed in the future."))
        return day

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("is_confirmed"):
            for name in ("consent_date", "consent_origin", "consent_proof"):
                if not self.cleaned_data.get(name) and name not in self.errors:
                    self.add_error(name, _("Without it, the people have to be asked."))
        return self.cleaned_data

    def get_consent(self) -> dict[str, Any] | None:
        """Return the fields of the import, or None if the people are to be asked."""
        values = dict(self.cleaned_data)
        return values if values.pop("is_confirmed") else None


class RequestForm(forms.Form):
    """The subject and the text of the mail that asks the subscribers of an import to confirm.

    The fields are `subject_LANGUAGE` and `text_LANGUAGE`.
    """

    def __init__(self, batch: ImportBatch, languages: Sequence[str], data: QueryDict | None) -> None:
        super().__init__(data, label_suffix="")
        self._languages = languages
        reader = Subscription(is_imported=True, import_batch=batch)
        for language in languages:
            stored = mails.get_request(reader, language)
            self.fields[f"subject_{language}"] = forms.CharField(
                label=_("Subject"),
                initial=stored["subject"],
                max_length=MAX_SUBJECT_LENGTH,
                required=False,
                validators=[PLAIN],
                widget=forms.TextInput(attrs={"lang": language}),
            )
            self.fields[f"text_{language}"] = forms.CharField(
                label=_("Text"),
                initial=stored["text"],
                max_length=MAX_TEXT_LENGTH,
                required=False,
                validators=[PLAIN],
                widget=forms.Textarea(attrs={"lang": language, "rows": 7}),
            )

    def get_texts(self) -> dict[str, dict[str, str]]:
        return {
            language: {
                "subject": " ".join(self.cleaned_data[f"subject_{language}"].split()),
                "text": self.cleaned_data[f"text_{language}"].replace("\r\n", "\n"),
            }
            for language in self._languages
        }
