"""Subscribers who come through the link of another one."""

from datetime import timedelta

from django.utils import timezone

from newsletter.invitations import services
from newsletter.invitations.models import Invitation
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.services import subscriptions
from newsletter.tests.factories import SubscriptionFactory
from sailing.client import Client

DAY = timedelta(days=1)


def create_reader(email: str, **fields: object) -> Subscription:
    values = {"is_confirmed": True, "confirmed_at": timezone.now() - 30 * DAY, **fields}
    return SubscriptionFactory(email=email, **values)


def confirm(subscription: Subscription, client: Client | None = None) -> None:
    """Confirm by a link, by default from a network of its own."""
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    own = Client((subscription.email,), subscription.email)
    subscriptions.confirm(client=client or own, token=token, language="en")


def come(
    inviting: Subscription, email: str, *, client: Client | None = None, ago: timedelta = 2 * DAY, **also: str
) -> bool:
    """Let somebody subscribe by the link of a reader and confirm; return whether that can count."""
    invited = SubscriptionFactory(email=email, **also)
    services.record_request(subscription=invited, code=inviting.pk.hex)
    confirm(invited, client)
    Subscription.objects.filter(pk=invited.pk).update(confirmed_at=timezone.now() - ago)
    return Invitation.objects.filter(subscription=invited).exists()
