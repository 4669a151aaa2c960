"""Store mails in the outbox, in the transaction that causes them; `sailing.mail.sender` sends them."""

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
    """Render `templates/mails/<name>.txt`, whose first line is the subject, and `.html`; `store` them."""
    home_url = page_url("/", language=language)
    links = {"home_url": home_url, "privacy_url": f"{home_url}#privacy"}
    values = {**context, **links, "language": language}
    with translation.override(language):
        subject, _, text = render_to_string(f"mails/{name}.txt", values).strip().partition("\n")
        html = render_to_string(f"mails/{name}.html", {**values, "subject": subject})
    store(to=to, subject=subject.strip(), text=text.strip() + "\n", html=html, **options)


def store(*, to: str, subject: str, at: datetime | None = None, **fields: Any) -> None:
    """Store a rendered mail, to be sent `at` a time, with the `fields` of an `OutboxEmail`."""
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
    return f"{model._meta.label_lower} {key}"


def cancel_pending(subject_key: str, **which: bool) -> bool:
    """Delete the unsent mails about a row, or its reminder alone; return whether there was one."""
    mails = OutboxEmail.objects.filter(subject_key=subject_key, **which)
    return bool(mails.exclude(state=MailState.SENT).delete()[0])


def purge(subject_keys: Collection[str]) -> None:
    OutboxEmail.objects.filter(subject_key__in=subject_keys).delete()
