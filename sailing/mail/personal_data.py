"""The mails to a person, and what limits them (see `sailing.privacy`)."""

from datetime import UTC, datetime

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from sailing.mail import mailbox_budget, outbox, suppression
from sailing.mail.models import MailboxBudget, MailState, OutboxEmail, SuppressedAddress
from sailing.privacy import personal_data


def _find_account_mails(email: str) -> QuerySet[OutboxEmail]:
    model = get_user_model()
    users = model._default_manager.filter(email=email)
    keys = [outbox.subject_key(model, key) for key in users.values_list("pk", flat=True)]
    return OutboxEmail.objects.filter(subject_key__in=keys).order_by("pk")


mail_fields = personal_data.get_labels(
    OutboxEmail,
    "recipient",
    "subject",
    "state",
    "attempts",
    "next_attempt_at",
    "last_error",
    "created_at",
    "sent_at",
)
mail_applies = {
    "next_attempt_at": lambda mail: mail.state == MailState.WAITING,
    "last_error": lambda mail: mail.state != MailState.SENT,
}
personal_data.sections += [
    personal_data.Section(
        "account_mails",
        _("Emails about the account"),
        OutboxEmail,
        _find_account_mails,
        mail_fields,
        heading="subject",
        applies=mail_applies,
        needs_verified_email=False,
    ),
    personal_data.Section(
        "other_mails",
        _("Other emails to the address"),
        OutboxEmail,
        lambda email: OutboxEmail.objects.filter(recipient=email).exclude(
            subject_key__startswith=outbox.subject_key(get_user_model(), "")
        ),
        mail_fields,
        heading="subject",
        applies=mail_applies,
    ),
    personal_data.Section(
        "mail_budget",
        _("Protection from emails that you did not ask for"),
        MailboxBudget,
        mailbox_budget.find,
        {
            "sent_at": _("sent at"),
            "unanswered": _("emails without an answer"),
            "is_blocked": _("blocked by “This was not me”"),
            "changed_at": _("changed"),
        },
        values={"sent_at": lambda budget: [datetime.fromtimestamp(at, tz=UTC) for at in budget.sent_at]},
    ),
    personal_data.Section(
        "suppression",
        _("Do-not-contact list"),
        SuppressedAddress,
        suppression.find,
        {"reason": _("reason"), "created_at": _("created")},
    ),
]
