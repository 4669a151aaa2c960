"""`signUp` (spec section 5, "Sign-up")."""

from collections import Counter
from datetime import datetime
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone
from pytest_django import Settings

from accounts import mails
from accounts.models import AccountLink, FavoritePosition, User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from sailing.mail.models import OutboxEmail
from sailing.settings import PASSWORD_HASHERS
from tests.api import czech_visitor
from tests.concurrency import run_at_once

pytestmark = pytest.mark.django_db


def nothing_is_stored() -> bool:
    return not any(model.objects.exists() for model in (User, AccountLink, OutboxEmail))


def test_sign_up_returns_a_token_and_the_member(call: Call) -> None:
    before = timezone.now()
    answer = call("signUp", **form(email=" Jana@Example.com ", firstName=" Jana ")).data

    user = answer["user"]
    assert int(user.pop("id")) == User.objects.get().pk
    assert before <= datetime.fromisoformat(user.pop("createdAt")) <= timezone.now()
    assert user == {
        "email": "jana@example.com",
        "firstName": "Jana",
        "lastName": "Nováková",
        "nickname": "",
        "phone": "",
        "nationality": "",
        "isEmailVerified": False,
    }
    assert call("me", token=answer["token"]).data["email"] == "jana@example.com"


def test_member_is_stored(call: Call) -> None:
    call("signUp", **form())
    member = User.objects.get()

    assert (member.captain_license, member.captain_license_number) == (True, "CZ-12345")
    assert member.favorite_position == "Trimer of jib"
    assert member.language == "en"
    assert not member.is_staff
    assert not member.is_superuser
    assert member.check_password(PASSWORD)


def test_link_that_brought_the_visitor_is_stored_clean(call: Call) -> None:
    tags = {"utmSource": "Mast", "utmMedium": "jan@example.com", "referrer": "forum.example"}
    call("signUp", **form(**tags))
    member = User.objects.get()
    assert (member.utm_source, member.utm_medium, member.referrer) == ("mast", "", "forum.example")


def test_password_is_stored_as_an_argon2id_hash(call: Call, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS  # the tests' own hasher is faster
    call("signUp", **form())
    assert User.objects.get().password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


@pytest.mark.parametrize("position", [*FavoritePosition.values, "", None])
def test_favorite_position_is_one_of_14_or_blank(call: Call, position: str | None) -> None:
    assert len(FavoritePosition.values) == 14
    call("signUp", **form(favoritePosition=position))
    assert User.objects.get().favorite_position == (position or "")


@pytest.mark.parametrize("claimed", [False, None])
def test_license_number_without_a_license_is_dropped(call: Call, claimed: bool | None) -> None:
    call("signUp", **form(captainLicense=claimed, captainLicenseNumber="x" * 999))
    member = User.objects.get()
    assert (member.captain_license, member.captain_license_number) == (False, "")


def test_optional_fields_may_be_missing(call: Call) -> None:
    required = ("firstName", "lastName", "email", "password")
    assert call("signUp", **{name: form()[name] for name in required}).data["token"]


REFUSED = "Please remove the invisible control characters"
RULES: list[tuple[dict[str, Any], str, str]] = [
    ({"firstName": ""}, "First name is required", "firstName"),
    ({"firstName": " \t "}, "First name is required", "firstName"),
    ({"firstName": " J "}, "First name must be at least 2 characters", "firstName"),
    ({"firstName": "J" * 151}, "Please use at most 150 characters", "firstName"),
    ({"firstName": "Jana\u202egpj"}, REFUSED, "firstName"),
    ({"firstName": "Ja\x00na"}, REFUSED, "firstName"),
    ({"firstName": "Jana\r\nBcc: all@example.org"}, REFUSED, "firstName"),
    ({"lastName": ""}, "Last name is required", "lastName"),
    ({"lastName": "N"}, "Last name must be at least 2 characters", "lastName"),
    ({"lastName": "N" * 151}, "Please use at most 150 characters", "lastName"),
    ({"lastName": "No\u2066vá"}, REFUSED, "lastName"),
    ({"email": ""}, "Email is required", "email"),
    ({"email": "jana"}, "Invalid email address", "email"),
    ({"email": "jana@example.com\x1b[2J"}, "Invalid email address", "email"),
    ({"email": f"{'a' * 288}@example.com"}, "Email must be at most 254 characters", "email"),
    ({"password": ""}, "Password is required", "password"),
    ({"password": "Aa1!aaa"}, "Password must be at least 8 characters", "password"),
    ({"password": "FAIR WINDS 2025!"}, "Must contain at least one lowercase letter", "password"),
    ({"password": "fair winds 2025!"}, "Must contain at least one uppercase letter", "password"),
    ({"password": "Fair winds, all!"}, "Must contain at least one number", "password"),
    (
        {"password": "Fair winds, 2025#"},
        "Must contain at least one special character (@$!%*?&)",
        "password",
    ),
    ({"password": "Aa1!" * 32 + "a"}, "Password must be at most 128 characters", "password"),
    ({"password": "P@ssw0rd"}, "This password is too common.", "password"),
    (
        {"captainLicenseNumber": " "},
        "License number is required when you have a captain license",
        "captainLicenseNumber",
    ),
    (
        {"captainLicenseNumber": None},
        "License number is required when you have a captain license",
        "captainLicenseNumber",
    ),
    ({"captainLicenseNumber": "1"}, "License number must be at least 2 characters", "captainLicenseNumber"),
    ({"captainLicenseNumber": "1" * 65}, "Please use at most 64 characters", "captainLicenseNumber"),
    ({"captainLicenseNumber": "12\u202e"}, REFUSED, "captainLicenseNumber"),
    ({"favoritePosition": "Pirate"}, "Please choose one of the listed positions", "favoritePosition"),
    ({"favoritePosition": "bowman"}, "Please choose one of the listed positions", "favoritePosition"),
]


@pytest.mark.parametrize(("values", "message", "field"), RULES)
def test_invalid_value_is_refused_with_its_field(
    call: Call, values: dict[str, Any], message: str, field: str
) -> None:
    answer = call("signUp", **form(**values))
    assert answer.error == {"message": message, "code": "BAD_USER_INPUT", "field": field}
    assert nothing_is_stored()


def test_first_broken_rule_is_reported(call: Call) -> None:
    everything = {name: value for values, _, _ in reversed(RULES) for name, value in values.items()}
    assert call("signUp", **form(**everything)).error["message"] == "First name is required"
    assert nothing_is_stored()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"firstName": ""}, "Křestní jméno je povinné"),
        ({"password": "Aa1!"}, "Heslo musí mít alespoň 8 znaků"),
        ({"firstName": "J" * 151}, "Použijte prosím nejvýše 150 znaků"),
    ],
)
def test_error_is_in_czech(call: Call, values: dict[str, Any], message: str) -> None:
    assert call("signUp", client=czech_visitor(), **form(**values)).error["message"] == message


def test_mail_is_in_czech(call: Call) -> None:
    call("signUp", client=czech_visitor(), **form())
    assert User.objects.get().language == "cs"
    assert "?lang=cs" in OutboxEmail.objects.get().text


@pytest.mark.parametrize(
    "name", ["Žofie", "O'Brien", "Ελένη", "محمد", "李明", "<b>Jana</b>", "می\u200cخواهم"]
)
def test_name_in_any_script_is_stored(call: Call, name: str) -> None:
    assert call("signUp", **form(firstName=name)).data["user"]["firstName"] == name


def test_name_is_normalized_to_nfc(call: Call) -> None:
    assert call("signUp", **form(firstName="Z\u030cofie")).data["user"]["firstName"] == "\u017dofie"


@pytest.mark.parametrize("password", [" Fair winds, 2025! ", "Aa1!🧭Ж漢字", "Aa1!" * 32])
def test_password_is_not_trimmed(call: Call, password: str) -> None:
    call("signUp", **form(password=password))
    assert call("signIn", email="jana@example.com", password=password).data["token"]


@pytest.mark.parametrize("email", ["jana@example.com", "JANA@Example.com", " jana@EXAMPLE.com "])
def test_taken_address_is_refused_in_any_spelling(call: Call, email: str) -> None:
    member = MemberFactory(email="jana@example.com")
    answer = call("signUp", **form(email=email, firstName="Petr"))

    assert answer.error == {
        "message": "An account with this email already exists.",
        "code": "BAD_USER_INPUT",
        "field": "email",
    }
    assert User.objects.get() == member
    assert not OutboxEmail.objects.exists()


def test_database_refuses_a_second_account_with_an_address() -> None:
    MemberFactory(email="jana@example.com")
    with pytest.raises(IntegrityError):
        MemberFactory(email="jana@example.com")


def test_database_refuses_an_address_with_upper_case() -> None:
    with pytest.raises(IntegrityError):
        MemberFactory(email="Jana@example.com")


def test_taken_address_is_refused_without_a_hash(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object) -> None:
        raise AssertionError("the password was hashed")

    MemberFactory(email="jana@example.com")
    monkeypatch.setattr(User, "set_password", never)
    assert call("signUp", **form()).error["message"] == "An account with this email already exists."


def test_address_taken_during_the_request_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(User, "set_password", lambda *_: MemberFactory(email="jana@example.com"))
    assert call("signUp", **form()).error["message"] == "An account with this email already exists."
    assert User.objects.count() == 1
    assert not OutboxEmail.objects.exists()


def test_member_is_not_stored_without_the_mail(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        assert User.objects.exists(), "the member is not stored yet"
        raise RuntimeError

    monkeypatch.setattr(mails, "enqueue_link", fail)
    assert call("signUp", **form()).error["code"] == "INTERNAL"
    assert nothing_is_stored()


def test_taken_addresses_count_in_the_rate_limit_and_typing_errors_do_not(
    call: Call, settings: Settings
) -> None:
    settings.SIGNUP_RATE = "3/d"
    call("signUp", **form(email="not an address"))
    call("signUp", **form(password=""))
    taken = [call("signUp", **form()) for _request in range(3)][-1]
    refused = call("signUp", **form(email="petr@example.com"))

    assert taken.error["code"] == "BAD_USER_INPUT"
    assert refused.error["code"] == "RATE_LIMITED"
    assert refused.http.status_code == 429
    assert refused.http["Retry-After"]
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def codes(self, call: Call) -> Counter[str]:
        answers = run_at_once(20, lambda _: call("signUp", **form()))
        return Counter(answer.error["code"] if "errors" in answer.body else "OK" for answer in answers)

    def test_same_without_the_hashing_slots(self, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(User, "set_password", lambda self, password: None)
        assert self.codes(call) == {"OK": 1, "BAD_USER_INPUT": 19}
        assert User.objects.count() == AccountLink.objects.count() == OutboxEmail.objects.count() == 1
