"""Unverified accounts are deleted after 14 days, with a warning three days before."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from time_machine import TimeMachineFixture

from accounts import retention
from accounts.models import User
from accounts.tests.factories import MemberFactory
from accounts.tests.mailbox import not_me_address, reset_address, verify_address
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import assert_same_in_text_and_html, latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def test_member_is_warned_once_three_days_before(time_machine: TimeMachineFixture) -> None:
    MemberFactory(email="jana@example.com")
    time_machine.shift(11 * DAY - SECOND)
    purge_expired()
    assert not mails()
    time_machine.shift(SECOND)
    purge_expired()
    purge_expired()
    (mail,) = mails()
    assert mail.recipient == "jana@example.com"
    assert mail.subject == "Your Sailing account will be deleted soon"
    assert not_me_address(mail) == f"{verify_address(mail)}&not-me=1"
    assert "Yours will be deleted after Jun\xa015,\xa02025, 12:00 (UTC)." in mail.text


def test_member_without_a_password_is_asked_to_choose_one(time_machine: TimeMachineFixture) -> None:
    MemberFactory(password=None)
    time_machine.shift(11 * DAY)
    purge_expired()
    mail = latest()
    assert "To keep it, please choose a password." in mail.text
    assert_same_in_text_and_html(mail)
    press_button(reset_address(mail), new_password1="New winds, 2026!", new_password2="New winds, 2026!")
    assert User.objects.get().is_email_verified


@pytest.mark.parametrize("days_before_the_warning", [11, 400], ids=["usual", "old account"])
def test_account_is_deleted_three_days_after_the_warning(
    time_machine: TimeMachineFixture, days_before_the_warning: int
) -> None:
    MemberFactory()
    time_machine.shift(days_before_the_warning * DAY)
    purge_expired()
    assert len(mails()) == 1
    time_machine.shift(3 * DAY - SECOND)
    purge_expired()
    assert User.objects.exists()
    time_machine.shift(SECOND)
    purge_expired()
    assert not User.objects.exists()
    assert not mails()


def test_link_of_the_warning_works_until_the_deletion(time_machine: TimeMachineFixture) -> None:
    MemberFactory()
    time_machine.shift(11 * DAY)
    retention.warn_expiring()
    time_machine.shift(3 * DAY - SECOND)
    press_button(verify_address(latest()))
    time_machine.shift(30 * DAY)
    retention.purge_unverified()
    assert User.objects.get().is_email_verified


def test_verified_staff_or_deactivated_account_never_expires(time_machine: TimeMachineFixture) -> None:
    for standing in ("is_email_verified", "was_email_verified", "is_staff", "is_superuser"):
        MemberFactory(**{standing: True})
    MemberFactory(is_active=False)
    for _ in range(2):
        time_machine.shift(20 * DAY)
        retention.warn_expiring()
        retention.purge_unverified()
    assert User.objects.count() == 5
    assert not mails()


def work_off(step: Callable[[], bool]) -> None:
    has_more = True
    while has_more:
        with transaction.atomic():
            has_more = step()


def test_steps_work_in_batches(time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    MemberFactory.create_batch(3)
    time_machine.shift(14 * DAY)
    assert retention.warn_expiring()
    assert len(mails()) == 1  # each in its own transaction, so that locks are short
    assert [retention.warn_expiring() for _ in range(3)] == [True, True, False]
    assert len(mails()) == 3
    time_machine.shift(3 * DAY)
    assert [retention.purge_unverified() for _ in range(2)] == [True, False]
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_concurrent_processes_share_the_accounts(time_machine: TimeMachineFixture) -> None:
    for number in range(12):  # two mailboxes in turns, whose budgets are locked in either order
        MemberFactory(email=f"{'jana' if number % 2 else 'petr'}+{number}@example.com")

    time_machine.shift(11 * DAY)
    run_at_once(4, lambda _: work_off(retention.warn_expiring))
    assert not User.objects.filter(expiry_warned_at=None).exists()
    assert len(mails()) == 10
    time_machine.shift(3 * DAY)
    run_at_once(4, lambda _: work_off(retention.purge_unverified))
    assert not User.objects.exists()
