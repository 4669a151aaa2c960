"""The migration that builds the index for the search of Django admin."""

from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = "zero"
INDEX = "subscription_search"
IS_POSTGRESQL = connection.vendor == "postgresql"

postgresql_only = pytest.mark.skipif(not IS_POSTGRESQL, reason="about PostgreSQL's indexes")


def migrate(target: str = "0001") -> None:
    call_command("migrate", "newsletter", target, verbosity=0)


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def has_index() -> bool:
    """Return whether there is a valid index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [INDEX])
        return (True,) in cursor.fetchall()


def is_recorded() -> bool:
    return any(
        name == "0001_initial"
        for app, name in MigrationRecorder(connection).applied_migrations()
        if app == "newsletter"
    )


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)  # all apps: others depend on the newsletter's tables


@postgresql_only
def test_extension_may_be_in_another_schema() -> None:
    migrate(BEFORE)
    execute("DROP EXTENSION pg_trgm")
    execute('CREATE SCHEMA "extensions"')
    execute('CREATE EXTENSION pg_trgm SCHEMA "extensions"')
    try:
        migrate()
        assert has_index()
    finally:
        migrate(BEFORE)
        execute('DROP SCHEMA "extensions" CASCADE')


@postgresql_only
def test_migration_fails_without_permission_to_create_the_extension() -> None:
    migrate(BEFORE)
    execute("DROP EXTENSION pg_trgm")
    execute("CREATE ROLE guest")
    execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
    execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO guest")
    execute("GRANT CREATE ON SCHEMA public TO guest")
    execute("SET ROLE guest")
    try:
        with pytest.raises(
            CommandError, match="Let the owner of the database run 'CREATE EXTENSION pg_trgm'"
        ):
            migrate()
        assert not is_recorded()
    finally:
        execute("RESET ROLE")
        execute("DROP OWNED BY guest")
        execute("DROP ROLE guest")
    migrate()
    assert has_index()
