"""The import of subscribers as a job: rules for rows, files and interruptions."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services, uploads
from newsletter.imports.rows import guess_mapping
from newsletter.imports.tests.helpers import (
    ALL,
    MAPPING,
    counts,
    get_admin,
    get_job,
    import_rows,
    make_rows,
    read_bad_rows,
    start,
    upload,
)
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services.administration import restore
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobFileChunk, JobState
from sailing.mail import suppression
from sailing.privacy.erasure import erase_person
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.tests.workbooks import workbook
from tests.concurrency import run_at_once
from tests.database import explain
from tests.jobs import Killed, kill_after, run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db


def read_start(content: str) -> list[list[str]]:
    """Return the header and the first rows of a file."""
    reading = uploads.find_reading(upload(content))
    assert reading
    return uploads.read_start(reading.result, 5)


class TestRows:
    def test_suppressed_address_is_refused_until_its_owner_confirms(self) -> None:
        erase_person(SubscriptionFactory(email="gone@example.com"))
        assert counts(import_rows("email,user_type\ngone@example.com,sailor\n")) == (0, 0, 1)
        (row,) = services.preview([["gone@example.com", "sailor"]], MAPPING, ["email", "user_type"])
        assert row.problems == ["The address is on the do-not-contact list."]
        suppression.lift("gone@example.com")
        assert counts(import_rows("email,user_type\ngone@example.com,sailor\n")) == (1, 0, 0)

    def test_values_are_normalised_as_on_the_site(self) -> None:
        content = (
            "\ufeffEmail,Type,Source,Language,Active\r\n"
            " New.One@Example.COM ,Sailor,landing-sailors,cs,\r\n"
            "firma@člun.cz,COMPANY,,,yes\r\n"
        )
        assert counts(import_rows(content, ALL)) == (2, 0, 0)
        stored = Subscription.objects.order_by("language")
        assert list(stored.values_list("email", "user_type", "source", "language")) == [
            ("new.one@example.com", "sailor", "landing-sailors", "cs"),
            ("firma@xn--lun-eqa.cz", "company", "", "en"),
        ]

    def test_imported_subscribers_are_pending_without_consent_events_or_mails(self) -> None:
        batch = import_rows(
            "email,user_type,is_confirmed,confirmed_at\nnew@example.com,sailor,1,2020-01-01\n"
        )
        subscription = Subscription.objects.get()
        assert subscription.state is State.PENDING
        assert subscription.confirmed_at is None
        assert subscription.is_imported
        assert subscription.import_batch == batch
        assert not ConsentEvent.objects.exists()
        assert not mails()

    def test_existing_subscribers_are_not_changed(self) -> None:
        SubscriptionFactory(email="there@example.com", unsubscribed=True)
        before = Subscription.objects.values().get()
        batch = import_rows("email,user_type,s,l,a\nThere@example.com,sailor,landing-companies,cs,yes\n", ALL)
        assert counts(batch) == (0, 1, 0)
        assert Subscription.objects.values().get() == before

    def test_duplicate_row_is_imported_once(self) -> None:
        content = "e,u\ntwin@example.com,sailor\nTWIN@example.com,sailor\ntwin@example.com,company\n"
        batch = import_rows(content)
        assert counts(batch) == (2, 0, 0)
        assert batch.repeated_count == 1

    def test_inactive_row_is_imported_as_unsubscribed(self) -> None:
        batch = import_rows("e,u,s,l,a\nno@example.com,sailor,,,no\nyes@example.com,sailor,,,yes\n", ALL)
        assert (batch.added_waiting_count, batch.added_inactive_count) == (1, 1)
        assert Subscription.objects.get(email="no@example.com").state is State.UNSUBSCRIBED
        assert Subscription.objects.get(email="yes@example.com").state is State.PENDING
        (event,) = ConsentEvent.objects.all()
        assert (event.subscription.email, event.kind) == ("no@example.com", ConsentKind.IMPORTED_OPT_OUT)
        assert event.wording == ""

    def test_imported_opt_out_is_undone_by_the_owner_only(self) -> None:
        import_rows("e,u,s,l,a\nno@example.com,sailor,,,no\n", ALL)
        subscribe(email="no@example.com")
        subscription = Subscription.objects.get()
        assert subscription.state is State.PENDING
        assert not restore(subscription=subscription)
        press_button(confirm_address(latest()))
        subscription.refresh_from_db()
        assert subscription.is_active


class TestBadRows:
    CONTENT = (
        "Email;Typ;Zdroj;Jazyk;Aktivní\n"
        "good@example.com;sailor;;;\n"
        "not-an-address;sailor;;;\n"
        ";pirate;moon;de;perhaps\n"
        "=x@example.com;sailor;;;;extra\n"
    )

    def test_good_rows_are_stored_and_the_others_listed_with_their_problems(self) -> None:
        batch = import_rows(self.CONTENT, ALL)
        assert counts(batch) == (1, 0, 3)
        assert read_bad_rows(batch).splitlines() == [
            '"Problem";"Email";"Typ";"Zdroj";"Jazyk";"Aktivní"',
            '"Not a valid email address.";"not-an-address";"sailor";"";"";""',
            '"Email is required. Audience: write sailor or company. State: “perhaps” is not known.";'
            '"";"pirate";"moon";"de";"perhaps"',
            '"The row has more cells than the first row.";"\'=x@example.com";"sailor";"";"";"";"extra"',
        ]

    def test_rows_are_counted_by_reason_without_any_value_of_the_file(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        odd = "a@example.com;sailor;;;jana@example.com\nb@example.com;sailor;;;odd\n;sailor;;;odd\n"
        assert import_rows(self.CONTENT + odd, ALL).left_out_reasons == {
            "address": 3,
            "cells": 1,
            "state": 2,
        }

    def test_rows_of_a_workbook_are_for_the_excel_and_the_language_of_the_admin(self) -> None:
        with translation.override("cs"):
            batch = start(workbook([["email", "type"], ["wrong@example.com", "pirát"]]))
        run_pending_jobs()
        problem = "Publikum: napište jachtař, nebo firma."
        assert read_bad_rows(batch).endswith(f'\n"{problem}";"wrong@example.com";"pirát"\r\n')

    def test_corrected_file_is_imported(self) -> None:
        batch = import_rows(self.CONTENT, ALL)
        corrected = read_bad_rows(batch).replace("not-an-address", "an@example.com")
        header, *rows = read_start(corrected)
        mapping = guess_mapping(header, rows)
        assert mapping["email"] == "column:1"
        assert counts(import_rows(corrected, mapping)) == (1, 0, 2)


class TestFile:
    def test_file_without_header_or_rows_is_refused(self) -> None:
        for content, problem in (
            ("a@example.com,sailor\nb@example.com,sailor\n", "One of the first rows must contain"),
            ("email,user_type\n", "The file has column names, but no rows"),
        ):
            with pytest.raises(UnreadableFile, match=problem):
                read_start(content)

    def test_more_rows_than_allowed_are_not_imported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "MAX_ROWS", 3)
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        exact = import_rows(make_rows(3))
        assert (get_job(exact).state, counts(exact)) == (JobState.DONE, (3, 0, 0))
        Subscription.objects.all().delete()
        batch = import_rows(make_rows(4))
        assert counts(batch) == (3, 0, 0)
        job = get_job(batch)
        assert job.state == JobState.FAILED
        assert job.error == "The file has more than 3 rows. The rest is not imported: please split it."

    def test_error_in_the_middle_keeps_the_rows_before_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        batch = import_rows(make_rows(4) + '"never@example.com\n,sailor\n')
        assert counts(batch) == (4, 0, 0)
        assert get_job(batch).error == "Row 6 has a quotation mark that is never closed."

    @pytest.mark.parametrize("model", [JobFile, JobFileChunk])
    def test_file_that_was_deleted_meanwhile_is_named(self, model: type[Model]) -> None:
        batch = start(make_rows(1))
        model._default_manager.all().delete()
        run_pending_jobs()
        assert get_job(batch).error == "The file is no longer stored. Please import it again."

    def test_progress_is_true_at_the_end(self) -> None:
        job = get_job(import_rows('email,user_type\n"a@example.com\n",sailor\n'))
        assert (job.finished_rows, job.total_rows) == (1, 1)


class TestInterruption:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        monkeypatch.setattr(jobs, "SKIP_ROWS", 3)

    @pytest.mark.parametrize("killed_at", [0, 4])
    def test_killed_import_continues_without_loss_or_repetition(
        self, monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture, killed_at: int
    ) -> None:
        batch = start(make_rows(7) + "bad,sailor\nworse,sailor\n")
        kill_after(monkeypatch, jobs, "_import_part", killed_at + 1)
        with pytest.raises(Killed):
            run_pending_jobs()
        assert sum(counts(batch)) == get_job(batch).finished_rows == 2 * killed_at
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        run_pending_jobs()
        assert counts(batch) == (7, 0, 2)
        assert get_job(batch).finished_rows == 9
        assert read_bad_rows(batch).count("\n") == 3
        assert Subscription.objects.count() == 7


class TestStart:
    def test_file_whose_reading_was_discarded_is_not_imported(self) -> None:
        file = upload(make_rows(3))
        Job.objects.all().delete()
        with pytest.raises(JobFile.DoesNotExist):
            services.start(file=file, mapping=MAPPING)
        assert not Job.objects.exists()

    def test_reading_that_is_discarded_while_it_is_requested_is_none(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = files.create_upload(name="list.csv", size=1, created_by_id=get_admin().pk)
        monkeypatch.setattr(queue, "enqueue", lambda *_kind, **_values: None)  # another tab has enqueued it
        assert uploads.request_reading(file) is None

    def test_earlier_reading_is_found_by_an_index(self) -> None:
        file = upload(make_rows(1))
        with CaptureQueriesContext(connection) as queries:
            uploads.request_reading(file)
        (query,) = queries.captured_queries
        assert "job_kind_created" in explain(query["sql"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_four_imports_of_one_file_at_once_add_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 5)
    rows = make_rows(20).splitlines()
    contents = ["\n".join([rows[0], *order]) for order in (rows[1:], rows[:0:-1], rows[1:], rows[:0:-1])]
    batches = [start(content) for content in contents]
    run_at_once(4, lambda _index: run_pending_jobs())
    assert {get_job(batch).state for batch in batches} == {JobState.DONE}
    assert sum(counts(batch)[0] for batch in batches) == Subscription.objects.count() == 20
    assert all(sum(counts(batch)) == 20 for batch in batches)


def test_rows_are_stored_in_the_order_of_their_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two imports of the same rows in different orders would wait for each other."""
    stored: list[list[str]] = []
    create = QuerySet.bulk_create

    def record(self: Any, rows: Any, **options: Any) -> Any:
        if self.model is Subscription:
            stored.append([row.email for row in rows])
        return create(self, rows, **options)

    monkeypatch.setattr(QuerySet, "bulk_create", record)
    import_rows("email,user_type\nc@example.com,sailor\na@example.com,sailor\nb@example.com,sailor\n")
    assert stored == [["a@example.com", "b@example.com", "c@example.com"]]
