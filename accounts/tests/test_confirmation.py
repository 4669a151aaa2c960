"""Verifying an address and changing it: who may, and whose sessions and passwords work afterwards."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import F
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.errors import WrongPassword
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import credentials, membership
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, NEW_PASSWORDS, PASSWORD, WRONG, MemberFactory, form
from accounts.tests.mailbox import confirm, link_to_change, link_to_reset, link_to_verify
from sailing.errors import ApiError
from sailing.mail import mailboxes
from tests.api import VISITOR
from tests.concurrency import run_at_once
from tests.database import before_statement
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

OLD, NEW, OTHER = "jana@example.com", "new@example.com", "other@example.com"
CLOSED = "This link no longer works"
BOTH = pytest.mark.parametrize("purpose", [LinkPurpose.VERIFY, LinkPurpose.CHANGE_EMAIL])


class Account:
    """A member who is signed in with two browsers, and a link to the mailbox."""

    def __init__(self, purpose: LinkPurpose) -> None:
        is_change = purpose == LinkPurpose.CHANGE_EMAIL
        self.purpose = purpose
        self.member: User = MemberFactory(email=OLD, is_email_verified=is_change)
        self.browser = Client()
        self.tokens = {"own": self.sign_in(self.browser), "other": self.sign_in(Client())}
        self.link = link_to_change(self.member, NEW) if is_change else link_to_verify(self.member)

    def sign_in(self, client: Client) -> str:
        return str(call("signIn", client=client, email=self.member.email, password=PASSWORD).data["token"])

    @property
    def state(self) -> tuple[bool, set[str], str]:
        """Whether the address is confirmed, which sessions are alive, and the password."""
        self.member.refresh_from_db()
        is_replaced = self.member.email == NEW or self.purpose == LinkPurpose.VERIFY
        answers = {name: call("me", token=token).body for name, token in self.tokens.items()}
        alive = {name for name, body in answers.items() if "errors" not in body}
        (password,) = [known for known in (PASSWORD, NEW_PASSWORD) if self.member.check_password(known)]
        return self.member.is_email_verified and is_replaced, alive, password


def leave(account: Account) -> None:
    account.browser = Client()


def sign_out(account: Account) -> None:
    call("logout", token=account.tokens.pop("own"))


def sign_in_as_another(account: Account) -> None:
    call("signUp", client=account.browser, **form(email=OTHER))


def forge_cookie(account: Account) -> None:
    account.browser.cookies[tokens.COOKIE] = "WzEsICJ4Il0:1uLPmO:forged"


ALL = {"own", "other"}
REFUSED = (False, ALL, PASSWORD)
WEAK: dict[str, Any] = {"new_password1": "weak", "new_password2": "weak"}


@BOTH
@pytest.mark.parametrize(
    ("prepare", "data", "expected"),
    [
        pytest.param(lambda _account: None, {}, (True, {"own"}, PASSWORD), id="signed in: one press"),
        pytest.param(leave, {"password": PASSWORD}, (True, set(), PASSWORD), id="elsewhere: the password"),
        pytest.param(leave, NEW_PASSWORDS, (True, set(), NEW_PASSWORD), id="elsewhere: a new password"),
        pytest.param(leave, {}, REFUSED, id="elsewhere: nothing"),
        pytest.param(leave, {"password": WRONG}, REFUSED, id="elsewhere: a wrong password"),
        pytest.param(leave, WEAK, REFUSED, id="elsewhere: a weak password"),
        pytest.param(sign_in_as_another, {"password": WRONG}, REFUSED, id="signed in as another member"),
        pytest.param(forge_cookie, {"password": WRONG}, REFUSED, id="forged cookie"),
        pytest.param(sign_out, {"password": WRONG}, (False, {"other"}, PASSWORD), id="signed out"),
    ],
)
def test_who_may_confirm_and_what_works_afterwards(
    purpose: LinkPurpose,
    prepare: Callable[[Account], None],
    data: dict[str, Any],
    expected: tuple[bool, set[str], str],
) -> None:
    account = Account(purpose)
    prepare(account)
    page = text(press_button(account.link, client=account.browser, **data))
    assert account.state == expected
    assert ('role="status"' in page) is expected[0]
    assert ('type="password"' in page) is not expected[0]
    assert ('<details class="disclosure" open>' in page) is (data is WEAK)


def expire(account: Account, time_machine: TimeMachineFixture) -> None:
    time_machine.shift(timedelta(days=3))


def use(account: Account, time_machine: TimeMachineFixture) -> None:
    confirm(account.link)


def deactivate(account: Account, time_machine: TimeMachineFixture) -> None:
    membership.deactivate(user=account.member)
    membership.activate(user=account.member)


def change_address_again(account: Account, time_machine: TimeMachineFixture) -> None:
    User.objects.filter(pk=account.member.pk).update(email="third@example.com")
    AccountLink.objects.filter(purpose=LinkPurpose.CHANGE_EMAIL).update(used_at=timezone.now())


@BOTH
@pytest.mark.parametrize(
    ("prepare", "shown"),
    [
        (expire, ["This link has expired"]),
        (use, ["confirmed", "verified"]),
        (deactivate, [CLOSED]),
        (change_address_again, [CLOSED]),
    ],
)
@pytest.mark.parametrize("data", [{"password": PASSWORD}, NEW_PASSWORDS], ids=["password", "new password"])
def test_link_that_is_not_open_changes_nothing(
    purpose: LinkPurpose,
    prepare: Callable[[Account, TimeMachineFixture], None],
    shown: list[str],
    data: dict[str, Any],
    time_machine: TimeMachineFixture,
) -> None:
    account = Account(purpose)
    prepare(account, time_machine)
    before = account.state
    page = text(press_button(account.link, **data))
    assert any(words in page for words in shown)
    assert account.state == before


class TestPage:
    @BOTH
    def test_page_asks_for_the_password_only_where_the_member_is_not_signed_in(
        self, purpose: LinkPurpose
    ) -> None:
        account = Account(purpose)
        own, elsewhere = text(open_link(account.link, client=account.browser)), text(open_link(account.link))
        assert 'type="password"' not in own
        assert elsewhere.count('autocomplete="current-password"') == 1
        assert elsewhere.count('autocomplete="new-password"') == 2
        # When a change is asked for, the new mailbox is not told the address of the account.
        shown = OLD if purpose == LinkPurpose.CHANGE_EMAIL else "created on June 1, 2025 at 12:00 PM (UTC)."
        for page in (own, elsewhere):
            assert (shown in page) is (purpose == LinkPurpose.VERIFY)

    def test_member_without_a_password_gets_the_form_for_a_new_one_alone(self) -> None:
        link = link_to_verify(MemberFactory(password=None, was_email_verified=True))
        assert "current-password" not in text(open_link(link))
        assert "Your email is verified." in text(press_button(link, **NEW_PASSWORDS))

    def test_wrong_passwords_count_as_failed_sign_ins_until_a_new_one_is_chosen(self) -> None:
        account = Account(LinkPurpose.VERIFY)
        statuses = [press_button(account.link, password=WRONG).status_code for _ in range(6)]
        assert statuses == [200] * 5 + [429]
        signed_in: dict[str, Any] = {"email": OLD, "password": NEW_PASSWORD}
        assert call("signIn", **signed_in).error["code"] == "RATE_LIMITED"
        press_button(account.link, **NEW_PASSWORDS)
        assert call("signIn", **signed_in).data["token"]


class TestStranger:
    """Somebody uses an address that is not theirs. Nothing of theirs survives its owner's press."""

    @pytest.mark.parametrize("data", [{"password": PASSWORD}, NEW_PASSWORDS])
    def test_verifying_withdraws_the_change_that_the_stranger_asked_for(self, data: dict[str, Any]) -> None:
        account = Account(LinkPurpose.VERIFY)
        change = link_to_change(account.member, NEW)
        press_button(account.link, **data)
        assert CLOSED in text(press_button(change, **data))
        assert User.objects.get().email == OLD

    @BOTH
    def test_password_that_changed_while_the_old_one_was_checked_is_not_confirmed(
        self, purpose: LinkPurpose
    ) -> None:
        account = Account(purpose)

        def change() -> None:
            member = User.objects.get()
            member.set_password(NEW_PASSWORD)
            member.save()

        with before_statement('"token_hash" IN', change, skip=2):
            confirm(account.link)
        assert account.state == (False, set(), NEW_PASSWORD)

    def test_session_that_ends_meanwhile_confirms_nothing(self) -> None:
        account = Account(LinkPurpose.VERIFY)
        ended = {"token_version": F("token_version") + 1}
        with before_statement('"token_hash" IN', lambda: User.objects.update(**ended), skip=1):
            page = text(press_button(account.link, client=account.browser))
        assert "Password is required" in page
        assert account.state == (False, set(), PASSWORD)


class TestKeptSession:
    def test_newest_session_stays_through_a_verification_and_two_changes(self) -> None:
        account = Account(LinkPurpose.VERIFY)
        account.tokens["newer"] = account.sign_in(account.browser)
        press_button(account.link, client=account.browser)
        for address in (NEW, "third@example.com"):
            press_button(link_to_change(User.objects.get(), address), client=account.browser)
            assert User.objects.get().email == address
        assert account.state[1] == {"newer"}

    @pytest.mark.parametrize("ends", ["logout", "signOutEverywhere"])
    def test_kept_token_can_be_invalidated(self, ends: str) -> None:
        account = Account(LinkPurpose.VERIFY)
        press_button(account.link, client=account.browser)
        call(ends, token=account.tokens["own"])
        assert account.state[1] == set()

    def test_cookie_is_limited_to_the_pages_and_expires_with_its_token(
        self, settings: Settings, time_machine: TimeMachineFixture
    ) -> None:
        settings.SESSION_COOKIE_SECURE = True
        browser = Client()
        member = MemberFactory(email=OLD, is_email_verified=True)
        answer = call("signIn", client=browser, email=OLD, password=PASSWORD)
        cookie = answer.http.cookies[tokens.COOKIE]
        assert {key: value for key, value in cookie.items() if value and key != "expires"} == {
            "path": "/account/",
            "max-age": 14 * 24 * 3600,
            "httponly": True,
            "secure": True,
            "samesite": "Lax",
        }
        time_machine.shift(timedelta(days=14, seconds=1))
        press_button(link_to_change(member, NEW), client=browser)
        assert User.objects.get().email == OLD


def get_pending(member: User) -> str | None:
    link = credentials.get_pending_email_change(client=VISITOR, user=member)
    return link.email if link else None


class TestAsking:
    @pytest.fixture
    def member(self) -> Any:
        return MemberFactory(email=OLD, is_email_verified=True)

    def ask(self, member: User, email: str = NEW, password: str = PASSWORD) -> None:
        credentials.request_email_change(client=VISITOR, user=member, email=email, current_password=password)

    def test_mail_goes_to_the_new_address_which_is_pending_until_it_is_cancelled_or_expires(
        self, member: User, token: str, time_machine: TimeMachineFixture
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
        self.ask(member, OTHER)
        time_machine.shift(timedelta(hours=72))
        assert get_pending(member) is None
        entries = LogEntry.objects.filter(user=member, object_id=member.pk, object_repr=str(member.pk))
        requested = "Change of the email requested by the member."
        assert [entry.change_message for entry in entries.order_by("pk")] == [
            requested,
            "Change of the email withdrawn by the member.",
            requested,
        ]

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
            self.ask(member, email, password)
        assert refusal.value.extensions == {"code": "BAD_USER_INPUT", "field": field}
        assert refusal.value.message == message
        assert not AccountLink.objects.exists()

    def test_mails_to_a_new_address_are_limited_by_its_own_budget(
        self, member: User, settings: Settings, time_machine: TimeMachineFixture
    ) -> None:
        settings.MAIL_RATES = ["5/h"]
        with pytest.raises(WrongPassword):  # which takes no mail from the budget of the client
            self.ask(member, NEW, WRONG)
        for _ in range(2):
            self.ask(member)
        assert len(mails()) == 1
        time_machine.shift(timedelta(minutes=3))
        self.ask(member)
        while mailboxes.reserve(OTHER):
            pass
        self.ask(member, OTHER)
        assert get_pending(member) == OTHER
        assert len(mails()) == 2
        self.ask(member)  # whose link was closed by the newer request
        assert get_pending(member) == NEW
        assert mailboxes.reserve(OLD)

    def test_newer_request_cancelling_an_admin_and_a_new_password_close_the_link(
        self, member: User, admin_client: Client
    ) -> None:
        older, newer = link_to_change(member, NEW), link_to_change(member, OTHER)
        assert CLOSED in text(open_link(older))
        credentials.cancel_email_change(client=VISITOR, user=member)
        assert CLOSED in text(open_link(newer))
        link = link_to_change(member, NEW)
        values = {"email": "set@example.com", "language": "en"}
        admin_client.post(f"/admin/accounts/user/{member.pk}/change/", values)
        assert CLOSED in text(open_link(link))
        link = link_to_change(member, OTHER)
        credentials.change_own_password(
            client=VISITOR, user=member, current_password=PASSWORD, new_password=NEW_PASSWORD
        )
        assert CLOSED in text(press_button(link, password=NEW_PASSWORD))
        member.refresh_from_db()
        assert member.email == "set@example.com"


class TestChange:
    def test_old_address_is_told_unless_it_is_unverified_or_undeliverable(self) -> None:
        confirm(Account(LinkPurpose.CHANGE_EMAIL).link)
        assert (latest().recipient, latest().subject) == (OLD, "Your email was changed")
        assert NEW not in latest().text + latest().html
        sent = len(mails())
        for fields in ({}, {"is_email_verified": True, "email_undeliverable_at": timezone.now()}):
            member = MemberFactory(**fields)
            confirm(link_to_change(member, f"new-{member.email}"))
            assert latest().recipient == User.objects.latest("pk").email == f"new-{member.email}"
        assert len(mails()) == sent + 2

    def test_reset_link_stays_closed_when_the_address_comes_back(self) -> None:
        member = MemberFactory(email=OLD, is_email_verified=True)
        reset = link_to_reset(member)
        for email in (NEW, OLD):
            confirm(link_to_change(member, email))
        assert User.objects.get().email == OLD
        assert "new_password1" not in text(open_link(reset))
        assert LogEntry.objects.filter(change_message="Email changed by the member.").count() == 2

    def test_address_that_was_taken_meanwhile_changes_nothing(self) -> None:
        account = Account(LinkPurpose.CHANGE_EMAIL)
        MemberFactory(email=NEW)
        for data in ({"password": PASSWORD}, NEW_PASSWORDS):
            assert "An account with this email already exists." in text(press_button(account.link, **data))
        assert account.state == REFUSED

    def test_expired_link_cannot_be_renewed(self, time_machine: TimeMachineFixture) -> None:
        account = Account(LinkPurpose.CHANGE_EMAIL)
        expire(account, time_machine)
        page = text(open_link(account.link))
        assert "Please ask for a new one in your profile." in page
        assert 'name="renew"' not in page
        press_button(account.link, renew="1")
        assert len(mails()) == 1

    def test_admin_who_has_set_up_a_second_factor_since_is_refused(self) -> None:
        account = Account(LinkPurpose.CHANGE_EMAIL)
        User.objects.update(is_staff=True)
        TOTPDevice.objects.create(user=account.member)
        elsewhere = Client()
        for client, data in (
            (account.browser, {}),
            (elsewhere, {"password": PASSWORD}),
            (elsewhere, NEW_PASSWORDS),
        ):
            page = text(press_button(account.link, client=client, **data))
            assert "This account has two-step sign-in." in page
        assert account.state == REFUSED

    def test_not_me_withdraws_the_change_and_blocks_the_mailbox(self) -> None:
        account = Account(LinkPurpose.CHANGE_EMAIL)
        assert "We won’t send these emails" in text(press_button(account.link, not_me="1"))
        confirm(account.link)
        assert get_pending(account.member) is None
        assert account.state == REFUSED
        assert not AccountLink.objects.filter(email=NEW).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@BOTH
def test_concurrent_presses_confirm_once(purpose: LinkPurpose) -> None:
    account = Account(purpose)
    version = User.objects.get().token_version
    pages = run_at_once(6, lambda _: press_button(account.link, client=account.browser))
    assert {page.status_code for page in pages} <= {200, 429}
    assert account.state[0]
    assert account.member.token_version == version + 1
