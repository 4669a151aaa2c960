"""The retention of unanswered subscriptions and of email links (see `sailing.jobs.retention`)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from newsletter.models import OWNER_EVENTS, Subscription, SubscriptionLink
from sailing.jobs import retention
from sailing.privacy.erasure import erase

UNANSWERED_LIFETIME = timedelta(days=90)


@retention.register
def purge_expired_links() -> bool:
    """Delete a batch of old links; return whether more are left."""
    return SubscriptionLink.purge_expired()


@retention.register
def purge_unanswered() -> bool:
    """Erase a batch of subscriptions whose owner never answered; return whether more may be left.

    A subscription is erased if its owner has not answered for `UNANSWERED_LIFETIME` since the last mail. A
    bounced one stays, and one that an admin ended, so that nothing is sent to the address again.
    """
    before = timezone.now() - UNANSWERED_LIFETIME
    unanswered = (
        Subscription.objects.filter(created_at__lt=before, is_confirmed=False, is_active=True)
        .filter(Q(last_mail_at=None) | Q(last_mail_at__lt=before))
        .filter(unsubscribed_at=None, bounced_at=None)
        .exclude(consent_events__kind__in=OWNER_EVENTS)
    )
    with transaction.atomic():
        # A row is locked, and stays, while somebody subscribes again.
        free = unanswered.select_for_update(skip_locked=True)
        keys = list(free.values_list("pk", flat=True)[: retention.BATCH_SIZE])
        erase(Subscription, keys)
    return len(keys) == retention.BATCH_SIZE


retention.periods["unansweredSubscriptions"] = UNANSWERED_LIFETIME
