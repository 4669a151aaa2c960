"""The mails to a person, and what is known of the mailbox (see `sailing.privacy`)."""

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from sailing.mail import mailboxes, outbox
from sailing.mail.models import Mailbox, OutboxEmail
from sailing.privacy.personal_data import Section, get_labels, sections

MAILS: dict[str, Any] = {
    "model": OutboxEmail,
    "fields": get_labels(
        OutboxEmail, "recipient", "subject", "state", "attempts", "last_error", "due_at", "sent_at"
    ),
    "heading": "subject",
}


def find_account_mails(email: str) -> QuerySet[OutboxEmail]:
    model = get_user_model()
    users = model._default_manager.filter(email=email).values_list("pk", flat=True)
    return OutboxEmail.objects.filter(subject_key__in=[outbox.subject_key(model, key) for key in users])


def find_other_mails(email: str) -> QuerySet[OutboxEmail]:
    about_accounts = outbox.subject_key(get_user_model(), "")
    return OutboxEmail.objects.filter(recipient=email).exclude(subject_key__startswith=about_accounts)


sections += [
    Section(
        name="account_mails",
        title=_("Emails about the account"),
        find=find_account_mails,
        needs_verified_email=False,
        **MAILS,
    ),
    Section(name="other_mails", title=_("Other emails to the address"), find=find_other_mails, **MAILS),
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
