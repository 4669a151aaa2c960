"""List the reasons for leaving; on PostgreSQL their index is built without locking the table for writes."""

from importlib import import_module

from django.db import migrations, models

AddIndexOnline = import_module("newsletter.migrations.0009_import_batch_index").AddIndexOnline


class Migration(migrations.Migration):
    atomic = False  # an index cannot be built concurrently inside a transaction

    dependencies = [("newsletter", "0012_preferences")]

    operations = [
        AddIndexOnline(
            model_name="consentevent",
            index=models.Index(
                fields=["-at"], condition=models.Q(reason__gt=""), name="consent_leaving_reason"
            ),
        ),
        migrations.CreateModel(
            name="LeavingAnswer",
            fields=[],
            options={
                "verbose_name": "reason for leaving",
                "verbose_name_plural": "reasons for leaving",
                "ordering": ["-at"],
                "proxy": True,
                "default_permissions": (),
                "indexes": [],
                "constraints": [],
            },
            bases=("newsletter.consentevent",),
        ),
    ]
