"""`requestPasswordReset`: the same answer for every address, and a mail for members only."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import AccountLink
from accounts.tests.conftest import Call
from accounts.tests.factories import MemberFactory
from accounts.tests.mailbox import link_to_reset, link_to_verify, reset_address
from sailing.jobs.models import Job
from sailing.mail import mailboxes
from sailing.mail.models import Mailbox
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

NEW: dict[str, Any] = {"new_password1": "New winds, 2026!", "new_password2": "New winds, 2026!"}
STATES: dict[str, dict[str, Any] | None] = {
    "unknown": None,
    "known": {"is_email_verified": True},
    "deactivated": {"is_active": False},
}


def ask(call: Call, email: str = "jana@example.com") -> None:
    assert call("requestPasswordReset", email=email).data is True


@pytest.mark.parametrize("state", STATES)
def test_request_runs_the_same_statements_for_every_address(call: Call, state: str) -> None:
    """The mail of an unknown address is rolled back, and no job is left that admins would wait for."""
    if (fields := STATES[state]) is not None:
        MemberFactory(email="jana@example.com", **fields)
    expected = []
    for email in ("unknown@example.com", "jana@example.com"):
        with CaptureQueriesContext(connection) as queries:
            answer = call("requestPasswordReset", email=email)
        assert answer.body == {"data": {"requestPasswordReset": True}}
        words = [query["sql"].partition(" ")[0] for query in queries]
        expected.append([word for word in words if word not in ("SAVEPOINT", "RELEASE", "ROLLBACK")])
    assert expected[0] == expected[1]
    assert "INSERT" in expected[0]
    assert [mail.recipient for mail in mails()] == ["jana@example.com"] * (state == "known")
    assert AccountLink.objects.count() == Mailbox.objects.count() == len(mails())
    assert not Job.objects.exists()


def test_only_active_members_get_a_mail(call: Call) -> None:
    MemberFactory(email="jana@example.com", email_undeliverable_at=timezone.now())
    MemberFactory(email="gone@example.com", is_active=False)
    for email in (" JANA@example.com", "gone@example.com", "unknown@example.com"):
        ask(call, email)
    assert [mail.recipient for mail in mails()] == ["jana@example.com"]


def test_malformed_address_is_refused(call: Call) -> None:
    error = call("requestPasswordReset", email="not an address").error
    assert error == {"code": "BAD_USER_INPUT", "field": "email", "message": "Invalid email address"}


def test_client_has_a_rate(call: Call, settings: Settings) -> None:
    settings.SIGNUP_RATE = "2/m"
    for _ in range(2):
        ask(call)
    assert call("requestPasswordReset", email="petr@example.com").error["code"] == "RATE_LIMITED"


def test_mail_is_sent_once_in_three_minutes(call: Call, time_machine: TimeMachineFixture) -> None:
    MemberFactory(email="jana@example.com")
    for _ in range(2):
        ask(call)
    assert len(mails()) == 1
    time_machine.shift(timedelta(minutes=3))
    ask(call)
    assert len(mails()) == 2


def test_mails_count_in_the_budget_of_the_mailbox_and_an_answer_allows_more(
    call: Call, time_machine: TimeMachineFixture
) -> None:
    MemberFactory(email="jana@example.com")
    ask(call)
    while mailboxes.reserve("jana@example.com"):
        pass
    time_machine.shift(timedelta(days=1))
    ask(call)
    assert len(mails()) == 1
    press_button(reset_address(latest()), **NEW)
    ask(call)
    assert latest().subject == "Choose a new password"


class TestUnverifiedAddress:
    """The link proves the mailbox, as the verification link does (docs/decisions/017)."""

    def test_new_password_verifies_the_address_and_ends_the_tokens_of_a_stranger(self, call: Call) -> None:
        member = MemberFactory(email="jana@example.com")
        stranger, verify = tokens.issue(member), link_to_verify(member)
        ask(call)
        press_button(reset_address(latest()), **NEW)
        member.refresh_from_db()
        assert member.is_email_verified
        assert call("me", token=stranger).error["code"] == "UNAUTHENTICATED"
        version = member.token_version
        assert "Your email is verified." in text(press_button(verify))
        member.refresh_from_db()
        assert member.token_version == version

    @pytest.mark.parametrize("is_email_verified", [True, False])
    def test_page_says_what_the_link_proves_and_when_an_unverified_account_was_created(
        self, is_email_verified: bool
    ) -> None:
        page = text(open_link(link_to_reset(MemberFactory(is_email_verified=is_email_verified))))
        created = "This account was created on Jun 1, 2025, 12:00 (UTC)."
        assert (created in page) is not is_email_verified
        assert ("verifies that the mailbox is yours" in page) is not is_email_verified
