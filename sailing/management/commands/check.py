"""`manage.py check --deploy --send-test-mail ADDRESS`: Django's checks, then a test mail."""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import check

from sailing.mail.connection import is_permitted


class Command(check.Command):
    """Django's `check`, which can also send a test mail."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--send-test-mail", metavar="ADDRESS", help="Also send a mail to ADDRESS, past the outbox."
        )

    def handle(self, *app_labels: Any, **options: Any) -> None:
        super().handle(*app_labels, **options)
        if address := options["send_test_mail"]:
            self.send_test_mail(address)

    def send_test_mail(self, address: str) -> None:
        """Send a mail at once. Raises CommandError with the reply of the mail server."""
        if not is_permitted(address):
            raise CommandError("The test mail was not sent: MAIL_ONLY_TO does not permit this address.")
        mail = EmailMessage(
            f"Test mail from {settings.SITE_URL}",
            "Mails from this site arrive. Look at the sender and whether this one was taken for spam.\n",
            to=[address],
        )
        try:
            mail.send()
        except OSError as error:  # SMTP errors, time-outs, TLS
            raise CommandError(f"The test mail was not sent: {type(error).__name__}: {error}") from error
        self.stdout.write(f"The mail server accepted a test mail to {address}.")
