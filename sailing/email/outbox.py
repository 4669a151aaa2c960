"""Render a mail and store it in the outbox; `sailing.email.sender` sends it.

The mail `newsletter/welcome` consists of `templates/mails/newsletter/welcome.txt`, whose first line is the
subject, and `welcome.html`. Call `enqueue` inside the transaction that causes the mail, so that both are
stored or neither.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from email.utils import make_msgid
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.template.loader import render_to_string
from django.utils import translation
from post_office.models import PRIORITY, STATUS, Email

from sailing.email.sender import wake_after_commit
from sailing.email.tokens import page_url


def enqueue(
    name: str,
    *,
    to: str,
    language: str,
    context: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
    subject_key: str = "",
    at: datetime | None = None,
    is_urgent: bool = False,
) -> None:
    """Store one mail for sending.

    `language` is `en` or `cs`. `subject_key` names the row that the mail is about (see `subject_key`).
    `at` is the time to send it, now by default. Urgent mails are sent before all others.
    Raises TemplateDoesNotExist for an unknown name.
    """
    values = {**context, "home_url": page_url("/", language=language), "language": language}
    with translation.override(language):
        subject, _, text = render_to_string(f"mails/{name}.txt", values).strip().partition("\n")
        html = render_to_string(f"mails/{name}.html", {**values, "subject": subject})
    # The library's `send` would render the text as a template again, with what a visitor typed in it.
    mail = Email(
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[to],
        subject=subject.strip(),
        message=text.strip() + "\n",
        html_message=html,
        headers=dict(headers) if headers else None,
        context={"about": subject_key} if subject_key else None,  # the library uses it for templates only
        scheduled_time=at,
        message_id=make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"])),
        priority=PRIORITY.high if is_urgent else PRIORITY.medium,
        status=STATUS.queued,
    )
    # The library's `save` would validate again what is valid already.
    Email.objects.bulk_create([mail])
    wake_after_commit()


def subject_key(model: type[Model], key: Any) -> str:
    """Return the key under which mails about a row are stored."""
    return f"{model._meta.label_lower} {key}"


def cancel_pending(subject_key: str) -> None:
    """Delete the unsent mails about a row, so that an admin cannot send them either."""
    unsent = (STATUS.queued, STATUS.requeued, STATUS.failed)
    Email.objects.filter(status__in=unsent, context__about=subject_key).delete()


def purge(subject_keys: Collection[str]) -> None:
    """Delete all mails about some rows, sent or not."""
    Email.objects.filter(context__about__in=subject_keys).delete()
