"""The links in newsletter mails."""

from django.utils import timezone
from post_office.models import STATUS, Email

from tests.mailbox import address


def deliver() -> int:
    """Have the mail server take what is due; return how many mails that were. Their text stays readable."""
    waiting = Email.objects.filter(status=STATUS.queued).exclude(scheduled_time__gt=timezone.now())
    return int(waiting.update(status=STATUS.sent))


def confirm_address(mail: Email) -> str:
    """The path, with its query, of the confirm link in a mail's text."""
    return address(mail, "/newsletter/confirm/")


def unsubscribe_address(mail: Email) -> str:
    return address(mail, "/newsletter/unsubscribe/").removesuffix("&not-me=1")


def not_me_address(mail: Email) -> str:
    """The path of the page on which a reader says "This was not me"."""
    return address(mail, "/newsletter/")
