"""The migration that builds the index for the search of Django admin."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL's indexes")
def test_owner_creates_the_extension_in_any_schema_if_the_site_must_not() -> None:
    call_command("migrate", "newsletter", "zero", verbosity=0)
    execute("DROP EXTENSION pg_trgm", "CREATE SCHEMA extensions", "CREATE ROLE guest")
    for kind in ("TABLES", "SEQUENCES"):
        execute(f"GRANT ALL ON ALL {kind} IN SCHEMA public TO guest")
    execute("GRANT CREATE ON SCHEMA public TO guest", "SET ROLE guest")
    try:
        with pytest.raises(CommandError, match="Let the owner of the database run"):
            call_command("migrate", "newsletter", verbosity=0)
        execute("RESET ROLE", "CREATE EXTENSION pg_trgm SCHEMA extensions")
        call_command("migrate", "newsletter", verbosity=0)
        with connection.cursor() as cursor:
            query = "SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass"
            cursor.execute(query, ["subscription_search"])
            assert cursor.fetchall() == [(True,)]
    finally:
        execute("RESET ROLE")
        call_command("migrate", "newsletter", "zero", verbosity=0)
        execute("DROP SCHEMA extensions CASCADE", "DROP OWNED BY guest", "DROP ROLE guest")
        call_command("migrate", verbosity=0)  # all apps: others depend on the newsletter's tables
