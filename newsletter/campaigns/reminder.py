"""The reminder to confirm: once, to those who signed up on the site and have not answered after two days."""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db.models import Exists, OuterRef, QuerySet
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import ConfirmReminder
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.services.lifecycle import ask_to_confirm, find_opted_out
from sailing.mail.installation import Report, database_restored
from sailing.mail.mailboxes import find_suppressed
from sailing.mail.models import MailPriority, MailState, OutboxEmail

DELAY = timedelta(days=2)
"""After the sign-up, and after the last mail that asked to confirm."""

LONGEST_DELAY = timedelta(days=7)
"""Whoever could not be reminded by then, because of an outage or the mailbox's budget, is not reminded."""

BATCH_SIZE = 100

logger = structlog.get_logger(__name__)


def find_switch() -> ConfirmReminder | None:
    """Return the switch if it is on."""
    return ConfirmReminder.objects.first()


def turn_on() -> ConfirmReminder:
    """Remind those who sign up from now on."""
    return ConfirmReminder.objects.get_or_create(pk=1)[0]


def turn_off() -> None:
    """Remind nobody."""
    ConfirmReminder.objects.all().delete()


@receiver(database_restored)
def turn_off_after_restore(**_signal: Any) -> Report:
    """Turn the reminder off: the database does not know who got it after the backup."""
    count, _models = ConfirmReminder.objects.all().delete()
    return [(_("Reminders to confirm that are off"), count)] if count else []


def remind_next(after: str | None) -> str | None:
    """Remind the next subscribers in the order of their keys; return the last key if there may be more.

    `after`: the last key before. Call it in the transaction that stores the result.
    """
    switch = find_switch()
    if switch is None:
        return None
    due = _select_due(switch, timezone.now()).order_by("pk")
    if after:
        due = due.filter(pk__gt=after)
    batch = list(due.select_for_update(skip_locked=True)[:BATCH_SIZE])
    emails = [subscription.email for subscription in batch]
    unsent = OutboxEmail.objects.filter(recipient__in=emails, state=MailState.WAITING)
    refused = (
        find_suppressed(emails) | find_opted_out(emails) | set(unsent.values_list("recipient", flat=True))
    )
    for subscription in batch:
        if subscription.email not in refused:
            refused.add(subscription.email)  # an address may wait in both audiences
            ask_to_confirm(
                subscription,
                language=subscription.language,
                event=ConsentKind.REMINDED,
                is_budgeted=True,
                priority=MailPriority.BULK,
            )
    return str(batch[-1].pk) if len(batch) == BATCH_SIZE else None


def _select_due(switch: ConfirmReminder, now: datetime) -> QuerySet[Subscription]:
    """Return the subscribers to remind who asked, maybe again, since the reminder is on."""
    events = ConsentEvent.objects.filter(subscription=OuterRef("pk"))
    # Answered, reminded, or asked by an admin: they did not sign up on the site themselves.
    others = events.exclude(kind=ConsentKind.REQUESTED)
    bounced = Subscription.objects.filter(email=OuterRef("email"), bounced_at__isnull=False)
    return Subscription.objects.filter(
        Exists(events),
        ~Exists(others),
        ~Exists(bounced),
        created_at__range=(now - LONGEST_DELAY, now - DELAY),
        last_mail_at__range=(switch.since, now - DELAY),
        is_active=True,
        is_confirmed=False,
        is_imported=False,
        unsubscribed_at=None,
        asked_again_at=None,
    )
