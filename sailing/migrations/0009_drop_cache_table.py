"""Drop the table of Django's cache, which held the files of imports. No model and no migration created it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("sailing", "0008_outbox_email")]

    operations = [migrations.RunSQL("DROP TABLE IF EXISTS cache", migrations.RunSQL.noop)]
