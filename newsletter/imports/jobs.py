"""The jobs that count the rows of a file, import them, and undo that."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
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
from sailing.jobs.queue import JobFailed, require_admin
from sailing.privacy.erasure import erase

PERMISSION = "newsletter.add_subscription"

SEEN = "seen"
"""The name of the file with the parts of `Seen`."""

MAX_ROWS = 1_000_000
STEP_ROWS = 2000
UNDO_STEP_ROWS = 1000

CONFIRM_PERMISSION = "imports.confirm_importbatch"
"""Of an admin who imports people as confirmed, without asking them. No group has it."""


@queue.register(CHECK, label=gettext_lazy("Check a file"), permission=PERMISSION)
def run_check(job: Job) -> bool:
    """Count what the import of the next rows of a file would do."""
    parts, _is_new = JobFile.objects.get_or_create(job=job, name=SEEN)
    seen = _get_seen(job.pk, job.created_at)
    for part in parts.chunks.filter(number__gte=seen.part_count).order_by("number"):
        seen.load(bytes(part.content))
    has_more = _run(job, seen)
    if has_more:
        files.append(parts, seen.next_part)
    else:
        parts.delete()
    return has_more


@lru_cache(maxsize=4)
def _get_seen(_job_pk: int, _created_at: datetime) -> Seen:
    """Return what this process has loaded of a check."""
    return Seen()


@queue.register(IMPORT, label=gettext_lazy("Import subscribers"), permission=PERMISSION)
def run_import(job: Job) -> bool:
    """Store the next rows of a file."""
    return _run(job)


def _run(job: Job, seen: Seen | None = None) -> bool:
    """Handle the next rows of the file of a job, in the language of its admin.

    A file is read twice: first the opt-outs, then the other rows. So an import that ends in between has asked
    or confirmed nobody whose opt-out stands further down. The cursor: the number of the reading, the rows
    that it has done, and the place of the next one.
    """
    if job.arguments["consent_date"]:
        require_admin(job, CONFIRM_PERMISSION)
    plan = Plan(**job.arguments["plan"])
    reading, done, place = job.cursor or (0, 0, None)
    with translation.override(job.arguments["language"]):
        try:
            file = JobFile.objects.get(pk=job.arguments["file"])
            with open_rows(file, plan.encoding, plan.delimiter) as rows:
                if place:
                    rows.seek(*place)
                part = [read_row(each, plan) for each in islice(rows, STEP_ROWS)]
                place = rows.tell()
        except UnreadableFile as error:
            raise JobFailed(str(error)) from error
        except files.DELETED as error:
            raise JobFailed(_("The file is no longer stored. Please import it again.")) from error
        done += len(part)
        if done > MAX_ROWS:
            text = _("The file has more than %(limit)d rows. Please split it.")
            raise JobFailed(text % {"limit": MAX_ROWS})
        wanted = [row for row in part if (row.state is RowState.OPTED_OUT) is (reading == 0)]
        is_documented = job.arguments["consent_date"] and not plan.find_ignored_states(rows.header)
        _store(job, wanted, bool(is_documented), seen)
        _store_bad_rows(job, rows.header, [row for row in wanted if row.problems])
    job.finished_rows += len(wanted)
    job.cursor = (reading, done, place) if part else (reading + 1, 0, None)
    if job.cursor[0] < 2:
        return True
    job.total_rows = job.finished_rows
    return False


def _store(job: Job, rows: Sequence[Row], is_documented: bool, seen: Seen | None) -> None:
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


def _store_bad_rows(job: Job, header: Sequence[str], bad: Sequence[Row]) -> None:
    """Add rows to the file of bad rows: the problems, then the cells as they were."""
    rows = [[" ".join(row.problems), *row.cells] for row in bad]
    is_first = bool(rows) and "bad_rows" not in job.result
    if is_first:
        file = JobFile.objects.create(job=job, name=_("rows-to-correct") + ".csv")
        job.result["bad_rows"] = file.pk
        rows.insert(0, [_("Problem"), *header])
    if rows:
        content = write_csv(rows, delimiter=job.arguments["plan"]["delimiter"], has_mark=is_first)
        files.append(JobFile.objects.get(pk=job.result["bad_rows"]), b"".join(content))


@queue.register(UNDO, label=gettext_lazy("Undo an import"), permission=PERMISSION)
def run_undo(job: Job) -> bool:
    """Erase the next rows that an import added, except where somebody acted since.

    Subscribers stay if they confirmed, unsubscribed or subscribed on the site, if an admin unsubscribed them,
    or if their mailbox takes no mail, so that no other import adds the address again.
    An opt-out stays too, whichever import it came from: only the owner takes it back.
    """
    added = Subscription.objects.filter(import_batch=job.arguments["batch"]).order_by("pk")
    job.total_rows = job.total_rows or added.count()
    remaining = added.filter(pk__gt=job.cursor) if job.cursor else added
    keys = list(remaining.select_for_update().values_list("pk", flat=True)[:UNDO_STEP_ROWS])
    if not keys:
        return False
    site_events = (*OWNER_EVENTS, ConsentKind.REQUESTED, ConsentKind.DISOWNED, ConsentKind.PAUSED)
    stays = Q(consent_events__kind__in=site_events) | Q(is_active=False) | Q(bounced_at__isnull=False)
    kept = set(Subscription.objects.filter(stays, pk__in=keys).values_list("pk", flat=True))
    erase(Subscription, [key for key in keys if key not in kept])
    ImportBatch.objects.filter(pk=job.arguments["batch"]).update(
        removed_count=F("removed_count") + len(keys) - len(kept),
        kept_count=F("kept_count") + len(kept),
    )
    job.cursor = str(keys[-1])
    job.finished_rows += len(keys)
    return True
