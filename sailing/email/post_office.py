"""Move the mails that django-post-office stored to our own outbox.

It stored the outbox of earlier releases. A deploy runs old and new processes side by side, and an old one may
store a mail until it ends, so each sender looks for some once a minute. Delete this module with the old
tables (CHANGELOG).
"""

import json
import time
from collections.abc import Collection
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
    FROM post_office_email WHERE {condition} ORDER BY id LIMIT {limit} {lock}
"""


SELECT_ABOUT = "SELECT id FROM post_office_email WHERE CAST(context AS text) LIKE %s"


class PreviousOutbox:
    """The mails of django-post-office."""

    def __init__(self) -> None:
        self._next_check: float | None = time.monotonic()

    def move_if_due(self) -> None:
        """Move a batch once a minute, and immediately again while more is left."""
        now = time.monotonic()
        if self._next_check is None or now < self._next_check:
            return
        if not _has_table():
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
        lock = _lock()  # for `purge`
        for condition in (f"status <> {SENT}", f"status = {SENT}"):
            cursor.execute(SELECT.format(condition=condition, limit=BATCH_SIZE, lock=lock))
            if rows := cursor.fetchall():
                break
        else:
            return False
        OutboxEmail.objects.bulk_create(_convert(*row) for row in rows)
        _delete(cursor, [row[0] for row in rows])
    return True


def purge(subject_keys: Collection[str]) -> None:
    """Delete all mails about some rows, sent or not, in a transaction."""
    if not _has_table():
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM post_office_email LIMIT 1")
        if cursor.fetchone() is None:
            return
        for key in subject_keys:
            # Waits for a mail that is being moved, which is then gone here.
            cursor.execute(f"{SELECT_ABOUT} {_lock()}", [f'%"{key}"%'])
            _delete(cursor, [row[0] for row in cursor.fetchall()])


def _delete(cursor: Any, keys: list[int]) -> None:
    for table, column in (("post_office_log", "email_id"), ("post_office_email", "id")):
        cursor.executemany(f"DELETE FROM {table} WHERE {column} = %s", [[key] for key in keys])  # noqa: S608


def _lock() -> str:
    return "FOR UPDATE" if connection.features.has_select_for_update else ""


def _has_table() -> bool:
    return "post_office_email" in connection.introspection.table_names()


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
