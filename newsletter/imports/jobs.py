"""The jobs that count the rows of a file, import them, and undo that."""

import json
import sqlite3
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
from newsletter.imports.rows import Plan, Row, find_ignored_states, read_row
from newsletter.imports.services import CHECK, IMPORT, UNDO
from newsletter.imports.storage import count_rows, hash_email, store_rows
from newsletter.imports.vocabulary import RowState
from newsletter.models import OWNER_EVENTS, ConsentKind, Subscription
from sailing.csv_files import write_csv
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job, JobFile
from sailing.jobs.queue import JobFailed, require_admin
from sailing.privacy.erasure import erase

PERMISSION = "newsletter.add_subscription"
CONFIRM_PERMISSION = "imports.confirm_importbatch"  # to import people as confirmed; no group has it

DONE = "done"
"""The name of the file with what each step of a check adds to the argument `done` of `count_rows`."""

MAX_ROWS = 1_000_000
STEP_ROWS = 2000
UNDO_STEP_ROWS = 1000


@queue.register(CHECK, label=gettext_lazy("Check a file"), permission=PERMISSION)
@queue.register(IMPORT, label=gettext_lazy("Import subscribers"), permission=PERMISSION)
def run_import(job: Job) -> bool:
    """Store the next rows of a file, or count what that would do, in the language of the admin.

    A file is read twice: first the opt-outs, then the rest, so that nobody is asked whose opt-out stands
    further down. The cursor: the number of the pass, its rows so far, and the position of the next one.
    """
    if job.arguments["consent_date"]:
        require_admin(job, CONFIRM_PERMISSION)
    plan = Plan(**job.arguments["plan"])
    pass_number, row_count, position = job.cursor or (0, 0, None)
    with translation.override(job.arguments["language"]):
        try:
            file = JobFile.objects.get(pk=job.arguments["file"])
            with open_rows(file, plan.encoding, plan.delimiter) as rows:
                if position:
                    rows.seek(*position)
                part = [read_row(each, plan) for each in islice(rows, STEP_ROWS)]
                position = rows.tell()
        except UnreadableFile as error:
            raise JobFailed(str(error)) from error
        except files.DELETED as error:
            raise JobFailed(_("The file is no longer stored. Please import it again.")) from error
        row_count += len(part)
        if row_count > MAX_ROWS:
            text = _("The file has more than %(limit)d rows. Please split it.")
            raise JobFailed(text % {"limit": MAX_ROWS})
        wanted = [row for row in part if (row.state is RowState.OPTED_OUT) is (pass_number == 0)]
        handle = _store if job.kind == IMPORT else _count
        is_documented = bool(job.arguments["consent_date"]) and not find_ignored_states(
            rows.header, plan.roles
        )
        handle(job, wanted, is_documented)
        _store_bad_rows(job, rows.header, [row for row in wanted if row.problems])
    job.finished_rows += len(wanted)
    job.cursor = (pass_number, row_count, position) if part else (pass_number + 1, 0, None)
    if job.cursor[0] < 2:
        return True
    job.total_rows = job.finished_rows
    job.files.filter(name=DONE, created_by=None).delete()
    open_done_table.cache_clear()
    return False


def _store(job: Job, rows: Sequence[Row], is_documented: bool) -> None:
    # Of two imports, each step sees the opt-outs of the other.
    running = ImportBatch.objects.filter(job__state__in=UNFINISHED).order_by("pk")
    locked = {each.pk: each for each in running.select_for_update(of=("self",))}
    batch = locked[job.arguments["batch"]]
    if batch.undone_at:
        raise JobFailed(_("The import has been undone."))
    batch.counts = Counter(batch.counts) + store_rows(rows, batch, is_documented=is_documented)
    batch.save(update_fields=["counts"])


def _count(job: Job, rows: Sequence[Row], is_documented: bool) -> None:
    """Count what an import of some rows would do.

    What each step adds is stored as a part of a file, so that any process can continue.
    """
    file, _is_new = JobFile.objects.get_or_create(job=job, name=DONE, created_by=None)
    table, parts = open_done_table(job.pk, job.created_at)
    for part in file.chunks.filter(number__gte=len(parts)).order_by("number").iterator(chunk_size=20):
        with table:  # commits
            table.executemany("REPLACE INTO done VALUES (?, ?)", json.loads(bytes(part.content)).items())
        parts.append(part.number)
    hashes = json.dumps([hash_email(row.email) for row in rows])
    query = "SELECT * FROM done WHERE email_hash IN (SELECT value FROM json_each(?))"
    done = dict(table.execute(query, [hashes]))
    counts, added = count_rows(rows, done, is_documented=is_documented)
    job.result["counts"] = Counter(job.result.get("counts", {})) + counts
    job.result["has_changes"] = job.result.get("has_changes", False) or bool(added)
    files.append(file, json.dumps(added).encode())


@lru_cache(maxsize=8)
def open_done_table(_job_pk: int, _created_at: datetime) -> tuple[sqlite3.Connection, list[int]]:
    """Return what this process knows of a check: what it does to each address, and the parts that say so.

    It is a table in a temporary file of SQLite: a dictionary of a million addresses takes 95 MB of memory.
    """
    table = sqlite3.connect("")
    table.execute("CREATE TABLE done (email_hash INTEGER PRIMARY KEY, audiences TEXT)")
    return table, []


def _store_bad_rows(job: Job, header: Sequence[str], bad: Sequence[Row]) -> None:
    """Add rows to the file of bad rows: the problems, then the cells as they were."""
    if not bad:
        return
    name = _("rows-to-correct") + ".csv"
    file, is_new = JobFile.objects.get_or_create(job=job, name=name, created_by=None)
    job.result["bad_rows"] = file.pk
    rows = [[" ".join(row.problems), *row.cells] for row in bad]
    if is_new:
        rows.insert(0, [_("Problem"), *header])
    content = write_csv(rows, delimiter=job.arguments["plan"]["delimiter"], has_mark=is_new)
    files.append(file, content)


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
        removed_count=F("removed_count") + len(keys) - len(kept), kept_count=F("kept_count") + len(kept)
    )
    job.cursor = str(keys[-1])
    job.finished_rows += len(keys)
    return True
