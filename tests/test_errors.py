"""Errors of the database (which of them are outages, and how they are reported), and of rate limits."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import (
    DatabaseError,
    DataError,
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

FORM_TYPE = "application/x-www-form-urlencoded"


class DriverError(Exception):
    """An error of the driver with a SQLSTATE."""

    def __init__(self, state: str | None) -> None:
        super().__init__()
        self.pgcode = state


def missing_permission(state: str = "42501") -> ProgrammingError:
    error = ProgrammingError("permission denied for table accounts_user")
    error.__cause__ = DriverError(state)
    return error


def lost_connection() -> DatabaseError:
    error = DatabaseError("server closed the connection unexpectedly")
    error.__cause__ = DriverError(None)
    return error


@pytest.mark.parametrize(
    ("error", "is_outage"),
    [
        (InterfaceError(), True),
        (InternalError(), True),
        (OperationalError(), True),
        (missing_permission(), True),
        (lost_connection(), True),
        (DatabaseError(), False),
        (IntegrityError(), False),
        (DataError(), False),
        (ProgrammingError(), False),
        (missing_permission("42P01"), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_outage_is_told_from_a_bug(error: Exception | None, is_outage: bool) -> None:
    assert is_database_unavailable(error) is is_outage


class TestOutages:
    """What the log says about an outage that many requests meet."""

    @pytest.fixture(autouse=True)
    def _log(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO")
        self.log = caplog

    def read_log(self) -> list[tuple[str, str, bool, int | None]]:
        """Return the level, the event, whether there is a traceback, and the seconds of each new line."""
        records: list[Any] = [record for record in self.log.records if record.name == "sailing.database"]
        self.log.clear()
        return [
            (record.levelname, record.msg["event"], bool(record.exc_info), record.msg.get("seconds"))
            for record in records
        ]

    def test_outage_is_one_error_and_an_end_with_its_length(self, time_machine: TimeMachineFixture) -> None:
        began_at = datetime(2025, 6, 30, 12, tzinfo=UTC)
        for seconds in (0, 0.1, 9, 20, 31):
            time_machine.move_to(began_at + timedelta(seconds=seconds), tick=False)
            database.report_outage(OperationalError("Connection refused"))
            database.end_outage()
        time_machine.move_to(began_at + timedelta(seconds=40), tick=False)
        database.end_outage()
        assert self.read_log() == [("ERROR", "database_failed", True, None)]
        time_machine.move_to(began_at + timedelta(seconds=41), tick=False)
        for _time in range(2):
            database.end_outage()
        assert self.read_log() == [("WARNING", "database_recovered", False, 31)]
        database.report_outage(InterfaceError("connection already closed"))
        assert self.read_log() == [("ERROR", "database_failed", True, None)]

    @pytest.mark.django_db
    def test_failing_requests_report_one_outage(self, client: Client) -> None:
        """GraphQL, the form without scripts, and pages."""
        form = {"email": "jana@example.com", "userType": "sailor"}
        credentials = {"username": "jana@example.com", "password": "fair winds 2025"}
        with failing_database():
            for _time in range(5):
                assert post_graphql(f"mutation {{ {SUBSCRIBE} }}").http.status_code == 503
                for path, data in (("/newsletter/subscribe/", form), ("/admin/login/", credentials)):
                    response = client.post(path, urlencode(data), content_type=FORM_TYPE)
                    assert response.status_code == 503
        assert not [
            record for record in self.log.records if record.exc_info and record.name != "sailing.database"
        ]
        assert self.read_log() == [("ERROR", "database_failed", True, None)]


@pytest.mark.parametrize(
    ("seconds", "language", "wait"),
    [
        (5, "en", "Please wait a moment and try again."),
        (6, "en", "Please try again in 1 minute."),
        (5401, "en", "Please try again in 2 hours."),
        (60, "cs", "Zkuste to prosím znovu za 1 minutu."),
        (61, "cs", "Zkuste to prosím znovu za 2 minuty."),
        (10800, "cs", "Zkuste to prosím znovu za 3 hodiny."),
    ],
)
def test_rate_limit_tells_the_time_to_wait(seconds: int, language: str, wait: str) -> None:
    with translation.override(language):
        assert str(RateLimited(retry_after=seconds).message).endswith(wait)
