"""What admins and imports do with single subscribers.

`by_id` is the key of the admin. The functions lock the row, so they raise Subscription.DoesNotExist if the
subscription was erased meanwhile.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter.first_names import clean_first_name
from newsletter.models import (
    OWNER_EVENTS,
    ConsentEvent,
    ConsentKind,
    State,
    Subscription,
    UserType,
)
from newsletter.services.lifecycle import (
    DAY,
    ask_to_confirm,
    close_confirm_links,
    find_opted_out,
    lock_address,
)
from newsletter.validation import validate_subscription
from sailing.attribution import ATTRIBUTION_FIELDS
from sailing.errors import BadUserInput
from sailing.language import LANGUAGES
from sailing.mail.mailboxes import find_suppressed
from sailing.mail.models import MailPriority
from sailing.privacy.erasure import erase, forget_searches

ASK_PERMISSIONS = ("newsletter.change_subscription", "campaigns.send_campaign")
"""Of an admin who asks people to confirm: it reaches as many people as a campaign."""

RESTORE_DAYS = 7
"""How long an admin can undo an unsubscription by an admin, who may have acted for the owner."""


ADMIN_CHANGES = (ConsentKind.ENDED_BY_ADMIN, ConsentKind.RESTORED, ConsentKind.CONFIRMED)
"""Events by which a subscription ends at the wish of an admin, or begins again."""


def has_refused(email: str) -> bool:
    """Return whether an address must not be asked: it opted out before an import, or is suppressed."""
    return bool(find_suppressed([email]) or find_opted_out([email]))


def ask_again(*, subscription: Subscription, by_id: int | None = None, is_bulk: bool = False) -> bool:
    """Ask a waiting subscriber to confirm, within the limits on mails; return whether a mail was sent."""
    with transaction.atomic():
        current = _lock(subscription)
        return current.state is State.PENDING and _ask(current, by_id, is_bulk=is_bulk)


def may_unsubscribe(subscription: Subscription) -> bool:
    """Return whether there is a subscription, or a request for one, that an admin can end."""
    return subscription.is_active or subscription.asked_again_at is not None


def unsubscribe(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Stop the newsletters to a subscriber; return False if they were stopped before.

    The owner's own unsubscription is another fact (`unsubscribed_at`), and can follow.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if not may_unsubscribe(current):
            return False
        current.is_active = False
        current.asked_again_at = None
        current.save()
        close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.ENDED_BY_ADMIN, language=current.language, by_id=by_id)
        return True


def may_restore(subscription: Subscription) -> bool:
    """Return whether an admin can undo the unsubscription: an admin's, of the last days.

    Only their own confirmation brings back a subscriber who opted out.
    """
    if subscription.is_active or find_opt_out(subscription):
        return False
    changes = subscription.consent_events.filter(kind__in=ADMIN_CHANGES).order_by("-at", "-pk")
    kinds = [event.kind for event in changes[:2]]
    # The second of two ends in a row dropped a request, which somebody else may have made.
    if kinds[:1] != [ConsentKind.ENDED_BY_ADMIN] or kinds[1:] == [ConsentKind.ENDED_BY_ADMIN]:
        return False
    return changes[0].at > timezone.now() - timedelta(days=RESTORE_DAYS)


def restore(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Undo `unsubscribe`, where `may_restore` allows it; return whether it did."""
    with transaction.atomic():
        current = _lock(subscription)
        if not may_restore(current):
            return False
        current.is_active = True
        current.asked_again_at = None
        current.save()
        if current.is_confirmed:
            close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.RESTORED, language=current.language, by_id=by_id)
        return True


def pause(*, subscription: Subscription, days: int, by_id: int | None = None) -> bool:
    """Send no newsletter to a confirmed subscriber for some days; return False in any other state."""
    with transaction.atomic():
        current = _lock(subscription)
        if current.state is not State.CONFIRMED:
            return False
        current.paused_until = timezone.now() + days * DAY
        current.save(update_fields=["paused_until"])
        ConsentEvent.record(current, ConsentKind.PAUSED_BY_ADMIN, language=current.language, by_id=by_id)
        return True


def may_resume(subscription: Subscription) -> bool:
    """Return whether an admin can end the pause: only an admin's, because the owner's is the owner's wish."""
    paused = subscription.consent_events.filter(kind__in=(ConsentKind.PAUSED, ConsentKind.PAUSED_BY_ADMIN))
    last = paused.last()
    return subscription.state is State.PAUSED and last is not None and last.kind != ConsentKind.PAUSED


def resume(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """End the pause that an admin has set; return whether there was one."""
    with transaction.atomic():
        current = _lock(subscription)
        if not may_resume(current):
            return False
        current.paused_until = None
        current.save(update_fields=["paused_until"])
        ConsentEvent.record(current, ConsentKind.RESUMED_BY_ADMIN, language=current.language, by_id=by_id)
        return True


def mark_reachable(*, subscription: Subscription, by_id: int | None = None) -> bool:
    """Record that emails to the address arrive again, in both audiences; return False if none came back."""
    with transaction.atomic():
        lock_address(subscription.pk)
        bounced = list(Subscription.objects.filter(email=subscription.email).exclude(bounced_at=None))
        for each in bounced:
            each.bounced_at = None
            each.save(update_fields=["bounced_at"])
            ConsentEvent.record(each, ConsentKind.REACHABLE, language=each.language, by_id=by_id)
        return bool(bounced)


def add(
    *, email: str, user_type: str, language: str, first_name: str = "", by_id: int | None = None
) -> Subscription:
    """Add a subscriber by hand, who waits until the owner of the mailbox confirms.

    Raises BadUserInput for an address that is on the list, or that must not be asked.
    """
    wanted = validate_subscription(email=email, user_type=user_type, source=None)
    if language not in LANGUAGES:
        raise BadUserInput(_("Please choose one of the listed languages"), field="language")
    _check_address(wanted.email, wanted.user_type)
    new = Subscription(
        email=wanted.email,
        user_type=wanted.user_type,
        first_name=clean_first_name(first_name),
        language=language,
    )
    with transaction.atomic():
        _store_and_ask(new, ConsentKind.ADDED, by_id)
    return new


def may_correct(subscription: Subscription) -> bool:
    """Return whether the address may be replaced. An opt-out stays with its address."""
    return subscription.is_active and not find_opt_out(subscription)


def find_opt_out(subscription: Subscription) -> datetime | None:
    """Return when the owner opted out, here or before an import, if that is the owner's last word."""
    if subscription.unsubscribed_at:
        return subscription.unsubscribed_at
    last = subscription.consent_events.filter(kind__in=OWNER_EVENTS).last()
    return last.at if last and last.kind != ConsentKind.CONFIRMED else None


def correct_address(*, subscription: Subscription, email: str, by_id: int | None = None) -> Subscription:
    """Put another address in place of one, and ask the owner of the new one; return the new subscription.

    The owner of the old address is somebody else, or nobody: it is erased with its consent, its links and its
    mails, and gets nothing more. Raises BadUserInput like `add`.
    """
    wanted = validate_subscription(email=email, user_type=subscription.user_type, source=subscription.source)
    if not may_correct(subscription):
        raise BadUserInput(_("The owner of this address has opted out."), field="email")
    _check_address(wanted.email, wanted.user_type)
    new = Subscription(
        email=wanted.email,
        user_type=wanted.user_type,
        first_name=subscription.first_name,
        source=subscription.source,
        **{name: getattr(subscription, name) for name in ATTRIBUTION_FIELDS},
        language=subscription.language,
        is_imported=subscription.is_imported,
        import_batch_id=subscription.import_batch_id,
    )
    with transaction.atomic():
        forget_searches(subscription.email)
        # Unless the owner has ended it meanwhile. Locked before what refers to it, as erasing does.
        unchanged = Subscription.objects.filter(pk=subscription.pk, unsubscribed_at=None, is_active=True)
        if not unchanged.select_for_update().exists():
            raise Subscription.DoesNotExist
        erase(Subscription, [subscription.pk])
        _store_and_ask(new, ConsentKind.CORRECTED, by_id)
    return new


def _store_and_ask(new: Subscription, event: ConsentKind, by_id: int | None) -> None:
    try:
        with transaction.atomic():
            new.save(force_insert=True)
    except IntegrityError:  # somebody has subscribed it meanwhile
        _check_address(new.email, new.user_type)
        raise
    ConsentEvent.record(new, event, language=new.language, by_id=by_id)
    if not _ask(new, by_id):
        text = _("The limit on emails to this mailbox is reached. Please try again tomorrow.")
        raise BadUserInput(text, field="email")


def _check_address(email: str, user_type: str) -> None:
    """Raise BadUserInput for an address that is on the list, or that must not be asked to confirm."""
    stored = {each.user_type: each for each in Subscription.objects.filter(email=email)}
    problem = ""
    if user_type in stored:
        state = stored[UserType(user_type)].state.label
        problem = _("This address is on the list already. Its state: %(state)s.") % {"state": state}
    elif find_suppressed([email]):
        problem = _("The address is on the do-not-contact list.")
    elif find_opted_out([email]):
        problem = _("The owner of this address has opted out.")
    elif any(each.bounced_at for each in stored.values()):
        problem = _("Emails to this address come back.")
    if problem:
        raise BadUserInput(problem, field="email")


def _lock(subscription: Subscription) -> Subscription:
    return Subscription.objects.select_for_update().get(pk=subscription.pk)


def _ask(subscription: Subscription, by_id: int | None, *, is_bulk: bool = False) -> bool:
    # Checked when the mail is sent: the owner may have complained since the row was stored, and two imports
    # at the same time do not see each other's opt-outs.
    return not has_refused(subscription.email) and ask_to_confirm(
        subscription,
        language=subscription.language,
        event=ConsentKind.INVITED,
        is_budgeted=True,
        priority=MailPriority.BULK if is_bulk else MailPriority.NORMAL,
        by_id=by_id,
    )
