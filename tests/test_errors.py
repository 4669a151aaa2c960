"""Errors of the database (which are outages, what visitors are told, what is logged), and of rate limits."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.test import Client
from django.utils import translation
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from sailing import database
from sailing.errors import RateLimited, is_database_unavailable
from sailing.mail.models import OutboxEmail
from tests.api import Answer, post_graphql
from tests.database import OUTAGE, failing_database
from tests.processes import manage
from tests.security.corpus import SUBSCRIBE


def caused(error: DatabaseError, state: str | None) -> DatabaseError:
    """Return the error of Django that an error of the driver with a SQLSTATE causes."""
    error.__cause__ = Exception()
    error.__cause__.pgcode = state  # type: ignore[attr-defined]
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


def assert_unavailable(answer: Answer) -> None:
    assert answer.http.headers["Cache-Control"] == "no-store"
    assert OUTAGE not in answer.http.text
    assert "Traceback" not in answer.http.text
    assert answer.error == {
        "message": "The service is briefly unavailable. Please try again in a moment.",
        "code": "UNAVAILABLE",
        "retryAfter": 5,
    }
    assert (answer.http.status_code, answer.http.headers["Retry-After"]) == (503, "5")


@pytest.mark.django_db(transaction=True)
def test_interrupted_subscription_stores_nothing() -> None:
    stored = (Subscription, ConsentEvent, SubscriptionLink, OutboxEmail)
    for after in count():
        with failing_database(after=after):
            answer = post_graphql(f"mutation {{ {SUBSCRIBE} }}")
        if answer.http.status_code == 200:
            break
        assert_unavailable(answer)
        assert not any(model.objects.exists() for model in stored), after
    assert after >= 5  # each statement has failed in turn
    assert all(model.objects.exists() for model in stored)


@pytest.mark.django_db
def test_failing_requests_report_one_outage(admin_client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Fields of members for any media type, the form without scripts, and pages."""
    token = tokens.issue(MemberFactory())
    form = {"email": "jana@example.com", "userType": "sailor"}
    signing_in = {"username": "a@example.com", "password": "b"}
    with failing_database():
        for accept in ("*/*", "application/json"):
            asking = Client(headers={"Accept": accept})
            assert_unavailable(post_graphql("{ me { id } }", token=token, client=asking))
        for path, values in (("/newsletter/subscribe/", form), ("/admin/login/", signing_in)):
            assert Client().post(path, values).status_code == 503
        for path in ("/admin/", "/newsletter/confirm/token/"):
            page = admin_client.get(f"{path}?lang=cs")
            assert "Něco se pokazilo" in page.content.decode()
            assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (503, "5", "no-store")
    assert [record.name for record in caplog.records if record.exc_info] == ["sailing.database"]
    with failing_database(ProgrammingError):  # a bug
        answer = post_graphql("{ me { id } }", token=token)
    assert (answer.http.status_code, answer.error["code"]) == (500, "INTERNAL")
    assert OUTAGE not in answer.http.text


def test_public_fields_need_no_database() -> None:
    assert post_graphql("{ __typename }", token="nonsense").data == "Query"
    assert post_graphql("{ me { id } }").error["code"] == "UNAUTHENTICATED"


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


READ = """
from django.db import connection
with connection.cursor() as cursor:
    for name in ('statement_timeout', 'idle_in_transaction_session_timeout'):
        cursor.execute('SELECT current_setting(%s)', [name])
        print(*cursor.fetchone())
"""


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no sessions")
@pytest.mark.parametrize(("start", "limits"), [("", ["0", "0"]), ("import sailing.wsgi", ["8s", "30s"])])
def test_requests_have_limits_and_migrations_have_none(start: str, limits: list[str]) -> None:
    assert manage("shell", "--verbosity=0", "-c", start + READ).split() == limits
