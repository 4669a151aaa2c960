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


personal_data.sections += [
    personal_data.Section(
        "history",
        _("History of the account"),
        LogEntry,
        _find_history,
        {"action_time": _("time"), "user": _("done by"), "change_message": _("what was done")},
        values={
            "user": lambda entry: _("you") if str(entry.user_id) == entry.object_id else _("an admin"),
            "change_message": describe_entry,
        },
        heading="change_message",
        needs_verified_email=False,
    ),
    *(
        personal_data.Section(
            name,
            title,
            model,
            lambda email, model=model: model.objects.filter(user__email=email),  # type: ignore[misc]
            {
                "name": _("device"),
                "confirmed": _("confirmed"),
                "created_at": _("created"),
                "last_used_at": _("last used"),
            },
            needs_verified_email=False,
        )
        for name, title, model in (
            ("authenticator_apps", _("Two-step sign-in: authenticator app"), TOTPDevice),
            ("recovery_codes", _("Two-step sign-in: recovery codes"), StaticDevice),
        )
    ),
]
