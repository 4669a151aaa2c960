"""Undoing an action on a whole list."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from newsletter.models import Subscription
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import bulk_actions
from sailing.admin.tests.helpers import staff_client
from sailing.admin.tests.test_bulk_actions import (
    count_active,
    get_results,
    read_job,
    read_page,
    start,
    undo,
)
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from tests.concurrency import run_at_once
from tests.jobs import run_pending_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_steps")]


def test_exactly_the_changed_rows_are_changed_back(admin_client: Client) -> None:
    SubscriptionFactory.create_batch(5)
    before = SubscriptionFactory()
    administration.unsubscribe(subscription=before)
    job = start(admin_client, "unsubscribe")
    run_pending_jobs()
    assert count_active() == 0
    reversing = undo(admin_client, job)
    run_pending_jobs()
    assert Subscription.objects.get(is_active=False) == before
    assert get_results(admin_client, reversing) == ["5 unsubscriptions were undone."]
    reversing.refresh_from_db()
    assert (reversing.finished_rows, reversing.total_rows) == (5, 5)


def test_job_is_undone_once_and_both_jobs_say_so(admin_client: Client, admin_user: User) -> None:
    SubscriptionFactory()
    job = start(admin_client, "unsubscribe")
    run_pending_jobs()
    undo_button = f'action="/admin/jobs/job/{job.pk}/undo/"'
    assert undo_button in read_job(admin_client, job)
    reversing = undo(admin_client, job)
    assert undo(admin_client, job) == reversing
    job.refresh_from_db()
    assert not queue.retry(job)
    assert Job.objects.count() == 2
    page = read_job(admin_client, job)
    assert undo_button not in page
    assert f"Undone by {admin_user.email}" in page
    assert f"/admin/jobs/job/{reversing.pk}/change/" in page
    for shown in (page, read_page(admin_client, "/admin/jobs/job/")):
        assert '<span class="badge badge-off">Undone</span>' in shown
    page = read_job(admin_client, reversing)
    assert "<h1>Undo: Unsubscribe the selected subscribers</h1>" in page


def test_undone_job_can_be_repeated(admin_client: Client) -> None:
    SubscriptionFactory()
    job = start(admin_client, "unsubscribe")
    run_pending_jobs()
    for expected in (1, 0):
        job = undo(admin_client, job)
        run_pending_jobs()
        assert count_active() == expected


def test_job_is_undone_as_far_as_it_got_once_it_is_cancelled(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    SubscriptionFactory.create_batch(5)
    job = start(admin_client, "unsubscribe")
    queue.run_next_step()
    undo(admin_client, job)
    assert Job.objects.count() == 1
    queue.cancel(job)
    undo(admin_client, job)
    run_pending_jobs()
    assert count_active() == 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_of_undo_and_continue_pressed_at_once_one_wins(
    admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    SubscriptionFactory.create_batch(5)
    buttons = ("undo", "retry")
    browsers = [Client() for _button in buttons]
    for browser in browsers:
        browser.force_login(admin_user)
    job = start(browsers[0], "unsubscribe")
    queue.run_next_step()
    queue.cancel(job)
    both_have_read = Barrier(2)

    def wait_after(check: Callable[..., bool], *arguments: Any) -> bool:
        is_allowed = check(*arguments)
        with suppress(BrokenBarrierError):  # the other one waits for the row
            both_have_read.wait(timeout=0.5)
        return is_allowed

    for module, name in ((bulk_actions, "can_undo"), (queue, "may_continue")):
        monkeypatch.setattr(module, name, partial(wait_after, getattr(module, name)))

    def press(number: int) -> bool:
        url = f"/admin/jobs/job/{job.pk}/{buttons[number]}/"
        page = browsers[number].post(url, follow=True).content.decode()
        return "Nothing was done: the job has changed." in page

    is_undo_refused, is_retry_refused = run_at_once(2, press)
    assert is_undo_refused != is_retry_refused
    run_pending_jobs()
    assert count_active() == (0 if is_undo_refused else 5)


def test_job_continued_without_its_file_cannot_be_undone(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    SubscriptionFactory.create_batch(5)
    job = start(admin_client, "unsubscribe")
    queue.run_next_step()
    queue.cancel(job)
    JobFile.objects.all().delete()
    queue.retry(job)
    run_pending_jobs()
    undo(admin_client, job)
    assert Job.objects.count() == 1


def test_job_whose_rows_are_no_longer_stored_says_so(admin_client: Client) -> None:
    SubscriptionFactory()
    job = start(admin_client, "unsubscribe")
    run_pending_jobs()
    reversing = undo(admin_client, job)
    JobFile.objects.all().delete()
    run_pending_jobs()
    reversing.refresh_from_db()
    assert (reversing.state, reversing.attempts) == (JobState.FAILED, 0)
    assert reversing.error == "The list of the rows to change is no longer stored."


def test_mails_cannot_be_undone(admin_client: Client) -> None:
    SubscriptionFactory()
    job = start(admin_client, "ask_again")
    run_pending_jobs()
    undo(admin_client, job)
    assert Job.objects.count() == 1


def test_only_the_creator_and_admins_of_jobs_may_undo(admin_client: Client) -> None:
    SubscriptionFactory()
    job = start(admin_client, "unsubscribe")
    run_pending_jobs()
    client = staff_client("change_subscription", "view_subscription", "view_job")
    assert client.post(f"/admin/jobs/job/{job.pk}/undo/").status_code == 403
    assert admin_client.get(f"/admin/jobs/job/{job.pk}/undo/").status_code == 404
    assert Job.objects.count() == 1
