"""Errors of the database (which of them are outages, and how they are reported), and of rate limits."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from django.test import Client
from django.utils import translation
from time_machine import TimeMachineFixture

from sailing import database
from sailing.errors import RateLimited, is_database_unavailable
from tests.api import post_graphql
from tests.database import failing_database
from tests.security.corpus import SUBSCRIBE


class DriverError(Exception):
    """An error of the driver with a SQLSTATE."""

    def __init__(self, state: str | None) -> None:
        super().__init__()
        self.pgcode = state


def caused(error: DatabaseError, state: str | None) -> DatabaseError:
    """Return the error of Django that an error of the driver causes."""
    error.__cause__ = DriverError(state)
    return error


@pytest.mark.parametrize(
    ("error", "is_outage"),
    [
        (InterfaceError(), True),
        (InternalError(), True),
        (OperationalError(), True),
        (caused(ProgrammingError(), "42501"), True),  # no permission
        (caused(DatabaseError(), None), True),
        (DatabaseError(), False),
        (IntegrityError(), False),
        (ProgrammingError(), False),
        (caused(ProgrammingError(), "42P01"), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_outage_is_told_from_a_bug(error: Exception | None, is_outage: bool) -> None:
    assert is_database_unavailable(error) is is_outage


def read_log(caplog: pytest.LogCaptureFixture) -> list[tuple[str, bool, int | None]]:
    """Return the event, whether there is a traceback, and the seconds of each new line about an outage."""
    records: list[Any] = [record for record in caplog.records if record.name == "sailing.database"]
    caplog.clear()
    return [(record.msg["event"], bool(record.exc_info), record.msg.get("seconds")) for record in records]


def test_outage_is_one_error_and_an_end_with_its_length(
    caplog: pytest.LogCaptureFixture, time_machine: TimeMachineFixture
) -> None:
    began_at = datetime(2025, 6, 30, 12, tzinfo=UTC)
    for seconds in (0, 0.1, 9, 20, 31):
        time_machine.move_to(began_at + timedelta(seconds=seconds), tick=False)
        database.report_outage(OperationalError("Connection refused"))
        database.end_outage()
    time_machine.move_to(began_at + timedelta(seconds=40), tick=False)
    database.end_outage()
    assert read_log(caplog) == [("database_failed", True, None)]
    time_machine.move_to(began_at + timedelta(seconds=41), tick=False)
    for _time in range(2):
        database.end_outage()
    assert read_log(caplog) == [("database_recovered", False, 31)]
    database.report_outage(InterfaceError("connection already closed"))
    assert read_log(caplog) == [("database_failed", True, None)]


@pytest.mark.django_db
def test_failing_requests_report_one_outage(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """GraphQL, the form without scripts, and pages."""
    form = {"email": "jana@example.com", "userType": "sailor"}
    signing_in = {"username": "a@example.com", "password": "b"}
    with failing_database():
        assert post_graphql(f"mutation {{ {SUBSCRIBE} }}").http.status_code == 503
        for path, values in (("/newsletter/subscribe/", form), ("/admin/login/", signing_in)):
            assert client.post(path, values).status_code == 503
    assert [record.name for record in caplog.records if record.exc_info] == ["sailing.database"]


@pytest.mark.parametrize(
    ("seconds", "language", "wait"),
    [
        (5, "en", "Please wait a moment and try again."),
        (5401, "en", "Please try again in 2 hours."),
        (60, "cs", "Zkuste to prosím znovu za 1 minutu."),
        (10800, "cs", "Zkuste to prosím znovu za 3 hodiny."),
    ],
)
def test_rate_limit_tells_the_time_to_wait(seconds: int, language: str, wait: str) -> None:
    with translation.override(language):
        assert str(RateLimited(retry_after=seconds).message).endswith(wait)
