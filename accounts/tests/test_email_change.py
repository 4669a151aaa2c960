"""A member changes the address of the account."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import AccountLink, User
from accounts.services import email_change
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import change_address, link_to_reset
from sailing.errors import ApiError
from sailing.mail import mailboxes
from tests.api import VISITOR
from tests.concurrency import run_at_once
from tests.mailbox import latest, mails, open_link, press_button, text

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
    email_change.request_email_change(client=VISITOR, user=member, email=email, current_password=password)


def link_to_change(member: User, email: str = NEW) -> str:
    """Ask for a change; return the path of the link in the mail."""
    ask(member, email)
    return change_address(latest())


def change(member: User, email: str = NEW) -> None:
    """Change the address of a member."""
    press_button(link_to_change(member, email))
    assert get_email(member) == email


def get_email(member: User) -> str:
    member.refresh_from_db()
    return member.email


def get_pending(member: User) -> str | None:
    link = email_change.get_pending_email_change(client=VISITOR, user=member)
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

    def test_newer_request_closes_the_older_link(self, member: User) -> None:
        older = link_to_change(member)
        newer = link_to_change(member, OTHER)
        assert get_pending(member) == OTHER
        assert is_closed(press_button(older))
        press_button(newer)
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

    def test_links_of_a_cancelled_change_do_nothing_and_offer_no_new_one(
        self, member: User, time_machine: TimeMachineFixture
    ) -> None:
        address = link_to_change(member)
        time_machine.shift(CHANGE_LIFETIME)
        press_button(address, renew="1")
        newer = change_address(latest())
        assert email_change.cancel_email_change(client=VISITOR, user=member)
        time_machine.shift(PAUSE)
        for response in (press_button(address, renew="1"), press_button(newer)):
            assert is_closed(response)
        assert (get_email(member), get_pending(member)) == (OLD, None)

    def test_new_password_withdraws_the_change(self, member: User) -> None:
        address = link_to_change(member)
        press_button(link_to_reset(member), new_password1=NEW_PASSWORD, new_password2=NEW_PASSWORD)
        press_button(address)
        assert get_email(member) == OLD

    def test_admin_who_sets_another_address_closes_the_link(self, member: User, admin_client: Client) -> None:
        confirm = link_to_change(member, OTHER)
        values = {"email": "set@example.com", "language": "en", "is_active": "on"}
        admin_client.post(f"/admin/accounts/user/{member.pk}/change/", values)
        assert is_closed(press_button(confirm))
        assert get_email(member) == "set@example.com"


class TestConfirmation:
    def test_address_is_replaced_and_verified_and_all_sessions_end(self, call: Call) -> None:
        admin = User.objects.create_superuser(OLD, PASSWORD)
        browser = Client()
        browser.force_login(admin)
        token = tokens.issue(admin)
        page = text(press_button(link_to_change(admin)))
        assert "Your new email is confirmed." in page
        admin.refresh_from_db()
        assert (admin.email, admin.is_email_verified) == (NEW, True)
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
        assert browser.get("/admin/").status_code == 302
        assert call("signIn", email=NEW, password=PASSWORD).data["token"]

    def test_old_address_is_told(self, member: User) -> None:
        change(member)
        assert (latest().recipient, latest().subject) == (OLD, "Your email was changed")
        assert NEW not in latest().text + latest().html

    @pytest.mark.parametrize("is_email_verified", [False, True])
    def test_old_address_that_is_unverified_or_undeliverable_gets_no_mail(
        self, is_email_verified: bool
    ) -> None:
        bounced_at = timezone.now() if is_email_verified else None
        fields = {"is_email_verified": is_email_verified, "email_undeliverable_at": bounced_at}
        change(MemberFactory(email=OLD, **fields))
        assert [mail.recipient for mail in mails()] == [NEW]

    def test_links_to_the_old_address_are_closed(self, member: User) -> None:
        reset = link_to_reset(member)
        change(member)
        assert is_closed(open_link(reset))

    @pytest.mark.parametrize("is_noticed", [True, False])
    def test_address_that_was_taken_meanwhile_changes_nothing(
        self, member: User, is_noticed: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without a notice, another account stores the address after it was looked for."""
        address = link_to_change(member)
        MemberFactory(email=NEW)
        version = User.objects.get(pk=member.pk).token_version
        if not is_noticed:
            answers = iter([False])
            monkeypatch.setattr(QuerySet, "exists", lambda _rows: next(answers, True))
        first = text(press_button(address))
        assert REFUSAL in first
        assert text(press_button(address)) == first
        member.refresh_from_db()
        assert (member.email, member.token_version) == (OLD, version)


def test_not_me_withdraws_the_change_and_blocks_the_mailbox(member: User) -> None:
    address = link_to_change(member)
    first = text(press_button(address, not_me="1"))
    assert "We will not send these emails to this address again." in first
    assert text(press_button(address, not_me="1")) == text(press_button(address)) == first
    assert get_pending(member) is None
    assert not mailboxes.reserve(NEW)
    member.refresh_from_db()
    assert (member.email, member.is_email_verified) == (OLD, True)


def test_steps_are_in_the_history_and_the_log_without_addresses(
    member: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    ask(member)
    email_change.cancel_email_change(client=VISITOR, user=member)
    change(member, OTHER)
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def test_six_confirmations_make_one_change(self, member: User) -> None:
        address = link_to_change(member)
        version = User.objects.get().token_version
        pages = run_at_once(6, lambda _: press_button(address))
        assert {page.status_code for page in pages} == {200}
        assert {text(page) for page in pages} == {text(open_link(address))}
        member.refresh_from_db()
        assert (member.email, member.token_version) == (NEW, version + 1)
        assert [mail.recipient for mail in mails()] == [NEW, OLD]
