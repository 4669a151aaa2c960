from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sailing", "0002_rate_counter")]

    operations = [
        migrations.CreateModel(
            name="RetentionRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
            ],
            options={"default_permissions": ()},
        ),
    ]
