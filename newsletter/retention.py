"""What is forgotten by itself once it has served its purpose (GDPR article 5(1)(e))."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from newsletter.models import OWN_WORDS, LinkPurpose, Subscription, SubscriptionLink
from sailing.erasure import erase

UNANSWERED = timedelta(days=90)
BATCH = 500


def tidy(**_signal: Any) -> None:
    """Forget old links and unanswered requests. Listens to `outbox.tidying`.

    A link to unsubscribe is kept as long as its subscription. A subscription goes if its owner has not
    said a word about it for so long since the last mail. One that bounced stays, so that nothing is sent
    there again.
    """
    SubscriptionLink.forget_old(purpose=LinkPurpose.CONFIRM)
    before = timezone.now() - UNANSWERED
    unanswered = (
        Subscription.objects.filter(created_at__lt=before, is_confirmed=False)
        .filter(Q(last_mail_at=None) | Q(last_mail_at__lt=before))
        .filter(unsubscribed_at=None, bounced_at=None)
        .exclude(consent_events__kind__in=OWN_WORDS)
    )
    while _erase_some(unanswered):
        pass


def _erase_some(subscriptions: QuerySet[Subscription]) -> bool:
    """Erase a batch; return whether there may be more."""
    with transaction.atomic():
        # Whoever is just asking again has locked the row, and it stays.
        free = subscriptions.select_for_update(skip_locked=True)
        keys = list(free.values_list("pk", flat=True)[:BATCH])
        erase(Subscription, keys)
    return len(keys) == BATCH
