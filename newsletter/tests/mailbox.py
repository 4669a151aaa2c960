"""The links in newsletter mails."""

from django.utils import timezone
from post_office.models import STATUS, Email

from tests.mailbox import address


def deliver() -> int:
    """Mark the mails that are due as sent, but keep their text; return how many there were."""
    waiting = Email.objects.filter(status=STATUS.queued).exclude(scheduled_time__gt=timezone.now())
    return int(waiting.update(status=STATUS.sent))


def confirm_address(mail: Email) -> str:
    """Return the path of the confirm link, with its query."""
    return address(mail, "/newsletter/confirm/")


def unsubscribe_address(mail: Email) -> str:
    return address(mail, "/newsletter/unsubscribe/").removesuffix("&not-me=1")


def not_me_address(mail: Email) -> str:
    """Return the path of the link "This was not me", with its query."""
    return address(mail, "/newsletter/")
