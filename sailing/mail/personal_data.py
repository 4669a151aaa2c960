"""The mails to a person, and what is known of the mailbox (see `sailing.privacy`)."""

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from sailing.mail import mailboxes, outbox
from sailing.mail.models import Mailbox, OutboxEmail
from sailing.privacy.personal_data import Section, sections

ABOUT_ACCOUNTS = outbox.subject_key(get_user_model(), "")


def find_account_mails(email: str) -> QuerySet[OutboxEmail]:
    model = get_user_model()
    users = model._default_manager.filter(email=email).values_list("pk", flat=True)
    return OutboxEmail.objects.filter(subject_key__in=[outbox.subject_key(model, key) for key in users])


def find_other_mails(email: str) -> QuerySet[OutboxEmail]:
    return OutboxEmail.objects.filter(recipient=email).exclude(subject_key__startswith=ABOUT_ACCOUNTS)


def list_times(mailbox: Mailbox) -> list[datetime]:
    return [datetime.fromtimestamp(at, tz=UTC) for at in mailbox.sent_at]


SECRETS = ("text", "html", "headers")
TECHNICAL = ("subject_key", "is_reminder", "message_id", "priority", "next_attempt_at")

mails = partial(Section, model=OutboxEmail, exclude=(*SECRETS, *TECHNICAL))
sections += [
    mails(
        "account_mails", _("Emails about the account"), find=find_account_mails, needs_verified_email=False
    ),
    mails("other_mails", _("Other emails to the address"), find=find_other_mails),
    Section(
        "mailbox",
        _("Protection from emails that you did not ask for"),
        Mailbox,
        mailboxes.find,
        exclude=("address_hash",),
        values={"sent_at": list_times},
    ),
]
