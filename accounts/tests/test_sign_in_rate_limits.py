"""Rate limits of `signIn`: guessing is slow, and nobody can lock a member out."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from accounts import hashers
from accounts.models import User
from accounts.services import sign_in as service
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset
from sailing.errors import RateLimited
from tests.api import VISITOR, Answer
from tests.mailbox import press_button

pytestmark = pytest.mark.django_db

WRONG = "Foul winds, 2025!"
ATTACKER, OWNER = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def at_noon() -> Iterator[time_machine.Traveller]:
    """Stop the clock at noon."""
    with time_machine.travel(datetime(2025, 6, 1, 12, 0, 0, 500_000, tzinfo=UTC), tick=False) as clock:
        yield clock


@pytest.fixture(autouse=True)
def _generous(settings: Settings) -> None:
    settings.SIGNIN_RATE = "1000/m"


def sign_in(call: Call, password: str, *, address: str = ATTACKER, email: str = "jana@example.com") -> Answer:
    return call("signIn", client=Client(REMOTE_ADDR=address), email=email, password=password)


def codes(answers: list[Answer]) -> list[str]:
    return [answer.error["code"] for answer in answers]


def test_client_has_10_tries_a_minute(
    call: Call, settings: Settings, member: User, at_noon: time_machine.Traveller
) -> None:
    settings.SIGNIN_RATE = "10/m"
    tries = [sign_in(call, WRONG, email=f"{number}@example.com") for number in range(10)]
    assert codes(tries) == ["INVALID_CREDENTIALS"] * 10

    refused = sign_in(call, PASSWORD)
    assert refused.error["code"] == "RATE_LIMITED"
    assert refused.http.status_code == 429
    at_noon.shift(timedelta(seconds=int(refused.http["Retry-After"])))
    assert sign_in(call, PASSWORD).data["token"]


@pytest.mark.parametrize("email", ["jana@example.com", "nobody@example.com"])
def test_client_has_5_failures_in_5_minutes_for_one_account_in_any_spelling(
    call: Call, member: User, at_noon: time_machine.Traveller, email: str
) -> None:
    assert codes([sign_in(call, WRONG, email=email) for _ in range(5)]) == ["INVALID_CREDENTIALS"] * 5
    refused = sign_in(call, PASSWORD, email=f" {email.upper()}")
    assert refused.error["code"] == "RATE_LIMITED"
    wait = int(refused.http["Retry-After"])
    assert 1 <= wait <= 300
    at_noon.shift(timedelta(seconds=wait - 1))
    assert sign_in(call, PASSWORD, email=email).error["code"] == "RATE_LIMITED"
    assert sign_in(call, PASSWORD, address=OWNER).data["token"]
    at_noon.shift(timedelta(seconds=1))
    assert sign_in(call, PASSWORD).data["token"]


def test_failure_is_counted_before_the_password_is_hashed(
    call: Call, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise concurrent tries would all pass before the first one has failed."""
    original, seen = service._authenticate, []

    def five_more_meanwhile(email: str, password: str) -> User:
        monkeypatch.setattr(service, "_authenticate", original)
        seen.extend(codes([sign_in(call, WRONG) for _ in range(5)]))
        return original(email, password)

    monkeypatch.setattr(service, "_authenticate", five_more_meanwhile)
    sign_in(call, WRONG)
    assert seen == ["INVALID_CREDENTIALS"] * 4 + ["RATE_LIMITED"]


@pytest.mark.parametrize(
    ("locked", "resetting", "is_lifted"),
    [(ATTACKER, OWNER, False), ("2001:db8:7:1::1", "2001:db8:7:1::2", True)],
)
def test_reset_password_lifts_the_lockout_of_its_client_only(
    call: Call, member: User, locked: str, resetting: str, is_lifted: bool
) -> None:
    for _ in range(5):
        sign_in(call, WRONG, address=locked)
    assert sign_in(call, PASSWORD, address=locked).error["code"] == "RATE_LIMITED"
    new = "New winds, 2026!"
    press_button(
        link_to_reset(member), client=Client(REMOTE_ADDR=resetting), new_password1=new, new_password2=new
    )
    assert ("errors" not in sign_in(call, new, address=locked).body) is is_lifted


class TestPeopleBehindOneAddress:
    """Such as a course in one classroom: they do not use up each other's budgets."""

    PEOPLE = [f"sailor{number}@example.com" for number in range(20)]

    @pytest.fixture(autouse=True)
    def _usual_rate(self, settings: Settings, _generous: None) -> None:
        settings.SIGNIN_RATE = "10/m"

    def test_20_people_sign_up_and_in_within_a_minute(self, call: Call) -> None:
        for email in self.PEOPLE:
            assert call("signUp", **form(email=email, password="too easy")).error["field"] == "password"
            assert call("signUp", **form(email=email)).data["token"]
        for email in self.PEOPLE[:9]:
            assert call("signIn", email=email, password="Foul winds").error["code"] == "INVALID_CREDENTIALS"
        for email in self.PEOPLE:
            assert call("signIn", email=email, password=PASSWORD).data["token"]

    def test_sign_ins_that_succeed_are_limited_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        member = MemberFactory(email="jana@example.com")
        monkeypatch.setattr(service, "_authenticate", lambda *_arguments: member)
        for _ in range(60):
            service.sign_in(client=VISITOR, email=member.email, password=PASSWORD)
        with pytest.raises(RateLimited):
            service.sign_in(client=VISITOR, email=member.email, password=PASSWORD)

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("signUp", form(email="new@example.com")),
            ("signIn", {"email": "jana@example.com", "password": PASSWORD}),
        ],
    )
    def test_request_whose_password_was_not_hashed_costs_nothing(
        self, call: Call, settings: Settings, monkeypatch: pytest.MonkeyPatch, field: str, values: Any
    ) -> None:
        settings.SIGNIN_RATE = settings.SIGNUP_RATE = "1/m"

        def refuse(_network: str) -> None:
            raise RateLimited(retry_after=1)

        MemberFactory(email="jana@example.com")
        with monkeypatch.context() as patch:
            patch.setattr(hashers._slots, "acquire", refuse)
            waits = {call(field, **values).error["retryAfter"] for _ in range(2)}
        assert waits == {1}
        assert call(field, **values).data["token"]
