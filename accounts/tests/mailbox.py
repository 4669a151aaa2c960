"""The links in mails to members: their paths, with the query."""

from django.http import HttpResponse

from accounts.models import LinkPurpose, User
from accounts.services import credentials, links
from accounts.tests.factories import PASSWORD
from sailing.mail.models import OutboxEmail
from tests.api import VISITOR
from tests.mailbox import address, latest, press_button


def verify_address(mail: OutboxEmail) -> str:
    return address(mail, "/account/verify/")


def reset_address(mail: OutboxEmail) -> str:
    return address(mail, "/account/reset/")


def link_to_verify(member: User) -> str:
    """Send a verification mail; return the path of its link."""
    links.resend_verification(client=VISITOR, user=member)
    return verify_address(latest())


def link_to_reset(member: User) -> str:
    """Send a reset mail; return the path of its link."""
    links.send_link(user=member, purpose=LinkPurpose.RESET)
    return reset_address(latest())


def link_to_change(member: User, email: str) -> str:
    """Ask for another address; return the path of the link in the mail."""
    member.refresh_from_db()
    credentials.request_email_change(client=VISITOR, user=member, email=email, current_password=PASSWORD)
    return address(latest(), "/account/email/")


def confirm(address: str) -> HttpResponse:
    """Confirm an address in a new browser, with the password of `MemberFactory`."""
    return press_button(address, password=PASSWORD)
