"""`manage.py backup`. With PostgreSQL: tests/faults/test_restore.py."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.jobs.models import BACKUP, WorkerHeartbeat

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="copies the file of SQLite"),
]


@pytest.fixture
def last(time_machine: TimeMachineFixture, tmp_path: Path) -> Path:
    """Return the backup of last Thursday, on a Thursday."""
    time_machine.move_to(datetime(2026, 11, 26, 2, 30, tzinfo=UTC))
    path = tmp_path / "Thu.sqlite3"
    path.write_text("of a week ago")
    return path


def test_backup_has_the_rows_and_replaces_that_of_the_same_weekday(last: Path) -> None:
    User.objects.create_user("jana@example.org")
    call_command("backup", last.parent)
    assert list(last.parent.iterdir()) == [last]
    with closing(sqlite3.connect(last)) as copy:
        assert copy.execute("SELECT email FROM accounts_user").fetchall() == [("jana@example.org",)]
    assert WorkerHeartbeat.objects.filter(part=BACKUP).exists()


def test_backup_that_fails_keeps_the_last_one_and_is_no_heartbeat(last: Path) -> None:
    last.with_suffix(".new").mkdir()  # cannot be written
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("backup", last.parent)
    assert last.read_text() == "of a week ago"
    assert not WorkerHeartbeat.objects.filter(part=BACKUP).exists()
