"""Use cases that invalidate all tokens and sessions of a member."""

from typing import Any

import pytest

from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import passwords, verification
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from sailing.client import NO_REQUEST
from sailing.mail.models import OutboxEmail
from sailing.mail_links.tokens import LinkStatus, get_status

pytestmark = pytest.mark.django_db

NEW = "New winds, 2026!"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com")


def link(member: User, purpose: LinkPurpose) -> str:
    (token,) = AccountLink.issue(purpose, user=member, email=member.email)
    return token


def link_status(token: str, purpose: LinkPurpose) -> LinkStatus:
    return get_status(AccountLink.find(token, purpose=purpose))


def is_refused(call: Call, token: str) -> bool:
    body = call("me", token=token).body
    return "errors" in body and body["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


def test_reset_link_works_once_and_closes_the_others(member: User) -> None:
    first, second = link(member, LinkPurpose.RESET), link(member, LinkPurpose.RESET)
    passwords.reset_password(client=NO_REQUEST, token=first, password=NEW)
    for token in (first, second):
        assert (
            passwords.reset_password(client=NO_REQUEST, token=token, password="Other winds, 2027!")
            is LinkStatus.DONE
        )
    member.refresh_from_db()
    assert member.check_password(NEW)
    assert OutboxEmail.objects.count() == 1


@pytest.mark.parametrize("purpose", [LinkPurpose.VERIFY, LinkPurpose.RESET])
@pytest.mark.parametrize("change", [{"email": "new@example.com"}, {"is_active": False}])
def test_link_is_spent_after_the_address_changed_or_the_account_was_deactivated(
    member: User, purpose: LinkPurpose, change: dict[str, Any]
) -> None:
    token = link(member, purpose)
    assert link_status(token, purpose) is LinkStatus.OPEN
    User.objects.update(**change)

    assert link_status(token, purpose) is LinkStatus.SPENT
    verification.verify_email(token=token)
    passwords.reset_password(client=NO_REQUEST, token=token, password=NEW)
    member.refresh_from_db()
    assert not member.is_email_verified
    assert member.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("purpose", "other"),
    [(LinkPurpose.VERIFY, LinkPurpose.RESET), (LinkPurpose.RESET, LinkPurpose.VERIFY)],
)
def test_link_is_unknown_for_another_purpose(member: User, purpose: LinkPurpose, other: LinkPurpose) -> None:
    assert link_status(link(member, purpose), other) is LinkStatus.UNKNOWN
