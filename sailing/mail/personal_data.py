"""The mails to a person, and what is known of the mailbox (see `sailing.privacy`)."""

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from sailing.mail import mailboxes, outbox
from sailing.mail.models import Mailbox, MailState, OutboxEmail
from sailing.privacy.personal_data import Section, get_labels, sections


def _find_account_mails(email: str) -> QuerySet[OutboxEmail]:
    model = get_user_model()
    users = model._default_manager.filter(email=email)
    keys = [outbox.subject_key(model, key) for key in users.values_list("pk", flat=True)]
    return OutboxEmail.objects.filter(subject_key__in=keys).order_by("pk")


def _find_other_mails(email: str) -> QuerySet[OutboxEmail]:
    about_accounts = outbox.subject_key(get_user_model(), "")
    return OutboxEmail.objects.filter(recipient=email).exclude(subject_key__startswith=about_accounts)


NAMES = ["recipient", "subject", "state", "attempts", "due_at", "next_attempt_at", "last_error", "sent_at"]
MAILS: dict[str, Any] = {
    "model": OutboxEmail,
    "fields": get_labels(OutboxEmail, *NAMES),
    "heading": "subject",
    "applies": {
        "next_attempt_at": lambda mail: mail.state == MailState.WAITING,
        "last_error": lambda mail: mail.state != MailState.SENT,
    },
}

sections += [
    Section(
        "account_mails",
        _("Emails about the account"),
        find=_find_account_mails,
        needs_verified_email=False,
        **MAILS,
    ),
    Section("other_mails", _("Other emails to the address"), find=_find_other_mails, **MAILS),
    Section(
        "mailbox",
        _("Protection from emails that you did not ask for"),
        Mailbox,
        mailboxes.find,
        get_labels(
            Mailbox, "sent_at", "unanswered", "is_blocked", "changed_at", "suppression", "suppressed_at"
        ),
        values={"sent_at": lambda row: [datetime.fromtimestamp(at, tz=UTC) for at in row.sent_at]},
    ),
]
