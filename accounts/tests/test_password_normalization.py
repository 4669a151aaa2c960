"""Passwords are compared in Unicode NFC, wherever they are entered."""

from collections.abc import Callable
from typing import Any
from unicodedata import normalize

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client

from accounts import tokens
from accounts.admin.forms import OwnPasswordForm
from accounts.forms import PasswordResetForm
from accounts.models import User
from accounts.services.sign_in import require_password
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset
from accounts.validation import validate_password_change
from sailing.errors import BadUserInput
from tests.api import VISITOR
from tests.mailbox import press_button

pytestmark = pytest.mark.django_db

COMPOSED = "Modrý kůň 2025!"
DECOMPOSED = normalize("NFD", COMPOSED)
EMAIL = "jana@example.com"


def sign_up(call: Call, password: str) -> None:
    assert call("signUp", **form(password=password)).data["token"]


def change(call: Call, password: str) -> None:
    token = tokens.issue(MemberFactory(email=EMAIL))
    answer = call("changePassword", token=token, currentPassword=PASSWORD, newPassword=password)
    assert answer.data["token"]


def reset(_call: Call, password: str) -> None:
    press_button(link_to_reset(MemberFactory(email=EMAIL)), new_password1=password, new_password2=password)


def change_as_admin(_call: Call, password: str) -> None:
    user = User.objects.create_superuser(EMAIL, PASSWORD)
    admin = Client()
    admin.force_login(user)
    new = {"new_password1": password, "new_password2": password}
    response = admin.post("/admin/password_change/", {"old_password": PASSWORD, **new})
    assert response.status_code == 302


def create_superuser(_call: Call, password: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_SUPERUSER_PASSWORD", password)
        call_command("createsuperuser", "--noinput", email=EMAIL, verbosity=0)


@pytest.mark.parametrize(
    "store",
    [sign_up, change, reset, change_as_admin, create_superuser],
    ids=lambda do: do.__name__,
)
def test_password_signs_in_in_the_other_spelling(call: Call, store: Callable[[Call, str], None]) -> None:
    store(call, DECOMPOSED)
    assert call("signIn", email=EMAIL, password=COMPOSED).data["token"]


def test_current_password_is_known_in_the_other_spelling() -> None:
    member = User.objects.create_superuser(EMAIL, COMPOSED)
    require_password(VISITOR, member, DECOMPOSED)
    response = Client().post("/admin/login/", {"username": EMAIL, "password": DECOMPOSED})
    assert response.status_code == 302


@pytest.mark.parametrize("form_class", [PasswordResetForm, OwnPasswordForm])
def test_repeated_password_may_be_in_the_other_spelling(form_class: Any) -> None:
    passwords = {"new_password1": COMPOSED, "new_password2": DECOMPOSED}
    given = form_class(MemberFactory(), {"old_password": PASSWORD, **passwords})
    assert given.is_valid(), given.errors


def test_new_password_in_the_other_spelling_is_the_current_one() -> None:
    with pytest.raises(BadUserInput, match="differs from the current one"):
        validate_password_change(current=COMPOSED, new=DECOMPOSED)


def test_rules_are_those_of_the_composed_password() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(normalize("NFD", "Ž2!aaaž"))
    assert refused.value.messages == [
        "Password must be at least 8 characters",
        "Must contain at least one uppercase letter",
    ]


def test_128_characters_are_accepted_in_either_spelling(call: Call) -> None:
    sign_up(call, normalize("NFD", "aA1!" + "ž" * 124))
