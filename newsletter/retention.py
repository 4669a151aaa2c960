"""Personal data that is deleted once it has served its purpose (GDPR article 5(1)(e))."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from newsletter.models import OWNER_EVENTS, LinkPurpose, Subscription, SubscriptionLink
from sailing.privacy import retention
from sailing.privacy.erasure import erase

UNANSWERED = timedelta(days=90)


def purge_expired_links() -> bool:
    """Delete a batch of old links; return whether more are left.

    A link to unsubscribe is kept as long as its subscription.
    """
    has_more = SubscriptionLink.purge_expired(purpose=LinkPurpose.CONFIRM)
    return SubscriptionLink.purge_expired(subscription=None) or has_more


def purge_unanswered() -> bool:
    """Erase a batch of subscriptions whose owner never answered; return whether more may be left.

    A subscription goes if its owner has said nothing about it for `UNANSWERED` since the last mail. One
    that bounced stays, so that nothing is sent there again.
    """
    before = timezone.now() - UNANSWERED
    unanswered = (
        Subscription.objects.filter(created_at__lt=before, is_confirmed=False)
        .filter(Q(last_mail_at=None) | Q(last_mail_at__lt=before))
        .filter(unsubscribed_at=None, bounced_at=None)
        .exclude(consent_events__kind__in=OWNER_EVENTS)
    )
    with transaction.atomic():
        # Whoever is just asking again has locked the row, and it stays.
        free = unanswered.select_for_update(skip_locked=True)
        keys = list(free.values_list("pk", flat=True)[: retention.BATCH_SIZE])
        erase(Subscription, keys)
    return len(keys) == retention.BATCH_SIZE
