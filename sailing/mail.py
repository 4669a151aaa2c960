"""Renders a mail in its reader's language and puts it into the outbox.

A mail named `newsletter/welcome` is `templates/mails/newsletter/welcome.txt` and `.html`. The text's
first line is the subject. Call it inside the transaction of what the mail is about: either both are
stored or neither. `sailing.outbox` sends it from there.
"""

from collections.abc import Mapping
from email.utils import make_msgid
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from post_office.models import PRIORITY, STATUS, Email
from post_office.signals import email_queued

from sailing.outbox import wake_after_commit


def enqueue(
    name: str,
    *,
    to: str,
    language: str,
    context: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> None:
    """Store one mail for sending.

    Takes the mail's name, one address, the language (`en`, `cs`), what the templates use, and further
    headers. Raises TemplateDoesNotExist for an unknown name; nothing for an SMTP server that is away.
    """
    values = {**context, "site_url": settings.SITE_URL, "language": language}
    with translation.override(language):
        subject, _, text = render_to_string(f"mails/{name}.txt", values).strip().partition("\n")
        html = render_to_string(f"mails/{name}.html", {**values, "subject": subject})
    # Not the library's `send`: it would render the finished text as a template once more, and a name
    # that a visitor typed stands in it.
    email = Email.objects.create(
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[to],
        subject=subject.strip(),
        message=text.strip() + "\n",
        html_message=html,
        headers=dict(headers) if headers else None,
        message_id=make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"])),
        priority=PRIORITY.medium,
        status=STATUS.queued,
    )
    email_queued.send(sender=Email, emails=[email])
    wake_after_commit()
