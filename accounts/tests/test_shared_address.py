"""People behind one address, such as a course in one classroom, do not use up each other's budgets."""

from typing import Any

import pytest
from time_machine import TimeMachineFixture

from accounts import hashers
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from sailing.errors import RateLimited

pytestmark = pytest.mark.django_db

PEOPLE = [f"sailor{number}@example.com" for number in range(20)]


@pytest.fixture(autouse=True)
def _one_minute(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00.5+00:00", tick=False)


def test_20_people_sign_up_and_in_within_a_minute(call: Call) -> None:
    for email in PEOPLE:
        assert call("signUp", **form(email=email, password="too easy")).error["field"] == "password"
        assert call("signUp", **form(email=email)).data["token"]
    for email in PEOPLE:
        assert call("signIn", email=email, password=PASSWORD).data["token"]


def test_wrong_passwords_of_others_leave_room_for_right_ones(call: Call) -> None:
    for email in PEOPLE:
        MemberFactory(email=email)
    for email in PEOPLE[:9]:
        assert call("signIn", email=email, password="Foul winds").error["code"] == "INVALID_CREDENTIALS"
    for email in PEOPLE:
        assert call("signIn", email=email, password=PASSWORD).data["token"]


def test_sign_ins_that_succeed_are_limited_too(call: Call) -> None:
    MemberFactory(email="jana@example.com")
    for _ in range(60):
        assert call("signIn", email="jana@example.com", password=PASSWORD).data["token"]
    assert call("signIn", email="jana@example.com", password=PASSWORD).error["code"] == "RATE_LIMITED"


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("signUp", form(email="new@example.com")),
        ("signIn", {"email": "jana@example.com", "password": PASSWORD}),
    ],
)
def test_request_whose_password_was_not_hashed_costs_nothing(
    call: Call, monkeypatch: pytest.MonkeyPatch, field: str, values: dict[str, Any]
) -> None:
    def refuse(_network: str) -> None:
        raise RateLimited(retry_after=1)

    MemberFactory(email="jana@example.com")
    with monkeypatch.context() as patch:
        patch.setattr(hashers._slots, "acquire", refuse)
        waits = {call(field, **values).error["retryAfter"] for _ in range(70)}
    assert waits == {1}
    assert call(field, **values).data["token"]
