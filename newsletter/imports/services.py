"""Start, undo and preview an import, and ask its subscribers to confirm."""

import json
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation

from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import CheckedRow, ColumnMapping, check_row
from newsletter.imports.storage import refuse, refuse_confirmed
from newsletter.imports.uploads import CHECK, IMPORT, find_reading
from newsletter.models import State, Subscription
from sailing.jobs import queue
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState

UNDO = "newsletter.undo_import"
INVITE = "newsletter.invite_batch"

INVITATIONS_PER_HOUR = 2000

TOTALS_LIFETIME = timedelta(minutes=10)
"""How long the totals of a file are shown. Meanwhile people subscribe, and other files are imported."""


def preview(rows: Sequence[Sequence[str]], mapping: ColumnMapping, header: Sequence[str]) -> list[CheckedRow]:
    """Check rows as the import would, without storing anything."""
    checked = [check_row(cells, mapping, header) for cells in rows]
    refuse(checked)
    emails = [row.subscription.email for row in checked if row.subscription]
    stored = list(Subscription.objects.filter(email__in=emails))
    refuse_confirmed(checked, {each.email for each in stored if each.is_subscribed})
    known = {(each.email, each.user_type) for each in stored}
    earlier = set()
    for row in checked:
        if row.subscription:
            key = (row.subscription.email, str(row.subscription.user_type))
            row.is_known = key in known
            row.is_repeated = key in earlier
            earlier.add(key)
    return checked


def request_totals(*, file: JobFile, mapping: ColumnMapping) -> Job | None:
    """Have all rows of a file checked, in a job; return the job, also of an earlier request.

    Its result has the `totals` (`newsletter.imports.totals`). They are counted again after TOTALS_LIFETIME.
    None if the file is discarded at the same time.
    """
    reading = find_reading(file)
    if reading is None or "source" not in reading.result:
        return None
    language = translation.get_language()
    digest = sha256(json.dumps([language, sorted(mapping.items())]).encode()).hexdigest()[:24]
    key = f"{CHECK} {file.pk} {digest}"
    with transaction.atomic():
        for job in Job.objects.filter(kind=CHECK, arguments__file=file.pk).exclude(unique_key=key):
            queue.cancel(job)  # the columns have been matched anew
        earlier = Job.objects.filter(kind=CHECK, unique_key=key).exclude(state=JobState.CANCELLED)
        recent = earlier.filter(created_at__gt=timezone.now() - TOTALS_LIFETIME).order_by("created_at").last()
        return recent or queue.enqueue(
            CHECK,
            created_by_id=file.created_by_id,
            unique_key=key,
            file=file.pk,
            mapping=dict(mapping),
            language=language,
            **reading.result,
        )


def start(*, file: JobFile, mapping: ColumnMapping) -> tuple[ImportBatch, bool]:
    """Start the import of a file that has been read; return its batch, and False if it was started before.

    Raises JobFile.DoesNotExist if the file or its reading was discarded meanwhile.
    """
    with transaction.atomic():
        current = JobFile.objects.select_for_update().get(pk=file.pk)
        if current.job_id:
            return ImportBatch.objects.get(job=current.job_id), False
        admin, job = current.created_by_id, find_reading(current)
        if job is None or "source" not in job.result:
            raise JobFile.DoesNotExist
        reading = job.result
        batch = ImportBatch.objects.create(file_name=file.name, created_by_id=admin)
        batch.job = queue.enqueue(
            IMPORT,
            created_by_id=admin,
            batch=batch.pk,
            mapping=dict(mapping),
            language=translation.get_language(),
            **reading,
        )
        batch.save(update_fields=["job"])
        JobFile.objects.filter(pk__in=(file.pk, reading["source"])).update(job=batch.job)
    return batch, True


def undo(*, batch: ImportBatch, created_by_id: int) -> bool:
    """Remove what an import added, in a job; return False if that is not possible, or has been asked for."""
    with transaction.atomic():
        # A step locks its job before the batch. In another order, the two would wait for each other.
        invitations = list(list_jobs(batch, INVITE).select_for_update())
        current = ImportBatch.objects.select_for_update().get(pk=batch.pk)
        if current.undone_at or is_running(current):
            return False
        current.undone_at = timezone.now()
        current.save(update_fields=["undone_at"])
        for job in invitations:
            queue.cancel(job)
        queue.enqueue(UNDO, created_by_id=created_by_id, batch=current.pk)
    return True


def invite(*, batch: ImportBatch, created_by_id: int) -> bool:
    """Ask the subscribers of an import to confirm, in a job; return False if that is not possible now."""
    with transaction.atomic():
        current = ImportBatch.objects.select_for_update().get(pk=batch.pk)
        if current.undone_at or is_running(current) or not list_invitable(current).exists():
            return False
        key = f"{INVITE} {current.pk}"
        job = queue.enqueue(INVITE, created_by_id=created_by_id, unique_key=key, batch=current.pk)
    return job is not None


def is_running(batch: ImportBatch) -> bool:
    """Return whether the file of a batch is being imported."""
    return batch.job is not None and batch.job.state in UNFINISHED


def list_jobs(batch: ImportBatch, kind: str) -> QuerySet[Job]:
    """Return the jobs of one kind for a batch, the latest first."""
    return Job.objects.filter(kind=kind, arguments__batch=batch.pk).order_by("-created_at", "-pk")


def list_invitable(batch: ImportBatch) -> QuerySet[Subscription]:
    """Return the subscribers of a batch who can be asked to confirm for the first time."""
    pending = Subscription.objects.filter(import_batch=batch).in_state(State.PENDING)
    return pending.filter(last_mail_at=None)
