"""`me` and `updateProfile` (spec section 5, "Profile edit")."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from graphene.utils.str_converters import to_camel_case

from accounts.models import User
from accounts.tests.api import call
from accounts.tests.factories import NEW_USER, MemberFactory
from accounts.validation import validate_profile
from sailing.errors import BadUserInput

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com", nickname="Bosun")


def test_me_returns_the_owner_of_the_token(member: User, token: str) -> None:
    MemberFactory()
    assert call("me", token=token).data == {
        **NEW_USER,
        "id": str(member.pk),
        "nickname": "Bosun",
        "avatar": "",
        "createdAt": member.created_at.isoformat(),
        "updatedAt": member.updated_at.isoformat(),
    }


def test_only_given_fields_change_and_blank_clears_an_optional_one(member: User, token: str) -> None:
    unchanged = call("updateProfile", token=token, phone=None, nickname=None).data
    assert (unchanged["updatedAt"], unchanged["nickname"]) == (member.updated_at.isoformat(), "Bosun")
    later = timezone.now() + timedelta(hours=1)
    with time_machine.travel(later, tick=False):
        answer = call("updateProfile", token=token, lastName=" Svobodová ", phone=" +420 (123) 456-789 ").data
    stored = call("me", token=token).data
    assert {name: stored[name] for name in answer} == answer
    assert (stored["firstName"], stored["lastName"], stored["nickname"]) == ("Jana", "Svobodová", "Bosun")
    assert (stored["phone"], stored["updatedAt"]) == ("+420 (123) 456-789", later.isoformat())
    assert call("updateProfile", token=token, nickname=" ").data["nickname"] == ""


def test_concurrent_change_of_another_field_is_kept(
    member: User, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row may change after `request.user` was read."""
    monkeypatch.setattr(
        "accounts.services.membership.validate_profile",
        lambda values: User.objects.update(nickname="Skipper", token_version=7) and {"phone": "1234567890"},
    )
    assert call("updateProfile", token=token, phone="1234567890").data["nickname"] == "Skipper"
    member.refresh_from_db()
    assert (member.nickname, member.phone, member.token_version) == ("Skipper", "1234567890", 7)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("first_name", " ", "First name is required"),
        ("nickname", "\u202eBosun", "Please remove the invisible control characters"),
        ("nationality", "x" * 151, "Please use at most 150 characters"),
        ("phone", "123456789", "Please enter a valid phone number"),
        ("phone", "1234567890 ext 5", "Please enter a valid phone number"),
        ("phone", "١٢٣٤٥٦٧٨٩٠", "Please enter a valid phone number"),
        ("phone", "1" * 33, "Please use at most 32 characters"),
    ],
)
def test_invalid_value_is_refused_with_its_field(name: str, value: str, message: str) -> None:
    with pytest.raises(BadUserInput) as refusal:
        validate_profile({"first_name": "Petra", name: value})
    assert (refusal.value.message, refusal.value.extensions["field"]) == (message, to_camel_case(name))


@pytest.mark.parametrize("phone", ["1234567890", "(02) 1234-5678", "+1 23456789", "0" * 32])
def test_valid_phone_is_accepted(phone: str) -> None:
    assert validate_profile({"phone": phone}) == {"phone": phone}


def test_refused_update_changes_nothing(token: str) -> None:
    before = User.objects.values().get()
    error = call("updateProfile", token=token, firstName="Petra", lastName="").error
    assert error == {"message": "Last name is required", "code": "BAD_USER_INPUT", "field": "lastName"}
    for given in ("email", "isEmailVerified", "isStaff"):
        values: dict[str, Any] = {given: True}
        answer = call("updateProfile", token=token, **values)
        assert answer.http.status_code == 400
        assert given in answer.error["message"]
    assert User.objects.values().get() == before
