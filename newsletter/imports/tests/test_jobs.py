"""What an import does with its rows, interruptions, limits, and undoing."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection
from django.db.models import Model
from django.utils import timezone, translation
from hypothesis import example, given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from newsletter.imports.tests.helpers import PLAN, check, get_admin, start, upload
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services import administration, lifecycle
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import manage_address, subscribe
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobFileChunk, JobState
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from tests.concurrency import run_at_once
from tests.database import failing_database
from tests.jobs import Killed, run_pending_jobs
from tests.mailbox import mails, press_button

pytestmark = pytest.mark.django_db

HEADER = "email,audience,language,status\n"
CONSENT = {"consent_date": "2025-05-31", "consent_proof": "Signed sheets"}


def import_rows(content: str | bytes, plan: Plan = PLAN, /, **consent: Any) -> ImportBatch:
    batch = start(content, plan, **consent)
    run_pending_jobs()
    batch.refresh_from_db()
    return batch


def get_job(batch: ImportBatch) -> Job:
    assert batch.job
    batch.job.refresh_from_db()
    return batch.job


def read_bad_rows(job: Job) -> str:
    return b"".join(files.read_chunks(JobFile.objects.get(pk=job.result["bad_rows"]))).decode("utf-8-sig")


def make_rows(number: int) -> str:
    return "email,audience\n" + "".join(f"person{row}@example.com,sailor\n" for row in range(number))


STORED: dict[str, dict[str, Any]] = {
    "waiting": {},
    "confirmed": {"confirmed": True},
    "imported": {"confirmed": True, "is_imported": True},
    "left": {"unsubscribed": True},
    "ended": {"is_active": False},
    "bounced": {"bounced": True},
}
"""What an address may be on the list, as a sailor."""


def store(kind: str) -> None:
    if kind == "suppressed":
        mailboxes.suppress("jana@example.com", SuppressionReason.COMPLAINED)
    elif kind == "opted out":
        import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    elif kind:
        subscription = SubscriptionFactory(email="jana@example.com", user_type="sailor", **STORED[kind])
        events = {"imported": ConsentKind.IMPORTED_CONSENT, "confirmed": ConsentKind.CONFIRMED}
        if kind in events:
            ConsentEvent.record(subscription, events[kind], language="en")


@pytest.mark.parametrize(
    ("stored", "row", "outcome", "states"),
    [
        # Columns: sailor before; audience and state in the file; what is counted; sailor and company after.
        ("", "sailor,,yes", "added-confirmed", "confirmed -"),
        ("", "sailor,,perhaps", "state", "- -"),
        ("", "crew,,no", "added-opted-out", "unsubscribed -"),
        ("", "company,,bounced", "bounced", "- -"),
        ("waiting", "sailor,,yes", "known", "pending -"),
        ("waiting", "company,,no", "ended", "unsubscribed -"),
        ("waiting", "company,,bounced", "bounced", "pending -"),
        ("confirmed", "sailor,,yes", "known", "confirmed -"),
        ("confirmed", "company,,no", "confirmed", "confirmed -"),
        ("imported", "company,,no", "ended", "unsubscribed -"),
        ("left", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("ended", "company,,yes", "added-waiting", "unsubscribed pending"),
        ("bounced", "company,,yes", "bounced", "bounced -"),
        ("bounced", "sailor,,no", "ended", "bounced -"),
        ("opted out", "company,,yes", "opted-out", "unsubscribed -"),
        ("opted out", "company,,no", "known", "unsubscribed -"),
        ("suppressed", "sailor,,no", "suppressed", "- -"),
    ],
)
def test_each_row_has_one_outcome_as_it_was_counted(stored: str, row: str, outcome: str, states: str) -> None:
    store(stored)
    content = f"{HEADER}jana@example.com,{row}\n"
    before = list(Subscription.objects.values()), ConsentEvent.objects.count()
    assert check(content, **CONSENT).result["counts"] == {outcome: 1}
    assert (list(Subscription.objects.values()), ConsentEvent.objects.count()) == before
    assert import_rows(content, **CONSENT).counts == {outcome: 1}
    found = {each.user_type: each.state.value for each in Subscription.objects.all()}
    assert [found.get(name, "-") for name in ("sailor", "company")] == states.split()


@pytest.mark.parametrize("stored", ["", *STORED, "opted out"])
def test_opt_out_is_remembered_for_the_address_whatever_it_was(stored: str) -> None:
    store(stored)
    import_rows(f"{HEADER}jana@example.com,company,,no\n")
    assert import_rows(f"{HEADER}jana@example.com,company,,yes\n", **CONSENT).added_count == 0
    assert ConsentEvent.objects.get(kind=ConsentKind.IMPORTED_OPT_OUT).wording == ""
    subscription = Subscription.objects.earliest("created_at")
    assert stored == "confirmed" or not administration.ask_again(subscription=subscription)


def test_opt_out_deletes_the_mails_and_only_the_owner_takes_it_back() -> None:
    subscribe(email="jana@example.com")
    import_rows(f"{HEADER}jana@example.com,sailor,,no\n")
    assert not mails()
    subscription = Subscription.objects.get()
    assert not administration.restore(subscription=subscription)
    lifecycle.begin_subscription(subscription, language="en")
    assert import_rows(f"{HEADER}jana@example.com,company,,yes\n").counts == {"added-waiting": 1}
    assert import_rows(f"{HEADER}jana@example.com,sailor,,no\n").counts == {"confirmed": 1}


ROW = st.tuples(
    st.sampled_from(["a@example.com", "b@example.com"]),
    st.sampled_from(["sailor", "company", "crew"]),
    st.sampled_from(["yes", "no", "", "bounced", "perhaps"]),
)


@settings(max_examples=10)
@given(st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=1, max_size=3))
@example([[("a@example.com", "sailor", "yes"), ("a@example.com", "company", "no")]])
@example([[("a@example.com", "sailor", ""), ("a@example.com", "sailor", "yes")]])
@example([[("a@example.com", "sailor", "yes")] * 2 + [("a@example.com", "company", "no")] * 2])
def test_totals_are_what_the_import_does(monkeypatch: pytest.MonkeyPatch, imported: Any) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    Subscription.objects.all().delete()
    ImportBatch.objects.all().delete()
    opted_out = set()
    for rows in imported:
        lines = "".join(f"{email},{user_type},,{state}\n" for email, user_type, state in rows)
        opted_out |= {email for email, _user_type, state in rows if state == "no"}
        totals = check(HEADER + lines, **CONSENT).result["counts"]
        assert sum(totals.values()) == len(rows)
        assert import_rows(HEADER + lines, **CONSENT).counts == totals
        for subscription in Subscription.objects.in_state(State.PENDING, State.CONFIRMED):
            assert subscription.email not in opted_out


@pytest.mark.parametrize(
    ("role", "value"), [("ignored", b"perhaps"), ("ignored", b"yes"), ("subscribed", b"\xe1")]
)
def test_column_about_a_state_keeps_people_from_coming_in_as_confirmed(role: str, value: bytes) -> None:
    content = b"email,Status,Note\njana@example.com," + value + b",yes\n"
    import_rows(content, Plan("utf-8", ",", ["email", role, "confirmed"], "sailor"), **CONSENT)
    assert not Subscription.objects.filter(is_confirmed=True).exists()


def test_people_come_in_as_on_the_site_without_consent_or_mail() -> None:
    rows = " New.One@Example.COM ,Sailor,cs,\r\nfirma@člun.cz,COMPANY,,yes\r\n"
    batch = import_rows(f"\ufeffEmail,Type,Language,Active\r\n{rows}")
    stored = Subscription.objects.order_by("language")
    assert list(stored.values_list("email", "user_type", "language", "is_imported", "import_batch")) == [
        ("new.one@example.com", "sailor", "cs", True, batch.pk),
        ("firma@xn--lun-eqa.cz", "company", "en", True, batch.pk),
    ]
    assert not ConsentEvent.objects.exists()
    assert not mails()


def test_consent_of_today_is_never_later_than_the_import(time_machine: TimeMachineFixture) -> None:
    """Bounces and complaints from before a confirmation do not count. Later ones are of the owner."""
    time_machine.move_to(datetime(2026, 3, 4, 6, tzinfo=UTC), tick=False)
    import_rows(f"{HEADER}jana@example.com,sailor,,yes\n", **CONSENT | {"consent_date": "2026-03-04"})
    assert Subscription.objects.get().confirmed_at == timezone.now()


@pytest.mark.usefixtures("frozen_clock")
def test_address_that_somebody_stores_meanwhile_is_decided_again(time_machine: TimeMachineFixture) -> None:
    def refuse(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith('INSERT INTO "newsletter_subscription"'):
            raise IntegrityError
        return execute(sql, *arguments)

    batch = start(f"{HEADER}jana@example.com,sailor,,no\npetr@example.com,sailor,,yes\n")
    with connection.execute_wrapper(refuse):
        run_pending_jobs()
    assert Subscription.objects.count() == ConsentEvent.objects.count() == 0
    SubscriptionFactory(email="jana@example.com", user_type="sailor")
    time_machine.shift(queue.FIRST_BACKOFF)
    run_pending_jobs()
    batch.refresh_from_db()
    assert batch.counts == {"ended": 1, "added-waiting": 1}
    assert ConsentEvent.objects.get().kind == ConsentKind.IMPORTED_OPT_OUT


def test_bad_rows_are_in_a_file_of_the_same_separator_and_imported_once_they_are_corrected() -> None:
    content = (
        "Email;Typ;Jazyk;Stav\ngood@example.com;sailor;;\nnot-an-address;sailor;;\n;pirate;de;perhaps\n"
        "=x@example.com;sailor;;;extra\n"
    )
    expected = [
        '"Problem";"Email";"Typ";"Jazyk";"Stav"',
        '"Not a valid email address.";"not-an-address";"sailor";"";""',
        '"Not a valid email address. Audience: write “sailor” or “company”. '
        'Who is subscribed (yes, no or a state): “perhaps” is not known.";"";'
        '"pirate";"de";"perhaps"',
        '"The row has more cells than the first row.";"\'=x@example.com";"sailor";"";"";"extra"',
    ]
    plan = replace(PLAN, delimiter=";")
    for job in (check(content, plan), get_job(import_rows(content, plan))):
        assert read_bad_rows(job).splitlines() == expected
    assert ImportBatch.objects.get().counts == {"added-waiting": 1, "address": 2, "cells": 1}
    with translation.override("cs"):
        bad_rows = read_bad_rows(check(content, plan))
    assert "Publikum: napište „jachtař“ nebo „firma“." in bad_rows
    job = check(bad_rows.replace("not-an-address", "an@example.com"), plan)
    assert job.result["counts"] == {"added-waiting": 1, "address": 1, "cells": 1}
    assert read_bad_rows(job).splitlines()[0] == expected[0]  # the problems do not grow


@pytest.mark.parametrize("name", ["rows-to-correct.csv", "done"])
def test_upload_of_any_name_stays_apart_from_the_files_of_its_job(name: str) -> None:
    job = services.check(file=upload("email\nnot-an-address\n", name), plan=PLAN, origin="Boat show")
    run_pending_jobs()
    job.refresh_from_db()
    assert read_bad_rows(job).startswith('"Problem"')
    assert files.is_complete(JobFile.objects.get(pk=job.arguments["file"]))


def test_long_or_broken_file_is_refused_before_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_ROWS", 3)
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    assert check(make_rows(3)).state == JobState.DONE
    assert check(make_rows(3) + '"never@example.com\n').error.startswith("Line 5 cannot be read")
    job = check(make_rows(4))
    assert (job.state, job.error) == (JobState.FAILED, "The file has more than 3 rows. Please split it.")
    with pytest.raises(JobFile.DoesNotExist):
        services.start(checked=job)


@pytest.mark.parametrize("model", [JobFile, JobFileChunk])
def test_file_that_was_deleted_meanwhile_is_named(model: type[Model]) -> None:
    batch = start(make_rows(1))
    model._default_manager.all().delete()
    run_pending_jobs()
    assert get_job(batch).error == "The file is no longer stored. Please import it again."


def test_earlier_check_of_a_file_is_cancelled_and_cannot_be_started() -> None:
    file = upload(make_rows(1))
    first, second = (services.check(file=file, plan=PLAN, origin=origin) for origin in "ab")
    run_pending_jobs()
    for job, state in ((first, JobState.CANCELLED), (second, JobState.DONE)):
        job.refresh_from_db()
        assert job.state == state
    with pytest.raises(JobFile.DoesNotExist):
        services.start(checked=first)
    batch, is_new = services.start(checked=second)
    assert (batch.origin, is_new, services.start(checked=second)) == ("b", True, (batch, False))
    with pytest.raises(JobFile.DoesNotExist):
        services.check(file=file, plan=PLAN, origin="c")


def test_consent_needs_its_own_permission_until_the_end() -> None:
    batch = start(f"{HEADER}a@example.com,sailor,,yes\n", **CONSENT)
    get_admin().user_permissions.set(Permission.objects.filter(codename="add_subscription"))
    get_user_model().objects.update(is_superuser=False)
    run_pending_jobs()
    assert get_job(batch).state == JobState.FAILED
    assert not Subscription.objects.exists()


def run_killed(statements: int, time_machine: TimeMachineFixture) -> None:
    """Let the worker end after some statements, then another one begin when its claim has ended."""
    with failing_database(Killed, after=statements), pytest.raises(Killed):
        run_pending_jobs()
    time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
    jobs.open_done_table.cache_clear()
    run_pending_jobs()


CONTENT = (
    f"{HEADER}yes@example.com,sailor\n"
    + make_rows(7).partition("\n")[2]
    + "bad,sailor\n"
    + ("person1@example.com,sailor\nno@example.com,sailor,,no\nyes@example.com,company,,no\n")
)
COUNTS = {"added-waiting": 7, "address": 1, "repeated": 1, "added-opted-out": 2, "opted-out": 1}


@pytest.mark.parametrize("statements", [20, 60, 140])
def test_killed_job_continues_without_loss(monkeypatch: Any, time_machine: Any, statements: int) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    checked = services.check(file=upload(CONTENT), plan=PLAN, origin="Boat show")
    run_killed(statements, time_machine)
    checked.refresh_from_db()
    assert checked.result["counts"] == COUNTS
    batch = services.start(checked=checked)[0]
    run_killed(statements, time_machine)
    batch.refresh_from_db()
    assert batch.counts == COUNTS
    for job in (checked, get_job(batch)):
        assert job.finished_rows == job.total_rows == 12
        assert read_bad_rows(job).count("\n") == 3
    assert Subscription.objects.in_state(State.PENDING).count() == 7
    assert JobFile.objects.count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def test_four_imports_of_one_file_add_each_row_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 5)
        header, *rows = make_rows(20).splitlines()
        batches = [start("\n".join([header, *order])) for order in (rows, rows[::-1]) * 2]
        run_at_once(4, lambda _index: run_pending_jobs())
        assert {get_job(batch).state for batch in batches} == {JobState.DONE}
        batches = list(ImportBatch.objects.all())
        assert sum(batch.added_count for batch in batches) == Subscription.objects.count() == 20
        assert all(sum(batch.counts.values()) == 20 for batch in batches)

    def test_opt_out_counts_in_an_import_at_the_same_time(self) -> None:
        """The audiences differ, so that the rows do not conflict."""
        for row in ("sailor,,no", "company,,yes"):
            start(f"{HEADER}jana@example.com,{row}\n", **CONSENT)
        run_at_once(2, lambda _index: run_pending_jobs())
        assert {each.state for each in Subscription.objects.all()} == {State.UNSUBSCRIBED}


class TestUndo:
    def begin(self, batch: ImportBatch) -> bool:
        return services.undo(batch=batch, created_by_id=get_admin().pk)

    def undo(self, batch: ImportBatch) -> tuple[int, int]:
        assert self.begin(batch)
        run_pending_jobs()
        batch.refresh_from_db()
        return batch.removed_count, batch.kept_count

    def test_removes_all(self, time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "UNDO_STEP_ROWS", 2)
        other = import_rows("e,u\nother@example.com,sailor\n")
        batch = import_rows(make_rows(5) + "other@example.com,sailor\n", **CONSENT)
        assert administration.ask_again(subscription=Subscription.objects.get(email="other@example.com"))
        assert self.begin(batch)
        run_killed(40, time_machine)
        batch.refresh_from_db()
        assert (batch.removed_count, batch.kept_count) == (5, 0)
        assert Subscription.objects.get().import_batch == other
        assert len(mails()) == 1

    @pytest.mark.parametrize("states", [("no",), ("yes", "no"), ("no", "no")])
    def test_opt_out_stays_whichever_import_it_came_from(self, states: tuple[str, ...]) -> None:
        batch, *_later = [import_rows(f"{HEADER}no@example.com,sailor,,{state}\n") for state in states]
        assert self.undo(batch) == (0, 1)
        assert import_rows(f"{HEADER}no@example.com,company,,\n").counts == {"opted-out": 1}

    @pytest.mark.parametrize("act", ["confirm", "unsubscribe", "subscribe", "bounce", "end", "restore"])
    def test_who_acted_since_stays_and_whom_an_admin_ended(self, act: str) -> None:
        batch = import_rows(make_rows(3))
        subscription = Subscription.objects.get(email="person1@example.com")
        if act == "subscribe":
            subscribe(email=subscription.email)
        elif act == "bounce":
            lifecycle.record_bounce(email=subscription.email)
        elif act in ("end", "restore"):
            administration.unsubscribe(subscription=subscription)
            assert act == "end" or administration.restore(subscription=subscription)
        elif act == "confirm":
            lifecycle.begin_subscription(subscription, language="en")
        else:
            press_button(manage_address(subscription))
        assert self.undo(batch) == ((3, 0) if act == "restore" else (2, 1))

    def test_is_done_once_and_after_the_import_which_does_not_continue(self) -> None:
        batch = start(make_rows(2))
        assert not self.begin(batch)
        queue.cancel(get_job(batch))
        self.undo(batch)
        assert not self.begin(batch)
        assert queue.retry(get_job(batch))
        run_pending_jobs()
        assert get_job(batch).error == "The import has been undone."
        assert not Subscription.objects.exists()
