"""Erasure of members by an admin, and retention of their links."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from time_machine import TimeMachineFixture

from accounts import retention
from accounts.models import AccountLink, User
from accounts.tests.factories import MemberFactory
from accounts.tests.mailbox import link_to_reset, link_to_verify
from sailing.mail.models import MailState, OutboxEmail
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


@pytest.mark.parametrize("state", MailState)
def test_no_mail_to_an_erased_member_is_sent_or_kept(admin_client: Client, state: MailState) -> None:
    erased, kept = MemberFactory(email="jana@example.com"), MemberFactory(email="petr@example.com")
    link_to_verify(erased)
    link_to_reset(erased)
    link_to_verify(kept)
    other = latest()
    OutboxEmail.objects.update(state=state)
    admin_client.post(f"/admin/accounts/user/{erased.pk}/delete/", {"post": "yes"})

    assert not User.objects.filter(pk=erased.pk).exists()
    assert mails() == [other]
    assert [link.user for link in AccountLink.objects.all()] == [kept]
    assert LogEntry.objects.get().object_repr == str(erased.pk)


def test_links_are_deleted_after_ninety_days(time_machine: TimeMachineFixture) -> None:
    used = link_to_verify(MemberFactory())
    expired = link_to_reset(MemberFactory(is_email_verified=True))
    press_button(used)
    time_machine.shift(90 * DAY)
    retention.purge_expired_links()
    assert "This link has expired" in text(open_link(expired))
    assert open_link(used).status_code == 200

    time_machine.shift(timedelta(seconds=1))
    link_to_verify(MemberFactory())
    retention.purge_expired_links()
    assert open_link(expired).status_code == open_link(used).status_code == 404
    assert AccountLink.objects.count() == 1
