"""Does nothing any more: 0005 builds the index that this migration built, or silently did not build."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("newsletter", "0003_imported")]

    operations = []
