"""Drop the error store: Sentry and the log have the errors."""

from django.conf import settings
from django.db import migrations


def delete_content_type(apps, _schema_editor):
    """Delete the content type, and with it the permissions that admins may have been given."""
    apps.get_model("contenttypes", "ContentType").objects.filter(app_label="sailing", model="failure").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("sailing", "0004_mailbox_budget"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(delete_content_type, migrations.RunPython.noop),
        migrations.DeleteModel(name="Failure"),
    ]
