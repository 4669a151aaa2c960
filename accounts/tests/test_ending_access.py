"""What ends the tokens and sessions of a member, all at once."""

from typing import Any

import pytest
from django.test import Client
from post_office.models import Email

from accounts import links, services, tokens
from accounts.links import RESET_LIFETIME, VERIFY_LIFETIME
from accounts.models import AccountLink, LinkPurpose, User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from sailing.email.tokens import Outcome

pytestmark = pytest.mark.django_db

NEW = "New winds, 2026!"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com")


def link(member: User, purpose: LinkPurpose) -> str:
    lifetime = VERIFY_LIFETIME if purpose is LinkPurpose.VERIFY else RESET_LIFETIME
    return AccountLink.issue(lifetime=lifetime, user=member, purpose=purpose, email=member.email)


def how_it_stands(token: str, purpose: LinkPurpose) -> Outcome:
    return links.outcome(links.find(token=token, purpose=purpose))


def is_refused(call: Call, token: str) -> bool:
    body = call("me", token=token).body
    return "errors" in body and body["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


def test_signing_out_everywhere_ends_all_tokens_and_not_those_to_come(call: Call, member: User) -> None:
    given = [tokens.issue(member), tokens.issue(member)]
    other = tokens.issue(MemberFactory())
    services.sign_out_everywhere(user=member)

    assert all(is_refused(call, token) for token in given)
    assert not is_refused(call, other)
    new = call("signIn", email=member.email, password=PASSWORD).data["token"]
    assert not is_refused(call, new)


def test_signing_out_everywhere_ends_sessions_of_django_admin(admin_client: Client, admin_user: User) -> None:
    assert admin_client.get("/admin/").status_code == 200
    services.sign_out_everywhere(user=admin_user)
    assert admin_client.get("/admin/").status_code == 302


def test_deactivating_ends_all_tokens_for_good(call: Call, member: User) -> None:
    token = tokens.issue(member)
    assert services.deactivate(user=member) is True
    assert services.deactivate(user=member) is False
    assert is_refused(call, token)

    User.objects.update(is_active=True)
    assert is_refused(call, token)


def test_a_password_chosen_by_a_link_ends_all_tokens_and_the_old_password(call: Call, member: User) -> None:
    token, reset = tokens.issue(member), link(member, LinkPurpose.RESET)
    assert services.reset_password(token=reset, password=NEW) is Outcome.DONE

    assert is_refused(call, token)
    assert call("signIn", email=member.email, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"
    assert call("signIn", email=member.email, password=NEW).data["token"]
    assert Email.objects.get().to == [member.email]


def test_a_link_to_choose_a_password_works_once_and_voids_the_others(member: User) -> None:
    first, second = link(member, LinkPurpose.RESET), link(member, LinkPurpose.RESET)
    services.reset_password(token=first, password=NEW)
    for token in (first, second):
        assert services.reset_password(token=token, password="Other winds, 2027!") is Outcome.DONE
    member.refresh_from_db()
    assert member.check_password(NEW)
    assert Email.objects.count() == 1


@pytest.mark.parametrize("purpose", LinkPurpose)
@pytest.mark.parametrize("change", [{"email": "new@example.com"}, {"is_active": False}])
def test_a_link_ends_with_the_address_it_was_sent_to_and_with_the_account(
    member: User, purpose: LinkPurpose, change: dict[str, Any]
) -> None:
    token = link(member, purpose)
    assert how_it_stands(token, purpose) is Outcome.OPEN
    User.objects.update(**change)

    assert how_it_stands(token, purpose) is Outcome.SPENT
    services.verify_email(token=token)
    services.reset_password(token=token, password=NEW)
    member.refresh_from_db()
    assert not member.is_email_verified
    assert member.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("purpose", "other"),
    [(LinkPurpose.VERIFY, LinkPurpose.RESET), (LinkPurpose.RESET, LinkPurpose.VERIFY)],
)
def test_a_link_is_for_its_own_purpose_only(member: User, purpose: LinkPurpose, other: LinkPurpose) -> None:
    assert how_it_stands(link(member, purpose), other) is Outcome.UNKNOWN
