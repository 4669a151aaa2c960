"""A short run of the fuzzer (`make fuzz` is the long one), and what it would find."""

import pytest
from pytest_django import Settings

from sailing.errors import BadUserInput
from tests.security import fuzz

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unlimited(settings: Settings) -> None:
    settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = settings.SIGNIN_RATE = fuzz.RATE


def test_no_request_is_an_accident() -> None:
    outcome = fuzz.run(400, seed=7)
    assert outcome.accidents == []
    # It reaches every stage: parsing, validation, the rules of values, and success.
    stages = {"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "LIMIT_EXCEEDED", "BAD_USER_INPUT", "data"}
    assert stages <= set(outcome.answers)


def test_an_accident_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("newsletter.services.validate_subscription", broken)
    accidents = fuzz.run(60, seed=7).accidents
    assert any("500" in accident for accident in accidents)
    assert any("ZeroDivisionError" in accident for accident in accidents)


def test_a_mistake_of_the_caller_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise BadUserInput("no", field="email")

    monkeypatch.setattr("newsletter.services.validate_subscription", refuse)
    assert fuzz.run(60, seed=7).accidents == []
