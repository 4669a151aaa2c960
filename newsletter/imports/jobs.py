"""The jobs that count the rows of a file, import them, undo that, and ask the subscribers to confirm.

A good row is stored; the others go to a file, each with its problems.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import CheckedRow, check_row, split_header
from newsletter.imports.services import INVITATIONS_PER_HOUR, INVITE, UNDO, list_invitable, preview
from newsletter.imports.storage import end_opted_out, refuse, store
from newsletter.imports.totals import TotalsCounter
from newsletter.imports.uploads import CHECK, IMPORT, authorize
from newsletter.models import ConsentKind, Subscription
from newsletter.services import administration
from sailing.jobs import files, queue, retention
from sailing.jobs.models import Job, JobFile
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.privacy.erasure import erase
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import FileFormat, read_rows
from sailing.spreadsheets.writing import write_csv

MAX_ROWS = 1_000_000

STEP_ROWS = 1000
SKIP_ROWS = 20_000
"""Rows that a continued import skips in one step."""

UNDO_STEP_ROWS = 500

INVITE_STEP_ROWS = 20
INVITE_PAUSE = timedelta(hours=1) * INVITE_STEP_ROWS / INVITATIONS_PER_HOUR


def authorize_invite(_job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not ask imported subscribers to confirm."""
    require_admin(user_id, "newsletter.add_subscription", *administration.ASK_PERMISSIONS)


@queue.register(CHECK, label=gettext_lazy("Check a file"), authorize=authorize)
def run_check(job: RunningJob) -> Iterator[None]:
    """Count what the import of a file would do.

    Interrupted, it begins again: its hashes are good for one process.
    """
    authorize(job, job.created_by_id)
    mapping, counter = job.arguments["mapping"], TotalsCounter()
    job.finished_rows = 0
    with _open_rows(job, deleted=gettext_noop("The file could not be read.")) as (header, rows):
        counted = islice(rows, MAX_ROWS)
        while part := list(islice(counted, STEP_ROWS)):
            with job.step(is_progress=False):
                counter.add(preview(part, mapping, header))
                job.finished_rows += len(part)
            yield
        with job.step():
            job.total_rows = job.finished_rows
            job.result = {
                "totals": counter.finish(),
                "problem": _describe_row_limit() if next(rows, None) else "",
            }
    yield


def _describe_row_limit() -> str:
    return _("The file has more than %(limit)d rows. The rest is not imported: please split it.") % {
        "limit": MAX_ROWS
    }


@retention.register
def purge_checks() -> bool:
    """Delete a batch of checks along with their files: the reasons of a check contain values of the file."""
    limit = timezone.now() - retention.JOB_FILE_RETENTION
    return retention.delete_batch(Job.objects.filter(kind=CHECK, finished_at__lt=limit))


@contextmanager
def _open_rows(job: RunningJob, *, deleted: str) -> Iterator[tuple[list[str], Iterator[list[str]]]]:
    """Open the file of a job in the language of its admin; return the header, and the rows below it.

    `deleted`: the error of a job whose file is gone.
    """
    file_format = FileFormat(**job.arguments["format"])
    job.total_rows = max(file_format.row_count, job.finished_rows) or None
    with translation.override(job.arguments["language"]):
        try:
            with files.open_uploaded(JobFile.objects.get(pk=job.arguments["source"])) as content:
                yield split_header(read_rows(content, file_format))
        except UnreadableFile as error:
            raise JobFailed(str(error)) from error
        except files.DELETED as error:
            raise JobFailed(_(deleted)) from error


@queue.register(IMPORT, label=gettext_lazy("Import subscribers"), authorize=authorize)
def run_import(job: RunningJob) -> Iterator[None]:
    """Store the rows of the uploaded file, from the row at the cursor."""
    authorize(job, job.created_by_id)
    deleted = gettext_noop("The file is no longer stored. Please import it again.")
    with _open_rows(job, deleted=deleted) as (header, rows):
        for start in range(0, job.finished_rows, SKIP_ROWS):
            with job.step(is_progress=False):
                for _row in islice(rows, min(SKIP_ROWS, job.finished_rows - start)):
                    pass
            yield
        while part := list(islice(rows, min(STEP_ROWS, MAX_ROWS + 1 - job.finished_rows))):
            is_too_long = job.finished_rows + len(part) > MAX_ROWS
            with job.step():
                _import_part(job, header, part[: MAX_ROWS - job.finished_rows])
            yield
            if is_too_long:
                raise JobFailed(_describe_row_limit())
    with job.step():
        job.total_rows = job.finished_rows
    yield


def _import_part(job: RunningJob, header: Sequence[str], part: Sequence[Sequence[str]]) -> None:
    """Store the good rows, and add the others to the file of bad rows."""
    # Locked before the subscribers, as everywhere.
    batch = ImportBatch.objects.select_for_update().get(pk=job.arguments["batch"])
    if batch.undone_at:
        raise JobFailed(_("The import has been undone."))
    mapping = job.arguments["mapping"]
    checked = [check_row(cells, mapping, header) for cells in part]
    refuse(checked)
    batch.opted_out_count += end_opted_out(checked)
    good = [row for row in checked if row.subscription]
    bad = [row for row in checked if row.problems]
    store(good, batch)
    batch.invalid_count += len(bad)
    batch.left_out_reasons = Counter(batch.left_out_reasons) + Counter(
        row.reason for row in bad if row.reason
    )
    batch.save()
    if bad:
        _store_bad_rows(job, header, bad)
    job.finished_rows += len(part)
    job.cursor = job.finished_rows


def _store_bad_rows(job: RunningJob, header: Sequence[str], bad: Sequence[CheckedRow]) -> None:
    """Add rows to the file of bad rows: the problems, then the cells as they were."""
    rows = [[" ".join(row.problems), *row.cells] for row in bad]
    key = job.result.get("bad_rows")
    if key is None:
        file = JobFile.objects.create(job_id=job.pk, name=_("rows-to-correct") + ".csv")
        job.result = {**job.result, "bad_rows": file.pk}
        rows.insert(0, [_("Problem"), *header])
    else:
        file = JobFile.objects.get(pk=key)
    delimiter = job.arguments["format"]["delimiter"]
    if job.arguments.get("is_workbook") and translation.get_language() == "cs":
        delimiter = ";"  # at which Excel splits lines where the comma is the decimal separator
    files.append(file, b"".join(write_csv(rows, delimiter=delimiter, has_mark=key is None)))


@queue.register(UNDO, label=gettext_lazy("Undo an import"), authorize=authorize)
def run_undo(job: RunningJob) -> Iterator[None]:
    """Erase what an import added, except where somebody acted since.

    Subscribers stay if they confirmed, unsubscribed or subscribed on the site, if an admin unsubscribed them,
    or if their mailbox takes no mail, so that no other import adds the address again.
    An opt-out stays too, whichever import it came from: only the owner takes it back.
    """
    authorize(job, job.created_by_id)
    added = Subscription.objects.filter(import_batch=job.arguments["batch"])
    job.total_rows = job.total_rows or added.count()
    while keys := _find_next_keys(added, job.cursor, UNDO_STEP_ROWS):
        with job.step():
            rows = Subscription.objects.filter(pk__in=keys)
            acted = rows.filter(
                consent_events__kind__in=(
                    ConsentKind.REQUESTED,
                    ConsentKind.CONFIRMED,
                    ConsentKind.UNSUBSCRIBED,
                    ConsentKind.DISOWNED,
                    ConsentKind.IMPORTED_OPT_OUT,
                )
            )
            list(rows.order_by("pk").select_for_update().values_list("pk"))
            kept = set(acted.values_list("pk", flat=True))
            stopped = rows.filter(Q(is_active=False) | Q(bounced_at__isnull=False))
            kept |= set(stopped.values_list("pk", flat=True))
            removable = [key for key in keys if key not in kept]
            erase(Subscription, removable)
            ImportBatch.objects.filter(pk=job.arguments["batch"]).update(
                removed_count=F("removed_count") + len(removable), kept_count=F("kept_count") + len(kept)
            )
            job.cursor = str(keys[-1])
            job.finished_rows += len(keys)
        yield


@queue.register(INVITE, label=gettext_lazy("Ask imported subscribers to confirm"), authorize=authorize_invite)
def run_invite(job: RunningJob) -> Iterator[timedelta]:
    """Send the mails that ask to confirm, spread over time.

    Each mail is stored when its turn comes: its link is valid for a week, and a million would take three.
    """
    authorize_invite(job, job.created_by_id)
    batch = ImportBatch.objects.get(pk=job.arguments["batch"])
    invitable = list_invitable(batch)
    if job.total_rows is None:
        job.total_rows = invitable.count()
    keys = _find_next_keys(invitable, job.cursor, INVITE_STEP_ROWS)
    while keys:
        with job.step():
            if ImportBatch.objects.select_for_update().get(pk=batch.pk).undone_at:
                raise JobFailed(_("The import has been undone."))
            asked = 0
            rows = Subscription.objects.filter(pk__in=keys).order_by("pk")
            # Before any mailbox is locked: a visitor may hold one of the rows and want a mailbox.
            for subscription in list(rows.select_for_update()):
                asked += administration.invite(subscription=subscription, by_id=job.created_by_id)
            ImportBatch.objects.filter(pk=batch.pk).update(asked_count=F("asked_count") + asked)
            job.cursor = str(keys[-1])
            job.finished_rows += len(keys)
        keys = _find_next_keys(invitable, job.cursor, INVITE_STEP_ROWS)
        yield INVITE_PAUSE if keys else timedelta()


def _find_next_keys(rows: QuerySet[Subscription], cursor: str | None, limit: int) -> list[Any]:
    """Return the keys of the first rows after the cursor, in the order of the keys."""
    remaining = rows.filter(pk__gt=cursor) if cursor else rows
    return list(remaining.order_by("pk").values_list("pk", flat=True)[:limit])
