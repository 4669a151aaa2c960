"""Claim rows of a queue table, so that any number of processes share its work."""

from datetime import timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet

from sailing.database import Now

Row = TypeVar("Row", bound=Model)


def claim(rows: QuerySet[Row], *, limit: int, lifetime: timedelta | None = None, **values: Any) -> list[Row]:
    """Set `values` on the first `limit` rows that no other process is claiming, and return those rows.

    `lifetime`: by how much `next_attempt_at` moves into the future, which excludes them from the next claim.
    PostgreSQL skips the rows that others have locked. SQLite has one writer at a time (`transaction_mode`).
    """
    with transaction.atomic():
        claimed = list(rows.annotate(claimed_at=Now()).select_for_update(skip_locked=True)[:limit])
        if lifetime and claimed:
            values["next_attempt_at"] = claimed[0].claimed_at + lifetime
        rows.model._default_manager.filter(pk__in=[row.pk for row in claimed]).update(**values)
    for row in claimed:
        for name, value in values.items():
            setattr(row, name, value)
    return claimed
