"""What is forgotten: on a subscriber's wish, and by itself once it has served its purpose (GDPR articles
17 and 5(1)(e))."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from newsletter.models import OWN_WORDS, LinkPurpose, Subscription, SubscriptionLink
from sailing import mail

UNANSWERED = timedelta(days=90)
LINKS_KEPT = timedelta(days=90)
BATCH = 500


def erase(keys: Collection[UUID]) -> None:
    """Delete subscriptions, and everything else that has their addresses.

    That is their mails, of which none is sent any more, and the titles of the admin's history.
    """
    names = [str(key) for key in keys]
    with transaction.atomic():
        mail.forget(about=names)
        entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Subscription))
        entries.filter(object_id__in=names).update(object_repr=F("object_id"))
        Subscription.objects.filter(pk__in=keys).delete()


def tidy(**_signal: Any) -> None:
    """Forget old links and unanswered requests. Listens to `outbox.tidying`.

    A confirm link has long been used or expired by then; until then its page can still say which. A
    subscription goes if its owner has not said a word about it for so long since the last mail. One that
    bounced stays, so that nothing is sent there again.
    """
    now = timezone.now()
    SubscriptionLink.objects.filter(purpose=LinkPurpose.CONFIRM, created_at__lt=now - LINKS_KEPT).delete()
    before = now - UNANSWERED
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
        erase(keys)
    return len(keys) == BATCH
