"""What is stored about a person in the models of Django and its libraries (see `sailing.privacy`)."""

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from sailing.history import describe_entry
from sailing.privacy import personal_data


def _find_history(email: str) -> QuerySet[LogEntry]:
    users = get_user_model()._default_manager.filter(email=email)
    keys = [str(key) for key in users.values_list("pk", flat=True)]
    members = ContentType.objects.get_for_model(get_user_model())
    return LogEntry.objects.filter(content_type=members, object_id__in=keys).order_by("pk")


SECRETS = ("key", "step", "t0", "digits", "tolerance", "drift", "last_t")
TECHNICAL = ("user", "name", "throttling_failure_timestamp", "throttling_failure_count")

personal_data.sections += [
    personal_data.Section(
        "history",
        _("History of the account"),
        LogEntry,
        _find_history,
        exclude=("content_type", "object_id", "object_repr", "action_flag"),
        values={
            "user": lambda entry: _("you") if str(entry.user_id) == entry.object_id else _("an admin"),
            "change_message": describe_entry,
        },
        needs_verified_email=False,
    ),
    personal_data.Section(
        "authenticator_apps",
        _("Two-step sign-in: authenticator app"),
        TOTPDevice,
        lambda email: TOTPDevice.objects.filter(user__email=email),
        exclude=(*SECRETS, *TECHNICAL),
        needs_verified_email=False,
    ),
    personal_data.Section(
        "recovery_codes",
        _("Two-step sign-in: recovery codes"),
        StaticDevice,
        lambda email: StaticDevice.objects.filter(user__email=email),
        exclude=TECHNICAL,
        needs_verified_email=False,
    ),
]
