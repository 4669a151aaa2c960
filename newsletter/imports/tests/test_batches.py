"""What is done with the subscribers of an import: undo it, and ask them to confirm."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.imports import jobs, services
from newsletter.imports.models import ImportBatch
from newsletter.imports.tests.helpers import (
    ALL,
    get_admin,
    get_job,
    import_rows,
    make_rows,
    start,
)
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.services.administration import invite, restore, unsubscribe
from newsletter.tests.api import subscribe
from newsletter.tests.mailbox import confirm_address
from sailing.jobs import queue
from sailing.jobs.models import Job, JobState
from sailing.mail import mailbox_budget
from tests.jobs import Killed, kill_after, run_pending_jobs
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db


class TestUndo:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "UNDO_STEP_ROWS", 2)

    def undo(self, batch: ImportBatch) -> tuple[int, int]:
        assert services.undo(batch=batch, created_by_id=get_admin().pk)
        run_pending_jobs()
        batch.refresh_from_db()
        return batch.removed_count, batch.kept_count

    def test_everything_that_was_added_is_removed(self) -> None:
        other = import_rows("e,u\nother@example.com,sailor\n")
        batch = import_rows(make_rows(5) + "other@example.com,sailor\n")
        assert self.undo(batch) == (5, 0)
        assert Subscription.objects.get().import_batch == other

    @pytest.mark.parametrize("files", [("no",), ("yes", "no"), ("no", "no")])
    def test_opt_out_stays_whichever_import_it_came_from(self, files: tuple[str, ...]) -> None:
        batch, *_later = [
            import_rows(f"e,u,s,l,a\nno@example.com,sailor,,,{state}\n", ALL) for state in files
        ]
        assert self.undo(batch) == (0, 1)
        again = import_rows("e,u\nno@example.com,company\n")
        assert not services.list_invitable(again).exists()

    def test_invited_subscriber_is_removed_with_the_mail(self) -> None:
        batch = import_rows(make_rows(1))
        invite(subscription=Subscription.objects.get())
        assert len(mails()) == 1
        assert self.undo(batch) == (1, 0)
        assert not mails()

    @pytest.mark.parametrize("act", ["confirm", "unsubscribe", "subscribe", "bounce"])
    def test_subscriber_who_acted_since_stays(self, act: str) -> None:
        batch = import_rows(make_rows(3))
        subscription = Subscription.objects.get(email="person1@example.com")
        if act == "subscribe":
            subscribe(email=subscription.email)
        elif act == "bounce":
            Subscription.objects.filter(pk=subscription.pk).update(bounced_at=timezone.now())
        else:
            invite(subscription=subscription)
            one_click = latest().headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
            press_button(confirm_address(latest()) if act == "confirm" else one_click)
        assert self.undo(batch) == (2, 1)
        assert Subscription.objects.get().email == "person1@example.com"

    @pytest.mark.parametrize(("is_restored", "result"), [(False, (0, 1)), (True, (1, 0))])
    def test_subscriber_whom_an_admin_ended_is_not_added_again(
        self, is_restored: bool, result: tuple[int, int]
    ) -> None:
        batch = import_rows(make_rows(1))
        unsubscribe(subscription=Subscription.objects.get())
        if is_restored:
            restore(subscription=Subscription.objects.get())
        assert self.undo(batch) == result
        corrected = import_rows(make_rows(1))
        assert services.list_invitable(corrected).exists() is is_restored

    def test_undone_once_only_and_after_the_import(self) -> None:
        batch = start(make_rows(1))
        assert not services.undo(batch=batch, created_by_id=get_admin().pk)
        run_pending_jobs()
        batch.refresh_from_db()
        self.undo(batch)
        assert not services.undo(batch=batch, created_by_id=get_admin().pk)

    def test_cancelled_import_that_was_undone_does_not_continue(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = start(make_rows(2))
        queue.cancel(get_job(batch))
        self.undo(batch)
        assert queue.retry(get_job(batch))
        run_pending_jobs()
        assert get_job(batch).error == "The import has been undone."
        assert not Subscription.objects.exists()

    def test_killed_undo_continues(
        self, monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture
    ) -> None:
        batch = import_rows(make_rows(5))
        kill_after(monkeypatch, jobs, "erase")
        with pytest.raises(Killed):
            self.undo(batch)
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        run_pending_jobs()
        batch.refresh_from_db()
        assert (batch.removed_count, Subscription.objects.count()) == (5, 0)


class TestInvite:
    @pytest.fixture(autouse=True)
    def _short_steps(self, monkeypatch: pytest.MonkeyPatch, frozen_clock: None) -> None:
        monkeypatch.setattr(jobs, "INVITE_STEP_ROWS", 2)

    def invite(self, batch: ImportBatch) -> bool:
        return services.invite(batch=batch, created_by_id=get_admin().pk)

    def run_to_the_end(self, time_machine: TimeMachineFixture) -> Iterator[int]:
        """Run the steps, each when it is due; yield the number of mails after each."""
        while Job.objects.filter(state=JobState.WAITING).exists():
            run_pending_jobs()
            yield len(mails())
            time_machine.shift(jobs.INVITE_PAUSE)

    def test_mails_are_spread_over_time(self, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(make_rows(5))
        assert self.invite(batch)
        assert list(self.run_to_the_end(time_machine)) == [2, 4, 5]
        batch.refresh_from_db()
        assert batch.asked_count == 5
        assert {event.kind for event in ConsentEvent.objects.all()} == {ConsentKind.INVITED}
        press_button(confirm_address(latest()))
        assert Subscription.objects.in_state(State.CONFIRMED).count() == 1

    def test_nobody_is_asked_twice(self, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(make_rows(3))
        assert [self.invite(batch), self.invite(batch)] == [True, False]
        list(self.run_to_the_end(time_machine))
        assert not self.invite(batch)
        assert len(mails()) == 3

    def test_only_pending_subscribers_of_the_batch_are_asked(self, time_machine: TimeMachineFixture) -> None:
        import_rows("e,u\nother@example.com,sailor\n")
        batch = import_rows("e,u,s,l,a\nno@example.com,sailor,,,no\nyes@example.com,sailor,,,\n", ALL)
        self.invite(batch)
        list(self.run_to_the_end(time_machine))
        assert [mail.recipient for mail in mails()] == ["yes@example.com"]

    def test_all_rows_of_a_step_are_locked_before_any_mailbox(self, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(make_rows(2))
        self.invite(batch)
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

    def test_budget_of_a_mailbox_is_respected(self, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(make_rows(2))
        mailbox_budget.block("person0@example.com")
        self.invite(batch)
        list(self.run_to_the_end(time_machine))
        assert [mail.recipient for mail in mails()] == ["person1@example.com"]
        batch.refresh_from_db()
        assert batch.asked_count == 1

    def test_undoing_stops_the_mails(self, time_machine: TimeMachineFixture) -> None:
        batch = import_rows(make_rows(4))
        self.invite(batch)
        run_pending_jobs()
        assert services.undo(batch=batch, created_by_id=get_admin().pk)
        list(self.run_to_the_end(time_machine))
        run_pending_jobs()
        assert not Subscription.objects.exists()
        assert not mails()
        assert not self.invite(batch)
