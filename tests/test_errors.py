"""Errors of the database (which of them are outages, and how they are reported), and of rate limits."""

import pytest
from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.utils import translation

from sailing.errors import RateLimited, describe_outage, is_database_away

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
    assert is_database_away(error)


@pytest.mark.parametrize(
    "error",
    [IntegrityError(), DataError(), ProgrammingError(), missing_permission("42P01"), ValueError(), None],
    ids=type,
)
def test_other_errors_are_bugs(error: Exception | None) -> None:
    assert not is_database_away(error)


@pytest.mark.parametrize(
    ("message", "described"),
    [
        (ADDRESS + 'password authentication failed for user "sailing"\n', "database password refused"),
        ("connection to server failed: fe_sendauth: no password supplied\n", "database password refused"),
        (ADDRESS + 'database "sailing" does not exist\n', "database or its user does not exist"),
        (ADDRESS + 'role "sailing" does not exist\n', "database or its user does not exist"),
        (ADDRESS + 'too many connections for role "sailing"\n', "no database connection left"),
        (ADDRESS + "sorry, too many clients already\n", "no database connection left"),
        (
            ADDRESS + "remaining connection slots are reserved for roles with …\n",
            "no database connection left",
        ),
        (ADDRESS + "the database system is starting up\n", "database starting"),
        ("cannot execute INSERT in a read-only transaction\n", "database read-only"),
        ("attempt to write a readonly database", "database read-only"),
        ('could not extend file "base/5/1": No space left on device\n', "database disk full"),
        ("database or disk is full", "database disk full"),
        ("server closed the connection unexpectedly\n", "database away"),
    ],
)
def test_outage_is_described_without_names_and_addresses(message: str, described: str) -> None:
    assert describe_outage(OperationalError(message)) == described


def test_missing_permission_is_described() -> None:
    assert describe_outage(missing_permission()) == "database read-only"
    assert describe_outage(ValueError(ADDRESS)) == "unexpected error"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no permissions")
@pytest.mark.django_db
def test_permission_taken_away_by_the_host_is_an_outage() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE reader")
        cursor.execute("SET LOCAL ROLE reader")
        with pytest.raises(ProgrammingError) as caught:
            cursor.execute("INSERT INTO sailing_ratecounter VALUES ('a', 1, 1, now())")
    assert is_database_away(caught.value)


@pytest.mark.parametrize(
    ("seconds", "language", "wait"),
    [
        (60, "en", "Please wait a moment and try again."),
        (61, "en", "Please try again in 2 minutes."),
        (300, "en", "Please try again in 5 minutes."),
        (61, "cs", "Zkuste to prosím znovu za 2 minuty."),
        (300, "cs", "Zkuste to prosím znovu za 5 minut."),
    ],
)
def test_rate_limit_tells_the_minutes_to_wait(seconds: int, language: str, wait: str) -> None:
    with translation.override(language):
        assert str(RateLimited(retry_after=seconds).message).endswith(wait)
