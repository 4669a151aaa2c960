"""The migration that builds the index for the search of Django admin."""

from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL's indexes"),
]


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


def has_index() -> bool:
    """Return whether there is a valid index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('subscription_search')"
        )
        return (True,) in cursor.fetchall()


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    call_command("migrate", "newsletter", "zero", verbosity=0)
    execute("DROP EXTENSION pg_trgm")
    yield
    call_command("migrate", verbosity=0)  # all apps: others depend on the newsletter's tables


def test_extension_may_be_in_another_schema() -> None:
    execute('CREATE SCHEMA "extensions"', 'CREATE EXTENSION pg_trgm SCHEMA "extensions"')
    try:
        call_command("migrate", "newsletter", verbosity=0)
        assert has_index()
    finally:
        call_command("migrate", "newsletter", "zero", verbosity=0)
        execute('DROP SCHEMA "extensions" CASCADE')


def test_migration_fails_without_permission_to_create_the_extension() -> None:
    execute("CREATE ROLE guest")
    for kind in ("TABLES", "SEQUENCES"):
        execute(f"GRANT ALL ON ALL {kind} IN SCHEMA public TO guest")
    execute("GRANT CREATE ON SCHEMA public TO guest", "SET ROLE guest")
    try:
        with pytest.raises(CommandError, match="Let the owner of the database run"):
            call_command("migrate", "newsletter", verbosity=0)
    finally:
        execute("RESET ROLE", "DROP OWNED BY guest", "DROP ROLE guest")
    call_command("migrate", "newsletter", verbosity=0)
    assert has_index()
