"""`changePassword`, `signOutEverywhere`, and passwords in Unicode NFC wherever they are entered."""

from collections.abc import Callable
from typing import Any
from unicodedata import normalize

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex
from pytest_django import Settings

from accounts import tokens
from accounts.admin.forms import OwnPasswordForm
from accounts.forms import PasswordResetForm
from accounts.models import User
from accounts.services import credentials, membership
from accounts.services.sign_in import require_password
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, NEW_PASSWORDS, PASSWORD, WRONG, MemberFactory, form
from accounts.tests.mailbox import link_to_reset
from accounts.validation import validate_password_change
from sailing.errors import BadUserInput, Unauthenticated
from tests.api import VISITOR
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = pytest.mark.django_db

EMAIL = "jana@example.com"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email=EMAIL, is_email_verified=True)


def change(token: str, current: str = PASSWORD, new: str = NEW_PASSWORD, **options: Any) -> Any:
    return call("changePassword", token=token, currentPassword=current, newPassword=new, **options)


def history(member: User) -> list[tuple[int, str, str]]:
    """Return who did what in the history of a member, the oldest entry first."""
    entries = LogEntry.objects.filter(object_id=member.pk).order_by("pk")
    return [(entry.user_id, entry.object_repr, entry.change_message) for entry in entries]


class TestChange:
    def test_only_the_new_password_and_the_returned_token_are_valid_and_the_member_is_told(
        self, member: User
    ) -> None:
        link, own, other = link_to_reset(member), tokens.issue(member), tokens.issue(member)
        token = change(own).data["token"]
        assert call("me", token=token).data["email"] == EMAIL
        for ended in (own, other):
            assert call("me", token=ended).error["code"] == "UNAUTHENTICATED"
        assert call("signIn", email=EMAIL, password=NEW_PASSWORD).data["token"]
        assert "new_password1" not in text(open_link(link))
        assert (latest().recipient, latest().subject) == (EMAIL, "Your password was changed")
        assert "all other devices were signed out" in latest().text
        assert history(member) == [(member.pk, str(member.pk), "Password changed by the member.")]

    def test_unverified_mailbox_gets_no_mail(self) -> None:
        change(tokens.issue(MemberFactory(is_email_verified=False)))
        assert not mails()

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
        member.refresh_from_db()
        assert member.check_password(PASSWORD)
        assert not mails()

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
        assert User.objects.get().check_password(PASSWORD)


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
    TOTPDevice.objects.create(user=member, key=random_hex(20))
    answer = call(field, token=tokens.issue(member), currentPassword=PASSWORD, **values)
    assert (("errors" in answer.body) and answer.error["code"] == "SECOND_FACTOR_NEEDED") is is_staff


def sign_up(password: str) -> None:
    assert call("signUp", **form(password=password)).data["token"]


def change_own(password: str) -> None:
    assert change(tokens.issue(MemberFactory(email=EMAIL)), new=password).data["token"]


def reset(password: str) -> None:
    press_button(link_to_reset(MemberFactory(email=EMAIL)), new_password1=password, new_password2=password)


def change_as_admin(password: str) -> None:
    admin = Client()
    admin.force_login(User.objects.create_superuser(EMAIL, PASSWORD))
    given = {"old_password": PASSWORD, "new_password1": password, "new_password2": password}
    assert admin.post("/admin/password_change/", given).status_code == 302


def create_superuser(password: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_SUPERUSER_PASSWORD", password)
        call_command("createsuperuser", "--noinput", email=EMAIL, verbosity=0)


class TestNormalization:
    COMPOSED = "Modrý kůň 2025!"
    DECOMPOSED = normalize("NFD", COMPOSED)

    @pytest.mark.parametrize("store", [sign_up, change_own, reset, change_as_admin, create_superuser])
    def test_password_signs_in_in_the_other_spelling(self, store: Callable[[str], None]) -> None:
        store(self.DECOMPOSED)
        assert call("signIn", email=EMAIL, password=self.COMPOSED).data["token"]

    def test_current_and_repeated_passwords_are_known_in_the_other_spelling(self) -> None:
        member = User.objects.create_superuser(EMAIL, self.COMPOSED)
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
        sign_up(normalize("NFD", "aA1!" + "ž" * 124))


def test_own_password_in_admin_is_asked_for_and_ends_other_sessions(client: Client) -> None:
    admin, other = User.objects.create_superuser("boss@example.com", PASSWORD), Client()
    for browser in (client, other):
        browser.force_login(admin)
    response = client.post("/admin/password_change/", {"old_password": PASSWORD, **NEW_PASSWORDS})
    assert response.headers["Location"] == "/admin/password_change/done/"
    admin.refresh_from_db()
    assert admin.check_password(NEW_PASSWORD)
    assert latest().recipient == "boss@example.com"
    assert client.get("/admin/").status_code == 200
    assert other.get("/admin/").status_code == 302
    for given in (*[WRONG] * 5, NEW_PASSWORD):
        values = {"old_password": given, **NEW_PASSWORDS}
        form = client.post("/admin/password_change/", values).context["form"]
    assert "Too many attempts." in form.errors["old_password"][0]
