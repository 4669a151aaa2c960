"""A short run of the fuzzer; `make fuzz` is the long one."""

import pytest
from pytest_django import Settings

from sailing.errors import BadUserInput
from tests.security import fuzz

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unlimited(settings: Settings) -> None:
    settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = settings.SIGNIN_RATE = fuzz.RATE
    settings.MAIL_RATES = [fuzz.RATE]


def test_no_request_fails() -> None:
    report = fuzz.run(400, seed=7)
    assert report.failures == []
    # The requests reach every stage: parsing, validation, input rules and success.
    stages = {"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "LIMIT_EXCEEDED", "BAD_USER_INPUT", "data"}
    assert stages <= set(report.answers)


def test_failure_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("newsletter.services.subscriptions.validate_subscription", broken)
    failures = fuzz.run(200, seed=7).failures
    assert any("500" in failure for failure in failures)
    assert any("ZeroDivisionError" in failure for failure in failures)


def test_invalid_input_is_not_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise BadUserInput("no", field="email")

    monkeypatch.setattr("newsletter.services.subscriptions.validate_subscription", refuse)
    assert fuzz.run(60, seed=7).failures == []
