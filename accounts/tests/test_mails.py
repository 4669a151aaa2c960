"""Mails to members."""

from collections.abc import Callable

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import mails
from accounts.models import LinkPurpose, User
from accounts.services import credentials, links
from accounts.tests.factories import MemberFactory
from sailing.mail.models import OutboxEmail
from sailing.mail.outbox import enqueue
from tests.api import VISITOR
from tests.mailbox import Reader, latest, send_pending

pytestmark = pytest.mark.django_db


def verification(member: User) -> None:
    links.resend_verification(client=VISITOR, user=member)


def reset(member: User) -> None:
    links.send_link(user=member, purpose=LinkPurpose.RESET)


def changed(member: User) -> None:
    credentials.change_password(user=member)


def new_email(member: User) -> None:
    mails.enqueue_link(member, LinkPurpose.CHANGE_EMAIL, to=member.email)


def old_email(member: User) -> None:
    mails.enqueue_email_changed(member, old_email=member.email)


def deleted(member: User) -> None:
    mails.enqueue_account_deleted(member, is_newsletter_kept=True)


def sent(send: Callable[[User], None], **values: str) -> OutboxEmail:
    send(MemberFactory(**values))
    return latest()


@pytest.mark.django_db(transaction=True)
def test_mail_is_delivered_without_list_headers() -> None:
    found = sent(verification, email="jana@example.com")
    assert send_pending() == 1
    (delivered,) = mail.outbox
    assert delivered.recipients() == ["jana@example.com"]
    assert isinstance(delivered, EmailMultiAlternatives)
    assert delivered.body == found.text
    assert delivered.alternatives == [(found.html, "text/html")]
    assert not [name for name in delivered.message() if name.lower().startswith("list-")]


@pytest.mark.parametrize("send", [verification, reset, changed, new_email, old_email, deleted])
def test_mail_does_not_contain_the_name(send: Callable[[User], None]) -> None:
    found = sent(send, first_name="You won! http://evil.example", last_name="Evil", nickname="Evil")
    for part in (found.subject, found.text, found.html):
        assert "evil" not in part.lower()


def test_mail_says_how_long_its_link_works_and_when_the_account_is_deleted() -> None:
    for send in (verification, reset):
        assert "The link works once, for 72 hours." in sent(send).text
    words = "Účty, které nejsou do 14 dnů ověřené, mažeme"
    mail = sent(verification, language="cs")
    assert words in mail.text
    assert words in Reader(mail.html).shown


def test_password_changed_mail_has_the_time_and_no_link_that_acts(
    settings: Settings, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2025-06-01T12:34:00+00:00", tick=False)
    found = sent(changed)
    assert "Jun\xa01,\xa02025, 12:34 (UTC)" in found.text
    assert Reader(found.html).links == ["http://testserver/?lang=en", "http://testserver/?lang=en#privacy"]
    assert "1.\N{NO-BREAK SPACE}6.\N{NO-BREAK SPACE}2025 12:34 (UTC)" in sent(changed, language="cs").text
    settings.TIME_ZONE = "Europe/Prague"
    assert "14:34 (CEST)" in sent(changed).text


@pytest.mark.django_db(transaction=True)
def test_account_mail_is_sent_before_pending_newsletter_mails(settings: Settings) -> None:
    settings.EMAIL_CONNECTIONS = 1
    for number in range(3):
        context = {"subscription": {"email": f"{number}@example.com"}, "unsubscribe_url": "/"}
        enqueue("newsletter/already_subscribed", to=f"{number}@example.com", language="en", context=context)
    verification(MemberFactory(email="jana@example.com"))
    send_pending()
    recipients = [sent.recipients() for sent in mail.outbox]
    assert recipients == [["jana@example.com"], ["0@example.com"], ["1@example.com"], ["2@example.com"]]
