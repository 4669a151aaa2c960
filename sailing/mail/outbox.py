"""Render a mail and store it in the outbox; `sailing.mail.sender` sends it.

The mail `newsletter/welcome` consists of `templates/mails/newsletter/welcome.txt`, whose first line is the
subject, and `welcome.html`. Call `enqueue` inside the transaction that causes the mail.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from email.utils import make_msgid
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Model
from django.template.loader import render_to_string
from django.utils import translation

from sailing.database import Now
from sailing.mail.links import page_url
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.sender import wake_after_commit


def enqueue(name: str, *, to: str, language: str, context: Mapping[str, Any], **options: Any) -> None:
    """Render a mail in `en` or `cs` and store it for sending. `options` are those of `store`."""
    home_url = page_url("/", language=language)
    links = {"home_url": home_url, "privacy_url": f"{home_url}#privacy"}
    values = {**context, **links, "language": language}
    with translation.override(language):
        subject, _, text = render_to_string(f"mails/{name}.txt", values).strip().partition("\n")
        html = render_to_string(f"mails/{name}.html", {**values, "subject": subject})
    store(to=to, subject=subject.strip(), text=text.strip() + "\n", html=html, **options)


def store(*, to: str, subject: str, at: datetime | None = None, **fields: Any) -> None:
    """Store one rendered mail for sending.

    `at`: when to send it, now by default. `fields`: `text` and `html`, perhaps `headers`, `priority`,
    `is_reminder` and the `subject_key` of the row that the mail is about.
    """
    OutboxEmail.objects.create(
        recipient=to,
        subject=subject[: OutboxEmail.SUBJECT_LENGTH],  # names can make it longer
        message_id=make_msgid(domain=urlsplit(settings.SITE_URL).hostname),
        due_at=at or Now(),
        next_attempt_at=at or Now(),
        **fields,
    )
    wake_after_commit()


def subject_key(model: type[Model], key: Any) -> str:
    """Return the key of the mails about a row."""
    return f"{model._meta.label_lower} {key}"


def cancel_pending(subject_key: str, **which: bool) -> bool:
    """Delete the unsent mails about a row, also those that have failed; return whether there was one.

    `which`: `is_reminder=True` for its reminder alone.
    """
    mails = OutboxEmail.objects.filter(subject_key=subject_key, **which)
    return bool(mails.exclude(state=MailState.SENT).delete()[0])


def purge(subject_keys: Collection[str]) -> None:
    """Delete all mails about some rows, sent or not."""
    OutboxEmail.objects.filter(subject_key__in=subject_keys).delete()
