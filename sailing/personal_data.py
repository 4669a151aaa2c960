"""What mails, Django and its libraries store about a person (see `sailing.privacy`)."""

from datetime import UTC, datetime
from functools import partial

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from sailing.history import describe_entry, find_changes
from sailing.mail import mailboxes, outbox
from sailing.mail.models import Mailbox, OutboxEmail
from sailing.privacy.personal_data import Section, sections

ABOUT_ACCOUNTS = outbox.subject_key(get_user_model(), "")


def find_account_mails(email: str) -> QuerySet[OutboxEmail]:
    users = get_user_model()._default_manager.filter(email=email).values_list("pk", flat=True)
    return OutboxEmail.objects.filter(subject_key__in=[f"{ABOUT_ACCOUNTS}{key}" for key in users])


DEVICE_INTERNALS = ("user", "name", "throttling_failure_timestamp", "throttling_failure_count")
MAIL_INTERNALS = (
    *("text", "html", "headers"),
    *("subject_key", "is_reminder", "message_id", "priority", "next_attempt_at"),
)

about_account = partial(Section, needs_verified_email=False)

sections += [
    about_account(
        "history",
        _("History of the account"),
        LogEntry,
        lambda email: find_changes(get_user_model()._default_manager.get(email=email)).order_by("pk"),
        exclude=("content_type", "object_id", "object_repr", "action_flag"),
        values={
            "user": lambda entry: _("you") if str(entry.user_id) == entry.object_id else _("an admin"),
            "change_message": describe_entry,
        },
    ),
    about_account(
        "authenticator_apps",
        _("Two-step sign-in: authenticator app"),
        TOTPDevice,
        lambda email: TOTPDevice.objects.filter(user__email=email),
        exclude=(*DEVICE_INTERNALS, "key", "step", "t0", "digits", "tolerance", "drift", "last_t"),
    ),
    about_account(
        "recovery_codes",
        _("Two-step sign-in: recovery codes"),
        StaticDevice,
        lambda email: StaticDevice.objects.filter(user__email=email),
        exclude=DEVICE_INTERNALS,
    ),
    about_account(
        "account_mails",
        _("Emails about the account"),
        OutboxEmail,
        find_account_mails,
        exclude=MAIL_INTERNALS,
    ),
    Section(
        "other_mails",
        _("Other emails to the address"),
        OutboxEmail,
        lambda email: OutboxEmail.objects.filter(recipient=email).exclude(
            subject_key__startswith=ABOUT_ACCOUNTS
        ),
        exclude=MAIL_INTERNALS,
    ),
    Section(
        "mailbox",
        _("Protection from emails that you did not ask for"),
        Mailbox,
        mailboxes.find,
        exclude=("address_hash",),
        values={"sent_at": lambda row: [datetime.fromtimestamp(at, tz=UTC) for at in row.sent_at]},
    ),
]
