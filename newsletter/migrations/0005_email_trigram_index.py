"""Build the index for the search of Django admin, which looks for any part of an address.

On PostgreSQL only. It is built concurrently, so that the site can write meanwhile; a deployment that has
it already keeps it. It needs the extension pg_trgm, which the owner of a database may create (PostgreSQL 13
or later). Without that right, an error says what to do: if the migration were recorded as applied without
its index, it would never build it.
"""

from django.core.management import CommandError
from django.db import migrations
from django.db.utils import NotSupportedError, OperationalError, ProgrammingError

from sailing.database import without_lock_timeout

INDEX = "subscription_email_parts"

NO_EXTENSION = (
    "The search of Django admin needs PostgreSQL's extension pg_trgm, and this database user cannot create it. "
    "Let the owner of the database run 'CREATE EXTENSION pg_trgm', then migrate again. To go on without the "
    "index (a search reads the whole table): 'manage.py migrate newsletter 0005 --fake'."
)


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [INDEX])
        found = cursor.fetchone()
        if found and found[0]:
            return
        schema = _schema_of_extension(cursor)
        with without_lock_timeout(schema_editor.connection):
            # A build that was cut short leaves an index that no query uses.
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}")
            cursor.execute(
                f"CREATE INDEX CONCURRENTLY {INDEX} ON newsletter_subscription"
                f" USING gin (email {schema}.gin_trgm_ops)"
            )


def _schema_of_extension(cursor):
    """Create pg_trgm if it is not there; return the quoted schema that it is in (Heroku has one of its own)."""
    query = (
        "SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
        " WHERE extname = 'pg_trgm'"
    )
    cursor.execute(query)
    if not (found := cursor.fetchone()):
        try:
            cursor.execute("CREATE EXTENSION pg_trgm")
        except (NotSupportedError, OperationalError, ProgrammingError) as error:  # not there, or not allowed
            raise CommandError(NO_EXTENSION) from error
        cursor.execute(query)
        found = cursor.fetchone()
    return found[0]


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}")


class Migration(migrations.Migration):
    atomic = False  # an index cannot be built concurrently inside a transaction

    dependencies = [("newsletter", "0004_email_parts")]

    operations = [migrations.RunPython(create, drop)]
