"""The limits of the sessions of the database."""

import pytest
from django.db import connection

from tests.processes import manage

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
