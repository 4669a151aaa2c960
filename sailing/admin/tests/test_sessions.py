"""Sessions of Django admin: their expiry."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from time_machine import TimeMachineFixture

from accounts.models import User
from tests.jobs import purge_expired

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]

PASSWORD = "Fair winds, 2025!"
NEW = "New winds, 2026!"


def sign_in(client: Client) -> User:
    boss = User.objects.create_superuser("boss@example.com", PASSWORD)
    client.post("/admin/login/?next=/admin/", {"username": "boss@example.com", "password": PASSWORD})
    return boss


def test_session_expires_twelve_hours_after_the_sign_in(
    client: Client, time_machine: TimeMachineFixture
) -> None:
    sign_in(client)
    assert client.cookies["sessionid"]["max-age"] == 12 * 3600
    time_machine.shift(timedelta(hours=11, minutes=59))
    assert client.get("/admin/").status_code == 200
    time_machine.shift(timedelta(minutes=2))
    assert client.get("/admin/").status_code == 302


def test_changes_to_a_session_do_not_extend_it(client: Client, time_machine: TimeMachineFixture) -> None:
    sign_in(client)
    time_machine.shift(timedelta(hours=11))
    passwords = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post("/admin/password_change/", passwords).status_code == 302
    client.get("/admin/second-factor/")
    assert client.get("/admin/").status_code == 200
    assert Session.objects.get().expire_date == datetime(2026, 3, 2, tzinfo=UTC)
    time_machine.shift(timedelta(hours=1, seconds=1))
    assert client.get("/admin/").status_code == 302


def test_cookie_with_a_character_that_postgresql_refuses_is_no_session(client: Client) -> None:
    client.cookies["sessionid"] = "\0" * 32
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/admin/").status_code == 302
    assert not [query for query in queries if "django_session" in query["sql"]]


def test_expired_sessions_are_deleted(client: Client, time_machine: TimeMachineFixture) -> None:
    sign_in(client)
    purge_expired()
    assert Session.objects.count() == 1
    time_machine.shift(timedelta(hours=13))
    purge_expired()
    assert not Session.objects.exists()
