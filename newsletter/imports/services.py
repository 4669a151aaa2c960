"""Start, undo and preview an import, and ask its subscribers to confirm."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone, translation

from newsletter import mails
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import CheckedRow, ColumnMapping, check_row
from newsletter.imports.storage import find_imported_consents, refuse, refuse_confirmed
from newsletter.imports.uploads import CHECK, IMPORT, find_reading
from newsletter.models import State, Subscription, UserType
from sailing.jobs import queue
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState
from sailing.mail import outbox

UNDO = "newsletter.undo_import"
INVITE = "newsletter.invite_batch"

INVITATIONS_PER_HOUR = 2000

TOTALS_LIFETIME = timedelta(minutes=10)
"""How long the totals of a file are shown. Meanwhile people subscribe and leave."""


def preview(rows: Sequence[Sequence[str]], mapping: ColumnMapping, header: Sequence[str]) -> list[CheckedRow]:
    """Check rows as the import would, without storing anything."""
    checked = [check_row(cells, mapping, header) for cells in rows]
    refuse(checked)
    emails = [row.subscription.email for row in checked if row.subscription]
    stored = list(Subscription.objects.filter(email__in=emails))
    imported = find_imported_consents(stored)
    confirmed = {each.email for each in stored if each.is_subscribed and each.pk not in imported}
    refuse_confirmed(checked, confirmed)
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

    Its result has the `totals` (`newsletter.imports.totals`), and the `problem` of a file that is too long.
    Those that were finished before the end of another import, or longer than TOTALS_LIFETIME ago, are counted
    again; a check that has not ended goes on.
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
        checks = Job.objects.filter(kind=CHECK, unique_key=key)
        unfinished = checks.filter(state__in=UNFINISHED)
        changed = Job.objects.filter(kind__in=(IMPORT, UNDO)).aggregate(at=Max("finished_at"))["at"]
        oldest = max(filter(None, (timezone.now() - TOTALS_LIFETIME, changed)))
        recent = checks.exclude(state=JobState.CANCELLED).filter(finished_at__gt=oldest)
        return (
            unfinished.first()
            or recent.order_by("finished_at").last()
            or queue.enqueue(
                CHECK,
                created_by_id=file.created_by_id,
                unique_key=key,
                file=file.pk,
                file_name=file.name,
                mapping=dict(mapping),
                language=language,
                **reading.result,
            )
            or unfinished.first()
        )


def start(
    *, file: JobFile, mapping: ColumnMapping, consent: Mapping[str, Any] | None = None
) -> tuple[ImportBatch, bool]:
    """Start the import of a file that has been read; return its batch, and False if it was started before.

    `consent`: the fields of `ImportBatch` with which the people come in as confirmed. The job checks that the
    admin may do that.
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
        batch = ImportBatch.objects.create(file_name=file.name, created_by_id=admin, **(consent or {}))
        batch.job = queue.enqueue(
            IMPORT,
            created_by_id=admin,
            batch=batch.pk,
            file_name=batch.file_name,
            mapping=dict(mapping),
            language=translation.get_language(),
            is_confirmed=consent is not None,
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
        queue.enqueue(UNDO, created_by_id=created_by_id, batch=current.pk, file_name=current.file_name)
    return True


def invite(*, batch: ImportBatch, created_by_id: int) -> bool:
    """Ask the subscribers of an import to confirm, in a job; return False if that is not possible now."""
    with transaction.atomic():
        current = ImportBatch.objects.select_for_update().get(pk=batch.pk)
        if current.undone_at or is_running(current) or not list_invitable(current).exists():
            return False
        key = f"{INVITE} {current.pk}"
        job = queue.enqueue(
            INVITE,
            created_by_id=created_by_id,
            unique_key=key,
            batch=current.pk,
            file_name=current.file_name,
        )
    return job is not None


def set_request(*, batch: ImportBatch, texts: Mapping[str, Mapping[str, str]]) -> None:
    """Store the subject and the text of the mail that asks the subscribers of an import, by language.

    A blank one, and one that is the default, is the default also when that changes.
    """
    subscription = Subscription(is_imported=True)
    own = dict(batch.request_texts)
    for language, fields in texts.items():
        default = mails.get_request(subscription, language)
        own[language] = {name: text for name, text in fields.items() if text and text != default[name]}
    batch.request_texts = own
    batch.save(update_fields=["request_texts"])


def render_request(*, batch: ImportBatch, to: str, language: str) -> outbox.MailContent:
    """Return the mail that asks the subscribers of an import."""
    user_type = list_invitable(batch).values_list("user_type", flat=True).first() or UserType.SAILOR
    reader = Subscription(email=to, user_type=user_type, is_imported=True, import_batch=batch)
    request = mails.get_request(reader, language)
    context = mails.describe_request(reader, language, request)
    return outbox.render("newsletter/confirm_imported", language=language, context=context)


def send_request_test(*, batch: ImportBatch, to: str, languages: Iterable[str]) -> None:
    """Send the mail that asks the subscribers of an import to an admin, in some languages."""
    with transaction.atomic():
        for language in languages:
            mail = render_request(batch=batch, to=to, language=language)
            mail["subject"] = f"[Test] {mail['subject']}"
            outbox.store(to=to, **mail)


def is_running(batch: ImportBatch) -> bool:
    """Return whether the file of a batch is being imported."""
    return batch.job is not None and batch.job.state in UNFINISHED


def list_jobs(batch: ImportBatch, kind: str) -> QuerySet[Job]:
    """Return the jobs of one kind for a batch, the latest first."""
    return Job.objects.filter(kind=kind, arguments__batch=batch.pk).order_by("-created_at", "-pk")


def count_invitable(batch: ImportBatch) -> dict[str, int]:
    """Return how many subscribers of a batch can be asked to confirm now, by language."""
    if batch.undone_at or is_running(batch):
        return {}
    found = list_invitable(batch).order_by().values_list("language").annotate(count=Count("pk"))
    counts = dict(found)
    return {code: counts[code] for code, _name in settings.LANGUAGES if code in counts}


def list_invitable(batch: ImportBatch) -> QuerySet[Subscription]:
    """Return the subscribers of a batch who can be asked to confirm for the first time."""
    pending = Subscription.objects.filter(import_batch=batch).in_state(State.PENDING)
    return pending.filter(last_mail_at=None)
