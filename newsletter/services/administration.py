"""What admins do with single subscribers.

`by_id` is the key of the admin. All but `mark_reachable` lock the row, and raise Subscription.DoesNotExist
if it was erased meanwhile.
"""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.forms import AddForm, AddressForm, read_form
from newsletter.models import OWNER_EVENTS, ConsentEvent, ConsentKind, State, Subscription
from newsletter.services.lifecycle import ask_to_confirm, close_confirm_links, find_opted_out, lock_address
from sailing.attribution import ATTRIBUTION_FIELDS
from sailing.errors import BadUserInput
from sailing.mail.mailboxes import find_suppressed
from sailing.mail.models import MailPriority
from sailing.privacy.erasure import erase

ASK_PERMISSIONS = ("newsletter.change_subscription", "campaigns.send_campaign")
"""Of an admin who asks people to confirm: it reaches as many people as a campaign."""

RESTORE_DAYS = 7
"""How long an admin can undo an unsubscription by an admin, who may have acted for the owner."""

REFUSAL = _("This address cannot be used: it is on the list, must not be asked, or was asked too often.")


def may_ask(subscription: Subscription) -> bool:
    """Return whether a subscriber waits, and has not opted out before an import, and is not suppressed."""
    email = [subscription.email]
    return subscription.state is State.PENDING and not (find_suppressed(email) or find_opted_out(email))


def ask_again(*, subscription: Subscription, by_id: int | None = None, is_bulk: bool = False) -> bool:
    """Ask a waiting subscriber to confirm, within the limits on mails; return whether a mail was sent."""
    with transaction.atomic():
        return _ask(_lock(subscription), by_id, is_bulk=is_bulk)


def may_unsubscribe(subscription: Subscription) -> bool:
    """Return whether there is a subscription, or a request for one, that an admin can end."""
    return subscription.is_active or subscription.asked_again_at is not None


def unsubscribe(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Stop the newsletters; return False if they had ended before. The owner may still unsubscribe."""
    with transaction.atomic():
        current = _lock(subscription)
        if not may_unsubscribe(current):
            return False
        _set_active(current, False, ConsentKind.ENDED_BY_ADMIN, by_id)
        return True


def may_restore(subscription: Subscription) -> bool:
    """Return whether an admin ended it in the last days, and its owner has not opted out."""
    if subscription.is_active or _has_opted_out(subscription):
        return False
    changes = subscription.consent_events.filter(
        kind__in=(ConsentKind.ENDED_BY_ADMIN, ConsentKind.RESTORED, ConsentKind.CONFIRMED)
    )
    latest = list(changes.order_by("-at", "-pk")[:2])
    # The second of two ends in a row dropped a request, which somebody else may have made.
    if [event.kind == ConsentKind.ENDED_BY_ADMIN for event in latest] not in ([True], [True, False]):
        return False
    return latest[0].at > timezone.now() - timedelta(days=RESTORE_DAYS)


def restore(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Undo `unsubscribe`, where `may_restore` allows it; return whether it did."""
    with transaction.atomic():
        current = _lock(subscription)
        if not may_restore(current):
            return False
        _set_active(current, True, ConsentKind.RESTORED, by_id)
        return True


def _set_active(subscription: Subscription, is_active: bool, event: ConsentKind, by_id: int | None) -> None:
    subscription.is_active = is_active
    subscription.asked_again_at = None
    subscription.save()
    if not is_active or subscription.is_confirmed:
        close_confirm_links(subscription)
    ConsentEvent.record(subscription, event, by_id=by_id)


def mark_reachable(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Record that emails to the address arrive again, in both audiences; return False if none came back."""
    with transaction.atomic():
        bounced = [each for each in lock_address(subscription.email) if each.bounced_at]
        for each in bounced:
            each.bounced_at = None
            each.save(update_fields=["bounced_at"])
            ConsentEvent.record(each, ConsentKind.REACHABLE, by_id=by_id)
        return bool(bounced)


def add(
    *, email: str, user_type: str, language: str, first_name: str = "", by_id: int | None = None
) -> Subscription:
    """Add a subscriber by hand, who waits until the owner confirms. Raises BadUserInput."""
    values = {"email": email, "user_type": user_type, "language": language, "first_name": first_name}
    new = Subscription(**read_form(AddForm(values)))
    with transaction.atomic():
        _store_and_ask(new, ConsentKind.ADDED, by_id)
    return new


def may_correct(subscription: Subscription) -> bool:
    """Return whether the address may be replaced. An opt-out stays with its address."""
    return subscription.is_active and not _has_opted_out(subscription)


def correct_address(*, subscription: Subscription, email: str, by_id: int | None = None) -> Subscription:
    """Put another address in place of one, and ask the owner of the new one; return the new subscription.

    The owner of the old address is somebody else, or nobody: it is erased with its consent, its links and its
    mails, and gets nothing more. Raises BadUserInput like `add`.
    """
    kept = ("user_type", "first_name", "source", "language", "is_imported", "import_batch")
    values = {name: getattr(subscription, name) for name in (*kept, *ATTRIBUTION_FIELDS)}
    new = Subscription(**read_form(AddressForm({"email": email})), **values)
    with transaction.atomic():
        # The owner may have ended it meanwhile.
        if not may_correct(_lock(subscription)):
            raise BadUserInput(REFUSAL, field="email")
        _store_and_ask(new, ConsentKind.CORRECTED, by_id)
        erase(Subscription, [subscription.pk])
    return new


def _store_and_ask(new: Subscription, event: ConsentKind, by_id: int | None) -> None:
    """Store a subscription. Raises BadUserInput if its address is on the list, or must not be asked."""
    refusal = BadUserInput(REFUSAL, field="email")
    known = Subscription.objects.filter(email=new.email)
    if known.filter(Q(user_type=new.user_type) | Q(bounced_at__isnull=False)).exists():
        raise refusal
    try:
        new.save(force_insert=True)
    except IntegrityError:  # somebody has subscribed it meanwhile
        raise refusal from None
    ConsentEvent.record(new, event, by_id=by_id)
    if not _ask(new, by_id):
        raise refusal


def _has_opted_out(subscription: Subscription) -> bool:
    """Return whether the last word of the owner, here or before an import, was an opt-out."""
    last = subscription.consent_events.filter(kind__in=OWNER_EVENTS).last()
    return bool(subscription.unsubscribed_at or (last and last.kind != ConsentKind.CONFIRMED))


def _lock(subscription: Subscription) -> Subscription:
    rows = Subscription.objects.select_related("import_batch")  # which the mail names
    return rows.select_for_update(of=("self",)).get(pk=subscription.pk)


def _ask(subscription: Subscription, by_id: int | None, *, is_bulk: bool = False) -> bool:
    # Checked when the mail is sent: the owner may have complained since the row was stored, and two imports
    # at the same time do not see each other's opt-outs.
    return may_ask(subscription) and ask_to_confirm(
        subscription,
        language=subscription.language,
        event=ConsentKind.INVITED,
        priority=MailPriority.BULK if is_bulk else MailPriority.NORMAL,
        by_id=by_id,
    )
