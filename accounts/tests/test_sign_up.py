"""`signUp` (spec section 5, "Sign-up")."""

from collections import Counter
from datetime import datetime
from typing import Any
from unicodedata import normalize

import pytest
from django.db import IntegrityError
from django.utils import timezone
from graphene.utils.str_converters import to_camel_case
from pytest_django import Settings

from accounts import mails
from accounts.models import AccountLink, User
from accounts.tests.api import call
from accounts.tests.factories import NEW_USER, PASSWORD, MemberFactory, form
from accounts.validation import validate_sign_up
from sailing.errors import BadUserInput
from sailing.mail.models import OutboxEmail
from sailing.settings import PASSWORD_HASHERS
from tests.api import czech_visitor
from tests.concurrency import run_at_once

pytestmark = pytest.mark.django_db


STORED = (User, AccountLink, OutboxEmail)
TAKEN = "An account with this email already exists."
VALUES = {
    "first_name": "Jana",
    "last_name": "Nováková",
    "email": "jana@example.com",
    "password": PASSWORD,
    "captain_license": True,
    "captain_license_number": "CZ-12345",
}
"""The values of a valid form, by the names of the model."""


def test_sign_up_returns_a_token_and_stores_the_member(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS  # the tests' own hasher is faster
    before, password = timezone.now(), " Fair winds, 2025! 🧭 "  # which is not trimmed
    given = form(email=" Jana@Example.com ", firstName=" Jana ", password=password)
    answer = call("signUp", client=czech_visitor(), **given).data

    user, member = answer["user"], User.objects.get()
    assert int(user.pop("id")) == member.pk
    assert before <= datetime.fromisoformat(user.pop("createdAt")) <= timezone.now()
    assert user == NEW_USER
    assert call("me", token=answer["token"]).data["email"] == "jana@example.com"
    assert (member.captain_license, member.captain_license_number) == (True, "CZ-12345")
    assert (member.favorite_position, member.language) == ("Trimer of jib", "cs")
    assert not member.is_staff
    assert not member.is_superuser
    assert member.check_password(password)
    assert member.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert "?lang=cs" in OutboxEmail.objects.get().text


def test_optional_fields_may_be_missing_or_null() -> None:
    required: dict[str, Any] = {name: form()[name] for name in ("firstName", "lastName", "email", "password")}
    assert call("signUp", **required).data["token"]
    optional: dict[str, Any] = {
        "captainLicense": None,
        "captainLicenseNumber": "x" * 999,
        "favoritePosition": None,
    }
    call("signUp", **required | {"email": "petr@example.com"}, **optional)
    member = User.objects.latest("pk")
    assert (member.captain_license, member.captain_license_number) == (False, "")
    assert member.favorite_position == ""


REFUSED = "Please remove the invisible control characters"
NO_LICENSE = "License number is required when you have a captain license"
RULES: list[tuple[str, Any, str]] = [
    ("first_name", " \t ", "First name is required"),
    ("first_name", " J ", "First name must be at least 2 characters"),
    ("first_name", "J" * 151, "Please use at most 150 characters"),
    ("first_name", "Jana\u202egpj", REFUSED),
    ("first_name", "Jana\r\nBcc: all@example.org", REFUSED),
    ("last_name", "", "Last name is required"),
    ("email", "", "Email is required"),
    ("email", "jana@example.com\x1b[2J", "Invalid email address"),
    ("email", f"{'a' * 288}@example.com", "Email must be at most 254 characters"),
    ("password", "", "Password is required"),
    ("password", "Aa1!aaa", "Password must be at least 8 characters"),
    ("password", "FAIR WINDS 2025!", "Must contain at least one lowercase letter"),
    ("password", "fair winds 2025!", "Must contain at least one uppercase letter"),
    ("password", "Fair winds, all!", "Must contain at least one number"),
    ("password", "Fair winds, 2025#", "Must contain at least one special character (@$!%*?&)"),
    ("password", "Aa1!" * 32 + "a", "Password must be at most 128 characters"),
    ("password", "P@ssw0rd", "This password is too common."),
    ("captain_license_number", None, NO_LICENSE),
    ("captain_license_number", "1", "License number must be at least 2 characters"),
    ("captain_license_number", "1" * 65, "Please use at most 64 characters"),
    ("favorite_position", "bowman", "Please choose one of the listed positions"),
]
"""Field, refused value and message, in the order of the form. The first broken rule is reported."""


@pytest.mark.parametrize(("name", "value", "message"), RULES)
def test_invalid_value_is_refused_with_its_field(name: str, value: Any, message: str) -> None:
    with pytest.raises(BadUserInput) as refusal:
        validate_sign_up(VALUES | {name: value})
    assert (refusal.value.message, refusal.value.extensions["field"]) == (message, to_camel_case(name))


def test_first_broken_rule_is_reported_in_the_language_of_the_visitor_and_nothing_stored() -> None:
    everything = {to_camel_case(name): value for name, value, _message in reversed(RULES)}
    for client, message in ((None, "First name is required"), (czech_visitor(), "Křestní jméno je povinné")):
        error = call("signUp", client=client, **form(**everything)).error
        assert error == {"message": message, "code": "BAD_USER_INPUT", "field": "firstName"}
    assert not any(model.objects.exists() for model in STORED)


@pytest.mark.parametrize("name", ["O'Brien", "李明", "<b>Jana</b>", "می\u200cخواهم", "Z\u030cofie"])
def test_name_in_any_script_is_accepted_in_unicode_nfc(name: str) -> None:
    assert validate_sign_up(VALUES | {"first_name": name})["first_name"] == normalize("NFC", name)


def test_taken_address_is_refused_in_any_spelling_without_a_hash(
    member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(User, "set_password", lambda *_: pytest.fail("the password was hashed"))
    error = call("signUp", **form(email=" JANA@Example.com ", firstName="Petr")).error
    assert error == {"message": TAKEN, "code": "BAD_USER_INPUT", "field": "email"}
    assert User.objects.get() == member
    assert not OutboxEmail.objects.exists()


@pytest.mark.parametrize("email", ["jana@example.com", "Petr@example.com"])
def test_database_refuses_a_taken_address_and_upper_case(member: User, email: str) -> None:
    with pytest.raises(IntegrityError):
        MemberFactory(email=email)


def test_member_is_not_stored_without_the_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        assert User.objects.exists(), "the member is not stored yet"
        raise RuntimeError

    monkeypatch.setattr(mails, "enqueue_link", fail)
    assert call("signUp", **form()).error["code"] == "INTERNAL"
    assert not any(model.objects.exists() for model in STORED)


def test_taken_addresses_count_in_the_rate_limit_and_typing_errors_do_not(settings: Settings) -> None:
    settings.SIGNUP_RATE = "3/d"
    call("signUp", **form(email="not an address"))
    call("signUp", **form(password=""))
    taken = [call("signUp", **form()) for _request in range(3)][-1]
    refused = call("signUp", **form(email="petr@example.com"))
    assert taken.error["code"] == "BAD_USER_INPUT"
    assert (refused.error["code"], refused.http.status_code) == ("RATE_LIMITED", 429)
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_one_of_20_simultaneous_sign_ups_with_an_address_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(User, "set_password", lambda self, password: None)  # needs no hashing slot
    answers = run_at_once(20, lambda _: call("signUp", **form()))
    codes = Counter(answer.error["code"] if "errors" in answer.body else "OK" for answer in answers)
    assert codes == {"OK": 1, "BAD_USER_INPUT": 19}
    assert all(model.objects.count() == 1 for model in STORED)
