"""The links in newsletter mails."""

from post_office.models import Email

from tests.mailbox import address


def confirm_address(mail: Email) -> str:
    """The path, with its query, of the confirm link in a mail's text."""
    return address(mail, "/newsletter/confirm/")


def unsubscribe_address(mail: Email) -> str:
    return address(mail, "/newsletter/unsubscribe/")
