"""Count what the import of a file would do, start it, and undo it."""

from collections.abc import Mapping
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone, translation
from django.utils.dateparse import parse_date

from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState

CHECK = "newsletter.check_import"
IMPORT = "newsletter.import"
UNDO = "newsletter.undo_import"


def check(
    *,
    file: JobFile,
    plan: Plan,
    origin: str,
    consent_date: str = "",
    consent_proof: str = "",
    choices: Mapping[str, str] | None = None,
) -> Job:
    """Have all rows of a file counted as an import would store them.

    `consent_date` (ISO 8601), `consent_proof`: if people come in as confirmed. `choices`: those of the form,
    to show it again. Raises JobFile.DoesNotExist if the file is deleted meanwhile, or is imported already.
    """
    with transaction.atomic():
        current = JobFile.objects.select_for_update(of=("self",)).exclude(job__kind=IMPORT).get(pk=file.pk)
        if current.job:
            queue.cancel(current.job)
        job, _is_new = queue.enqueue(
            CHECK,
            created_by_id=current.created_by_id,
            file=current.pk,
            file_name=current.name,
            plan=asdict(plan),
            origin=origin,
            consent_date=consent_date,
            consent_proof=consent_proof,
            choices=choices or {},
            language=translation.get_language(),
        )
        current.job = job
        current.save(update_fields=["job"])
    return job


def build_batch(checked: Job) -> ImportBatch:
    """Return the record of the import that follows a check; it is not stored."""
    arguments = checked.arguments
    return ImportBatch(
        file_name=arguments["file_name"],
        created_by_id=checked.created_by_id,
        origin=arguments["origin"],
        consent_date=parse_date(arguments["consent_date"]),
        consent_proof=arguments["consent_proof"],
    )


def start(*, checked: Job) -> tuple[ImportBatch, bool]:
    """Import a checked file once; return the batch, and whether it is new. Raises JobFile.DoesNotExist."""
    arguments = checked.arguments
    with transaction.atomic():
        file = JobFile.objects.select_for_update(of=("self",)).select_related("job").get(pk=arguments["file"])
        if file.job and file.job.kind == IMPORT:
            return ImportBatch.objects.get(job=file.job), False
        if file.job_id != checked.pk or checked.state != JobState.DONE:
            raise JobFile.DoesNotExist
        batch = build_batch(checked)
        batch.save()
        batch.job, _is_new = queue.enqueue(
            IMPORT,
            created_by_id=checked.created_by_id,
            total_rows=checked.total_rows,
            **arguments,
            batch=batch.pk,
        )
        batch.save(update_fields=["job"])
        file.job = batch.job
        file.save(update_fields=["job"])
    return batch, True


def undo(*, batch: ImportBatch, created_by_id: int) -> bool:
    """Remove what an import added, in a job; return False if that is not possible, or has been asked for."""
    with transaction.atomic():
        current = ImportBatch.objects.select_for_update().get(pk=batch.pk)
        if current.undone_at or current.is_running:
            return False
        current.undone_at = timezone.now()
        current.save(update_fields=["undone_at"])
        queue.enqueue(UNDO, created_by_id=created_by_id, batch=current.pk, file_name=current.file_name)
    return True
