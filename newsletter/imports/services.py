"""The import of subscribers from a file, and what can be done with a batch of them: three kinds of jobs.

A file cannot give consent. An import only adds pending subscribers, who confirm by a mail that an admin
sends them. Existing subscribers are skipped. An opt-out does count, for the address in both audiences: it
ends what is pending and is remembered, so that no import makes the address pending again. Only what the owner
confirmed on the site stays. Good rows are stored; the others go to a file, each with its problems.
"""

from collections.abc import Collection, Container, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter import mails, services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import (
    CheckedRow,
    ColumnMapping,
    RowState,
    check_row,
    split_header,
)
from newsletter.imports.uploads import IMPORT, authorize
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.mail.suppression import find_suppressed
from sailing.privacy.erasure import erase
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import FileFormat, read_rows
from sailing.spreadsheets.writing import write_csv

UNDO = "newsletter.undo_import"
INVITE = "newsletter.invite_batch"

MAX_ROWS = 1_000_000
STATE_EVENTS = {
    RowState.OPTED_OUT: ConsentKind.IMPORTED_OPT_OUT,
    RowState.BOUNCED: ConsentKind.BOUNCED,
}

STEP_ROWS = 1000
SKIP_ROWS = 20_000
"""Rows that a continued import skips in one step."""

UNDO_STEP_ROWS = 500

INVITE_PERMISSIONS = ("newsletter.change_subscription", "campaigns.send_campaign")
"""Of an admin who asks imported people to confirm: it reaches as many people as a campaign."""

INVITATIONS_PER_HOUR = 2000
INVITE_STEP_ROWS = 20
INVITE_PAUSE = timedelta(hours=1) * INVITE_STEP_ROWS / INVITATIONS_PER_HOUR


def preview(rows: Sequence[Sequence[str]], mapping: ColumnMapping, header: Sequence[str]) -> list[CheckedRow]:
    """Check rows as the import would, without storing anything."""
    checked = [check_row(cells, mapping, header) for cells in rows]
    _refuse(checked)
    emails = [row.subscription.email for row in checked if row.subscription]
    stored = list(Subscription.objects.filter(email__in=emails))
    _refuse_confirmed(checked, {each.email for each in stored if each.state is State.CONFIRMED})
    known = {(each.email, each.user_type) for each in stored}
    for row in checked:
        if row.subscription:
            key = (row.subscription.email, str(row.subscription.user_type))
            row.is_known = key in known
            known.add(key)
    return checked


def start(*, file: JobFile, mapping: ColumnMapping) -> tuple[ImportBatch, bool]:
    """Start the import of a file that has been read; return its batch, and False if it was started before."""
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=file.job_id)
        if job.state != JobState.DRAFT:
            return ImportBatch.objects.get(job=job), False
        batch = ImportBatch.objects.create(job=job, file_name=file.name, created_by_id=job.created_by_id)
        arguments = {"batch": batch.pk, "mapping": dict(mapping)}
        queue.start(job, **arguments, language=translation.get_language())
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


def authorize_invite(_job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not ask imported subscribers to confirm."""
    require_admin(user_id, "newsletter.add_subscription", *INVITE_PERMISSIONS)


@queue.register(IMPORT, label=gettext_lazy("Import subscribers"), authorize=authorize)
def run_import(job: RunningJob) -> Iterator[None]:
    """Store the rows of the uploaded file, from the row at the cursor."""
    authorize(job, job.created_by_id)
    with translation.override(job.arguments["language"]):
        try:
            yield from _import_rows(job)
        except UnreadableFile as error:
            raise JobFailed(str(error)) from error


def _import_rows(job: RunningJob) -> Iterator[None]:
    file = JobFile.objects.filter(pk=job.arguments["source"]).first()
    if file is None:
        raise JobFailed(_("The file is no longer stored. Please import it again."))
    file_format = FileFormat(**job.arguments["format"])
    with files.open_uploaded(file) as content:
        header, rows = split_header(read_rows(content, file_format))
        job.total_rows = max(file_format.row_count, job.finished_rows) or None
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
                raise JobFailed(
                    _("The file has more than %(limit)d rows. The rest is not imported: please split it.")
                    % {"limit": MAX_ROWS}
                )
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
    _refuse(checked)
    batch.opted_out += _end_opted_out(checked)
    good = [row for row in checked if row.subscription]
    bad = [row for row in checked if row.problems]
    added = _store(good, batch)
    batch.added += added
    batch.known += len(good) - added
    batch.bad += len(bad)
    batch.save(update_fields=["added", "known", "bad", "opted_out"])
    if bad:
        _store_bad_rows(job, header, bad)
    job.finished_rows += len(part)
    job.cursor = job.finished_rows


def _refuse(rows: Sequence[CheckedRow]) -> None:
    """Refuse the rows of addresses that must not be asked, whatever a row says; opt-outs of others stay."""
    emails = {row.subscription.email for row in rows if row.subscription}
    suppressed = find_suppressed(emails)
    opted_out = _find_opted_out(emails) | {
        row.subscription.email for row in rows if row.subscription and row.state is RowState.OPTED_OUT
    }
    bounced = set(
        Subscription.objects.filter(email__in=emails).exclude(bounced_at=None).values_list("email", flat=True)
    ) | {row.subscription.email for row in rows if row.subscription and row.state is RowState.BOUNCED}
    for row in rows:
        email = row.subscription.email if row.subscription else None
        if email in suppressed:
            row.refuse(_("The address is on the do-not-contact list."))
        elif email in opted_out and row.state is not RowState.OPTED_OUT:
            row.refuse(_("The owner of this address has opted out."))
        elif email in bounced and row.state is RowState.ASK:
            row.refuse(_("Emails to this address come back."))


def _find_opted_out(emails: Collection[str]) -> set[str]:
    """Return the addresses that opted out in an earlier import, and whose owner has not confirmed since."""
    kinds = (ConsentKind.IMPORTED_OPT_OUT, ConsentKind.CONFIRMED)
    events = ConsentEvent.objects.filter(subscription__email__in=emails, kind__in=kinds)
    last = dict(events.order_by("at", "pk").values_list("subscription__email", "kind"))
    return {email for email, kind in last.items() if kind == ConsentKind.IMPORTED_OPT_OUT}


def _end_opted_out(rows: Sequence[CheckedRow]) -> int:
    """End the subscriptions of addresses that have opted out, in both audiences; return their number.

    What the owner confirmed on the site stays, and the row is refused with that reason. The opt-out is
    recorded nevertheless, so that the address is not asked in the other audience.
    """
    states = {
        row.subscription.email: row.state
        for row in sorted(rows, key=lambda row: row.state is RowState.OPTED_OUT)  # which wins over a bounce
        if row.subscription and row.state is not RowState.ASK
    }
    ended, confirmed = 0, set()
    now = timezone.now()
    remembered = _find_opted_out(states.keys())
    stored = Subscription.objects.filter(email__in=states).order_by("pk")
    for subscription in stored.select_for_update():
        state = states[subscription.email]
        if subscription.state is State.CONFIRMED:
            confirmed.add(subscription.email)
        elif subscription.state is State.PENDING:
            ended += 1
            if state is RowState.BOUNCED:
                subscription.bounced_at = now
            else:
                subscription.is_active, subscription.unsubscribed_at = False, now
                subscription.asked_again_at = None
            subscription.save()
            mails.cancel_pending(subscription)
            _record_events([subscription], STATE_EVENTS[state])
            continue
        if state is RowState.OPTED_OUT and subscription.email not in remembered:
            _record_events([subscription], ConsentKind.IMPORTED_OPT_OUT)
    _refuse_confirmed(rows, confirmed)
    return ended


def _refuse_confirmed(rows: Sequence[CheckedRow], confirmed: Container[str]) -> None:
    """Refuse the opt-outs and bounces of addresses whose owner has confirmed on the site."""
    for row in rows:
        if row.state is not RowState.ASK and row.subscription and row.subscription.email in confirmed:
            row.refuse(_("The owner has confirmed on this site, so the subscription stays."))


def _store(rows: Sequence[CheckedRow], batch: ImportBatch) -> int:
    """Store the subscriptions of good rows that are not on the list; return their number."""
    now = timezone.now()
    wanted: dict[tuple[str, str], tuple[Subscription, RowState]] = {}
    for row in rows:
        if row.subscription:
            wanted.setdefault(
                (row.subscription.email, str(row.subscription.user_type)), (row.subscription, row.state)
            )
    # One order for all imports, so that two of them never wait for each other's rows.
    ordered = [wanted[key] for key in sorted(wanted)]
    for subscription, state in ordered:
        subscription.import_batch = batch
        subscription.created_at = now
        if state is RowState.OPTED_OUT:
            subscription.is_active, subscription.unsubscribed_at = False, now
        elif state is RowState.BOUNCED:
            subscription.bounced_at = now
    Subscription.objects.bulk_create(
        [subscription for subscription, _state in ordered], ignore_conflicts=True
    )
    keys = [subscription.pk for subscription, _state in ordered]
    stored = set(Subscription.objects.filter(pk__in=keys).values_list("pk", flat=True))
    for state, kind in STATE_EVENTS.items():
        _record_events([one for one, its_state in ordered if its_state is state and one.pk in stored], kind)
    return len(stored)


def _record_events(subscriptions: Sequence[Subscription], kind: ConsentKind) -> None:
    ConsentEvent.objects.bulk_create(
        ConsentEvent(
            subscription=subscription,
            kind=kind,
            language=subscription.language,
            wording="",  # the owner saw none of ours
            source=subscription.source,
            user_type=subscription.user_type,
        )
        for subscription in subscriptions
    )


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
    # Excel splits lines at semicolons where the comma is the decimal separator.
    delimiter = job.arguments["format"]["delimiter"] or (";" if translation.get_language() == "cs" else ",")
    files.append(file, b"".join(write_csv(rows, delimiter=delimiter, has_mark=key is None)))


@queue.register(UNDO, label=gettext_lazy("Undo an import"), authorize=authorize)
def run_undo(job: RunningJob) -> Iterator[None]:
    """Erase what an import added, except where somebody acted since.

    A subscriber stays who confirmed or unsubscribed, or asked for a subscription on the site, or whose
    mailbox takes no mail, so that nothing is sent there again. An opt-out stays too, whichever import it
    came from: only the owner takes it back.
    """
    authorize(job, job.created_by_id)
    added = Subscription.objects.filter(import_batch=job.arguments["batch"])
    job.total_rows = job.total_rows or added.count()
    while keys := _next_keys(added, job.cursor, UNDO_STEP_ROWS):
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
            kept |= set(rows.in_state(State.BOUNCED).values_list("pk", flat=True))
            removable = [key for key in keys if key not in kept]
            erase(Subscription, removable)
            ImportBatch.objects.filter(pk=job.arguments["batch"]).update(
                removed=F("removed") + len(removable), kept=F("kept") + len(kept)
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
    keys = _next_keys(invitable, job.cursor, INVITE_STEP_ROWS)
    while keys:
        with job.step():
            if ImportBatch.objects.select_for_update().get(pk=batch.pk).undone_at:
                raise JobFailed(_("The import has been undone."))
            asked = 0
            rows = Subscription.objects.filter(pk__in=keys).order_by("pk")
            # Before any mailbox is locked: a visitor may hold one of the rows and want a mailbox.
            subscriptions = list(rows.select_for_update())
            # Again, because two imports at the same time do not see each other's opt-outs.
            opted_out = _find_opted_out({subscription.email for subscription in subscriptions})
            for subscription in subscriptions:
                if subscription.email not in opted_out:
                    asked += services.invite(subscription=subscription)
            ImportBatch.objects.filter(pk=batch.pk).update(asked=F("asked") + asked)
            job.cursor = str(keys[-1])
            job.finished_rows += len(keys)
        keys = _next_keys(invitable, job.cursor, INVITE_STEP_ROWS)
        yield INVITE_PAUSE if keys else timedelta()


def _next_keys(rows: QuerySet[Subscription], cursor: str | None, limit: int) -> list[Any]:
    """Return the keys of the first rows after the cursor, in the order of the keys."""
    remaining = rows.filter(pk__gt=cursor) if cursor else rows
    return list(remaining.order_by("pk").values_list("pk", flat=True)[:limit])
