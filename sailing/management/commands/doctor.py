"""`manage.py doctor`: what is right and wrong with the site, one line each."""

from itertools import chain
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sailing.mail.transport import is_permitted
from sailing.operations import doctor


class Command(BaseCommand):
    """Examine the site, and send a test mail when asked."""

    help = (
        "Check settings, disks, database, worker, what waits, and the mail server. The exit status is 1 if"
        " there is a problem."
    )
    requires_system_checks = ()  # `examine` runs more of them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--release",
            action="store_true",
            help="Before a release: ask no mail server, and fail only if the release could not start.",
        )
        parser.add_argument(
            "--dns",
            nargs="?",
            const="",
            metavar="SELECTOR",
            help="Also look up MX, SPF and DMARC of the sender's domain, and DKIM with its selector.",
        )
        parser.add_argument(
            "--send-test-mail", metavar="ADDRESS", help="Also send a mail to ADDRESS, past the outbox."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = doctor.examine(is_release=options["release"])
        if options["dns"] is not None:
            findings = chain(findings, doctor.check_sender_domain(options["dns"]))
        failed = []
        for finding in findings:
            self.stdout.write(str(finding))
            is_fatal = not options["release"] or finding.subject in doctor.NEEDED_FOR_A_RELEASE
            if is_fatal and finding.status == doctor.PROBLEM:
                failed.append(finding.subject)
        if address := options["send_test_mail"]:
            self.send_test_mail(address)
        if failed:
            raise CommandError(f"There are problems: {', '.join(failed)}.")

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
        except Exception as error:  # backends raise various errors
            raise CommandError(f"The test mail was not sent: {type(error).__name__}: {error}") from error
        self.stdout.write(f"The mail server accepted a test mail to {address}.")
