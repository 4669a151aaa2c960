"""Mails to members. What all mails have in common is tested in sailing/mail."""

from collections.abc import Callable

import pytest
from django.core import mail
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import mails
from accounts.models import LinkPurpose, User
from accounts.tests.factories import MemberFactory
from sailing.mail.models import OutboxEmail
from sailing.mail.outbox import enqueue
from tests.mailbox import Reader, latest, send_pending

pytestmark = pytest.mark.django_db


MAILS: dict[str, Callable[[User], object]] = {
    "verification": lambda member: mails.enqueue_link(member, LinkPurpose.VERIFY),
    "reset": lambda member: mails.enqueue_link(member, LinkPurpose.RESET),
    "new email": lambda member: mails.enqueue_link(member, LinkPurpose.CHANGE_EMAIL, to=member.email),
    "old email": lambda member: mails.enqueue_email_changed(member, old_email=member.email),
    "password changed": mails.enqueue_password_changed,
    "deleted": lambda member: mails.enqueue_account_deleted(member, is_newsletter_kept=True),
}


def send(name: str, **values: str) -> OutboxEmail:
    MAILS[name](MemberFactory(**values))
    return latest()


@pytest.mark.django_db(transaction=True)
def test_mail_is_delivered_before_newsletters_and_without_list_headers(settings: Settings) -> None:
    settings.EMAIL_CONNECTIONS = 1
    context = {"subscription": {"email": "petr@example.com"}, "unsubscribe_url": "/"}
    enqueue("newsletter/already_subscribed", to="petr@example.com", language="en", context=context)
    send("verification", email="jana@example.com")
    assert send_pending() == 2
    delivered, newsletter = mail.outbox
    assert (delivered.recipients(), newsletter.recipients()) == (["jana@example.com"], ["petr@example.com"])
    assert not [name for name in delivered.message() if name.lower().startswith("list-")]


@pytest.mark.parametrize("name", MAILS)
def test_mail_does_not_contain_the_name(name: str) -> None:
    found = send(name, first_name="You won! http://evil.example", last_name="Evil", nickname="Evil")
    for part in (found.subject, found.text, found.html):
        assert "evil" not in part.lower()


def test_password_changed_mail_has_the_time_and_no_link_that_acts(
    settings: Settings, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2025-06-01T12:34:00+00:00", tick=False)
    found = send("password changed")
    assert "Jun\xa01,\xa02025, 12:34 (UTC)" in found.text
    assert Reader(found.html).links == ["http://testserver/?lang=en", "http://testserver/?lang=en#privacy"]
    settings.TIME_ZONE = "Europe/Prague"
    assert "1.\xa06.\xa02025 14:34 (CEST)" in send("password changed", language="cs").text
