"""A member changes the address of the account."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.errors import WrongPassword
from accounts.models import AccountLink, User
from accounts.services import credentials
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import confirm, link_to_change
from sailing.errors import ApiError
from sailing.mail import mailboxes
from tests.api import VISITOR
from tests.mailbox import mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

OLD, NEW, OTHER = "jana@example.com", "new@example.com", "other@example.com"
WRONG = "Foul winds, 2025!"
NEW_PASSWORD = "New winds, 2026!"
PAUSE = timedelta(minutes=3)
REFUSAL = "Another account has started using this email in the meantime, so nothing was changed."
CHANGE_LIFETIME = timedelta(hours=72)


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


class TestRequest:
    def test_mail_goes_to_the_new_address_which_is_pending_until_the_change_is_cancelled(
        self, call: Call, member: User
    ) -> None:
        token, nothing = tokens.issue(member), {"pendingEmail": None, "pendingEmailExpiresAt": None}
        assert call("account", token=token).data == nothing
        asked = call("requestEmailChange", token=token, email=" NEW@example.com", currentPassword=PASSWORD)
        assert asked.data is True
        assert [mail.recipient for mail in mails()] == [NEW]
        pending = {"pendingEmail": NEW, "pendingEmailExpiresAt": "2025-06-04T12:00:00+00:00"}
        assert call("account", token=token).data == pending
        assert [call("cancelEmailChange", token=token).data for _ in range(2)] == [True, False]
        assert call("account", token=token).data == nothing
        assert get_email(member) == OLD

    def test_expired_change_is_not_pending(self, member: User, time_machine: TimeMachineFixture) -> None:
        ask(member)
        time_machine.shift(CHANGE_LIFETIME)
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
    def test_broken_rule_is_refused(
        self, member: User, email: str, password: str, field: str, message: str
    ) -> None:
        MemberFactory(email="taken@example.com")
        with pytest.raises(ApiError) as refusal:
            ask(member, email, password)
        assert refusal.value.extensions == {"code": "BAD_USER_INPUT", "field": field}
        assert refusal.value.message == message
        assert not AccountLink.objects.exists()

    def test_wrong_password_takes_no_mail_from_the_budget_of_the_client(
        self, member: User, settings: Settings
    ) -> None:
        settings.MAIL_RATES = ["1/h"]
        with pytest.raises(WrongPassword):
            ask(member, NEW, WRONG)
        ask(member, NEW)
        assert get_pending(member) == NEW

    def test_newer_request_closes_the_older_link(self, member: User) -> None:
        older = link_to_change(member, NEW)
        newer = link_to_change(member, OTHER)
        assert get_pending(member) == OTHER
        assert is_closed(confirm(older))
        confirm(newer)
        assert get_email(member) == OTHER

    def test_same_address_gets_one_mail_in_three_minutes(
        self, member: User, time_machine: TimeMachineFixture
    ) -> None:
        for _ in range(2):
            ask(member)
        assert len(mails()) == 1
        time_machine.shift(PAUSE)
        ask(member)
        assert len(mails()) == 2

    def test_mails_count_in_the_budget_of_the_new_address(self, member: User) -> None:
        for _ in range(5):
            mailboxes.reserve(NEW)
        ask(member)
        assert get_pending(member) == NEW
        assert not mails()
        assert mailboxes.reserve(OLD)

    def test_link_of_a_cancelled_change_does_nothing(self, member: User) -> None:
        address = link_to_change(member, NEW)
        assert credentials.cancel_email_change(client=VISITOR, user=member)
        assert is_closed(confirm(address))
        assert (get_email(member), get_pending(member)) == (OLD, None)

    def test_new_password_withdraws_the_change(self, member: User) -> None:
        address = link_to_change(member, NEW)
        member.refresh_from_db()
        credentials.change_own_password(
            client=VISITOR, user=member, current_password=PASSWORD, new_password=NEW_PASSWORD
        )
        press_button(address, password=NEW_PASSWORD)
        assert get_email(member) == OLD

    def test_admin_who_sets_another_address_closes_the_link(self, member: User, admin_client: Client) -> None:
        link = link_to_change(member, OTHER)
        values = {"email": "set@example.com", "language": "en", "is_active": "on"}
        admin_client.post(f"/admin/accounts/user/{member.pk}/change/", values)
        assert is_closed(open_link(link))
        assert get_email(member) == "set@example.com"


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
    assert [line["event"] for line in lines] == [
        "email_change_requested",
        "email_change_cancelled",
        "email_change_requested",
        "email_changed",
    ]
    assert {line["user_id"] for line in lines} == {member.pk}
    assert "@example.com" not in caplog.text
