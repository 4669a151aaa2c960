"""The jobs that count the rows of a file, import them, and undo that."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from django.db.models import F, Q
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter.imports.models import ImportBatch
from newsletter.imports.reading import UnreadableFile, open_rows
from newsletter.imports.rows import Plan, Row, read_row
from newsletter.imports.services import CHECK, IMPORT, UNDO
from newsletter.imports.storage import Seen, store_rows
from newsletter.imports.vocabulary import RowState
from newsletter.models import OWNER_EVENTS, ConsentKind, Subscription
from sailing.csv_files import write_csv
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job, JobFile
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.privacy.erasure import erase

MAX_ROWS = 1_000_000
STEP_ROWS = 1000
UNDO_STEP_ROWS = 500

CONFIRM_PERMISSION = "imports.confirm_importbatch"
"""Of an admin who imports people as confirmed, without asking them. No group has it."""


def authorize(job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not import, or not as confirmed."""
    needed = (CONFIRM_PERMISSION,) if job.arguments.get("consent_date") else ()
    require_admin(user_id, "newsletter.add_subscription", *needed)


@queue.register(CHECK, label=gettext_lazy("Check a file"), authorize=authorize)
def run_check(job: RunningJob) -> Iterator[None]:
    """Count what the import of a file would do.

    Interrupted, it begins again: what its rows do to their addresses is in memory.
    """
    with job.step(is_progress=False):
        job.finished_rows, job.cursor, job.result = 0, None, {}
        JobFile.objects.filter(job_id=job.pk).exclude(pk=job.arguments["file"]).delete()
    yield
    yield from _run(job, Seen())


@queue.register(IMPORT, label=gettext_lazy("Import subscribers"), authorize=authorize)
def run_import(job: RunningJob) -> Iterator[None]:
    """Store the rows of a file, from the first one that is not stored."""
    yield from _run(job)


def _run(job: RunningJob, seen: Seen | None = None) -> Iterator[None]:
    """Read the file of a job in the language of its admin, and handle its rows part by part."""
    authorize(job, job.created_by_id)
    plan = Plan(**job.arguments["plan"])
    with translation.override(job.arguments["language"]):
        try:
            file = JobFile.objects.get(pk=job.arguments["file"])
            for header, rows, cursor in _read_parts(file, plan, *(job.cursor or (0, 0))):
                with job.step(is_progress=seen is None):
                    is_documented = job.arguments["consent_date"] and not plan.find_ignored_states(header)
                    _store(job, rows, bool(is_documented), seen)
                    _store_bad_rows(job, header, [row for row in rows if row.problems])
                    job.finished_rows += len(rows)
                    job.cursor = cursor
                yield
        except UnreadableFile as error:
            raise JobFailed(str(error)) from error
        except files.DELETED as error:
            raise JobFailed(_("The file is no longer stored. Please import it again.")) from error
    with job.step():
        job.total_rows = job.finished_rows
    yield


def _read_parts(
    file: JobFile, plan: Plan, number: int, done: int
) -> Iterator[tuple[list[str], list[Row], tuple[int, int]]]:
    """Read a file twice: first the opt-outs, then the other rows. Return each part with its cursor.

    So an import that ends in between has asked or confirmed nobody whose opt-out stands further down.
    `number`, `done`: of the reading where it begins, and the rows that it has done.
    """
    for reading in range(number, 2):
        with open_rows(file, plan.encoding, plan.delimiter) as (header, cells, _delimiter):
            remaining = islice(cells, done, None)
            while part := [read_row(each, plan) for each in islice(remaining, STEP_ROWS)]:
                done += len(part)
                if done > MAX_ROWS:
                    text = _("The file has more than %(limit)d rows. Please split it.")
                    raise UnreadableFile(text % {"limit": MAX_ROWS})
                wanted = [row for row in part if (row.state is RowState.OPTED_OUT) is (reading == 0)]
                yield header, wanted, (reading, done)
        done = 0


def _store(job: RunningJob, rows: Sequence[Row], is_documented: bool, seen: Seen | None) -> None:
    """Store some rows; with `seen`, only count them."""
    if seen is not None:
        counts = store_rows(rows, seen, is_documented=is_documented)
        job.result["counts"] = Counter(job.result.get("counts", {})) + counts
        return
    # Of two imports, each step sees the opt-outs of the other.
    running = ImportBatch.objects.filter(job__state__in=UNFINISHED).order_by("pk")
    locked = {each.pk: each for each in running.select_for_update(of=("self",))}
    batch = locked[job.arguments["batch"]]
    if batch.undone_at:
        raise JobFailed(_("The import has been undone."))
    batch.counts = Counter(batch.counts) + store_rows(rows, batch, is_documented=is_documented)
    batch.save(update_fields=["counts"])


def _store_bad_rows(job: RunningJob, header: Sequence[str], bad: Sequence[Row]) -> None:
    """Add rows to the file of bad rows: the problems, then the cells as they were."""
    rows = [[" ".join(row.problems), *row.cells] for row in bad]
    is_first = bool(rows) and "bad_rows" not in job.result
    if is_first:
        file = JobFile.objects.create(job_id=job.pk, name=_("rows-to-correct") + ".csv")
        job.result["bad_rows"] = file.pk
        rows.insert(0, [_("Problem"), *header])
    if rows:
        content = write_csv(rows, delimiter=job.arguments["plan"]["delimiter"], has_mark=is_first)
        files.append(JobFile.objects.get(pk=job.result["bad_rows"]), b"".join(content))


@queue.register(UNDO, label=gettext_lazy("Undo an import"), authorize=authorize)
def run_undo(job: RunningJob) -> Iterator[None]:
    """Erase what an import added, except where somebody acted since.

    Subscribers stay if they confirmed, unsubscribed or subscribed on the site, if an admin unsubscribed them,
    or if their mailbox takes no mail, so that no other import adds the address again.
    An opt-out stays too, whichever import it came from: only the owner takes it back.
    """
    authorize(job, job.created_by_id)
    added = Subscription.objects.filter(import_batch=job.arguments["batch"]).order_by("pk")
    job.total_rows = job.total_rows or added.count()
    while True:
        with job.step():
            remaining = added.filter(pk__gt=job.cursor) if job.cursor else added
            keys = list(remaining.select_for_update().values_list("pk", flat=True)[:UNDO_STEP_ROWS])
            if not keys:
                return
            acted = Q(
                consent_events__kind__in=(
                    *OWNER_EVENTS,
                    ConsentKind.REQUESTED,
                    ConsentKind.DISOWNED,
                    ConsentKind.PAUSED,
                )
            )
            stays = acted | Q(is_active=False) | Q(bounced_at__isnull=False)
            kept = set(Subscription.objects.filter(stays, pk__in=keys).values_list("pk", flat=True))
            erase(Subscription, [key for key in keys if key not in kept])
            ImportBatch.objects.filter(pk=job.arguments["batch"]).update(
                removed_count=F("removed_count") + len(keys) - len(kept),
                kept_count=F("kept_count") + len(kept),
            )
            job.cursor = str(keys[-1])
            job.finished_rows += len(keys)
        yield
