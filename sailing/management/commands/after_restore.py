"""`manage.py after_restore`: what must happen before a restored database sends mails."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from sailing.mail import installation


class Command(BaseCommand):
    help = (
        "After restoring a backup: ends waiting emails and jobs, pauses campaigns under way and returns"
        " scheduled ones to draft. Until then, the site sends nothing from a restored or copied database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = "The database was moved while nothing was sent, so everything that waits goes on."
        parser.add_argument("--moved", action="store_true", help=what)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["moved"]:
            installation.adopt()
        else:
            for label, count in installation.stop_restored_work():
                self.stdout.write(f"{label}: {count}")
        self.stdout.write("The site sends emails from this database.")
