"""Renders a mail in its reader's language and puts it into the outbox.

A mail named `newsletter/welcome` is `templates/mails/newsletter/welcome.txt` and `.html`. The text's
first line is the subject. Call it inside the transaction of what the mail is about: either both are
stored or neither. `sailing.email.sender` sends it from there.
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
    about: str = "",
    at: datetime | None = None,
    is_urgent: bool = False,
) -> None:
    """Store one mail for sending.

    Takes the mail's name, one address, the language (`en`, `cs`), what the templates use, further
    headers, what the mail is about (see `about`), when to send it if not at once, and whether it goes
    before those that are not urgent.
    Raises TemplateDoesNotExist for an unknown name; nothing for an SMTP server that is away.
    """
    values = {**context, "home_url": page_url("/", language=language), "language": language}
    with translation.override(language):
        subject, _, text = render_to_string(f"mails/{name}.txt", values).strip().partition("\n")
        html = render_to_string(f"mails/{name}.html", {**values, "subject": subject})
    # Not the library's `send`: it would render the finished text as a template once more, and a name
    # that a visitor typed stands in it.
    mail = Email(
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[to],
        subject=subject.strip(),
        message=text.strip() + "\n",
        html_message=html,
        headers=dict(headers) if headers else None,
        context={"about": about} if about else None,  # the library's own use of it is templates
        scheduled_time=at,
        message_id=make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"])),
        priority=PRIORITY.high if is_urgent else PRIORITY.medium,
        status=STATUS.queued,
    )
    # Not its `save`, which checks once more what we wrote, and the address, which has been.
    Email.objects.bulk_create([mail])
    wake_after_commit()


def about(model: type[Model], key: Any) -> str:
    """How a mail names the row that it is about: its addressee's."""
    return f"{model._meta.label_lower} {key}"


def withdraw(*, about: str) -> None:
    """Send none of the mails about something that have not been sent, not even on an admin's word."""
    unsent = (STATUS.queued, STATUS.requeued, STATUS.failed)
    Email.objects.filter(status__in=unsent, context__about=about).delete()


def forget(*, about: Collection[str]) -> None:
    """Keep none of the mails about these things, sent or not: neither the text nor the address."""
    Email.objects.filter(context__about__in=about).delete()
