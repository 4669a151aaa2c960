"""Who came by an invitation link: stored with the request, settled after the confirmation, counted later.

A request stores the code as it came, whoever has it, so it takes the same time for every code. What it is
worth is decided when the owner of the mailbox has confirmed (docs/decisions/029). Neither side learns who
the other is.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from newsletter.invitation_links import build_invitation_url, read_code
from newsletter.invitations.models import HoldReason, Invitation, Inviter, Milestone, Review
from newsletter.models import OWNER_EVENTS, SUBSCRIBED_STATES, ConsentEvent, ConsentKind, Subscription
from newsletter.services.lifecycle import lock_address
from sailing.client import NO_REQUEST, Client, current_client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.mail.mailboxes import hash_mailbox
from sailing.ratelimit.limits import check_rate

NETWORK_RATE = "10/d"
"""Confirmations from one address that count by themselves. Wider networks have multiples of it."""

BURST_LIMIT = 20
BURST_PERIOD = timedelta(hours=1)
"""How many may come by one link in that time before the next ones are held."""

SETTLE_AFTER = timedelta(minutes=10)
"""After that, the process that should have settled an invitation was killed."""

BATCH_SIZE = 1000


# --- Coming by a link ------------------------------------------------------------------------


def record_request(*, subscription: Subscription, invitation: str | None, **_signal: Any) -> None:
    """Store the code with which a new subscription was requested.

    An address that was erased, or whose owner wants no mails, was here before and does not count.
    """
    code = read_code(invitation)
    if code and not mailboxes.find_suppressed([subscription.email]):
        Invitation.objects.create(subscription=subscription, code=code)


def keep_open_invitation(*, subscription: Subscription, new: Subscription, **_signal: Any) -> None:
    """Let the right address have the invitation that the wrong one has not answered.

    It is settled as any other: whether it counts is decided when the owner of the right address confirms.
    """
    # The database checks the key at the commit, when the new subscription is stored.
    Invitation.objects.filter(subscription=subscription, settled_at=None).update(subscription=new.pk)


def settle_after_commit(*, subscription: Subscription, **_signal: Any) -> None:
    """Settle the invitation of a confirmed subscription, once it is stored.

    Outside of the transaction, as the rate counters need it, and without its locks. A failure is logged, and
    the hourly job tries again.
    """
    client = current_client.get()

    def settle_now() -> None:
        settle(subscription=subscription, client=client)

    if settings.INVITATIONS:
        transaction.on_commit(settle_now, robust=True)


def settle(*, subscription: Subscription, client: Client = NO_REQUEST) -> None:
    """Find the inviter of a confirmed subscription, or delete the invitation if it cannot count.

    It cannot if nobody who is subscribed has the code, if the mailbox is the inviter's own, or if it was
    known before. Past the limits of a network or of a link it is held for an admin. `client`: who has
    confirmed; a job does not know.
    """
    invitation = Invitation.objects.filter(subscription=subscription, settled_at=None).first()
    if invitation is None:
        return
    # Any of the address: a reader of both may have shared the link of the audience that they left.
    address = Subscription.objects.filter(pk=invitation.code).values("email")
    inviting = Subscription.objects.in_state(*SUBSCRIBED_STATES).filter(email__in=address).first()
    mailbox = hash_mailbox(subscription.email)
    if inviting is None or mailbox == hash_mailbox(inviting.email) or _is_known(subscription, mailbox):
        invitation.delete()
        return
    is_over_limit = not _reserve_in_network(client)
    try:
        with transaction.atomic():
            # Locked until the commit: nobody erases the inviter, or stores another one for the address.
            locked = lock_address(inviting.pk)
            if locked is None:
                invitation.delete()
                return
            invitation.inviter = inviter = _get_inviter(locked)
            invitation.mailbox = mailbox
            invitation.settled_at = timezone.now()
            if is_over_limit:
                invitation.review, invitation.hold_reason = Review.HELD, HoldReason.NETWORK
            elif _is_burst(inviter):
                invitation.review, invitation.hold_reason = Review.HELD, HoldReason.BURST
            invitation.save()
    except IntegrityError:  # the mailbox came by a link before
        Invitation.objects.filter(pk=invitation.pk).delete()


def _is_known(subscription: Subscription, mailbox: str) -> bool:
    """Return whether the owner was here before: invited others, or answered for the other audience.

    A mailbox that came by a link before violates the unique constraint.
    """
    if Inviter.objects.filter(mailbox=mailbox).exists():
        return True
    kinds = (*OWNER_EVENTS, ConsentKind.IMPORTED_CONSENT)
    answers = ConsentEvent.objects.filter(subscription__email=subscription.email, kind__in=kinds)
    return answers.exclude(subscription=subscription).exists()


def _get_inviter(subscription: Subscription) -> Inviter:
    """Return the inviter of an address, whichever of its subscriptions the code is from.

    The caller has locked the address.
    """
    known = Inviter.objects.filter(subscription__email=subscription.email).order_by("pk").first()
    return known or Inviter.objects.create(
        subscription=subscription,
        mailbox=hash_mailbox(subscription.email),
        joined_at=subscription.confirmed_at or subscription.created_at,
    )


def _reserve_in_network(client: Client) -> bool:
    """Count one confirmation of a network; return whether its rate allows that."""
    if client == NO_REQUEST:
        return True
    # An IPv4 client has its address alone, and the many of a cheap network should share a budget, too.
    networks = tuple(dict.fromkeys((*client.networks, client.widest_network)))
    try:
        check_rate(Client(networks, client.widest_network), group="invitation", rate=NETWORK_RATE)
    except RateLimited:
        return False
    return True


def _is_burst(inviter: Inviter) -> bool:
    recent = inviter.invitations.filter(settled_at__gt=timezone.now() - BURST_PERIOD)
    return recent.count() >= BURST_LIMIT


# --- Counting --------------------------------------------------------------------------------


def list_left_over() -> list[Subscription]:
    """Return a batch of confirmed subscriptions whose process was killed before it settled the invitation."""
    confirmed = Invitation.objects.filter(
        settled_at=None,
        subscription__in=Subscription.objects.in_state(*SUBSCRIBED_STATES),
        subscription__confirmed_at__lt=timezone.now() - SETTLE_AFTER,
    )
    found = confirmed.select_related("subscription").order_by("created_at")[:BATCH_SIZE]
    return [invitation.subscription for invitation in found]


def update_counts(*, after: int) -> int | None:
    """Store how many came by the links of a batch of inviters; return the last key, or None after the end."""
    batch = Inviter.objects.filter(pk__gt=after).order_by("pk")[:BATCH_SIZE]
    stored = dict(batch.values_list("pk", "counted"))
    if not stored:
        return None
    came = Invitation.objects.counted().filter(inviter__in=list(stored)).order_by()
    counts = dict(came.values_list("inviter").annotate(Count("pk")))
    changed: dict[int, list[int]] = defaultdict(list)
    for pk, counted in stored.items():
        if counts.get(pk, 0) != counted:
            changed[counts.get(pk, 0)].append(pk)
    for count, keys in changed.items():
        Inviter.objects.filter(pk__in=keys).update(counted=count)
    return max(stored)


def find_inviters(min_invitations: int) -> QuerySet[Subscription]:
    """Return the subscribers by whose link at least that many came, as of the last hourly count."""
    return Subscription.objects.filter(inviter__counted__gte=min_invitations)


# --- What a reader sees ----------------------------------------------------------------------


@dataclass(frozen=True)
class InvitationSummary:
    """What a subscriber sees: the link, how many came by it, and what that brings."""

    url: str
    count: int
    milestones: Sequence[Milestone]


def get_summary(*, email: str) -> InvitationSummary | None:
    """Return what the subscriber with an address sees; None without one, or if invitations are off."""
    if not settings.INVITATIONS:
        return None
    subscribed = Subscription.objects.in_state(*SUBSCRIBED_STATES).filter(email=email)
    own = subscribed.order_by("created_at", "pk").first()
    if own is None:
        return None
    return InvitationSummary(
        url=build_invitation_url(own.pk),
        count=Invitation.objects.counted().filter(inviter__subscription__email=email).count(),
        milestones=list(Milestone.objects.all()),
    )


# --- Admins ----------------------------------------------------------------------------------


def review(*, invitation: Invitation, decision: Review) -> bool:
    """Record what an admin decided about an invitation; return False if it needs no such decision.

    Only one that is held can be accepted or refused, so nobody's decision is replaced unseen. The way back
    is to hold it again.
    """
    before = (Review.ACCEPTED, Review.REFUSED) if decision == Review.HELD else (Review.HELD,)
    return bool(Invitation.objects.filter(pk=invitation.pk, review__in=before).update(review=decision))
