"""The jobs of an import: what they leave out, interruptions, limits, and undoing."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.db.models import Model
from django.utils import timezone, translation
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from newsletter.imports.tests.helpers import (
    CONSENT,
    HEADER,
    ROLES,
    check,
    get_admin,
    get_job,
    import_rows,
    make_rows,
    read_bad_rows,
    start,
    upload,
)
from newsletter.models import State, Subscription
from newsletter.services.administration import ask_again, restore, unsubscribe
from newsletter.services.lifecycle import begin_subscription, record_bounce
from newsletter.tests.api import subscribe
from newsletter.tests.mailbox import manage_address
from sailing.jobs import queue
from sailing.jobs.models import JobFile, JobFileChunk, JobState
from tests.concurrency import run_at_once
from tests.database import failing_database
from tests.jobs import Killed, run_pending_jobs
from tests.mailbox import mails, press_button

pytestmark = pytest.mark.django_db


class TestBadRows:
    CONTENT = (
        "Email;Typ;Jazyk;Stav\ngood@example.com;sailor;;\nnot-an-address;sailor;;\n;pirate;de;perhaps\n"
        "=x@example.com;sailor;;;extra\n"
    )
    PLAN = Plan("utf-8", ";", ROLES)
    HEADER = '"Problem";"Email";"Typ";"Jazyk";"Stav"'

    def test_are_in_a_file_of_the_same_separator_before_and_after_the_import(self) -> None:
        expected = [
            self.HEADER,
            '"Not a valid email address.";"not-an-address";"sailor";"";""',
            '"Not a valid email address. Audience: write sailor or company. '
            'Who is subscribed (yes, no or a state): “perhaps” is not known.";"";'
            '"pirate";"de";"perhaps"',
            '"The row has more cells than the first row.";"\'=x@example.com";"sailor";"";"";"extra"',
        ]
        for job in (check(self.CONTENT, self.PLAN), get_job(import_rows(self.CONTENT, self.PLAN))):
            assert read_bad_rows(job).splitlines() == expected
        assert ImportBatch.objects.get().counts == {"added-waiting": 1, "address": 2, "cells": 1}

    def test_are_imported_once_they_are_corrected_and_their_problems_do_not_grow(self) -> None:
        with translation.override("cs"):
            bad_rows = read_bad_rows(check(self.CONTENT, self.PLAN))
        assert "Publikum: napište jachtař, nebo firma." in bad_rows
        job = check(bad_rows.replace("not-an-address", "an@example.com"), self.PLAN)
        assert job.result["counts"] == {"added-waiting": 1, "address": 1, "cells": 1}
        assert read_bad_rows(job).splitlines()[0] == self.HEADER


def test_long_or_broken_file_is_refused_before_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_ROWS", 3)
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    assert check(make_rows(3)).state == JobState.DONE
    assert check(make_rows(3) + '"never@example.com\n').error.startswith("Line 6 cannot be read")
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
    file, plan = upload(make_rows(1)), Plan("utf-8", ",", ROLES)
    first, second = (services.check(file=file, plan=plan, origin=origin) for origin in "ab")
    run_pending_jobs()
    for job, state in ((first, JobState.CANCELLED), (second, JobState.DONE)):
        job.refresh_from_db()
        assert job.state == state
    with pytest.raises(JobFile.DoesNotExist):
        services.start(checked=first)
    batch, is_new = services.start(checked=second)
    assert (batch.origin, is_new, services.start(checked=second)) == ("b", True, (batch, False))
    with pytest.raises(JobFile.DoesNotExist):
        services.check(file=file, plan=plan, origin="c")


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
    run_pending_jobs()


CONTENT = (
    f"{HEADER}yes@example.com,sailor\n"
    + make_rows(7).partition("\n")[2]
    + "bad,sailor\n"
    + ("person1@example.com,sailor\nno@example.com,sailor,,no\nyes@example.com,company,,no\n")
)
COUNTS = {"added-waiting": 7, "address": 1, "repeated": 1, "added-opted-out": 2, "opted-out": 1}


@pytest.mark.parametrize("kind", [services.CHECK, services.IMPORT])
@pytest.mark.parametrize("statements", [20, 60, 140])
def test_killed_job_continues_without_loss_or_repetition(
    monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture, kind: str, statements: int
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    checked = services.check(file=upload(CONTENT), plan=Plan("utf-8", ",", ROLES), origin="Boat show")
    if kind == services.CHECK:
        run_killed(statements, time_machine)
    run_pending_jobs()
    checked.refresh_from_db()
    assert checked.result["counts"] == COUNTS
    batch = services.start(checked=checked)[0]
    if kind == services.IMPORT:
        run_killed(statements, time_machine)
    run_pending_jobs()
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
        assert ask_again(subscription=Subscription.objects.get(email="other@example.com"))
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
            record_bounce(email=subscription.email)
        elif act in ("end", "restore"):
            unsubscribe(subscription=subscription)
            assert act == "end" or restore(subscription=subscription)
        elif act == "confirm":
            begin_subscription(subscription, language="en")
        else:
            press_button(manage_address(subscription))
        assert self.undo(batch) == ((3, 0) if act == "restore" else (2, 1))

    def test_is_done_once_only_and_after_the_import(self) -> None:
        batch = start(make_rows(1))
        assert not self.begin(batch)
        run_pending_jobs()
        self.undo(batch)
        assert not self.begin(batch)

    def test_cancelled_import_that_was_undone_does_not_continue(self) -> None:
        batch = start(make_rows(2))
        queue.cancel(get_job(batch))
        self.undo(batch)
        assert queue.retry(get_job(batch))
        run_pending_jobs()
        assert get_job(batch).error == "The import has been undone."
        assert not Subscription.objects.exists()
