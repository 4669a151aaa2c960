"""The forms of an import: the file, and what its columns say."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan, find_ignored_states, guess_roles
from newsletter.imports.vocabulary import STATE_ROLES, SUSPECT, Role, normalize_heading
from newsletter.models import AUDIENCES
from sailing.input_limits import clean_line

MAX_FILE_SIZE = 200_000_000  # bytes: a million rows of ten columns

LEAVERS = [
    ("some", gettext_lazy("Only those marked in a column")),
    ("all", gettext_lazy("Everybody in this file")),
]
CONSENT_FIELDS = ("is_confirmed", "consent_date", "consent_proof")


class ChooseFileForm(forms.Form):
    """A file in a plain form, as large as the body of a request may be."""

    file = forms.FileField(
        label=gettext_lazy("File to import"),
        error_messages={
            "required": gettext_lazy("Choose a file of at most 10 MB. Larger ones need JavaScript.")
        },
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt"}),
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


class ColumnsForm(forms.Form):
    """What each column of a file says, and what holds for all of its rows.

    The fields of the columns are `column_0`, `column_1` and so on. One that seems to say who must not be
    mailed, and is not recognized, is blank at first: an admin has to say what it means.
    """

    user_type = forms.ChoiceField(
        label=gettext_lazy("Audience for all rows"),
        choices=[("", gettext_lazy("Use the column")), *AUDIENCES],
        required=False,
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language if a row has none"), choices=settings.LANGUAGES, initial=get_language
    )
    leavers = forms.ChoiceField(label=gettext_lazy("Who has unsubscribed"), choices=LEAVERS)
    origin = forms.CharField(
        label=gettext_lazy("Where the addresses come from"),
        help_text=gettext_lazy(
            "For example: sign-up sheet of the boat show in Prague, May 2025. The email asking people to"
            " confirm will quote it."
        ),
        max_length=ImportBatch.ORIGIN_LENGTH,
    )
    is_confirmed = forms.BooleanField(
        label=gettext_lazy("Import them as confirmed: they agreed, and I can prove it"), required=False
    )
    consent_date = forms.DateField(
        label=gettext_lazy("Latest date of consent"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[
            MaxValueValidator(timezone.localdate, gettext_lazy("Nobody can have agreed in the future."))
        ],
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

    def __init__(
        self, data: Any, *, rows: Sequence[Sequence[str]], name: str, may_confirm: bool, **options: Any
    ) -> None:
        """`rows`: the first of the file `name`, with its header."""
        super().__init__(data, label_suffix="", **options)
        self._header, *self._rows = rows
        please_choose = [("", _("Please choose"))]
        roles = guess_roles(self._header, self._rows)
        self._columns = [f"column_{index}" for index in range(len(roles))]
        for index, (column, role) in enumerate(zip(self._columns, roles, strict=True)):
            self.fields[column] = forms.ChoiceField(
                label=self._header[index].strip() or _("Column %(number)d") % {"number": index + 1},
                choices=[*([] if role else please_choose), *Role.choices],
                initial=role,
            )
        if Role.USER_TYPE not in roles:
            self.fields["user_type"].choices = [*please_choose, *AUDIENCES]  # type: ignore[attr-defined]
        is_answered = Role.SUBSCRIBED in roles or Role.UNSUBSCRIBED in roles
        if SUSPECT.search(normalize_heading(name)) and not is_answered:
            self.fields["leavers"].choices = [*please_choose, *LEAVERS]  # type: ignore[attr-defined]
        for field in [] if may_confirm else CONSENT_FIELDS:
            del self.fields[field]

    def list_columns(self) -> Iterator[tuple[Any, list[str]]]:
        """Yield the field of each column, with up to three of its values."""
        cells = zip_longest(self._header, *self._rows, fillvalue="")
        for column, (_heading, *values) in zip(self._columns, cells, strict=False):
            yield self[column], list(dict.fromkeys(filter(None, map(str.strip, values))))[:3]

    def clean_origin(self) -> str:
        return clean_line(self.cleaned_data["origin"], limit=ImportBatch.ORIGIN_LENGTH).rstrip(". ")

    def clean(self) -> dict[str, Any]:
        roles = self._get_roles()
        for index, role in enumerate(roles):
            if role in roles[:index] and role not in (*STATE_ROLES, Role.IGNORED, ""):
                self.add_error(self._columns[index], _("Another column says this already."))
        if Role.EMAIL not in roles:
            self.add_error(None, _("Choose the column with the email addresses."))
        if Role.USER_TYPE not in roles and not self.cleaned_data.get("user_type"):
            self.add_error("user_type", _("No column says the audience. Please choose one."))
        if self.cleaned_data.get("is_confirmed"):
            for name in CONSENT_FIELDS:
                if not self.cleaned_data.get(name) and name not in self.errors:
                    self.add_error(name, _("Required to import them as confirmed."))
            for index in find_ignored_states(self._header, roles):
                text = _("Say what this column means, or do not import them as confirmed.")
                self.add_error(self._columns[index], text)
        return self.cleaned_data

    def _get_roles(self) -> list[str]:
        return [self.cleaned_data.get(column, "") for column in self._columns]

    def get_arguments(self, encoding: str, delimiter: str) -> dict[str, Any]:
        """Return the arguments of `services.check`, with the documentation if people come in as confirmed."""
        values = self.cleaned_data
        has_left = values["leavers"] == "all"
        plan = Plan(encoding, delimiter, self._get_roles(), values["user_type"], values["language"], has_left)
        documented = CONSENT_FIELDS[1:] if values.get("is_confirmed") else ()
        details = {name: str(values[name]) for name in ("origin", *documented)}
        choices = {name: self.data[name] for name in self.fields if name in self.data}
        return {"plan": plan, "choices": choices, **details}
