"""The export and the import of subscribers.

A file cannot give consent. An import only adds pending subscribers, who confirm by a mail that an admin
action sends. Existing subscribers are skipped. An opt-out does count: an inactive row is imported as
unsubscribed, with a consent event.
"""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from import_export.resources import ModelResource
from import_export.results import Result
from tablib import Dataset

from newsletter.models import ConsentEvent, ConsentKind, Source, Subscription, UserType
from sailing.admin.import_export import RowExport
from sailing.email.addresses import normalize_email

YES = frozenset({"", "1", "true", "yes"})
NO = frozenset({"0", "false", "no"})

TIMES = ("created_at", "confirmed_at", "unsubscribed_at", "bounced_at")


class SubscriptionExport(RowExport):
    """One row for each subscriber."""

    class Meta:
        model = Subscription
        fields = ("email", "user_type", "is_active", "is_confirmed", "source", "language", *TIMES)


class SubscriptionImport(ModelResource):
    """Add the rows whose address and user type are not stored yet.

    Columns: email and user_type (required), source, language, is_active; others are ignored. Values are
    normalised as in the form on the site, so importing a file again adds nothing.
    """

    class Meta:
        model = Subscription
        fields = import_order = ("email", "user_type", "source", "language", "is_active")
        import_id_fields = ("email", "user_type")
        force_init_instance = True  # existing rows are looked up at once, in `before_import`
        use_bulk = True
        batch_size = 1000
        skip_diff = True
        store_instance = True

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        headers = [str(name).strip().lower() for name in dataset.headers or []]
        if not {"email", "user_type"} <= set(headers):
            dataset.wipe()
            raise ValueError(_("The file needs the columns email and user_type."))
        dataset.headers = headers
        self._known = self._find_stored(dataset["email"])

    def before_import_row(self, row: dict[str, Any], **kwargs: Any) -> None:
        """Clean the values of the row. Raises ValidationError with all problems, by column."""
        clean: dict[str, Any] = {}
        errors: dict[str, str] = {}

        def choice(column: str, values: list[str], default: str, problem: str) -> None:
            clean[column] = _text(row.get(column)).lower() or default
            if clean[column] not in values:
                errors[column] = problem

        try:
            clean["email"] = normalize_email(_text(row["email"]))
        except ValidationError as error:
            errors["email"] = error.messages[0]
        choice("user_type", UserType.values, "", _("Write sailor or company."))
        choice("source", ["", *Source.values], "", _("Write landing-sailors, landing-companies or nothing."))
        languages = [code for code, _name in settings.LANGUAGES]
        choice("language", languages, settings.LANGUAGE_CODE, _("Write en, cs or nothing."))
        choice("is_active", [*YES, *NO], "", _("Write yes, no or nothing."))
        if errors:
            raise ValidationError({column: [problem] for column, problem in errors.items()})
        row |= clean | {"is_active": clean["is_active"] in YES}

    def skip_row(self, instance: Subscription, *args: Any, **kwargs: Any) -> bool:
        key = (instance.email, instance.user_type)
        known = key in self._known
        self._known.add(key)
        return known

    def before_save_instance(self, instance: Subscription, row: dict[str, Any], **kwargs: Any) -> None:
        instance.is_imported = True
        if not instance.is_active:
            instance.unsubscribed_at = timezone.now()

    def after_import(self, dataset: Dataset, result: Result, **kwargs: Any) -> None:
        if result.has_errors() or result.has_validation_errors():
            return  # the import is rolled back
        added = (row.instance for row in result.rows if row.is_new())
        ConsentEvent.objects.bulk_create(
            [
                ConsentEvent(
                    subscription=subscription,
                    kind=ConsentKind.IMPORTED_OPT_OUT,
                    language=subscription.language,
                    wording="",  # our statement was not shown
                    source=subscription.source,
                    user_type=subscription.user_type,
                )
                for subscription in added
                if subscription.unsubscribed_at
            ],
            batch_size=1000,
        )

    @staticmethod
    def _find_stored(addresses: list[Any]) -> set[tuple[str, str]]:
        wanted = set()
        for address in addresses:
            with suppress(ValidationError):  # reported by `before_import_row`
                wanted.add(normalize_email(_text(address)))
        keys: set[tuple[str, str]] = set()
        ordered = sorted(wanted)
        for start in range(0, len(ordered), 1000):
            stored = Subscription.objects.filter(email__in=ordered[start : start + 1000])
            keys.update(stored.values_list("email", "user_type"))
        return keys


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
