"""The welcome series: campaigns that each reader of an audience gets in order after confirming.

A step is a campaign with a delay (`Campaign.is_step`). While it is on, each sender adds deliveries for the
readers whose time has come, and sends them like those of any campaign. A delivery is unique for its step and
subscription, so nobody gets a step twice, whatever the clock or a killed process did.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter.campaigns import reminder, services
from newsletter.campaigns.audience import MAYBE_RECEIVED, add_text_language
from newsletter.campaigns.models import (
    MAX_DELAY_DAYS,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    MissingLanguage,
    StopReason,
)
from newsletter.campaigns.recipients import add_deliveries
from newsletter.campaigns.services import CampaignRefused
from newsletter.models import SUBSCRIBED_STATES, Subscription
from sailing.errors import is_database_unavailable
from sailing.jobs import claims, heartbeats
from sailing.mail.sender import wake_after_commit

logger = structlog.get_logger(__name__)

BATCH_SIZE = 5000
"""Readers of one step that are added in one transaction, and those who confirmed with the last of them."""

OVERLAP = timedelta(minutes=10)
"""How far back readers are looked for again: one may be stored after another who confirmed later."""

DAY = timedelta(days=1)
NEXT_TRY = timedelta(minutes=1)
"""When a step is looked at again whose reader has not got the one before it."""

LONGEST_WAIT = timedelta(hours=1)
"""When the step of a paused reader is looked at again. Readers can end their pause early."""

FIRST_HOUR = 9
"""Of a new step. Most readers look at their mails in the morning."""

HEARTBEAT = "series"
"""Recorded whenever a sender looks at the series, also while the mail server is unavailable."""


# --- What admins do --------------------------------------------------------------------------


def list_steps(user_type: str) -> QuerySet[Campaign]:
    """Return the steps of an audience in the order in which its readers get them."""
    steps = Campaign.objects.filter(user_type=user_type, delay_days__isnull=False)
    return steps.order_by("delay_days", F("delay_hour").asc(nulls_first=True), "pk")


def create_step(*, user_type: str, by: Any) -> Campaign:
    """Return a new draft at the end of a series: the first one is sent at once, the next ones a day later.

    The delay is at most `MAX_DELAY_DAYS`.
    """
    last = list_steps(user_type).last()
    days = (last.delay_days or 0) + 1 if last else 0
    hour = FIRST_HOUR if last else None
    if last and days > MAX_DELAY_DAYS:
        days, hour = MAX_DELAY_DAYS, last.delay_hour
    return Campaign.objects.create(
        name=_("Step %(number)s") % {"number": list_steps(user_type).count() + 1},
        user_type=user_type,
        delay_days=days,
        delay_hour=hour,
        created_by=by,
    )


def turn_on(*, campaign: Campaign, expected_version: str, expected_passed: int | None = None) -> None:
    """Let the readers get a step whose time comes from now on.

    They confirmed while the series of their audience was on. `expected_version`: what `services.get_version`
    returned when the admin looked at the step. `expected_passed`: what `count_passed` returned then, if those
    readers get the step too. A step that was abandoned then goes on where it stopped; it is no reason to
    refuse it that the time of more readers has come since.
    """
    with transaction.atomic():
        current = services.lock_campaign(campaign)
        if not current.is_step or current.state == CampaignState.SENDING:
            raise CampaignRefused(_("The step is on already."))
        services.require_no_errors(current)
        is_current = expected_version == services.get_version(current)
        if expected_passed is not None:
            passed = count_passed(current)
            has_grown = passed > expected_passed and current.stop_reason == StopReason.ABANDONED
            is_current = is_current and (passed == expected_passed or has_grown)
        if not is_current:
            raise CampaignRefused(
                _("The step or the number of its readers has changed. Please look at it again.")
            )
        now = timezone.now()
        current.series_since = _get_series_since(current, now)
        if expected_passed is None or current.stop_reason != StopReason.ABANDONED:
            current.readers_since = _get_readers_since(current, now) if expected_passed is None else None
            current.added_until = current.readers_since
            # These mails were due when it was turned off. With `expected_passed`, they are added again.
            left = Delivery.objects.filter(_was_left(), campaign=current).delete()[0]
            current.recipient_count = (current.recipient_count or 0) - left
        current.state = CampaignState.SENDING
        current.stop_reason = ""
        current.started_at = now
        current.save()
        services.store_links(current)
        wake_after_commit()
    campaign.refresh_from_db()


def turn_off(*, campaign: Campaign) -> None:
    """Send a step to nobody else until it is turned on again."""
    with transaction.atomic():
        current = services.lock_campaign(campaign)
        # One that was stopped by a restore, or abandoned, may stay off.
        if current.state != CampaignState.SENDING and not current.stop_reason:
            raise CampaignRefused(_("The step is off already."))
        current.state = CampaignState.PAUSED
        current.stop_reason = ""
        current.save()
    campaign.refresh_from_db()


def count_passed(campaign: Campaign) -> int:
    """Count the readers who have not got a step, and get it only if the admin asks for that.

    They confirmed before the series was on, or their time for the step has passed. Of a step that was
    abandoned, only those count whose time has come since.
    """
    now = timezone.now()
    readers = _select_readers(campaign).filter(confirmed_at__lt=_get_readers_since(campaign, now))
    left = Delivery.objects.filter(_was_left(), campaign=campaign, subscription__in=readers)
    if campaign.stop_reason == StopReason.ABANDONED:
        readers = _select_due(campaign, get_confirmed_until(campaign, now))
    elif campaign.started_at:
        added = Delivery.objects.filter(campaign=campaign, subscription=OuterRef("pk"))
        readers = readers.filter(~Exists(added))
    return left.count() + readers.count()


def pass_over_newly_due(campaign: Campaign, before: Campaign) -> None:
    """Leave out those whom a shorter delay of a step that is on would make due all at once.

    `before`: the step with its earlier delay. The caller saves `readers_since`.
    """
    now = timezone.now()
    since = get_confirmed_until(campaign, now)
    if campaign.state == CampaignState.SENDING and since > get_confirmed_until(before, now):
        campaign.readers_since = max(campaign.readers_since or since, since)


def _get_series_since(campaign: Campaign, now: datetime) -> datetime:
    """Return since when the audience of a step that is off has a series, or now."""
    steps = list_steps(campaign.user_type).filter(
        Q(state=CampaignState.SENDING) | Q(stop_reason=StopReason.ABANDONED)
    )
    return min((each.series_since or now for each in steps), default=now)


def _get_readers_since(campaign: Campaign, now: datetime) -> datetime:
    """Return since when those have confirmed who get a step without being asked for, if it is turned on."""
    return max(_get_series_since(campaign, now), get_confirmed_until(campaign, now))


def _was_left() -> Q:
    """Return the condition of deliveries that are due. If the step is off, they were left over.

    Those of paused readers are not due, although the sender looks at them each hour.
    """
    now = claims.now()
    is_paused = Q(subscription__paused_until__isnull=False, subscription__paused_until__gt=now)
    return Q(state=DeliveryState.WAITING, next_attempt_at__lte=now) & ~is_paused


# --- When a step is due ----------------------------------------------------------------------


def get_confirmed_until(campaign: Campaign, now: datetime) -> datetime:
    """Return the latest time at which those have confirmed to whom a step is due now."""
    days = timedelta(days=campaign.delay_days or 0)
    if campaign.delay_hour is None:
        return now - days
    local = timezone.localtime(now, timezone.get_default_timezone())
    day = local.date() - days
    if local.hour >= campaign.delay_hour:
        day += DAY
    midnight = timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())
    return midnight - timedelta.resolution


def get_due_at(campaign: Campaign, confirmed_at: datetime, *, late_days: int = 0) -> datetime:
    """Return when a step is due to a reader, or some days later."""
    days = timedelta(days=(campaign.delay_days or 0) + late_days)
    if campaign.delay_hour is None:
        return confirmed_at + days
    day = timezone.localdate(confirmed_at, timezone.get_default_timezone()) + days
    at = datetime.combine(day, time(campaign.delay_hour))
    return timezone.make_aware(at, timezone.get_default_timezone())


# --- What senders do -------------------------------------------------------------------------


def is_silent() -> bool:
    """Return whether no sender has worked for long: what is due then must wait for one."""
    return heartbeats.get_silence(HEARTBEAT) > services.LONGEST_DELAY


def stop_abandoned() -> None:
    """Stop each campaign and step that has mails to send, if no sender has worked for long.

    Either the site was down, so a text may be out of date, or this is an earlier state of the database, which
    does not know who got what since then. An admin knows which. Whoever got a step since then is among its
    readers, so the other steps go on.
    """
    if heartbeats.is_recent(HEARTBEAT):
        return
    with transaction.atomic():
        if heartbeats.renew(HEARTBEAT) <= services.LONGEST_DELAY:
            return
        now = timezone.now()
        # What an admin has just started, resumed or turned on goes on.
        is_older = Q(delay_days=None, changed_at__lt=now - services.LONGEST_DELAY) | Q(
            delay_days__isnull=False, started_at__lt=now - services.LONGEST_DELAY
        )
        for campaign in Campaign.objects.filter(is_older, state=CampaignState.SENDING):
            try:
                with transaction.atomic():
                    if _has_mails_to_send(campaign, now):
                        services.pause_abandoned(campaign)
            except Exception as error:  # must not stop the others
                if is_database_unavailable(error):
                    raise
                logger.exception("campaign_failed", campaign=campaign.pk)
                # Nobody knows whether it would repeat emails, so an admin decides about it, too.
                Campaign.objects.filter(pk=campaign.pk).update(
                    state=CampaignState.PAUSED, stop_reason=StopReason.ABANDONED
                )
        reminder.pass_over_due()


def _has_mails_to_send(campaign: Campaign, now: datetime) -> bool:
    if campaign.is_step:
        left = Delivery.objects.filter(_was_left(), campaign=campaign)
        return left.exists() or _select_due(campaign, get_confirmed_until(campaign, now)).exists()
    waiting = Delivery.objects.filter(campaign=campaign, state=DeliveryState.WAITING)
    return campaign.prepared_at is None or waiting.exists()


def add_due_readers() -> bool:
    """Add deliveries for the next readers of each step that is on; return whether there may be more."""
    has_more = False
    for campaign in Campaign.objects.filter(state=CampaignState.SENDING, delay_days__isnull=False):
        try:
            until = get_confirmed_until(campaign, timezone.now())
            is_behind = campaign.added_until is None or abs(until - campaign.added_until) > OVERLAP
            if is_behind or _select_due(campaign, until).exists():  # spares SQLite a write lock
                has_more |= _add_next(campaign.pk, until)
        except IntegrityError:
            # One of the readers has just been erased. The others are added at the next look.
            logger.warning("step_readers_not_added", campaign=campaign.pk, exc_info=True)
        except Exception as error:  # must not stop the other steps and all campaigns
            if is_database_unavailable(error):
                raise
            logger.exception("step_failed", campaign=campaign.pk)
    return has_more


def _add_next(campaign_pk: int, until: datetime) -> bool:
    """Add deliveries for the next readers who confirmed by `until`; return whether there may be more.

    They and the new value of `added_until` are stored together, so an interrupted call changes nothing. One
    sender at a time does it for a step.
    """
    with transaction.atomic():
        steps = Campaign.objects.filter(pk=campaign_pk, state=CampaignState.SENDING)
        campaign = steps.select_for_update(skip_locked=True, no_key=True).first()
        written = campaign.list_languages() if campaign else []
        if campaign is None or not written:
            return False
        due = _select_due(campaign, until)
        times = due.order_by("confirmed_at").values_list("confirmed_at", flat=True)
        last = times[BATCH_SIZE - 1 : BATCH_SIZE].first()
        until = last or until
        # Not locked: a locked reader must not be left out. If one is erased meanwhile, the commit fails.
        readers = add_text_language(due.filter(confirmed_at__lte=until), written)
        count = add_deliveries(campaign, readers)
        # `until` also where it is earlier, because the clock was set back or the delay is longer now.
        steps.update(added_until=until, recipient_count=F("recipient_count") + count)
    return last is not None


def _select_due(campaign: Campaign, until: datetime) -> QuerySet[Subscription]:
    """Return the readers without a delivery of a step who confirmed by `until`."""
    readers = _select_readers(campaign).filter(confirmed_at__lte=until)
    if campaign.readers_since:
        readers = readers.filter(confirmed_at__gte=campaign.readers_since)
    if campaign.added_until:
        # `until` is earlier if the clock was set back.
        readers = readers.filter(confirmed_at__gte=min(campaign.added_until, until) - OVERLAP)
    got = Delivery.objects.filter(campaign=campaign, subscription=OuterRef("pk"))
    # As a value for each row: PostgreSQL would join NOT EXISTS with all deliveries, each time.
    return readers.annotate(delivery=Subquery(got.values("pk")[:1])).filter(delivery=None)


def _select_readers(campaign: Campaign) -> QuerySet[Subscription]:
    """Return the subscribers of the audience of a step who confirmed on the site.

    Paused ones are among them: they get it after the pause. Without their language in the step, those are
    left out whom its `missing_language` leaves out.
    """
    # Imported people who agreed elsewhere did so before the import. That is no reason to welcome them.
    has_confirmed = Q(is_imported=False) | Q(confirmed_at__gt=F("created_at"))
    readers = Subscription.objects.in_state(*SUBSCRIBED_STATES).filter(
        has_confirmed, user_type=campaign.user_type
    )
    if campaign.missing_language == MissingLanguage.LEAVE_OUT:
        readers = readers.filter(language__in=campaign.list_languages())
    return readers


def find_postponed(campaign_pk: int, deliveries: Sequence[Delivery], now: datetime) -> dict[int, datetime]:
    """Return until when some deliveries of a step have to wait, by key.

    A reader who has paused gets it after the pause. A step waits for the one before it, also if that has no
    delivery yet, or was abandoned and waits for an admin. If that came some days late, after a pause or an
    outage, this one comes as many days late.
    """
    campaign = Campaign.objects.get(pk=campaign_pk)
    steps = list(list_steps(campaign.user_type))
    earlier = {step.pk: step for step in steps[: steps.index(campaign)]}
    undecided = {step.pk for step in earlier.values() if _may_go_on(step)}
    readers: dict[Any, Subscription] = {
        delivery.subscription.pk: delivery.subscription
        for delivery in deliveries
        if delivery.subscription and delivery.subscription.is_subscribed
    }
    until: dict[Any, datetime] = dict.fromkeys(readers, now)
    for pk, reader in readers.items():
        pause_end = reader.paused_until
        # `is_paused` uses the clock of this process, which may be behind the database's.
        if pause_end and (reader.is_paused or pause_end > now):
            until[pk] = min(max(pause_end, now + NEXT_TRY), now + LONGEST_WAIT)
    for step in earlier.values():
        if step.pk in undecided:
            # Before the deliveries are read: another sender may be adding them.
            missing = _select_due(step, now).filter(pk__in=readers)
            for pk in missing.values_list("pk", flat=True):
                until[pk] = max(until[pk], now + NEXT_TRY)
    for before in Delivery.objects.filter(campaign__in=earlier, subscription__in=readers):
        pk, step = before.subscription_id, earlier[before.campaign_id]
        confirmed_at = readers[pk].confirmed_at or now
        if before.state in MAYBE_RECEIVED and before.ended_at:
            until[pk] = max(until[pk], _get_due_after(campaign, step, before.ended_at, confirmed_at))
        elif before.state == DeliveryState.SENDING or (
            before.state == DeliveryState.WAITING and step.pk in undecided
        ):
            until[pk] = max(until[pk], before.next_attempt_at, now + NEXT_TRY)
    found = [delivery for delivery in deliveries if until.get(delivery.subscription_id, now) > now]
    return {delivery.pk: until[delivery.subscription_id] for delivery in found}


def _may_go_on(step: Campaign) -> bool:
    """Return whether readers may still get a step: it is on, or was abandoned and waits for an admin."""
    return step.state == CampaignState.SENDING or step.stop_reason == StopReason.ABANDONED


def _get_due_after(
    campaign: Campaign, before: Campaign, sent_at: datetime, confirmed_at: datetime
) -> datetime:
    """Return when a step is due to a reader who got the one before it at `sent_at`."""
    if before.changed_at > sent_at:
        # Its delay may have been another one, so nobody knows whether it came late.
        distance = min(timedelta(days=(campaign.delay_days or 0) - (before.delay_days or 0)), DAY)
        return max(get_due_at(campaign, confirmed_at), sent_at + distance)
    late = sent_at - get_due_at(before, confirmed_at)
    return get_due_at(campaign, confirmed_at, late_days=max(0, round(late / DAY)))
