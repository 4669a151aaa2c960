"""An index for the search of Django admin, which looks for any part of an address. PostgreSQL has one.

It needs an extension that comes with PostgreSQL. Where the site may not install it, the search looks
through the whole table instead, which takes some 300 ms with a million subscribers.
"""

from django.db import migrations, transaction
from django.db.utils import NotSupportedError, OperationalError, ProgrammingError

INDEX = "subscription_email_parts"


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            schema_editor.execute("SET LOCAL statement_timeout = 0")  # the more rows, the longer
            schema_editor.execute(
                f"CREATE INDEX {INDEX} ON newsletter_subscription USING gin (email gin_trgm_ops)"
            )
    except (NotSupportedError, OperationalError, ProgrammingError):  # not there, not allowed, out of reach
        return


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX IF EXISTS {INDEX}")


class Migration(migrations.Migration):
    dependencies = [("newsletter", "0003_imported")]

    operations = [migrations.RunPython(create, drop)]
