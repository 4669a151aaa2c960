"""The import of subscribers as a job: rules for rows, interruptions, undoing, and the mails to a batch."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Model, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from hypothesis import given, settings
from hypothesis import strategies as st
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services, uploads
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import guess_mapping
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services.administration import invite, restore, unsubscribe
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobFileChunk, JobState
from sailing.mail import mailbox_budget, suppression
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase, erase_person
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.tests.workbooks import workbook
from tests.concurrency import run_at_once
from tests.database import explain
from tests.jobs import run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db

MAPPING = {"email": "column:0", "user_type": "column:1"}
ALL = MAPPING | {"source": "column:2", "language": "column:3", "state": "column:4"}


@pytest.fixture
def admin() -> Any:
    return get_user_model()._default_manager.create(
        email="admin@example.com", is_staff=True, is_superuser=True
    )


def upload(admin: Any, content: str | bytes, name: str = "list.csv") -> JobFile:
    data = content.encode() if isinstance(content, str) else content
    file = files.create_upload(name=name, size=len(data), created_by_id=admin.pk)
    for number, start in enumerate(range(0, len(data), files.CHUNK_BYTES)):
        assert files.store_slice(file, number, data[start : start + files.CHUNK_BYTES])
    uploads.request_reading(file)
    run_pending_jobs()
    return file


def read_start(admin: Any, content: str) -> list[list[str]]:
    """Return the header and the first rows of a file."""
    reading = uploads.find_reading(upload(admin, content))
    assert reading
    return uploads.read_start(reading.result, 5)


def start(admin: Any, content: str | bytes, mapping: dict[str, str] = MAPPING) -> ImportBatch:
    return services.start(file=upload(admin, content), mapping=mapping)[0]


def import_rows(admin: Any, content: str | bytes, mapping: dict[str, str] = MAPPING) -> ImportBatch:
    """Import a file and return its batch."""
    batch = start(admin, content, mapping)
    run_pending_jobs()
    batch.refresh_from_db()
    return batch


def counts(batch: ImportBatch) -> tuple[int, int, int]:
    batch.refresh_from_db()
    return batch.added_count, batch.duplicate_count, batch.invalid_count


def get_job(batch: ImportBatch) -> Job:
    assert batch.job
    batch.job.refresh_from_db()
    return batch.job


def read_bad_rows(batch: ImportBatch) -> str:
    file = JobFile.objects.get(pk=get_job(batch).result["bad_rows"])
    return b"".join(files.read_chunks(file)).decode("utf-8-sig")


def make_rows(number: int) -> str:
    return "email,user_type\n" + "".join(f"person{row}@example.com,sailor\n" for row in range(number))


class TestRows:
    def test_import_of_an_admin_without_the_permission_fails(self, admin: Any) -> None:
        batch = start(admin, make_rows(2))
        admin.is_superuser = False
        admin.save()
        run_pending_jobs()
        assert counts(batch) == (0, 0, 0)
        assert get_job(batch).error == "The admin who started the job no longer has the permission."

    def test_suppressed_address_is_refused_until_its_owner_confirms(self, admin: Any) -> None:
        erase_person(SubscriptionFactory(email="gone@example.com"))
        assert counts(import_rows(admin, "email,user_type\ngone@example.com,sailor\n")) == (0, 0, 1)
        (row,) = services.preview([["gone@example.com", "sailor"]], MAPPING, ["email", "user_type"])
        assert row.problems == ["The address is on the do-not-contact list."]
        suppression.lift("gone@example.com")
        assert counts(import_rows(admin, "email,user_type\ngone@example.com,sailor\n")) == (1, 0, 0)

    def test_values_are_normalised_as_on_the_site(self, admin: Any) -> None:
        content = (
            "\ufeffEmail,Type,Source,Language,Active\r\n"
            " New.One@Example.COM ,Sailor,landing-sailors,cs,\r\n"
            "firma@člun.cz,COMPANY,,,yes\r\n"
        )
        assert counts(import_rows(admin, content, ALL)) == (2, 0, 0)
        stored = Subscription.objects.order_by("language")
        assert list(stored.values_list("email", "user_type", "source", "language")) == [
            ("new.one@example.com", "sailor", "landing-sailors", "cs"),
            ("firma@xn--lun-eqa.cz", "company", "", "en"),
        ]

    def test_imported_subscribers_are_pending_without_consent_events_or_mails(self, admin: Any) -> None:
        batch = import_rows(
            admin, "email,user_type,is_confirmed,confirmed_at\nnew@example.com,sailor,1,2020-01-01\n"
        )
        subscription = Subscription.objects.get()
        assert subscription.state is State.PENDING
        assert subscription.confirmed_at is None
        assert subscription.is_imported
        assert subscription.import_batch == batch
        assert not ConsentEvent.objects.exists()
        assert not mails()

    def test_existing_subscribers_are_not_changed(self, admin: Any) -> None:
        SubscriptionFactory(email="there@example.com", unsubscribed=True)
        before = Subscription.objects.values().get()
        batch = import_rows(
            admin, "email,user_type,s,l,a\nThere@example.com,sailor,landing-companies,cs,yes\n", ALL
        )
        assert counts(batch) == (0, 1, 0)
        assert Subscription.objects.values().get() == before

    def test_duplicate_row_is_imported_once(self, admin: Any) -> None:
        content = "e,u\ntwin@example.com,sailor\nTWIN@example.com,sailor\ntwin@example.com,company\n"
        batch = import_rows(admin, content)
        assert counts(batch) == (2, 0, 0)
        assert batch.repeated_count == 1

    def test_inactive_row_is_imported_as_unsubscribed(self, admin: Any) -> None:
        batch = import_rows(
            admin, "e,u,s,l,a\nno@example.com,sailor,,,no\nyes@example.com,sailor,,,yes\n", ALL
        )
        assert (batch.added_waiting_count, batch.added_inactive_count) == (1, 1)
        assert Subscription.objects.get(email="no@example.com").state is State.UNSUBSCRIBED
        assert Subscription.objects.get(email="yes@example.com").state is State.PENDING
        (event,) = ConsentEvent.objects.all()
        assert (event.subscription.email, event.kind) == ("no@example.com", ConsentKind.IMPORTED_OPT_OUT)
        assert event.wording == ""

    def test_imported_opt_out_is_undone_by_the_owner_only(self, admin: Any, subscribe: Subscribe) -> None:
        import_rows(admin, "e,u,s,l,a\nno@example.com,sailor,,,no\n", ALL)
        subscribe(email="no@example.com")
        subscription = Subscription.objects.get()
        assert subscription.state is State.PENDING
        assert not restore(subscription=subscription)
        press_button(confirm_address(latest()))
        subscription.refresh_from_db()
        assert subscription.is_active


class TestDocumentedConsent:
    """What an admin documented counts less than any word of the owner."""

    CONSENT: ClassVar = {
        "consent_date": date(2025, 5, 31),
        "consent_origin": "Boat show",
        "consent_proof": "Signed sheets",
    }

    def import_confirmed(self, admin: Any, *rows: str) -> ImportBatch:
        file = upload(admin, "e,u,s,l,a\n" + "".join(f"{row}\n" for row in rows))
        batch = services.start(file=file, mapping=ALL, consent=self.CONSENT)[0]
        run_pending_jobs()
        batch.refresh_from_db()
        return batch

    def test_opt_outs_bounces_suppressed_addresses_and_requests_win(self, admin: Any) -> None:
        suppression.suppress("gone@example.com", SuppressionReason.COMPLAINED)
        SubscriptionFactory(email="dead@example.com", user_type="company", bounced=True)
        SubscriptionFactory(email="off@example.com", unsubscribed=True)
        SubscriptionFactory(email="asked@example.com")
        import_rows(admin, "e,u,s,l,a\nearlier@example.com,company,,,no\n", ALL)
        self.import_confirmed(
            admin,
            *(
                f"{name}@example.com,sailor,,,yes"
                for name in ("gone", "dead", "off", "asked", "earlier", "same", "in")
            ),
            "same@example.com,company,,,no",
        )
        confirmed = Subscription.objects.in_state(State.CONFIRMED).values_list("email", flat=True)
        assert list(confirmed) == ["in@example.com"]

    @pytest.mark.parametrize(
        ("ended", "is_confirmed"),
        [
            ({"unsubscribed": True}, False),
            ({"is_active": False}, False),
            ({"unsubscribed": True, "asked_again_at": timezone.now()}, False),
            ({"confirmed": True}, True),
        ],
    )
    def test_who_ended_one_audience_here_is_not_confirmed_in_the_other(
        self, admin: Any, ended: dict[str, Any], is_confirmed: bool
    ) -> None:
        SubscriptionFactory(email="a@example.com", user_type="company", **ended)
        (row,) = services.preview([["a@example.com", "sailor"]], MAPPING, ["e", "u"])
        assert row.is_unconfirmed is not is_confirmed
        self.import_confirmed(admin, "a@example.com,sailor,,,yes")
        subscription = Subscription.objects.get(user_type="sailor")
        assert subscription.state is (State.CONFIRMED if is_confirmed else State.PENDING)
        assert subscription.consent_events.exists() is is_confirmed

    @pytest.mark.parametrize(("cell", "is_confirmed"), [("active", True), ("pending", False)])
    def test_row_whose_state_says_less_than_confirmed_is_asked(
        self, admin: Any, cell: str, is_confirmed: bool
    ) -> None:
        self.import_confirmed(admin, f"a@example.com,sailor,,,{cell}")
        assert Subscription.objects.get().is_confirmed is is_confirmed
        assert ConsentEvent.objects.exists() is is_confirmed

    def test_columns_that_say_who_confirmed_count_although_they_are_not_mapped(self, admin: Any) -> None:
        rows = (
            "e,u,CONFIRM_TIME,Status\nyes@example.com,sailor,2024-01-01,active\nno@example.com,sailor,,active\n"
            "wait@example.com,sailor,2024-01-01,pending\n"
        )
        services.start(file=upload(admin, rows), mapping=MAPPING, consent=self.CONSENT)
        run_pending_jobs()
        assert Subscription.objects.get(is_confirmed=True).email == "yes@example.com"

    @pytest.mark.parametrize("has_confirmed_here", [True, False])
    def test_later_opt_out_ends_it_unless_the_owner_confirmed_here_since(
        self, admin: Any, has_confirmed_here: bool
    ) -> None:
        self.import_confirmed(admin, "a@example.com,sailor,,,yes")
        subscription = Subscription.objects.get()
        if has_confirmed_here:
            begin_subscription(subscription, language="en")
        header, row = ["e", "u", "s", "l", "a"], ["a@example.com", "sailor", "", "", "no"]
        (checked,) = services.preview([row], ALL, header)
        assert bool(checked.problems) is has_confirmed_here
        batch = import_rows(admin, f"{','.join(header)}\n{','.join(row)}\n", ALL)
        subscription.refresh_from_db()
        assert subscription.is_subscribed is has_confirmed_here
        assert batch.opted_out_count == (0 if has_confirmed_here else 1)

    def test_consent_of_today_is_never_later_than_the_import(
        self, admin: Any, time_machine: TimeMachineFixture
    ) -> None:
        """Bounces and complaints from before a confirmation do not count. Later ones are of the owner."""
        time_machine.move_to(datetime(2026, 3, 4, 6, tzinfo=UTC))
        file = upload(admin, "e,u\na@example.com,sailor\n")
        consent = {**self.CONSENT, "consent_date": date(2026, 3, 4)}
        services.start(file=file, mapping=MAPPING, consent=consent)
        run_pending_jobs()
        subscription = Subscription.objects.get()
        assert subscription.confirmed_at
        assert timezone.now() - timedelta(minutes=5) < subscription.confirmed_at <= subscription.created_at

    def test_it_is_undone_with_the_import(self, admin: Any) -> None:
        batch = self.import_confirmed(admin, "a@example.com,sailor,,,yes")
        services.undo(batch=batch, created_by_id=admin.pk)
        run_pending_jobs()
        assert not Subscription.objects.exists()


class TestBadRows:
    CONTENT = (
        "Email;Typ;Zdroj;Jazyk;Aktivní\n"
        "good@example.com;sailor;;;\n"
        "not-an-address;sailor;;;\n"
        ";pirate;moon;de;perhaps\n"
        "=x@example.com;sailor;;;;extra\n"
    )

    def test_good_rows_are_stored_and_the_others_listed_with_their_problems(self, admin: Any) -> None:
        batch = import_rows(admin, self.CONTENT, ALL)
        assert counts(batch) == (1, 0, 3)
        assert read_bad_rows(batch).splitlines() == [
            '"Problem";"Email";"Typ";"Zdroj";"Jazyk";"Aktivní"',
            '"Not a valid email address.";"not-an-address";"sailor";"";"";""',
            '"Email is required. Audience: write sailor or company. State: “perhaps” is not known.";'
            '"";"pirate";"moon";"de";"perhaps"',
            '"The row has more cells than the first row.";"\'=x@example.com";"sailor";"";"";"";"extra"',
        ]

    def test_rows_are_counted_by_reason_without_any_value_of_the_file(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        odd = "a@example.com;sailor;;;jana@example.com\nb@example.com;sailor;;;odd\n;sailor;;;odd\n"
        assert import_rows(admin, self.CONTENT + odd, ALL).left_out_reasons == {
            "address": 3,
            "cells": 1,
            "state": 2,
        }

    def test_problems_are_written_in_the_language_of_the_admin(self, admin: Any) -> None:
        with translation.override("cs"):
            batch = start(admin, "email,user_type\na@example.com,pirát\n")
        run_pending_jobs()
        assert "Publikum: napište jachtař, nebo firma." in read_bad_rows(batch)

    @pytest.mark.parametrize(("language", "delimiter"), [("en", ","), ("cs", ";")])
    def test_rows_of_a_workbook_open_in_the_excel_of_the_admin(
        self, admin: Any, language: str, delimiter: str
    ) -> None:
        with translation.override(language):
            batch = start(admin, workbook([["email", "type"], ["wrong", "sailor"]]))
        run_pending_jobs()
        assert read_bad_rows(batch).endswith(f'"{delimiter}"wrong"{delimiter}"sailor"\r\n')

    def test_corrected_file_is_imported(self, admin: Any) -> None:
        batch = import_rows(admin, self.CONTENT, ALL)
        corrected = read_bad_rows(batch).replace("not-an-address", "an@example.com")
        header, *rows = read_start(admin, corrected)
        mapping = guess_mapping(header, rows)
        assert mapping["email"] == "column:1"
        assert counts(import_rows(admin, corrected, mapping)) == (1, 0, 2)


class TestFile:
    def test_file_without_header_or_rows_is_refused(self, admin: Any) -> None:
        for content, problem in (
            ("a@example.com,sailor\nb@example.com,sailor\n", "One of the first rows must contain"),
            ("email,user_type\n", "The file has column names, but no rows"),
        ):
            with pytest.raises(UnreadableFile, match=problem):
                read_start(admin, content)

    def test_more_rows_than_allowed_are_not_imported(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "MAX_ROWS", 3)
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        exact = import_rows(admin, make_rows(3))
        assert (get_job(exact).state, counts(exact)) == (JobState.DONE, (3, 0, 0))
        Subscription.objects.all().delete()
        batch = import_rows(admin, make_rows(4))
        assert counts(batch) == (3, 0, 0)
        job = get_job(batch)
        assert job.state == JobState.FAILED
        assert job.error == "The file has more than 3 rows. The rest is not imported: please split it."

    def test_error_in_the_middle_keeps_the_rows_before_it(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        batch = import_rows(admin, make_rows(4) + '"never@example.com\n,sailor\n')
        assert counts(batch) == (4, 0, 0)
        assert get_job(batch).error == "Row 6 has a quotation mark that is never closed."

    @pytest.mark.parametrize("model", [JobFile, JobFileChunk])
    def test_file_that_was_deleted_meanwhile_is_named(self, admin: Any, model: type[Model]) -> None:
        batch = start(admin, make_rows(1))
        model._default_manager.all().delete()
        run_pending_jobs()
        assert get_job(batch).error == "The file is no longer stored. Please import it again."

    def test_progress_is_true_at_the_end(self, admin: Any) -> None:
        job = get_job(import_rows(admin, 'email,user_type\n"a@example.com\n",sailor\n'))
        assert (job.finished_rows, job.total_rows) == (1, 1)


class Killed(BaseException):
    """A worker that ends in the middle, as by SIGKILL: nothing handles this."""


class TestInterruption:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", 2)
        monkeypatch.setattr(jobs, "SKIP_ROWS", 3)

    @pytest.mark.parametrize("killed_at", [0, 4])
    def test_killed_import_continues_without_loss_or_repetition(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture, killed_at: int
    ) -> None:
        content = make_rows(7) + "bad,sailor\n" + "worse,sailor\n"
        batch = start(admin, content)
        store, calls = jobs._import_part, 0

        def kill_once(job: Any, header: Any, part: Any) -> None:
            nonlocal calls
            calls += 1
            store(job, header, part)
            if calls == killed_at + 1:
                raise Killed

        monkeypatch.setattr(jobs, "_import_part", kill_once)
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
    def test_file_whose_reading_was_discarded_is_not_imported(self, admin: Any) -> None:
        file = upload(admin, make_rows(3))
        Job.objects.all().delete()
        with pytest.raises(JobFile.DoesNotExist):
            services.start(file=file, mapping=MAPPING)
        assert not Job.objects.exists()

    def test_reading_that_is_discarded_while_it_is_requested_is_none(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = files.create_upload(name="list.csv", size=1, created_by_id=admin.pk)
        monkeypatch.setattr(queue, "enqueue", lambda *_kind, **_values: None)  # another tab has enqueued it
        assert uploads.request_reading(file) is None

    def test_earlier_reading_is_found_by_an_index(self, admin: Any) -> None:
        file = upload(admin, make_rows(1))
        with CaptureQueriesContext(connection) as queries:
            uploads.request_reading(file)
        (query,) = queries.captured_queries
        assert "job_kind_created" in explain(query["sql"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_four_imports_of_one_file_at_once_add_each_row_once(
    admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 5)
    rows = make_rows(20).splitlines()
    contents = ["\n".join([rows[0], *order]) for order in (rows[1:], rows[:0:-1], rows[1:], rows[:0:-1])]
    batches = [start(admin, content) for content in contents]
    run_at_once(4, lambda _index: run_pending_jobs())
    assert {get_job(batch).state for batch in batches} == {JobState.DONE}
    assert sum(counts(batch)[0] for batch in batches) == Subscription.objects.count() == 20
    assert all(sum(counts(batch)) == 20 for batch in batches)


def test_rows_are_stored_in_the_order_of_their_addresses(admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two imports of the same rows in different orders would wait for each other."""
    stored: list[list[str]] = []
    create = QuerySet.bulk_create

    def record(self: Any, rows: Any, **options: Any) -> Any:
        if self.model is Subscription:
            stored.append([row.email for row in rows])
        return create(self, rows, **options)

    monkeypatch.setattr(QuerySet, "bulk_create", record)
    import_rows(admin, "email,user_type\nc@example.com,sailor\na@example.com,sailor\nb@example.com,sailor\n")
    assert stored == [["a@example.com", "b@example.com", "c@example.com"]]


class TestUndo:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "UNDO_STEP_ROWS", 2)

    def undo(self, batch: ImportBatch, admin: Any) -> tuple[int, int]:
        assert services.undo(batch=batch, created_by_id=admin.pk)
        run_pending_jobs()
        batch.refresh_from_db()
        return batch.removed_count, batch.kept_count

    def test_everything_that_was_added_is_removed(self, admin: Any) -> None:
        other = import_rows(admin, "e,u\nother@example.com,sailor\n")
        batch = import_rows(admin, make_rows(5) + "other@example.com,sailor\n")
        assert self.undo(batch, admin) == (5, 0)
        assert Subscription.objects.get().import_batch == other

    @pytest.mark.parametrize("files", [("no",), ("yes", "no"), ("no", "no")])
    def test_opt_out_stays_whichever_import_it_came_from(self, admin: Any, files: tuple[str, ...]) -> None:
        batch, *_later = [
            import_rows(admin, f"e,u,s,l,a\nno@example.com,sailor,,,{state}\n", ALL) for state in files
        ]
        assert self.undo(batch, admin) == (0, 1)
        again = import_rows(admin, "e,u\nno@example.com,company\n")
        assert not services.list_invitable(again).exists()

    def test_invited_subscriber_is_removed_with_the_mail(self, admin: Any) -> None:
        batch = import_rows(admin, make_rows(1))
        invite(subscription=Subscription.objects.get())
        assert len(mails()) == 1
        assert self.undo(batch, admin) == (1, 0)
        assert not mails()

    @pytest.mark.parametrize("act", ["confirm", "unsubscribe", "subscribe", "bounce"])
    def test_subscriber_who_acted_since_stays(self, admin: Any, subscribe: Subscribe, act: str) -> None:
        batch = import_rows(admin, make_rows(3))
        subscription = Subscription.objects.get(email="person1@example.com")
        if act == "subscribe":
            subscribe(email=subscription.email)
        elif act == "bounce":
            Subscription.objects.filter(pk=subscription.pk).update(bounced_at=timezone.now())
        else:
            invite(subscription=subscription)
            one_click = latest().headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
            press_button(confirm_address(latest()) if act == "confirm" else one_click)
        assert self.undo(batch, admin) == (2, 1)
        assert Subscription.objects.get().email == "person1@example.com"

    @pytest.mark.parametrize(("is_restored", "result"), [(False, (0, 1)), (True, (1, 0))])
    def test_subscriber_whom_an_admin_ended_is_not_added_again(
        self, admin: Any, is_restored: bool, result: tuple[int, int]
    ) -> None:
        batch = import_rows(admin, make_rows(1))
        unsubscribe(subscription=Subscription.objects.get())
        if is_restored:
            restore(subscription=Subscription.objects.get())
        assert self.undo(batch, admin) == result
        corrected = import_rows(admin, make_rows(1))
        assert services.list_invitable(corrected).exists() is is_restored

    def test_undone_once_only_and_after_the_import(self, admin: Any) -> None:
        batch = start(admin, make_rows(1))
        assert not services.undo(batch=batch, created_by_id=admin.pk)
        run_pending_jobs()
        batch.refresh_from_db()
        self.undo(batch, admin)
        assert not services.undo(batch=batch, created_by_id=admin.pk)

    def test_cancelled_import_that_was_undone_does_not_continue(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = start(admin, make_rows(2))
        queue.cancel(get_job(batch))
        self.undo(batch, admin)
        assert queue.retry(get_job(batch))
        run_pending_jobs()
        assert get_job(batch).error == "The import has been undone."
        assert not Subscription.objects.exists()

    def test_killed_undo_continues(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture
    ) -> None:
        batch = import_rows(admin, make_rows(5))
        kills = [1]

        def kill_once(*arguments: Any) -> None:
            erase(*arguments)
            if kills:
                kills.clear()
                raise Killed

        monkeypatch.setattr(jobs, "erase", kill_once)
        with pytest.raises(Killed):
            self.undo(batch, admin)
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        run_pending_jobs()
        batch.refresh_from_db()
        assert (batch.removed_count, Subscription.objects.count()) == (5, 0)


class TestInvite:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch, frozen_clock: None) -> None:
        monkeypatch.setattr(jobs, "INVITE_STEP_ROWS", 2)

    def invite(self, batch: ImportBatch, admin: Any) -> bool:
        return services.invite(batch=batch, created_by_id=admin.pk)

    def run_to_the_end(self, time_machine: TimeMachineFixture) -> Iterator[int]:
        """Run the steps, each when it is due; yield the number of mails after each."""
        while Job.objects.filter(state=JobState.WAITING).exists():
            run_pending_jobs()
            yield len(mails())
            time_machine.shift(jobs.INVITE_PAUSE)

    def test_mails_are_spread_over_time(self, admin: Any, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(admin, make_rows(5))
        assert self.invite(batch, admin)
        assert list(self.run_to_the_end(time_machine)) == [2, 4, 5]
        batch.refresh_from_db()
        assert batch.asked_count == 5
        assert {event.kind for event in ConsentEvent.objects.all()} == {ConsentKind.INVITED}
        press_button(confirm_address(latest()))
        assert Subscription.objects.in_state(State.CONFIRMED).count() == 1

    def test_nobody_is_asked_twice(self, admin: Any, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(admin, make_rows(3))
        assert [self.invite(batch, admin), self.invite(batch, admin)] == [True, False]
        list(self.run_to_the_end(time_machine))
        assert not self.invite(batch, admin)
        assert len(mails()) == 3

    def test_only_pending_subscribers_of_the_batch_are_asked(
        self, admin: Any, time_machine: TimeMachineFixture
    ) -> None:
        import_rows(admin, "e,u\nother@example.com,sailor\n")
        batch = import_rows(admin, "e,u,s,l,a\nno@example.com,sailor,,,no\nyes@example.com,sailor,,,\n", ALL)
        self.invite(batch, admin)
        list(self.run_to_the_end(time_machine))
        assert [mail.recipient for mail in mails()] == ["yes@example.com"]

    def test_all_rows_of_a_step_are_locked_before_any_mailbox(
        self, admin: Any, time_machine: TimeMachineFixture
    ) -> None:
        batch = import_rows(admin, make_rows(2))
        self.invite(batch, admin)
        with CaptureQueriesContext(connection) as queries:
            list(self.run_to_the_end(time_machine))
        statements = [query["sql"] for query in queries]
        first_mailbox = next(i for i, sql in enumerate(statements) if "mail_mailboxbudget" in sql)
        rows = [str(subscription.pk).replace("-", "") for subscription in Subscription.objects.all()]
        lock = "FOR UPDATE" if connection.features.has_select_for_update else "SELECT"
        assert any(
            lock in sql and all(row in sql.replace("-", "") for row in rows)
            for sql in statements[:first_mailbox]
        )

    def test_budget_of_a_mailbox_is_respected(self, admin: Any, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(admin, make_rows(2))
        mailbox_budget.block("person0@example.com")
        self.invite(batch, admin)
        list(self.run_to_the_end(time_machine))
        assert [mail.recipient for mail in mails()] == ["person1@example.com"]
        batch.refresh_from_db()
        assert batch.asked_count == 1

    def test_undoing_stops_the_mails(self, admin: Any, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(admin, make_rows(4))
        self.invite(batch, admin)
        run_pending_jobs()
        assert services.undo(batch=batch, created_by_id=admin.pk)
        list(self.run_to_the_end(time_machine))
        run_pending_jobs()
        assert not Subscription.objects.exists()
        assert not mails()
        assert not self.invite(batch, admin)


class TestOptOuts:
    """An opt-out counts for the address, in both audiences and every order; only the owner undoes it."""

    HEADER = "email,user_type,source,language,state\n"

    @pytest.mark.parametrize(
        "rows",
        [("sailor,,,yes", "company,,,no"), ("sailor,,,no", "sailor,,,yes"), ("sailor,,,yes", "crew,,,no")],
    )
    @pytest.mark.parametrize("step_rows", [1, 1000])
    def test_it_wins_over_a_yes_in_the_same_file(
        self, admin: Any, monkeypatch: pytest.MonkeyPatch, rows: tuple[str, str], step_rows: int
    ) -> None:
        monkeypatch.setattr(jobs, "STEP_ROWS", step_rows)
        content = self.HEADER + "".join(f"jana@example.com,{row}\n" for row in rows)
        batch = import_rows(admin, content, ALL)
        assert not services.list_invitable(batch).exists()
        assert {each.state for each in Subscription.objects.all()} == {State.UNSUBSCRIBED}

    @pytest.mark.parametrize("user_type", ["sailor", "company"])
    def test_it_ends_what_is_pending_with_its_mails_and_is_remembered(
        self, admin: Any, subscribe: Subscribe, user_type: str
    ) -> None:
        subscribe(email="jana@example.com")
        batch = import_rows(admin, f"{self.HEADER}jana@example.com,{user_type},,,no\n", ALL)
        assert batch.opted_out_count == 1
        assert Subscription.objects.get(user_type="sailor").state is State.UNSUBSCRIBED
        assert not mails()
        for again in ("sailor", "company"):
            later = import_rows(admin, f"{self.HEADER}jana@example.com,{again},,,yes\n", ALL)
            assert not services.list_invitable(later).exists()

    @pytest.mark.parametrize("user_type", ["sailor", "company"])
    def test_it_is_listed_and_remembered_beside_a_confirmation(self, admin: Any, user_type: str) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="sailor", confirmed=True)
        batch = import_rows(admin, f"{self.HEADER}jana@example.com,{user_type},,,no\n", ALL)
        assert counts(batch) == (0, 0, 1)
        assert "The owner has confirmed on this site, so the subscription stays." in read_bad_rows(batch)
        assert Subscription.objects.get().is_subscribed
        later = import_rows(admin, f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert not services.list_invitable(later).exists()

    def test_it_is_remembered_beside_an_earlier_unsubscription(self, admin: Any) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="sailor", unsubscribed=True)
        import_rows(admin, f"{self.HEADER}jana@example.com,sailor,,,no\n", ALL)
        later = import_rows(admin, f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert not services.list_invitable(later).exists()
        assert "The owner of this address has opted out." in read_bad_rows(later)

    def test_owner_who_confirms_later_can_be_imported_again(self, admin: Any, subscribe: Subscribe) -> None:
        import_rows(admin, f"{self.HEADER}jana@example.com,sailor,,,no\n", ALL)
        subscribe(email="jana@example.com")
        press_button(confirm_address(latest()))
        later = import_rows(admin, f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        assert services.list_invitable(later).count() == 1

    def test_address_that_bounced_elsewhere_is_not_asked_in_any_audience(self, admin: Any) -> None:
        SubscriptionFactory(email="jana@example.com", user_type="company")
        rows = "jana@example.com,sailor,,,bounced\njana@example.com,company,,,yes\n"
        batch = import_rows(admin, self.HEADER + rows, ALL)
        assert not services.list_invitable(batch).exists()
        assert {each.state for each in Subscription.objects.all()} == {State.BOUNCED}

    ROW = st.tuples(
        st.sampled_from(["a@example.com", "b@example.com"]),
        st.sampled_from(["sailor", "company", "crew"]),
        st.sampled_from(["yes", "no", "", "perhaps"]),
    )

    @settings(max_examples=15)
    @given(st.lists(st.lists(ROW, min_size=1, max_size=4), min_size=1, max_size=3))
    def test_no_sequence_of_imports_makes_an_address_askable_that_opted_out(
        self, admin: Any, imported: list[list[tuple[str, str, str]]]
    ) -> None:
        Subscription.objects.all().delete()
        ImportBatch.objects.all().delete()
        opted_out = set()
        for rows in imported:
            lines = "".join(f"{email},{user_type},,,{state}\n" for email, user_type, state in rows)
            opted_out |= {email for email, _user_type, state in rows if state == "no"}
            import_rows(admin, self.HEADER + lines, ALL)
        for batch in ImportBatch.objects.all():
            askable = set(services.list_invitable(batch).values_list("email", flat=True))
            assert not askable & opted_out

    def test_opt_out_that_a_simultaneous_import_stored_is_respected(self, admin: Any) -> None:
        batch = import_rows(admin, f"{self.HEADER}jana@example.com,company,,,yes\n", ALL)
        # The other import has looked for stored subscriptions before this one was stored.
        other = SubscriptionFactory(email="jana@example.com", user_type="sailor", unsubscribed=True)
        ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT, language="en")
        services.invite(batch=batch, created_by_id=admin.pk)
        run_pending_jobs()
        assert not mails()

    def test_mail_to_imported_people_says_where_the_address_comes_from(self, admin: Any) -> None:
        batch = import_rows(admin, f"{self.HEADER}jana@example.com,sailor,,,\n", ALL)
        services.invite(batch=batch, created_by_id=admin.pk)
        run_pending_jobs()
        mail = latest()
        for text in (mail.text, mail.html, mail.subject):
            assert "asked for" not in text
            assert "aboard" not in text
        assert "Your address is on an earlier list of" in mail.text
        assert "This was not me" in mail.text
        assert mail.headers["List-Unsubscribe"].startswith("<http://testserver/newsletter/unsubscribe/")
        for path in ("/newsletter/unsubscribe/", "/newsletter/preferences/"):  # there is no subscription yet
            assert path not in mail.text + mail.html
