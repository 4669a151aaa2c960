"""Subscribers who come by the link of another one."""

from datetime import timedelta

from django.utils import timezone

from newsletter.invitations import services
from newsletter.invitations.models import Invitation
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.client import NO_REQUEST, Client

LONG_AGO = timedelta(days=30)


def create_reader(email: str, **fields: object) -> Subscription:
    """Store a subscriber who confirmed long ago."""
    values = {"is_confirmed": True, "confirmed_at": timezone.now() - LONG_AGO, **fields}
    reader: Subscription = SubscriptionFactory(email=email, **values)
    return reader


def come(
    inviting: Subscription,
    email: str,
    *,
    client: Client = NO_REQUEST,
    ago: timedelta = timedelta(days=2),
    **fields: object,
) -> Invitation | None:
    """Let somebody subscribe by the link of a reader and confirm; return the invitation if it can count."""
    invited = SubscriptionFactory(email=email, is_confirmed=True, confirmed_at=timezone.now() - ago, **fields)
    services.record_request(subscription=invited, invitation=inviting.pk.hex)
    services.settle(subscription=invited, client=client)
    return Invitation.objects.filter(subscription=invited).first()
