"""A member changes the address of the account."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.errors import WrongPassword
from accounts.models import AccountLink, User
from accounts.services import credentials
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, WRONG, MemberFactory
from accounts.tests.mailbox import confirm, link_to_change, link_to_reset
from sailing.errors import ApiError
from sailing.mail import mailboxes
from tests.api import VISITOR
from tests.mailbox import mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

OLD, NEW, OTHER = "jana@example.com", "new@example.com", "other@example.com"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email=OLD, is_email_verified=True)


def ask(member: User, email: str = NEW, password: str = PASSWORD) -> None:
    member.refresh_from_db()
    credentials.request_email_change(client=VISITOR, user=member, email=email, current_password=password)


def get_email(member: User) -> str:
    member.refresh_from_db()
    return member.email


def get_pending(member: User) -> str | None:
    link = credentials.get_pending_email_change(client=VISITOR, user=member)
    return link.email if link else None


def is_closed(response: HttpResponse) -> bool:
    return "This link no longer works" in text(response)


def test_mail_goes_to_the_new_address_which_is_pending_until_it_is_cancelled_or_expires(
    member: User, token: str, time_machine: TimeMachineFixture
) -> None:
    nothing = {"pendingEmail": None, "pendingEmailExpiresAt": None}
    assert call("account", token=token).data == nothing
    asked = call("requestEmailChange", token=token, email=" NEW@example.com", currentPassword=PASSWORD)
    assert asked.data is True
    assert [mail.recipient for mail in mails()] == [NEW]
    pending = {"pendingEmail": NEW, "pendingEmailExpiresAt": "2025-06-04T12:00:00+00:00"}
    assert call("account", token=token).data == pending
    assert [call("cancelEmailChange", token=token).data for _ in range(2)] == [True, False]
    assert call("account", token=token).data == nothing
    assert get_email(member) == OLD
    ask(member, OTHER)
    time_machine.shift(timedelta(hours=72))
    assert get_pending(member) is None


@pytest.mark.parametrize(
    ("email", "password", "field", "message"),
    [
        ("no address", PASSWORD, "email", "Invalid email address"),
        ("JANA@example.com", PASSWORD, "email", "This is your current email"),
        ("Taken@example.com", PASSWORD, "email", "An account with this email already exists."),
        (NEW, "", "currentPassword", "Password is required"),
        ("taken@example.com", WRONG, "currentPassword", "The current password is wrong."),
    ],
)
def test_broken_rule_is_refused(member: User, email: str, password: str, field: str, message: str) -> None:
    MemberFactory(email="taken@example.com")
    with pytest.raises(ApiError) as refusal:
        ask(member, email, password)
    assert refusal.value.extensions == {"code": "BAD_USER_INPUT", "field": field}
    assert refusal.value.message == message
    assert not AccountLink.objects.exists()


def test_wrong_password_takes_no_mail_from_the_budget_of_the_client(member: User, settings: Settings) -> None:
    settings.MAIL_RATES = ["1/h"]
    with pytest.raises(WrongPassword):
        ask(member, NEW, WRONG)
    ask(member, NEW)
    assert get_pending(member) == NEW


def test_same_address_gets_one_mail_in_three_minutes_within_its_own_budget(
    member: User, time_machine: TimeMachineFixture
) -> None:
    for _ in range(2):
        ask(member)
    assert len(mails()) == 1
    time_machine.shift(timedelta(minutes=3))
    ask(member)
    assert len(mails()) == 2
    while mailboxes.reserve(OTHER):
        pass
    ask(member, OTHER)
    assert get_pending(member) == OTHER
    assert len(mails()) == 2
    assert mailboxes.reserve(OLD)


class TestClosedLink:
    def test_newer_request_closes_the_older_link(self, member: User) -> None:
        older, newer = link_to_change(member, NEW), link_to_change(member, OTHER)
        assert is_closed(confirm(older))
        confirm(newer)
        assert get_email(member) == OTHER

    def test_cancelling_and_a_new_password_close_it(self, member: User) -> None:
        cancelled = link_to_change(member, NEW)
        credentials.cancel_email_change(client=VISITOR, user=member)
        assert is_closed(confirm(cancelled))
        link = link_to_change(member, OTHER)
        credentials.change_own_password(
            client=VISITOR, user=member, current_password=PASSWORD, new_password=NEW_PASSWORD
        )
        assert is_closed(press_button(link, password=NEW_PASSWORD))
        assert get_email(member) == OLD

    def test_admin_who_sets_another_address_closes_it(self, member: User, admin_client: Client) -> None:
        link = link_to_change(member, OTHER)
        values = {"email": "set@example.com", "language": "en"}
        admin_client.post(f"/admin/accounts/user/{member.pk}/change/", values)
        assert is_closed(open_link(link))
        assert get_email(member) == "set@example.com"

    def test_reset_link_stays_closed_when_the_address_comes_back(self, member: User) -> None:
        reset = link_to_reset(member)
        for email in (NEW, OLD):
            confirm(link_to_change(member, email))
        assert get_email(member) == OLD
        assert "new_password1" not in text(open_link(reset))


def test_steps_are_in_the_history_and_the_log_without_addresses(
    member: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    ask(member)
    credentials.cancel_email_change(client=VISITOR, user=member)
    confirm(link_to_change(member, OTHER))
    entries = LogEntry.objects.filter(object_id=member.pk).order_by("pk")
    assert [entry.change_message for entry in entries] == [
        "Change of the email requested by the member.",
        "Change of the email withdrawn by the member.",
        "Change of the email requested by the member.",
        "Email changed by the member.",
    ]
    assert {(entry.user_id, entry.object_repr) for entry in entries} == {(member.pk, str(member.pk))}
    lines: list[Any] = [record.msg for record in caplog.records if "accounts.services" in record.name]
    steps = ["change_requested", "change_cancelled", "change_requested", "changed"]
    assert [line["event"] for line in lines] == [f"email_{step}" for step in steps]
    assert "@example.com" not in caplog.text
