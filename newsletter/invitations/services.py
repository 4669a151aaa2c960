"""Invitation links, and who came through them (docs/decisions/029).

The code in a link is the key of the reader's subscription: 122 random bits, which open nothing. A request
stores the code as it came, which takes the same time for every code. Whether it counts is decided when the
owner of the mailbox confirms. Neither side learns who the other is.
"""

import re
import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from newsletter import models
from newsletter.invitations.models import Invitation, Inviter, Milestone
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.ratelimit.limits import check_rate

COUNT_AFTER = timedelta(days=1)
"""How long somebody must have been subscribed before they count."""

_CODE = re.compile("[0-9a-f]{32}")


def build_invitation_url(subscription_pk: uuid.UUID) -> str:
    """Return the link of a subscriber, in no language: whoever follows it may read another one."""
    return f"{settings.SITE_URL}/newsletter?invitation={subscription_pk.hex}"


def record_request(*, subscription: models.Subscription, code: str | None) -> None:
    """Store the code of a request if it is well-formed, unless the address is suppressed."""
    if code and _CODE.fullmatch(code) and not mailboxes.find_suppressed([subscription.email]):
        Invitation.objects.create(subscription=subscription, code=uuid.UUID(code))


def check_network(*, client: Client, token: str) -> bool:
    """Count a confirmation; return whether the client's networks allow it. Call it before the transaction."""
    link = models.SubscriptionLink.find(token, purpose=models.LinkPurpose.CONFIRM)
    if link is None or not Invitation.objects.filter(subscription=link.subscription, inviter=None).exists():
        return True
    # An IPv4 client has its address alone, and the many of a cheap network should share a budget, too.
    networks = tuple(dict.fromkeys((*client.networks, client.widest_network)))
    try:
        check_rate(Client(networks, client.widest_network), group="invitation", rate=settings.INVITATION_RATE)
    except RateLimited:
        return False
    return True


def assign_inviter(*, subscription: models.Subscription, may_count: bool) -> None:
    """Set the inviter of a subscription, in the transaction that confirms it.

    The invitation is deleted if it must not count (`may_count`: see `check_network`), if nobody who is
    subscribed has the code, or if the mailbox is the inviter's own or was here before.
    """
    invitation = Invitation.objects.filter(subscription=subscription, inviter=None).first()
    if invitation is None:
        return
    readers = models.Subscription.objects.in_state(*models.SUBSCRIBED_STATES).filter(pk=invitation.code)
    inviter = readers.select_for_update().first()  # nobody erases it before the commit
    mailbox = mailboxes.hash_mailbox(subscription.email)
    is_own = inviter is not None and mailbox == mailboxes.hash_mailbox(inviter.email)
    if not may_count or inviter is None or is_own or _has_answered_before(subscription):
        invitation.delete()
        return
    invitation.inviter, invitation.mailbox = inviter, mailbox
    try:
        with transaction.atomic():
            invitation.save()
    except IntegrityError:  # the mailbox came through a link before
        invitation.delete()


def _has_answered_before(subscription: models.Subscription) -> bool:
    """Return whether the owner has answered for the other audience."""
    kinds = (*models.OWNER_EVENTS, models.ConsentKind.IMPORTED_CONSENT)
    answers = models.ConsentEvent.objects.filter(subscription__email=subscription.email, kind__in=kinds)
    return answers.exclude(subscription=subscription).exists()


def select_counted() -> QuerySet[Invitation]:
    """Return the invitations that count: both sides are subscribed, and the invited for a day."""
    subscribed = models.Subscription.objects.in_state(*models.SUBSCRIBED_STATES)
    invited = subscribed.filter(confirmed_at__lte=timezone.now() - COUNT_AFTER)
    return Invitation.objects.filter(inviter__in=subscribed, subscription__in=invited)


def find_inviters(least: int = 1) -> QuerySet[Any]:
    """Return the readers through whose link at least that many people came, with the number as `counted`."""
    found = Inviter.objects.filter(invitations__in=select_counted())
    return found.annotate(counted=Count("invitations")).filter(counted__gte=least)


def get_summary(*, email: str) -> dict[str, Any] | None:
    """Return what a subscriber sees, or None: the link, how many came through it, and the rewards."""
    own = models.Subscription.objects.find_own(email)
    if own is None:
        return None
    return {
        "url": build_invitation_url(own.pk),
        "count": select_counted().filter(inviter__email=email).count(),
        "milestones": list(Milestone.objects.all()),
    }
