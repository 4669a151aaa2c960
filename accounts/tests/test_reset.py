"""A forgotten password: `requestPasswordReset`, the same for every address, and the page of the link."""

import html
import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from accounts import hashers
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import links
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, MemberFactory
from accounts.tests.mailbox import link_to_reset, link_to_verify, reset_address
from sailing.jobs.models import Job
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus
from sailing.mail.models import Mailbox
from tests.api import VISITOR
from tests.database import failing_database
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

STATES: dict[str, dict[str, Any] | None] = {
    "unknown": None,
    "known": {"is_email_verified": True, "email_undeliverable_at": timezone.now()},
    "deactivated": {"is_active": False},
}


def ask(email: str = "jana@example.com") -> None:
    assert call("requestPasswordReset", email=email).data is True


def choose(address: str, password: str = NEW_PASSWORD, again: str | None = None, **data: Any) -> Any:
    """Submit the form, with the same password twice by default."""
    second = password if again is None else again
    return press_button(address, new_password1=password, new_password2=second, **data)


def has(member: User, password: str) -> bool:
    member.refresh_from_db()
    return member.check_password(password)


class TestRequest:
    @pytest.mark.parametrize("state", STATES)
    def test_same_statements_run_for_every_address_and_only_an_active_member_gets_a_mail(
        self, state: str
    ) -> None:
        """The mail of an unknown address is rolled back, and no job is left that admins would wait for."""
        if (fields := STATES[state]) is not None:
            MemberFactory(email="jana@example.com", **fields)
        ran = []
        mailboxes.read_salt()  # once for each process
        for email in ("unknown@example.com", " JANA@example.com"):
            with CaptureQueriesContext(connection) as queries:
                ask(email)
            words = [query["sql"].partition(" ")[0] for query in queries]
            ran.append([word for word in words if word not in ("SAVEPOINT", "RELEASE", "ROLLBACK")])
        assert ran[0] == ran[1]
        assert "INSERT" in ran[0]
        assert [mail.recipient for mail in mails()] == ["jana@example.com"] * (state == "known")
        assert AccountLink.objects.count() == Mailbox.objects.count() == len(mails())
        assert not Job.objects.exists()

    def test_malformed_address_is_refused(self) -> None:
        error = call("requestPasswordReset", email="not an address").error
        assert error == {"code": "BAD_USER_INPUT", "field": "email", "message": "Invalid email address"}

    def test_mail_is_sent_once_in_three_minutes_within_the_budget_of_the_mailbox(
        self, member: User, time_machine: TimeMachineFixture
    ) -> None:
        for _ in range(2):
            ask()
        assert len(mails()) == 1
        time_machine.shift(timedelta(minutes=3))
        ask()
        assert len(mails()) == 2
        while mailboxes.reserve("jana@example.com"):
            pass
        time_machine.shift(timedelta(days=1))
        ask()
        assert len(mails()) == 2
        choose(reset_address(latest()))  # an answer of the mailbox allows more
        ask()
        assert latest().subject == "Choose a new password"


@pytest.mark.django_db(transaction=True)
def test_outage_never_hides_that_the_password_was_stored(member: User) -> None:
    """Taking back the failed sign-ins comes after the commit."""
    ContentType.objects.get_for_model(User)  # of the history: one cached in a transaction may be rolled back
    for after in range(30):
        token = AccountLink.issue(LinkPurpose.RESET, user=member, email=member.email)
        password, status = f"{NEW_PASSWORD}{after}", None
        with suppress(OperationalError), failing_database(after=after):
            status = links.confirm_address(
                client=VISITOR, token=token, purpose=LinkPurpose.RESET, new_password=password
            )
        assert (status is LinkStatus.DONE) == has(member, password)


def test_new_password_verifies_the_address_and_ends_all_sessions_that_of_the_browser_too(
    member: User,
) -> None:
    """The link proves the mailbox, as the verification link does (docs/decisions/017)."""
    browser, verify, reset = Client(), link_to_verify(member), link_to_reset(member)
    token = call("signIn", client=browser, email=member.email, password=PASSWORD).data["token"]
    cookies = set(browser.cookies)
    assert "Your new password is set." in text(choose(reset, client=browser))
    assert set(browser.cookies) == cookies | {"django_language"}  # it does not sign in
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("signIn", email=member.email, password=NEW_PASSWORD).data["token"]
    assert call("signIn", email=member.email, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"
    version = User.objects.get().token_version
    assert "Your email is verified." in text(press_button(verify))
    assert User.objects.get().token_version == version


@pytest.mark.parametrize("is_email_verified", [True, False])
def test_page_says_what_the_link_proves_and_when_an_unverified_account_was_created(
    is_email_verified: bool,
) -> None:
    page = text(open_link(link_to_reset(MemberFactory(is_email_verified=is_email_verified))))
    created = "This account was created on Jun 1, 2025, 12:00 (UTC)."
    assert (created in page) is not is_email_verified
    assert ("verifies that the mailbox is yours" in page) is not is_email_verified


class TestForm:
    @pytest.mark.parametrize(
        ("password", "again", "messages"),
        [
            ("", "", ["Password is required", "Please confirm your password"]),
            ("P@ssw0rd", None, ["This password is too common."]),
            (
                "kz",
                "y",
                [
                    "Password must be at least 8 characters",
                    "Must contain at least one uppercase letter",
                    "Must contain at least one number",
                    "Must contain at least one special character (@$!%*?&amp;)",
                    "Passwords do not match",
                ],
            ),
        ],
    )
    def test_invalid_password_is_refused_with_all_broken_rules(
        self, member: User, password: str, again: str | None, messages: list[str]
    ) -> None:
        page = text(choose(link_to_reset(member), password, again))
        assert re.findall("<li>([^<].*?)</li>", page) == messages
        assert has(member, PASSWORD)
        assert len(mails()) == 1

    def test_oversized_password_is_refused_without_a_hash_and_the_link_still_works(
        self, member: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = link_to_reset(member)
        with monkeypatch.context() as patch:
            hashed = "the password was hashed"
            patch.setattr(hashers.Argon2idHasher, "encode", lambda *_args: pytest.fail(hashed))
            page = text(choose(address, "Aa1!" * 1500))
        assert "Password must be at most 128 characters" in page
        assert "Aa1!Aa1!" not in page
        choose(address)
        assert has(member, NEW_PASSWORD)

    def test_fields_are_marked_up_for_password_managers_and_know_the_rules(self, member: User) -> None:
        address = link_to_reset(member)
        page = text(open_link(address))
        assert re.search('autocomplete="username"[^>]* value="jana@example.com"', page)
        assert page.count('autocomplete="new-password"') == page.count("required: digit;") == 2
        rules = re.findall('data-pattern="([^"]+)"', page)
        assert len(rules) == 5
        assert all(re.search(html.unescape(pattern), NEW_PASSWORD) for pattern in rules)
