"""The welcome series: campaigns that each reader of an audience gets in order after confirming.

A step is a campaign with a delay (`Campaign.is_step`). While it is on, each sender adds deliveries for the
readers whose time has come, and sends them like those of any campaign. A delivery is unique for its step and
subscription, so nobody gets a step twice.
"""

from datetime import datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter.campaigns import services
from newsletter.campaigns.audience import add_deliveries, add_text_language, exclude_receivers
from newsletter.campaigns.models import MAX_DELAY_DAYS, Campaign, CampaignState, DeliveryState
from newsletter.campaigns.services import CampaignRefused
from newsletter.models import SUBSCRIBED_STATES, Subscription

BATCH_SIZE = 5000
"""Readers of one step that are added in one transaction."""

CATCH_UP = timedelta(days=3)
"""How late a step is sent at most to readers who could not get it in time, because of an outage."""

FIRST_HOUR = 9
"""Of a new step. Most readers look at their mails in the morning."""


def list_steps(user_type: str) -> QuerySet[Campaign]:
    """Return the steps of an audience in the order in which its readers get them."""
    steps = Campaign.objects.filter(user_type=user_type, delay_days__isnull=False)
    return steps.order_by("delay_days", F("delay_hour").asc(nulls_first=True), "pk")


def suggest_delay(user_type: str) -> dict[str, Any]:
    """Return the delay of a new step: the first one is sent at once, the next ones a day after the last."""
    last = list_steps(user_type).last()
    if last is None:
        return {"delay_days": 0}
    return {"delay_days": min((last.delay_days or 0) + 1, MAX_DELAY_DAYS), "delay_hour": FIRST_HOUR}


def turn_on(*, campaign: Campaign, expected_version: str) -> None:
    """Let the readers get a step whose time comes from now on, with the condition of `services.send_now`."""
    with services.change(campaign) as current:
        if not current.is_step or current.state == CampaignState.SENDING:
            raise CampaignRefused(_("The step is on already."))
        services.require_no_errors(current)
        if expected_version != services.get_version(current):
            raise CampaignRefused(_("The step has changed. Please look at it again."))
        delete_waiting(current)  # a restored step has some, and their turn may have passed
        services.start_sending(current)


def turn_off(*, campaign: Campaign) -> None:
    """Send a step to nobody else until it is turned on again."""
    with services.change(campaign) as current:
        # One that was stopped by a restore may stay off.
        if current.state != CampaignState.SENDING and not current.stop_reason:
            raise CampaignRefused(_("The step is off already."))
        delete_waiting(current)
        current.state, current.stop_reason = CampaignState.PAUSED, ""


def delete_waiting(step: Campaign) -> None:
    """Delete the deliveries of a step that wait. Does not save the step."""
    step.recipient_count -= step.deliveries.filter(state=DeliveryState.WAITING).delete()[0]


def get_confirmed_until(campaign: Campaign, now: datetime) -> datetime:
    """Return the latest time of a confirmation for which a step is due now."""
    days = timedelta(days=campaign.delay_days or 0)
    if campaign.delay_hour is None:
        return now - days
    zone = timezone.get_default_timezone()
    local = timezone.localtime(now, zone)
    first_day_not_due = local.date() - days + timedelta(days=local.hour >= campaign.delay_hour)
    return timezone.make_aware(datetime.combine(first_day_not_due, time.min), zone) - timedelta.resolution


def add_due_readers(pk: int) -> bool:
    """Add deliveries for the next readers of a step that is on; return whether there may be more."""
    if not _select_due(Campaign.objects.get(pk=pk)).exists():  # spares SQLite a write lock
        return False
    with transaction.atomic():
        step = services.lock_unless_locked(pk, state=CampaignState.SENDING)
        written = step.list_languages() if step else []
        if step is None or not written:
            return False
        # Not locked: a locked reader must not be left out. If one is erased meanwhile, the commit fails.
        readers = add_text_language(_select_due(step), written)
        count = add_deliveries(step, readers.order_by("confirmed_at")[:BATCH_SIZE])
        step.recipient_count += count
        step.save(update_fields=["recipient_count"])
    return count == BATCH_SIZE


def _select_due(step: Campaign) -> QuerySet[Subscription]:
    """Return the readers without a delivery of a step whose time has come since it was turned on.

    Paused ones are among them: they get it after the pause. Imported people who agreed elsewhere are not:
    they did so before the import.
    """
    now = timezone.now()
    until = get_confirmed_until(step, now)
    since = max(get_confirmed_until(step, step.started_at or now), until - CATCH_UP)
    readers = (
        Subscription.objects.in_state(*SUBSCRIBED_STATES)
        .filter(Q(is_imported=False) | Q(confirmed_at__gt=F("created_at")), user_type=step.user_type)
        .filter(confirmed_at__gt=since, confirmed_at__lte=until)
    )
    return exclude_receivers(readers, step, by="pk")
