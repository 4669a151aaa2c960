"""Addresses of members that a mail server has refused for good."""

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from accounts.services import credentials, links
from accounts.tests.factories import MemberFactory
from accounts.tests.mailbox import confirm, link_to_reset, link_to_verify
from sailing.mail.models import OutboxEmail
from sailing.mail.outbox import mail_bounced
from tests.api import post_graphql
from tests.mailbox import mails, press_button

pytestmark = pytest.mark.django_db

PASSWORD = "New winds, 2026!"
LIST = "/admin/accounts/user/"


@pytest.fixture
def member() -> User:
    """Return a member whose mails bounced."""
    member: User = MemberFactory(email="jana@example.com", is_email_verified=False)
    mail_bounced.send(sender=OutboxEmail, email="jana@example.com")
    member.refresh_from_db()
    return member


def is_undeliverable(member: User) -> bool:
    return User.objects.filter(pk=member.pk, email_undeliverable_at__isnull=False).exists()


def test_bounce_marks_the_address_once(member: User) -> None:
    other = MemberFactory(email="petr@example.com")
    links.record_bounce(email="jana@example.com")
    assert User.objects.get(email_undeliverable_at=member.email_undeliverable_at) == member
    assert not is_undeliverable(other)


def test_member_is_told_that_no_mail_arrives(member: User) -> None:
    query = "{ me { isEmailUndeliverable } }"
    answers = [post_graphql(query, token=tokens.issue(each)) for each in (member, MemberFactory())]
    assert [answer.data["isEmailUndeliverable"] for answer in answers] == [True, False]


def test_verifying_clears_the_mark(member: User) -> None:
    confirm(link_to_verify(member))
    assert not is_undeliverable(member)


def test_password_by_a_link_clears_the_mark_and_is_reported(member: User) -> None:
    press_button(link_to_reset(member), new_password1=PASSWORD, new_password2=PASSWORD)
    assert not is_undeliverable(member)
    assert len(mails()) == 2  # the link, and "password changed"


def test_changed_password_is_not_reported_to_the_address(member: User) -> None:
    member.set_password(PASSWORD)
    credentials.change_password(user=member)
    assert not mails()


def test_admin_shows_and_filters_the_mark(member: User, admin_client: Client) -> None:
    MemberFactory(email="petr@example.com")
    page = admin_client.get(f"{LIST}?email_state=undeliverable")
    assert [row.email for row in page.context["cl"].result_list] == ["jana@example.com"]
    assert '<span class="badge badge-bad">Undeliverable</span>' in page.content.decode()


def test_address_changed_by_an_admin_has_no_mark(member: User, admin_client: Client) -> None:
    values = {"email": "new@example.com", "language": "en"}
    assert admin_client.post(f"{LIST}{member.pk}/change/", values).status_code == 302
    assert not is_undeliverable(member)
