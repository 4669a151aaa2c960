"""Passwords: changing one's own, a forgotten one, signing out everywhere, and Unicode NFC everywhere."""

import html
import re
from contextlib import suppress
from datetime import timedelta
from typing import Any
from unicodedata import normalize

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.admin.forms import OwnPasswordForm
from accounts.forms import PasswordResetForm
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import credentials, links, membership
from accounts.services.sign_in import require_password
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, NEW_PASSWORDS, PASSWORD, WRONG, MemberFactory, form
from accounts.tests.mailbox import link_to_reset, link_to_verify, reset_address
from accounts.validation import validate_password_change
from sailing.errors import BadUserInput, Unauthenticated
from sailing.jobs.models import Job
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus
from sailing.mail.models import Mailbox
from tests.api import VISITOR
from tests.database import failing_database
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "jana@example.com"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email=EMAIL, is_email_verified=True)


def change(token: str, current: str = PASSWORD, new: str = NEW_PASSWORD, **options: Any) -> Any:
    return call("changePassword", token=token, currentPassword=current, newPassword=new, **options)


def has(member: User, password: str) -> bool:
    member.refresh_from_db()
    return member.check_password(password)


def history(member: User) -> list[tuple[int, str, str]]:
    """Return who did what in the history of a member, the oldest entry first."""
    entries = LogEntry.objects.filter(object_id=member.pk).order_by("pk")
    return [(entry.user_id, entry.object_repr, entry.change_message) for entry in entries]


class TestChange:
    def test_only_the_new_password_and_the_returned_token_are_valid_and_the_member_is_told(
        self, member: User
    ) -> None:
        link, own, other = link_to_reset(member), tokens.issue(member), tokens.issue(member)
        assert call("me", token=change(own).data["token"]).data["email"] == EMAIL
        for ended in (own, other):
            assert call("me", token=ended).error["code"] == "UNAUTHENTICATED"
        assert call("signIn", email=EMAIL, password=NEW_PASSWORD).data["token"]
        assert "new_password1" not in text(open_link(link))
        assert (latest().recipient, latest().subject) == (EMAIL, "Your password was changed")
        assert "June\xa01,\xa02025 at 12:00\xa0PM (UTC)" in latest().text
        assert history(member) == [(member.pk, str(member.pk), "Password changed by the member.")]
        sent = len(mails())
        change(tokens.issue(MemberFactory(is_email_verified=False)))
        assert len(mails()) == sent, "the mailbox may be somebody else's"

    @pytest.mark.parametrize(
        ("current", "new", "field", "message"),
        [
            (WRONG, NEW_PASSWORD, "currentPassword", "The current password is wrong."),
            (PASSWORD, "", "newPassword", "Password is required"),
            (PASSWORD, PASSWORD, "newPassword", "Please choose a password that differs from the current one"),
        ],
    )
    def test_broken_rule_changes_nothing(
        self, member: User, token: str, current: str, new: str, field: str, message: str
    ) -> None:
        error = change(token, current, new).error
        assert error == {"code": "BAD_USER_INPUT", "field": field, "message": message}
        assert call("me", token=token).data
        assert has(member, PASSWORD)

    def test_wrong_password_counts_as_a_failed_sign_in(self, token: str, settings: Settings) -> None:
        settings.SIGNIN_RATE = "1000/m"
        for _ in range(4):
            assert change(token, WRONG).error["field"] == "currentPassword"
        assert call("signIn", email=EMAIL, password=WRONG).error["code"] == "INVALID_CREDENTIALS"
        for refused in (change(token), call("signIn", email=EMAIL, password=PASSWORD)):
            assert refused.error["code"] == "RATE_LIMITED"
        assert change(token, client=Client(REMOTE_ADDR="198.51.100.7")).data["token"]

    def test_request_whose_sessions_ended_meanwhile_changes_nothing(self, member: User) -> None:
        membership.sign_out_everywhere(user=User.objects.get())
        with pytest.raises(Unauthenticated):
            credentials.change_own_password(
                client=VISITOR, user=member, current_password=PASSWORD, new_password=NEW_PASSWORD
            )
        assert has(member, PASSWORD)


def test_signing_out_everywhere_ends_all_sessions_and_is_in_the_history() -> None:
    admin, client = User.objects.create_superuser("admin@example.com", PASSWORD), Client()
    client.force_login(admin)
    own, other = tokens.issue(admin), tokens.issue(admin)
    assert call("signOutEverywhere", token=own).data is True
    for token in (own, other):
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert client.get("/admin/").status_code == 302
    assert history(admin) == [(admin.pk, str(admin.pk), "Signed out everywhere by the member.")]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("changePassword", {"newPassword": NEW_PASSWORD}),
        ("requestEmailChange", {"email": "new@example.com"}),
        ("deleteAccount", {"keepNewsletter": False}),
    ],
)
@pytest.mark.parametrize("is_staff", [True, False])
def test_password_alone_does_not_change_an_admin_with_a_second_factor(
    field: str, values: dict[str, Any], is_staff: bool
) -> None:
    member = MemberFactory(is_staff=is_staff, is_email_verified=True)
    TOTPDevice.objects.create(user=member)
    answer = call(field, token=tokens.issue(member), currentPassword=PASSWORD, **values)
    assert (("errors" in answer.body) and answer.error["code"] == "SECOND_FACTOR_NEEDED") is is_staff


def ask(email: str = EMAIL) -> None:
    assert call("requestPasswordReset", email=email).data is True


STATES: dict[str, dict[str, Any] | None] = {
    "unknown": None,
    "known": {"is_email_verified": True, "email_undeliverable_at": timezone.now()},
    "deactivated": {"is_active": False},
}


class TestForgotten:
    @pytest.mark.parametrize("state", STATES)
    def test_same_statements_run_for_every_address_and_only_an_active_member_gets_a_mail(
        self, state: str
    ) -> None:
        """The mail of an unknown address is rolled back, and no job is left that admins would wait for."""
        if (fields := STATES[state]) is not None:
            MemberFactory(email=EMAIL, **fields)
        ran = []
        mailboxes.read_salt()  # once for each process
        for email in ("unknown@example.com", " JANA@example.com"):
            with CaptureQueriesContext(connection) as queries:
                ask(email)
            words = [query["sql"].partition(" ")[0] for query in queries]
            ran.append([word for word in words if word not in ("SAVEPOINT", "RELEASE", "ROLLBACK")])
        assert ran[0] == ran[1]
        assert "INSERT" in ran[0]
        assert [mail.recipient for mail in mails()] == [EMAIL] * (state == "known")
        assert AccountLink.objects.count() == Mailbox.objects.count() == len(mails())
        assert not Job.objects.exists()

    def test_mail_is_sent_once_in_three_minutes_within_the_budget_of_the_mailbox(
        self, member: User, time_machine: TimeMachineFixture
    ) -> None:
        error = call("requestPasswordReset", email="not an address").error
        assert error == {"code": "BAD_USER_INPUT", "field": "email", "message": "Invalid email address"}
        for _ in range(2):
            ask()
        assert len(mails()) == 1
        time_machine.shift(timedelta(minutes=3))
        ask()
        assert len(mails()) == 2
        while mailboxes.reserve(EMAIL):
            pass
        time_machine.shift(timedelta(days=1))
        ask()
        assert len(mails()) == 2
        press_button(reset_address(latest()), **NEW_PASSWORDS)  # an answer of the mailbox allows more
        ask()
        assert latest().subject == "Choose a new password"

    @pytest.mark.django_db(transaction=True)
    def test_outage_never_hides_that_the_password_was_stored(self, member: User) -> None:
        """Taking back the failed sign-ins comes after the commit."""
        ContentType.objects.get_for_model(User)  # one cached in a transaction may be rolled back
        for after in range(30):
            token = AccountLink.issue(LinkPurpose.RESET, user=member, email=member.email)
            password, status = f"{NEW_PASSWORD}{after}", None
            with suppress(OperationalError), failing_database(after=after):
                status = links.confirm_address(
                    client=VISITOR, token=token, purpose=LinkPurpose.RESET, new_password=password
                )
            assert (status is LinkStatus.DONE) == has(member, password)

    def test_new_password_verifies_the_address_and_ends_all_sessions_that_of_the_browser_too(self) -> None:
        """The link proves the mailbox, as the verification link does (docs/decisions/017)."""
        member, browser = MemberFactory(email=EMAIL), Client()
        verify, reset = link_to_verify(member), link_to_reset(member)
        token = call("signIn", client=browser, email=EMAIL, password=PASSWORD).data["token"]
        cookies = set(browser.cookies)
        assert "Your password is set." in text(press_button(reset, client=browser, **NEW_PASSWORDS))
        assert set(browser.cookies) == cookies | {"django_language"}  # it does not sign in
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
        assert call("signIn", email=EMAIL, password=NEW_PASSWORD).data["token"]
        assert call("signIn", email=EMAIL, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"
        version = User.objects.get().token_version
        assert "Your email is verified." in text(press_button(verify))
        assert User.objects.get().token_version == version


class TestForm:
    @pytest.mark.parametrize("is_email_verified", [True, False])
    def test_page_says_what_the_link_proves_and_knows_the_rules(self, is_email_verified: bool) -> None:
        page = text(open_link(link_to_reset(MemberFactory(email=EMAIL, is_email_verified=is_email_verified))))
        created = "This account was created on June 1, 2025 at 12:00 PM (UTC)."
        assert (created in page) is not is_email_verified
        assert ("verifies that the mailbox is yours" in page) is not is_email_verified
        assert re.search('autocomplete="username"[^>]* value="jana@example.com"', page)
        assert page.count('autocomplete="new-password"') == page.count("required: digit;") == 2
        rules = re.findall('data-pattern="([^"]+)"', page)
        assert len(rules) == 5
        assert all(re.search(html.unescape(pattern), NEW_PASSWORD) for pattern in rules)

    @pytest.mark.parametrize(
        ("password", "again", "messages"),
        [
            ("", "", ["Password is required", "Please confirm your password"]),
            ("Aa1!" * 1500, "Aa1!" * 1500, ["Password must be at most 128 characters"]),
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
    def test_invalid_password_is_refused_with_all_broken_rules_and_without_a_hash(
        self, member: User, password: str, again: str, messages: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        link = link_to_reset(member)
        with monkeypatch.context() as patch:
            patch.setattr(Argon2PasswordHasher, "encode", lambda *_args: pytest.fail("it was hashed"))
            page = text(press_button(link, new_password1=password, new_password2=again))
        assert re.findall("<li>([^<].*?)</li>", page) == messages
        assert "Aa1!Aa1!" not in page
        assert has(member, PASSWORD)
        press_button(link, **NEW_PASSWORDS)
        assert has(member, NEW_PASSWORD)


class TestNormalization:
    COMPOSED = "Modrý kůň 2025!"
    DECOMPOSED = normalize("NFD", COMPOSED)

    def test_stored_current_and_repeated_passwords_are_known_in_the_other_spelling(self) -> None:
        member = User.objects.create_superuser(EMAIL, self.DECOMPOSED)
        assert call("signIn", email=EMAIL, password=self.COMPOSED).data["token"]
        member.set_password(self.COMPOSED)
        member.save()
        require_password(VISITOR, member, self.DECOMPOSED)
        signed_in = Client().post("/admin/login/", {"username": EMAIL, "password": self.DECOMPOSED})
        assert signed_in.status_code == 302
        with pytest.raises(BadUserInput, match="differs from the current one"):
            validate_password_change(current=self.COMPOSED, new=self.DECOMPOSED)
        values = {"new_password1": self.COMPOSED, "new_password2": self.DECOMPOSED}
        for form_class in (PasswordResetForm, OwnPasswordForm):
            given: Any = form_class(member, {"old_password": self.COMPOSED, **values})
            assert given.is_valid(), given.errors

    def test_rules_and_the_limit_are_those_of_the_composed_password(self) -> None:
        with pytest.raises(ValidationError) as refused:
            validate_password(normalize("NFD", "Ž2!aaaž"))
        assert refused.value.messages == [
            "Password must be at least 8 characters",
            "Must contain at least one uppercase letter",
        ]
        assert call("signUp", **form(password=normalize("NFD", "aA1!" + "ž" * 124))).data["token"]


def test_own_password_in_admin_is_asked_for_and_ends_other_sessions(client: Client) -> None:
    admin, other = User.objects.create_superuser("boss@example.com", PASSWORD), Client()
    for browser in (client, other):
        browser.force_login(admin)
    response = client.post("/admin/password_change/", {"old_password": PASSWORD, **NEW_PASSWORDS})
    assert response.headers["Location"] == "/admin/password_change/done/"
    assert has(admin, NEW_PASSWORD)
    assert latest().recipient == "boss@example.com"
    assert client.get("/admin/").status_code == 200
    assert other.get("/admin/").status_code == 302
    for given in (*[WRONG] * 5, NEW_PASSWORD):
        values = {"old_password": given, **NEW_PASSWORDS}
        form = client.post("/admin/password_change/", values).context["form"]
    assert "Too many attempts." in form.errors["old_password"][0]
