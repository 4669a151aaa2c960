"""The totals of a file, which an admin sees before anything is stored."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services, uploads
from newsletter.imports.tests.helpers import import_rows, upload
from newsletter.imports.totals import MAX_REASONS, TotalsCounter
from newsletter.models import ConsentEvent, State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.retention import JOB_FILE_RETENTION
from sailing.mail import suppression
from sailing.mail.models import SuppressionReason
from tests.jobs import Killed, kill_after, purge_expired, run_pending_jobs

pytestmark = pytest.mark.django_db

MAPPING = {"email": "column:0", "user_type": "value:sailor", "state": "column:1"}


def count(content: str, mapping: dict[str, str] = MAPPING) -> dict[str, Any]:
    job = services.request_totals(file=upload(content), mapping=mapping)
    assert job
    run_pending_jobs()
    job.refresh_from_db()
    totals: dict[str, Any] = job.result["totals"]
    return totals


def test_each_row_is_counted_once_by_what_an_import_does_with_it() -> None:
    SubscriptionFactory(email="pending@example.com")
    SubscriptionFactory(email="there@example.com", confirmed=True)
    suppression.suppress("gone@example.com", SuppressionReason.COMPLAINED)
    before = list(Subscription.objects.values())
    totals = count(
        "email,status\n"
        "new@example.com,active\nNEW@example.com,active\nwaiting@example.com,unconfirmed\n"
        "there@example.com,active\npending@example.com,unsubscribed\nleft@example.com,unsubscribed\n"
        "dead@example.com,bounced\ngone@example.com,active\nthere@example.com,unsubscribed\n"
        "nobody,active\nodd@example.com,retired\n",
    )
    assert totals.pop("reasons") == {
        "The owner of this address has opted out.": 1,
        "The address is on the do-not-contact list.": 1,
        "The owner has confirmed on this site, so the subscription stays.": 1,
        "Not a valid email address.": 1,
        "State: “retired” is not known.": 1,
    }
    assert totals == {
        "rows": 11,
        "valid": 10,
        "added": 2,
        "unconfirmed": 1,
        "repeated": 1,
        "known": 0,
        "ended": 1,
        "opted_out": 1,
        "bounced": 1,
        "left_out": 5,
    }
    assert list(Subscription.objects.values()) == before
    assert not ConsentEvent.objects.exists()


@settings(max_examples=10)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["active", "unsubscribed", "odd"])), min_size=1
    )
)
def test_totals_are_what_the_import_does(
    monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    Subscription.objects.all().delete()
    content = "email,status\n" + "".join(f"{name}@example.com,{state}\n" for name, state in rows)
    totals = count(content)
    assert sum(totals[name] for name in ("added", "repeated", "known", "opted_out", "left_out")) == len(rows)
    import_rows(content, MAPPING)
    assert Subscription.objects.in_state(State.PENDING).count() == totals["added"]


@pytest.mark.parametrize(
    ("first", "second", "waiting", "step_rows"), [("pending", "active", 1, 1), ("active", "pending", 0, 1000)]
)
def test_first_row_of_a_repeated_address_counts_in_totals_and_import(
    monkeypatch: pytest.MonkeyPatch, first: str, second: str, waiting: int, step_rows: int
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", step_rows)
    content = f"email,status\na@example.com,{first}\na@example.com,{second}\n"
    totals = count(content)
    assert (totals["added"], totals["unconfirmed"], totals["repeated"]) == (1, waiting, 1)
    consent = {"consent_date": date(2025, 5, 31), "consent_origin": "Boat show"}
    services.start(file=upload(content), mapping=MAPPING, consent=consent)
    run_pending_jobs()
    assert Subscription.objects.in_state(State.PENDING).count() == waiting
    assert Subscription.objects.count() == 1


def test_values_of_a_file_that_is_not_imported_are_deleted_with_it(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    assert "jana@example.com" in str(count("email,status\na@example.com,jana@example.com\n"))
    time_machine.shift(JOB_FILE_RETENTION + timedelta(seconds=1))
    purge_expired()
    assert not JobFile.objects.exists()
    assert "jana@example.com" not in str(list(Job.objects.values()))


def test_many_different_reasons_are_one_line() -> None:
    rows = "".join(f"a{number}@example.com,odd{number}\n" for number in range(MAX_REASONS + 30))
    reasons = count("email,status\n" + rows)["reasons"]
    assert len(reasons) == MAX_REASONS + 1
    assert reasons["Other reasons."] == 30


def test_interrupted_check_begins_again(
    monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 2)
    rows = "".join(f"a{number}@example.com,active\n" for number in range(9))
    file = upload("email,status\n" + rows)
    job = services.request_totals(file=file, mapping=MAPPING)
    assert job
    kill_after(monkeypatch, TotalsCounter, "add", 3)
    with pytest.raises(Killed):
        run_pending_jobs()
    time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
    run_pending_jobs()
    job.refresh_from_db()
    assert job.result["totals"]["added"] == 9
    assert job.finished_rows == 9


@pytest.mark.parametrize("is_overtaken", [True, False])
def test_check_that_takes_long_is_waited_for_and_shown(
    time_machine: TimeMachineFixture, is_overtaken: bool
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    file = upload("email,status\na@example.com,active\n")
    job = services.request_totals(file=file, mapping=MAPPING)
    assert job
    time_machine.shift(timedelta(seconds=1) if is_overtaken else services.TOTALS_LIFETIME * 2)
    if is_overtaken:
        Job.objects.create(kind=uploads.IMPORT, state=JobState.DONE, finished_at=timezone.now())
    assert services.request_totals(file=file, mapping=MAPPING) == job
    time_machine.shift(timedelta(seconds=1))
    run_pending_jobs()
    assert services.request_totals(file=file, mapping=MAPPING) == job
    time_machine.shift(services.TOTALS_LIFETIME)
    assert services.request_totals(file=file, mapping=MAPPING) != job


def test_simultaneous_requests_get_the_same_check(monkeypatch: pytest.MonkeyPatch) -> None:
    file = upload("email,status\na@example.com,active\n")
    enqueue, made = queue.enqueue, []

    def enqueue_twice(*arguments: Any, **options: Any) -> Job | None:
        made.append(enqueue(*arguments, **options))
        return enqueue(*arguments, **options)

    monkeypatch.setattr(queue, "enqueue", enqueue_twice)
    assert [services.request_totals(file=file, mapping=MAPPING)] == made


def test_file_without_a_reading_has_no_totals() -> None:
    file = upload("email,status\na@example.com,active\n")
    uploads.discard(file)
    assert services.request_totals(file=file, mapping=MAPPING) is None
