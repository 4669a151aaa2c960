"""Unverified accounts are deleted after 14 days."""

from datetime import timedelta

import pytest
from django.db import transaction
from time_machine import TimeMachineFixture

from accounts import retention
from accounts.models import User
from accounts.tests.factories import MemberFactory
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import mails

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def test_account_is_deleted_after_14_days_without_a_mail(time_machine: TimeMachineFixture) -> None:
    MemberFactory()
    time_machine.shift(14 * DAY - SECOND)
    purge_expired()
    assert User.objects.exists()
    time_machine.shift(SECOND)
    purge_expired()
    assert not User.objects.exists()
    assert not mails()


def test_verified_staff_or_deactivated_account_never_expires(time_machine: TimeMachineFixture) -> None:
    for standing in ("is_email_verified", "was_email_verified", "is_staff", "is_superuser"):
        MemberFactory(**{standing: True})
    MemberFactory(is_active=False)
    time_machine.shift(20 * DAY)
    purge_expired()
    assert User.objects.count() == 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_concurrent_processes_delete_the_accounts_in_batches(
    time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    MemberFactory.create_batch(9)
    time_machine.shift(14 * DAY)

    def work_off(_number: int) -> None:
        has_more = True
        while has_more:
            with transaction.atomic():
                has_more = retention.purge_unverified()

    run_at_once(3, work_off)
    assert not User.objects.exists()
