"""Migrations that build an index: 0005 for the search of Django admin, 0008 for imported subscribers."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import post_migrate, pre_migrate
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = "0004"
INDEX = "subscription_email_parts"
IS_POSTGRESQL = connection.vendor == "postgresql"

postgresql_only = pytest.mark.skipif(not IS_POSTGRESQL, reason="about PostgreSQL's indexes")


def migrate(target: str = "") -> list[str]:
    """Migrate the newsletter; return the SQL that was executed."""
    with CaptureQueriesContext(connection) as queries:
        call_command("migrate", "newsletter", *([target] if target else []), verbosity=0)
    return [query["sql"] for query in queries.captured_queries]


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
        name.startswith("0005")
        for app, name in MigrationRecorder(connection).applied_migrations()
        if app == "newsletter"
    )


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)  # all apps: others depend on the newsletter's tables


def test_sqlite_migrates_without_indexes_of_postgresql() -> None:
    if IS_POSTGRESQL:
        pytest.skip("for other databases")
    migrate(BEFORE)
    statements = migrate()
    assert is_recorded()
    assert any("subscription_import_batch" in sql and sql.startswith("CREATE") for sql in statements)
    assert not [
        sql for sql in statements if INDEX in sql or "CONCURRENTLY" in sql or "statement_timeout" in sql
    ]


@postgresql_only
def test_missing_index_is_built() -> None:
    migrate(BEFORE)
    assert not has_index()
    statements = migrate()
    assert has_index()
    assert is_recorded()
    assert any("CREATE INDEX CONCURRENTLY" in sql for sql in statements)


@postgresql_only
def test_existing_index_is_kept() -> None:
    migrate(BEFORE)
    # As 0004 built it once.
    execute(f"CREATE INDEX {INDEX} ON newsletter_subscription USING gin (email gin_trgm_ops)")
    assert not [sql for sql in migrate() if INDEX in sql and "INDEX CONCURRENTLY" in sql]
    assert has_index()


@postgresql_only
def test_invalid_index_is_rebuilt() -> None:
    migrate(BEFORE)
    execute(f"CREATE INDEX {INDEX} ON newsletter_subscription USING gin (email gin_trgm_ops)")
    execute(f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{INDEX}'::regclass")
    assert not has_index()
    migrate()
    assert has_index()


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
def test_migrations_may_take_long_but_not_wait_long_for_a_lock() -> None:
    """Requests and jobs have the statement timeout and no lock timeout."""
    names = ("statement_timeout", "lock_timeout")
    limits: list[tuple[str, ...]] = []

    def read(**_signal: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT " + ", ".join(f"current_setting('{name}')" for name in names))
            limits.append(cursor.fetchone())

    read()
    pre_migrate.connect(read, sender=apps.get_app_config("newsletter"))
    post_migrate.connect(read, sender=apps.get_app_config("newsletter"))
    try:
        migrate(BEFORE)
    finally:
        pre_migrate.disconnect(read, sender=apps.get_app_config("newsletter"))
        post_migrate.disconnect(read, sender=apps.get_app_config("newsletter"))
    read()
    assert limits == [("8s", "0"), ("0", "3s"), ("0", "3s"), ("8s", "0")]


@postgresql_only
def test_concurrent_build_waits_for_older_transactions() -> None:
    migrate(BEFORE)
    statements = migrate()
    limits = [sql for sql in statements if sql.startswith("SELECT set_config('lock_timeout'")]
    once = ["'0'", "'3s'"]
    assert [value for sql in limits for value in once if value in sql] == 3 * once  # 0005, 0009 and 0013


@postgresql_only
def test_index_of_imported_subscribers_is_built_concurrently() -> None:
    migrate("0007")
    (built,) = (sql for sql in migrate() if "subscription_import_batch" in sql and sql.startswith("CREATE"))
    assert "CONCURRENTLY" in built


@postgresql_only
def test_build_that_was_cut_short_is_repeated() -> None:
    migrate("0007")
    execute("CREATE INDEX subscription_import_batch ON newsletter_subscription (id)")
    assert any("subscription_import_batch" in sql and sql.startswith("CREATE") for sql in migrate())


@postgresql_only
def test_migration_fails_without_permission_to_create_the_extension() -> None:
    migrate(BEFORE)
    execute("DROP EXTENSION pg_trgm")
    execute("CREATE ROLE guest")
    execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
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
