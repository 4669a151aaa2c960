"""Subscribing as the form of the site does, and the links in the mails that follow."""

from typing import Any

from django.test import Client
from django.utils import timezone

from newsletter import tokens
from newsletter.models import Subscription
from sailing.mail.models import MailState, OutboxEmail
from tests.api import Answer, post_graphql
from tests.mailbox import address

MUTATION = """
mutation ($input: SubscribeNewsletterInput!) {
  subscribeNewsletter(input: $input) {
    success
    message
    subscription { id email userType isActive isConfirmed createdAt source }
  }
}
"""


def subscribe(*, client: Client | None = None, **values: Any) -> Answer:
    """Post the mutation with valid values, overridden by `values`."""
    given = {"email": "sailor@example.com", "userType": "sailor", "source": "landing-sailors"} | values
    return post_graphql(MUTATION, {"input": given}, client=client)


def deliver() -> int:
    """Mark the mails that are due as sent, but keep their text; return how many there were."""
    due = OutboxEmail.objects.filter(state=MailState.WAITING, next_attempt_at__lte=timezone.now())
    return due.update(state=MailState.SENT)


def confirm_address(mail: OutboxEmail) -> str:
    return address(mail, "/newsletter/confirm/")


def manage_address(subscription: Subscription, delivery: int | None = None) -> str:
    """Return the path of a reader's own page, as in the mail of a delivery, or in another."""
    return f"/newsletter/manage/{tokens.build(subscription.pk, delivery)}/"


def unsubscribe_address(mail: OutboxEmail) -> str:
    return address(mail, "/newsletter/manage/").removesuffix("&not-me=1")
