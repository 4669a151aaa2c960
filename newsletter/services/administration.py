"""What admins and imports do with single subscribers."""

from django.db import transaction
from django.utils import timezone

from newsletter.models import OWNER_EVENTS, ConsentEvent, ConsentKind, State, Subscription
from newsletter.services.lifecycle import ask_to_confirm, close_confirm_links
from sailing.mail.models import MailPriority


def resend_confirmation(*, subscription: Subscription, is_budgeted: bool = False) -> bool:
    """Ask a pending subscriber again, as an admin, unless deactivated; return whether a mail was sent.

    The limits on mails apply, with `is_budgeted` also the budget of the mailbox.
    Raises Subscription.DoesNotExist if the subscription was erased meanwhile, as `deactivate` and `activate`
    do.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.state is not State.PENDING:
            return False
        return ask_to_confirm(
            current,
            language=current.language,
            event=_asked_by_admin(current),
            is_budgeted=is_budgeted,
            priority=MailPriority.BULK if is_budgeted else MailPriority.NORMAL,
        )


def invite(*, subscription: Subscription) -> bool:
    """Ask an imported subscriber to confirm for the first time; return whether a mail was sent.

    Unlike a mail to one subscriber, it counts in the budget of the mailbox: no admin has checked the address.
    Raises Subscription.DoesNotExist like `resend_confirmation`.
    """
    with transaction.atomic():
        current = _lock(subscription)
        return (
            current.state is State.PENDING
            and current.last_mail_at is None
            and ask_to_confirm(
                current,
                language=current.language,
                event=_asked_by_admin(current),
                is_budgeted=True,
                priority=MailPriority.BULK,
            )
        )


def deactivate(*, subscription: Subscription) -> bool:
    """Stop newsletters to a subscriber, as an admin; return False if they were stopped before."""
    with transaction.atomic():
        current = _lock(subscription)
        if not current.is_active:
            return False
        current.is_active = False
        current.save()
        close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.DEACTIVATED, language=current.language)
        return True


def activate(*, subscription: Subscription) -> bool:
    """Undo a deactivation, as an admin; return whether there was one.

    A subscriber who opted out stays inactive: only their own confirmation brings them back.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.is_active or _has_opted_out(current):
            return False
        current.is_active = True
        current.asked_again_at = None
        current.save()
        if current.is_confirmed:
            close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.ACTIVATED, language=current.language)
        return True


def _lock(subscription: Subscription) -> Subscription:
    return Subscription.objects.select_for_update().get(pk=subscription.pk)


def _asked_by_admin(subscription: Subscription) -> ConsentKind:
    return ConsentKind.INVITED if subscription.is_imported else ConsentKind.REQUESTED


def _has_opted_out(subscription: Subscription) -> bool:
    if subscription.unsubscribed_at:
        return True
    last = subscription.consent_events.filter(kind__in=OWNER_EVENTS).last()
    return last is not None and last.kind != ConsentKind.CONFIRMED
