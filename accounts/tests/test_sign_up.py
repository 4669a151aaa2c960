"""`signUp`, `me`, `updateProfile` (spec section 5), and what the log says about members."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from unicodedata import normalize

import pytest
import time_machine
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import IntegrityError
from django.utils import timezone
from graphene.utils.str_converters import to_camel_case
from pytest_django import Settings

from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import links, membership
from accounts.tests.api import call
from accounts.tests.factories import (
    NEW_PASSWORD,
    NEW_PASSWORDS,
    NEW_USER,
    PASSWORD,
    WRONG,
    MemberFactory,
    form,
)
from accounts.tests.mailbox import link_to_reset, verify_address
from accounts.tokens import identify
from accounts.validation import validate_profile, validate_sign_up
from sailing.client import NO_REQUEST
from sailing.errors import BadUserInput
from sailing.mail.models import OutboxEmail
from tests.api import czech_visitor
from tests.concurrency import run_at_once
from tests.database import before_statement
from tests.mailbox import latest, open_link, press_button

pytestmark = pytest.mark.django_db

STORED = (User, AccountLink, OutboxEmail)
TAKEN = "An account with this email already exists."
VALUES = {re.sub("([A-Z])", r"_\1", name).lower(): value for name, value in form().items()}
"""The values of a valid form, by the names of the model."""


def test_sign_up_returns_a_token_and_stores_the_member(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2idHasher"]  # as on the site
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
    optional: dict[str, Any] = {"captainLicense": None, "captainLicenseNumber": "x" * 999}
    call("signUp", **required | {"email": "petr@example.com", "favoritePosition": None}, **optional)
    member = User.objects.latest("pk")
    stored = (member.captain_license, member.captain_license_number, member.favorite_position)
    assert stored == (False, "", "")


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


PHONE = "Please enter a valid phone number"
RULES_OF_PROFILE: list[tuple[str, Any, str]] = [
    ("first_name", " ", "First name is required"),
    ("nickname", "\u202eBosun", REFUSED),
    ("nationality", "x" * 151, "Please use at most 150 characters"),
    ("phone", "123456789", PHONE),
    ("phone", "1234567890 ext 5", PHONE),
    ("phone", "١٢٣٤٥٦٧٨٩٠", PHONE),
    ("phone", "1" * 33, "Please use at most 32 characters"),
]


@pytest.mark.parametrize(
    ("validate", "name", "value", "message"),
    [
        *((validate_sign_up, *rule) for rule in RULES),
        *((validate_profile, *rule) for rule in RULES_OF_PROFILE),
    ],
)
def test_invalid_value_is_refused_with_its_field(
    validate: Callable[[dict[str, Any]], Any], name: str, value: Any, message: str
) -> None:
    with pytest.raises(BadUserInput) as refusal:
        validate(VALUES | {name: value})
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
    monkeypatch.setattr(Argon2PasswordHasher, "encode", lambda *_: pytest.fail("the password was hashed"))
    error = call("signUp", **form(email=" JANA@Example.com ", firstName="Petr")).error
    assert error == {"message": TAKEN, "code": "BAD_USER_INPUT", "field": "email"}
    assert User.objects.get() == member
    assert not OutboxEmail.objects.exists()


@pytest.mark.parametrize("email", ["jana@example.com", "Petr@example.com"])
def test_database_refuses_a_taken_address_and_upper_case(member: User, email: str) -> None:
    with pytest.raises(IntegrityError):
        MemberFactory(email=email)


def test_member_is_not_stored_without_the_mail() -> None:
    def fail() -> None:
        assert User.objects.exists(), "the member is not stored yet"
        raise RuntimeError

    with before_statement('INSERT INTO "mail_outboxemail"', fail):
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
def test_one_of_20_simultaneous_sign_ups_with_an_address_succeeds(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # needs no hashing slot
    answers = run_at_once(20, lambda _: call("signUp", **form()))
    codes = Counter(answer.error["code"] if "errors" in answer.body else "OK" for answer in answers)
    assert codes == {"OK": 1, "BAD_USER_INPUT": 19}
    assert all(model.objects.count() == 1 for model in STORED)


class TestProfile:
    @pytest.fixture
    def member(self) -> Any:
        return MemberFactory(email="jana@example.com", nickname="Bosun")

    def test_only_given_fields_change_and_blank_clears_an_optional_one(
        self, member: User, token: str
    ) -> None:
        MemberFactory()
        assert call("me", token=token).data == {
            **NEW_USER,
            "id": str(member.pk),
            "nickname": "Bosun",
            "avatar": "",
            "createdAt": member.created_at.isoformat(),
            "updatedAt": member.updated_at.isoformat(),
        }
        unchanged = call("updateProfile", token=token, phone=None, nickname=None).data
        assert (unchanged["updatedAt"], unchanged["nickname"]) == (member.updated_at.isoformat(), "Bosun")
        given: dict[str, Any] = {"lastName": " Svobodová ", "nickname": " "}
        later = timezone.now() + timedelta(hours=1)
        with time_machine.travel(later, tick=False):
            answer = call("updateProfile", token=token, phone=" +420 (123) 456-789 ", **given).data
        stored = call("me", token=token).data
        assert {name: stored[name] for name in answer} == answer
        assert (stored["firstName"], stored["lastName"], stored["nickname"]) == ("Jana", "Svobodová", "")
        assert (stored["phone"], stored["updatedAt"]) == ("+420 (123) 456-789", later.isoformat())

    def test_concurrent_change_of_another_field_is_kept(self, member: User, token: str) -> None:
        """The row may change after `request.user` was read."""
        changed = {"nickname": "Skipper", "token_version": 7}
        with before_statement("ratelimit_ratecounter", lambda: User.objects.update(**changed)):
            assert call("updateProfile", token=token, phone="1234567890").data["nickname"] == "Skipper"
        member.refresh_from_db()
        assert (member.nickname, member.phone, member.token_version) == ("Skipper", "1234567890", 7)

    @pytest.mark.parametrize("phone", ["1234567890", "(02) 1234-5678", "+1 23456789", "0" * 32])
    def test_valid_phone_is_accepted(self, phone: str) -> None:
        assert validate_profile({"phone": phone}) == {"phone": phone}

    def test_refused_update_changes_nothing(self, token: str) -> None:
        before = User.objects.values().get()
        error = call("updateProfile", token=token, firstName="Petra", lastName="").error
        assert error == {"message": "Last name is required", "code": "BAD_USER_INPUT", "field": "lastName"}
        for given in ("email", "isEmailVerified", "isStaff"):
            values: dict[str, Any] = {given: True}
            answer = call("updateProfile", token=token, **values)
            assert answer.http.status_code == 400
            assert given in answer.error["message"]
        assert User.objects.values().get() == before


def test_log_names_members_by_their_id_and_has_no_token_password_or_address(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    email = "hidden@example.com"
    token = call("signUp", **form(email=email)).data["token"]
    member, link = User.objects.get(), verify_address(latest())
    open_link(link)
    key = link.split("/")[3]
    links.confirm_address(client=NO_REQUEST, token=key, purpose=LinkPurpose.VERIFY, device=identify(token))
    for typed in (email, email.upper(), "unknown@example.com"):
        call("signIn", email=typed, password=WRONG)
    call("signUp", **form(email=email))
    call("updateProfile", token=token, phone="+420 123 456 789")
    call("requestEmailChange", token=token, email="hidden@example.org", currentPassword=PASSWORD)
    call("cancelEmailChange", token=token)
    reset = link_to_reset(member)
    press_button(reset, **NEW_PASSWORDS)
    call("logout", token=token)
    membership.deactivate(user=member)
    records: list[Any] = [record.msg for record in caplog.records if "accounts.services" in record.name]
    fingerprints = [line["account"] for line in records if line["event"] == "sign_in_failed"]
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]
    assert {line["user_id"] for line in records if line["event"] != "sign_in_failed"} == {member.pk}
    assert len(records) > 9
    secrets = (token, token.rpartition(".")[2], key, reset.split("/")[3], PASSWORD, WRONG, NEW_PASSWORD)
    for secret in (*secrets, "hidden@", "HIDDEN@", "argon2", "123 456"):
        assert secret not in caplog.text
