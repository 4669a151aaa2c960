"""The links in mails to members."""

from post_office.models import Email

from accounts import services
from accounts.models import User
from tests.api import api_request
from tests.mailbox import address, last_address, latest


def verify_address(mail: Email) -> str:
    """The path, with its query, of the link that verifies an address."""
    return address(mail, "/account/verify/")


def not_me_address(mail: Email) -> str:
    """The path, with its query, of the link "This was not me" in a mail's text."""
    return last_address(mail, "/account/verify/")


def reset_address(mail: Email) -> str:
    return address(mail, "/account/reset/")


def link_to_verify(member: User) -> str:
    """Send a verification mail; the path of its link."""
    services.resend_verification(request=api_request(), user=member)
    return verify_address(latest())


def link_to_reset(member: User) -> str:
    """Send a mail to choose a new password; the path of its link."""
    services.send_reset_mail(user=member)
    return reset_address(latest())
