"""`manage.py purge_expired`: delete expired data now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sailing.jobs import retention


class Command(BaseCommand):
    """Run all steps of `sailing.jobs.retention` until nothing expired is left."""

    help = "Delete all data whose retention period is over. The site does so by itself once an hour."

    def handle(self, *args: Any, **options: Any) -> None:
        if failed := retention.purge_expired():
            raise CommandError(f"These steps failed, see the log: {', '.join(failed)}")
