"""Subscribing, and the links in mails: confirm, unsubscribe, "This was not me"."""

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from newsletter import mails, models
from newsletter.forms import SubscriptionForm, read_form
from newsletter.services import lifecycle
from sailing.attribution import clean_attribution
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from sailing.ratelimit.limits import check_rate

ALREADY_SUBSCRIBED_PAUSE = timedelta(days=1)

logger = structlog.get_logger(__name__)


def subscribe(
    *,
    client: Client,
    email: str,
    user_type: str,
    source: str | None,
    website: str | None = None,
    fill_time: int | None = None,
    attribution: Mapping[str, str | None],
    invitation: str | None = None,
    language: str,
) -> dict[str, Any]:
    """Take a request to subscribe and return the cleaned values of `SubscriptionForm`.

    `attribution`: see `clean_attribution`; stored with a new subscription. `invitation`: the code of the link
    by which a reader invited the visitor.

    A pending or ended subscription is asked to confirm, as often as the limits on mails allow. A confirmed
    one gets an "already aboard" mail, a bounced one nothing. For a bot (OWASP Automated Threats, OAT-019) or
    beyond the budget of the mailbox, nothing is stored. The answer is the same in all cases (OWASP
    Authentication Cheat Sheet, "Authentication and Error Messages"). Raises RateLimited and BadUserInput.
    """
    values = {"email": email, "user_type": user_type, "source": source}
    form = SubscriptionForm({**values, "website": website, "fill_time": fill_time})
    wanted = read_form(form)
    is_bot = form.is_from_bot()
    check_rate(client, group="subscribe", rate=settings.SUBSCRIBE_RATE, causes_mail=not is_bot)
    if is_bot:
        logger.info("subscription_dropped")
        return wanted
    with transaction.atomic():
        subscription, is_new = models.Subscription.objects.select_for_update().get_or_create(
            email=wanted["email"],
            user_type=wanted["user_type"],
            defaults={
                **clean_attribution(attribution),
                "source": wanted["source"],
                "language": language,
                "last_mail_at": timezone.now(),
            },
        )
        if is_new:
            _welcome(subscription, invitation)
        elif subscription.is_confirmed and subscription.is_active:
            _tell_already_subscribed(subscription, language=language)
        else:
            lifecycle.ask_to_confirm(subscription, language=language, source=wanted["source"])
    return wanted


def confirm(*, client: Client, token: str, language: str) -> LinkStatus:
    """Confirm a subscription by the link in the mail; `language` is that of the page."""
    from newsletter.invitations import services as invitations  # a nested app imports this one

    may_count = invitations.check_network(client=client, token=token)
    with transaction.atomic():
        link = models.SubscriptionLink.find_locked(token, purpose=models.LinkPurpose.CONFIRM)
        if link is None or link.subscription is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        # First, because it locks another subscription, and mailboxes are locked after all of them.
        invitations.assign_inviter(subscription=link.subscription, may_count=may_count)
        link.subscription.paused_until = None
        lifecycle.begin_subscription(link.subscription, language=language)
        return LinkStatus.DONE


def renew_link(*, token: str) -> LinkStatus:
    """Send a new link for an expired one; past the limits none, because the mailbox has a newer one."""
    with transaction.atomic():
        link = models.SubscriptionLink.find_locked(token, purpose=models.LinkPurpose.CONFIRM)
        if link is None or link.subscription is None or link.status is not LinkStatus.EXPIRED:
            return get_status(link)
        mailboxes.record_answer(link.subscription.email)
        language = link.subscription.language
        lifecycle.ask_to_confirm(link.subscription, language=language, is_budgeted=False)
        return LinkStatus.RENEWED


def unsubscribe(*, pk: uuid.UUID, language: str, delivery: int | None = None) -> None:
    """End a subscription by a link of any age. It is no answer in the budget of the mailbox."""
    with transaction.atomic():
        subscription = models.Subscription.objects.select_for_update().filter(pk=pk).first()
        if subscription and not subscription.has_ended:
            lifecycle.end_subscription(
                subscription, event=models.ConsentKind.UNSUBSCRIBED, language=language, delivery=delivery
            )


def may_explain(subscription: models.Subscription) -> bool:
    """Return whether the owner unsubscribed and has not said why."""
    if not subscription.has_ended:
        return False
    answers = subscription.consent_events.filter(reason__gt="", at__gte=subscription.unsubscribed_at)
    return not answers.exists()


def explain(*, pk: uuid.UUID, reason: str, comment: str, language: str) -> None:
    """Record why the owner unsubscribed, once."""
    with transaction.atomic():
        subscription = models.Subscription.objects.select_for_update().filter(pk=pk).first()
        if subscription and reason and may_explain(subscription):
            event = models.ConsentKind.EXPLAINED
            models.ConsentEvent.record(subscription, event, language=language, reason=reason, comment=comment)


def disown(*, pk: uuid.UUID, language: str) -> LinkStatus:
    """Carry out "This was not me": somebody else asked in the name of the mailbox's owner.

    The mailbox is blocked for mails of that kind, and no import may add it. A request never answered is
    erased; its links stay, and their page says so. Of an answered one only the open request is dropped.
    """
    with transaction.atomic():
        subscription = models.Subscription.objects.select_for_update().filter(pk=pk).first()
        if subscription is None:
            return LinkStatus.DISOWNED
        mailboxes.block(subscription.email)
        mailboxes.suppress(subscription.email, SuppressionReason.COMPLAINED)
        if not _has_owner_answered(subscription):
            subscription.links.update(subscription=None)
            erase(models.Subscription, [subscription.pk])
            return LinkStatus.DISOWNED
        lifecycle.close_confirm_links(subscription)
        if subscription.asked_again_at:
            subscription.asked_again_at = None
            subscription.save()
            models.ConsentEvent.record(subscription, models.ConsentKind.DISOWNED, language=language)
        return LinkStatus.BLOCKED


def _welcome(new: models.Subscription, invitation: str | None) -> None:
    """Ask the owner of a new subscription to confirm, or store nothing if the budget is used up."""
    from newsletter.invitations.services import record_request  # a nested app imports this one

    now = timezone.now()
    remind_at = now + lifecycle.REMINDER_DELAY
    allowed = mailboxes.reserve(new.email, now, remind_at)
    if not allowed:
        transaction.set_rollback(True)
        return
    models.ConsentEvent.record(new, models.ConsentKind.REQUESTED)
    mails.enqueue_welcome(new, language=new.language)
    record_request(subscription=new, code=invitation)
    if allowed > 1:
        lifecycle.enqueue_reminder(new, language=new.language, at=remind_at)


def _tell_already_subscribed(subscription: models.Subscription, *, language: str) -> None:
    """Tell a confirmed subscriber about another request, at most once in `ALREADY_SUBSCRIBED_PAUSE`."""
    now, last = timezone.now(), subscription.reminded_at
    is_told = last is not None and now - last < ALREADY_SUBSCRIBED_PAUSE
    if not subscription.bounced_at and not is_told and mailboxes.reserve(subscription.email):
        subscription.reminded_at = now
        subscription.save()
        mails.enqueue_already_subscribed(subscription, language=language)


def _has_owner_answered(subscription: models.Subscription) -> bool:
    """Return whether the owner ever confirmed or ended the subscription."""
    if subscription.is_confirmed or subscription.unsubscribed_at:
        return True
    return subscription.consent_events.filter(kind__in=models.OWNER_EVENTS).exists()
