"""Build the index of the imported subscribers; on PostgreSQL without locking the table for writes."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from sailing.database import without_lock_timeout


class AddIndexOnline(AddIndexConcurrently):
    """`AddIndexConcurrently` on PostgreSQL, where building may take long; a plain index elsewhere."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        with without_lock_timeout(schema_editor.connection), schema_editor.connection.cursor() as cursor:
            # A build that was cut short leaves an index that no query uses.
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}")
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
        else:
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    atomic = False  # an index cannot be built concurrently inside a transaction

    dependencies = [("newsletter", "0008_imports")]

    operations = [
        AddIndexOnline(
            model_name="subscription",
            index=models.Index(
                fields=["import_batch", "id"],
                condition=models.Q(import_batch__isnull=False),
                name="subscription_import_batch",
            ),
        ),
    ]
