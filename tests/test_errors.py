"""Errors of the database (which of them are outages, and how they are reported), and of rate limits."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from django.test import Client
from django.utils import translation

from sailing import outages
from sailing.errors import RateLimited, describe_outage, is_database_unavailable
from tests.api import post_graphql
from tests.database import failing_database
from tests.security.corpus import SUBSCRIBE

FORM_TYPE = "application/x-www-form-urlencoded"
ADDRESS = 'connection to server at "db.example" (10.0.0.7), port 5432 failed: FATAL:  '


class DriverError(Exception):
    """An error of the driver with a SQLSTATE."""

    def __init__(self, state: str) -> None:
        super().__init__()
        self.pgcode = state


def missing_permission(state: str = "42501") -> ProgrammingError:
    error = ProgrammingError("permission denied for table accounts_user")
    error.__cause__ = DriverError(state)
    return error


@pytest.mark.parametrize(
    "error", [InterfaceError(), InternalError(), OperationalError(), missing_permission()], ids=type
)
def test_outage_is_no_bug(error: Exception) -> None:
    assert is_database_unavailable(error)


@pytest.mark.parametrize(
    "error",
    [IntegrityError(), DataError(), ProgrammingError(), missing_permission("42P01"), ValueError(), None],
    ids=type,
)
def test_other_errors_are_bugs(error: Exception | None) -> None:
    assert not is_database_unavailable(error)


@pytest.mark.parametrize(
    ("message", "described"),
    [
        (ADDRESS + 'password authentication failed for user "sailing"\n', "database password refused"),
        (ADDRESS + 'database "sailing" does not exist\n', "database or its user does not exist"),
        (ADDRESS + 'too many connections for role "sailing"\n', "no database connection left"),
        (ADDRESS + "the database system is starting up\n", "database starting"),
        ("cannot execute INSERT in a read-only transaction\n", "database read-only"),
        ('could not extend file "base/5/1": No space left on device\n', "database disk full"),
        (ADDRESS + "could not write init file\n", "database disk full"),
        ("server closed the connection unexpectedly\n", "database unavailable"),
        ('could not translate host name "db.example" to address: ...', "database host name unknown"),
        ('root certificate file "/root.crt" does not exist\n', "database TLS failed"),
        (ADDRESS + 'no pg_hba.conf entry for host "10.0.0.8", no encryption\n', "database refuses this host"),
        (ADDRESS + "pgbouncer cannot connect to server\n", "pooler without its database"),
        ("unsupported startup parameter: options\n", "pooler refuses a startup parameter"),
        ("database is locked", "database slow"),
        ("disk I/O error", "database storage failed"),
        (ADDRESS + "Connection refused\n", "database refuses connections"),
        (ADDRESS + "timeout expired\n", "database host does not answer"),
    ],
)
def test_outage_is_described_without_names_and_addresses(message: str, described: str) -> None:
    assert describe_outage(OperationalError(message)) == described


@pytest.mark.parametrize(
    ("state", "described"),
    [
        ("53100", "database disk full"),
        ("53400", "database out of resources"),
        ("58000", "database storage failed"),
    ],
)
def test_state_describes_an_outage_in_any_language(state: str, described: str) -> None:
    error = OperationalError("Auf dem Gerät ist kein Speicherplatz mehr verfügbar")
    error.__cause__ = DriverError(state)
    assert describe_outage(error) == described
    assert describe_outage(missing_permission()) == "database read-only"
    assert describe_outage(ValueError(ADDRESS)) == "unexpected error"


class TestOutages:
    """What the log says about an outage that many requests meet."""

    @pytest.fixture(autouse=True)
    def _log(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO")
        self.log = caplog

    def read_log(self) -> list[tuple[str, str, bool, int | None]]:
        """Return the level, the event, whether there is a traceback, and the failures of each new line."""
        records: list[Any] = [record for record in self.log.records if record.name == "sailing.outages"]
        self.log.clear()
        return [
            (record.levelname, record.msg["event"], bool(record.exc_info), record.msg.get("failures"))
            for record in records
        ]

    def test_outage_is_one_error_a_count_each_minute_and_an_end(self) -> None:
        failures = [
            OperationalError(ADDRESS + "Connection refused"),
            OperationalError("terminating connection due to administrator command"),
            InterfaceError("connection already closed"),
            OperationalError(ADDRESS + "the database system is starting up"),
        ]
        for _time in range(25):
            for failure in failures:
                outages.report(failure)
        assert self.read_log() == [("ERROR", "database_failed", True, None)]
        outages.log_progress()
        outages.report(failures[0])
        outages.log_progress()
        assert self.read_log() == [
            ("WARNING", "database_failing", False, 100),
            ("WARNING", "database_failing", False, 1),
        ]
        outages.log_progress()
        outages.log_progress()
        assert self.read_log() == [("WARNING", "database_recovered", False, 101)]
        outages.report(failures[0])
        assert self.read_log() == [("ERROR", "database_failed", True, None)]

    def test_slow_statement_does_not_hide_an_outage(self) -> None:
        outages.report(OperationalError("canceling statement due to statement timeout"))
        outages.report(OperationalError(ADDRESS + "Connection refused"))
        assert [event for _level, event, _traceback, _failures in self.read_log()] == 2 * ["database_failed"]

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
            record for record in self.log.records if record.exc_info and record.name != "sailing.outages"
        ]
        assert self.read_log() == [("ERROR", "database_failed", True, None)]
        outages.log_progress()
        assert self.read_log() == [("WARNING", "database_failing", False, 15)]


@pytest.mark.parametrize(
    ("seconds", "language", "wait"),
    [
        (5, "en", "Please wait a moment and try again."),
        (6, "en", "Please try again in 6 seconds."),
        (5401, "en", "Please try again in 2 hours."),
        (60, "cs", "Zkuste to prosím znovu za 1 minutu."),
        (61, "cs", "Zkuste to prosím znovu za 2 minuty."),
        (10800, "cs", "Zkuste to prosím znovu za 3 hodiny."),
    ],
)
def test_rate_limit_tells_the_time_to_wait(seconds: int, language: str, wait: str) -> None:
    with translation.override(language):
        assert str(RateLimited(retry_after=seconds).message).endswith(wait)
