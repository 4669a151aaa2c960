"""Move the mails that django-post-office stored to our own outbox.

It stored the outbox of earlier releases. A deploy runs old and new processes side by side, and an old one may
store a mail until it ends, so each sender looks for some once a minute. Delete this module with the old
tables (CHANGELOG).
"""

import json
import time
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from sailing.models import MailPriority, MailState, OutboxEmail

CHECK_SECONDS = 60.0
BATCH_SIZE = 500
OLD_SENDER_LOCK = 0x5A111
"""The advisory lock that an old sender holds while it sends (PostgreSQL)."""

SENT, FAILED, QUEUED, REQUEUED = range(4)
STATES = {
    SENT: MailState.SENT,
    FAILED: MailState.FAILED,
    QUEUED: MailState.WAITING,
    REQUEUED: MailState.WAITING,
}
HIGH_PRIORITY = 2

SELECT = """
    SELECT id, "to", subject, message, html_message, headers, context, message_id, priority, status,
        number_of_retries, scheduled_time, created, last_updated
    FROM post_office_email WHERE {condition} ORDER BY id LIMIT {limit}
"""


class PreviousOutbox:
    """The mails of django-post-office."""

    def __init__(self) -> None:
        self._next_check: float | None = time.monotonic()

    def move_if_due(self) -> None:
        """Move a batch once a minute, and immediately again while more is left."""
        now = time.monotonic()
        if self._next_check is None or now < self._next_check:
            return
        if "post_office_email" not in connection.introspection.table_names():
            self._next_check = None
        elif not move_batch():
            self._next_check = now + CHECK_SECONDS


def move_batch() -> bool:
    """Move some mails, those that are not sent first; return whether more may be left.

    Moves nothing while an old sender is at work: it may be delivering any of them.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [OLD_SENDER_LOCK])
            if not cursor.fetchone()[0]:
                return False
        for condition in (f"status <> {SENT}", f"status = {SENT}"):
            cursor.execute(SELECT.format(condition=condition, limit=BATCH_SIZE))
            if rows := cursor.fetchall():
                break
        else:
            return False
        OutboxEmail.objects.bulk_create(_convert(*row) for row in rows)
        keys = [row[:1] for row in rows]
        cursor.executemany("DELETE FROM post_office_log WHERE email_id = %s", keys)
        cursor.executemany("DELETE FROM post_office_email WHERE id = %s", keys)
    return True


def _convert(
    _key: int,
    to: str,
    subject: str,
    text: str,
    html: str,
    headers: str | None,
    context: str | None,
    message_id: str | None,
    priority: int | None,
    status: int,
    retries: int | None,
    scheduled_at: datetime | None,
    created_at: datetime,
    updated_at: datetime,
) -> OutboxEmail:
    return OutboxEmail(
        recipient=to,
        subject=subject[:255],
        text=text,
        html=html,
        headers=_load(headers),
        subject_key=_load(context).get("about", ""),
        message_id=message_id or "",
        priority=MailPriority.URGENT if priority == HIGH_PRIORITY else MailPriority.NORMAL,
        state=STATES[status],
        attempts=retries or 0,
        next_attempt_at=_aware(scheduled_at) if scheduled_at else timezone.now(),
        created_at=_aware(created_at),
        sent_at=_aware(updated_at) if status == SENT else None,
    )


def _load(value: str | None) -> dict[str, Any]:
    return (json.loads(value) if value else None) or {}


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)  # SQLite
