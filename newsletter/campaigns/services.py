"""Use cases of campaigns.

Each works in one transaction and locks the campaign, so that concurrent requests wait for each other.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import connection, transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from newsletter.campaigns import checks, markdown
from newsletter.campaigns.audience import add_deliveries, exclude_receivers, select_audience
from newsletter.campaigns.models import (
    STARTED_STATES,
    Campaign,
    CampaignLink,
    CampaignState,
    Delivery,
    DeliveryState,
    StopReason,
)
from newsletter.models import UserType
from sailing.mail.installation import Report, database_restored
from sailing.mail.outbox import wake_after_commit

LONGEST_DELAY = timedelta(hours=1)
"""A scheduled campaign that is overdue by more waits for an admin."""

BATCH_SIZE = 10_000
"""Recipients that are added in one transaction."""

NOT_BEING_SENT = _("The campaign is not being sent.")

STARTED_AS_SCHEDULED = gettext_noop("Sending started as scheduled.")
NOT_SENDABLE = gettext_noop("Not sent as scheduled, because of errors or no recipients. Back to draft.")
OVERDUE = gettext_noop("Not sent as scheduled, because the site was down then. Back to draft.")
RESTORED = gettext_noop("Stopped, because the database was restored or copied.")
AUTOMATIC_EVENTS = (STARTED_AS_SCHEDULED, NOT_SENDABLE, OVERDUE, RESTORED)
"""What the history has under the name of an admin, although none did it."""

logger = structlog.get_logger(__name__)


class CampaignRefused(Exception):
    """The campaign must not be changed so. The message tells the admin why."""


def get_version(campaign: Campaign) -> str:
    """Return what changes with a campaign or its segment, but not whenever somebody confirms."""
    return f"{campaign.state} {campaign.changed_at} {campaign.segment and campaign.segment.changed_at}"


@contextmanager
def change(
    campaign: Campaign,
    states: Collection[str] = CampaignState.values,
    refusal: str | Promise = NOT_BEING_SENT,
) -> Iterator[Campaign]:
    """Lock the stored campaign, save it after the block, and refresh `campaign`. Raises CampaignRefused."""
    with transaction.atomic():
        current = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).first()
        if current is None or current.state not in states:
            raise CampaignRefused(refusal)
        yield current
        current.save()
    campaign.refresh_from_db()


def send_now(*, campaign: Campaign, expected_version: str) -> None:
    """Start sending a draft or a scheduled campaign, if `get_version` is still what the admin saw."""
    with change(campaign) as current:
        _require_startable(current, expected_version)
        start_sending(current)


def schedule(*, campaign: Campaign, at: datetime, expected_version: str) -> None:
    """Let a draft or a scheduled campaign be sent at a time, with the condition of `send_now`."""
    if at <= timezone.now():
        raise CampaignRefused(_("That time is in the past."))
    with change(campaign) as current:
        _require_startable(current, expected_version)
        current.state, current.scheduled_at, current.stop_reason = CampaignState.SCHEDULED, at, ""


def unschedule(*, campaign: Campaign) -> None:
    """Make a scheduled campaign a draft again."""
    with change(campaign, {CampaignState.SCHEDULED}, _("The campaign is no longer scheduled.")) as current:
        current.state, current.scheduled_at = CampaignState.DRAFT, None


def pause(*, campaign: Campaign) -> None:
    """Stop sending until it is resumed."""
    with change(campaign, {CampaignState.SENDING}) as current:
        current.state = CampaignState.PAUSED


def resume(*, campaign: Campaign) -> None:
    """Continue sending."""
    with change(campaign, {CampaignState.PAUSED}, _("The campaign is not paused.")) as current:
        current.state, current.stop_reason = CampaignState.SENDING, ""
        wake_after_commit()


def cancel(*, campaign: Campaign) -> None:
    """Stop sending for good. The remaining recipients never get the mail."""
    with change(campaign, {CampaignState.SCHEDULED, *STARTED_STATES}) as current:
        current.state, current.stop_reason = CampaignState.CANCELLED, ""
        current.prepared_at = current.finished_at = timezone.now()


def set_public(*, campaign: Campaign, is_public: bool) -> None:
    """Show a campaign that is sent or being sent in the public archive, or take it out."""
    with change(campaign) as current:
        if current.is_editable or current.state == CampaignState.CANCELLED:
            raise CampaignRefused(_("The campaign has not been sent."))
        if current.is_public == is_public:
            raise CampaignRefused(_("This has been done already."))
        current.is_public = is_public


@receiver(database_restored)
def stop_after_restore(**_signal: Any) -> Report:
    """Pause the campaigns under way, and return scheduled ones to draft."""
    stopped = Campaign.objects.filter(state__in=(CampaignState.SENDING, CampaignState.SCHEDULED))
    counts: Counter[str] = Counter()
    for campaign in stopped.select_for_update(no_key=True):
        counts[campaign.state] += 1
        if campaign.state == CampaignState.SENDING:
            campaign.state = CampaignState.PAUSED
        else:
            campaign.state, campaign.scheduled_at = CampaignState.DRAFT, None
        campaign.stop_reason = StopReason.RESTORED
        campaign.save()
        _log_event(campaign, RESTORED)
    # Stopped already: whoever lets them go on must know.
    paused = Campaign.objects.filter(delay_days=None, state=CampaignState.PAUSED)
    paused.update(stop_reason=StopReason.RESTORED)
    return [
        (_("Campaigns that are paused"), counts[CampaignState.SENDING]),
        (_("Scheduled campaigns that are drafts again"), counts[CampaignState.SCHEDULED]),
    ]


def _log_event(campaign: Campaign, event: str) -> None:
    """Add what no admin did to the history of a campaign, which needs the name of one."""
    if campaign.created_by_id:
        LogEntry.objects.log_actions(campaign.created_by_id, [campaign], CHANGE, event)


# --- What senders do -------------------------------------------------------------------------


def lock_unless_locked(pk: int, **state: Any) -> Campaign | None:
    """Lock and return a campaign in a state, or None if another sender works on it or it has changed."""
    campaigns = Campaign.objects.select_for_update(skip_locked=True, no_key=True)
    return campaigns.filter(pk=pk, **state).first()


@transaction.atomic
def begin_scheduled(pk: int) -> None:
    """Start a scheduled campaign whose time has come.

    It may have been edited since. With errors, without recipients, or when its time passed long ago because
    the site was down, it becomes a draft again. Either is in its history.
    """
    campaign = lock_unless_locked(pk, state=CampaignState.SCHEDULED, scheduled_at__lte=timezone.now())
    if campaign is None or campaign.scheduled_at is None:
        return
    event = STARTED_AS_SCHEDULED
    if campaign.scheduled_at < timezone.now() - LONGEST_DELAY:
        event, campaign.stop_reason = OVERDUE, StopReason.OVERDUE
    else:
        try:
            _require_sendable(campaign)
            start_sending(campaign)
        except CampaignRefused:
            event, campaign.stop_reason = NOT_SENDABLE, StopReason.NOT_SENDABLE
    if event != STARTED_AS_SCHEDULED:
        campaign.state, campaign.scheduled_at = CampaignState.DRAFT, None
        logger.error("campaign_unscheduled", campaign=campaign.pk)
    campaign.save()
    _log_event(campaign, event)


def add_recipients(pk: int) -> bool:
    """Add a batch of recipients to a campaign that has begun; return whether there are more.

    They come in the order of their keys, sailors first. An address that has a delivery gets no second one.
    No constraint can hold that, as deliveries keep no address.
    """
    with transaction.atomic():
        campaign = lock_unless_locked(pk, state__in=STARTED_STATES, prepared_at=None)
        if campaign is None:
            return False
        user_types = [campaign.user_type] if campaign.user_type else [UserType.SAILOR, UserType.COMPANY]
        added = Delivery.objects.filter(campaign=campaign)
        last = added.exclude(subscription=None).order_by("-pk").select_related("subscription").first()
        reached = last.subscription if last else None
        count = 0
        for user_type in user_types[user_types.index(reached.user_type) if reached else 0 :]:
            batch = select_audience(campaign, campaign.list_languages()).filter(user_type=user_type)
            if reached and reached.user_type == user_type:
                batch = batch.filter(pk__gt=reached.pk)
            if user_type != user_types[0]:
                batch = exclude_receivers(batch, campaign, by="email")
            count += add_deliveries(campaign, batch.order_by("pk")[: BATCH_SIZE - count])
            if count >= BATCH_SIZE:
                break
        campaign.recipient_count += count
        campaign.prepared_at = None if count >= BATCH_SIZE else timezone.now()
        campaign.save(update_fields=["recipient_count", "prepared_at"])
    if campaign.prepared_at and connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # a million new rows mislead the planner until autovacuum comes
            cursor.execute(f"ANALYZE {Delivery._meta.db_table}")
    return campaign.prepared_at is None


def finish_if_sent(campaign_pk: int) -> bool:
    """End a campaign if every delivery has ended; return whether it has just been ended."""
    unfinished = Delivery.objects.filter(
        campaign=campaign_pk, state__in=(DeliveryState.WAITING, DeliveryState.SENDING)
    )
    sending = Campaign.objects.filter(pk=campaign_pk, state=CampaignState.SENDING, prepared_at__isnull=False)
    if not sending.exists() or unfinished.exists():
        return False
    return bool(sending.update(state=CampaignState.SENT, finished_at=timezone.now()))


def _require_startable(campaign: Campaign, expected_version: str) -> None:
    """Raise CampaignRefused if a locked campaign may not be started."""
    if not campaign.is_editable or campaign.is_step:
        raise CampaignRefused(_("The campaign has been sent already, or is being sent."))
    if expected_version != get_version(campaign):
        raise CampaignRefused(_("The campaign has changed. Please look at it again."))
    _require_sendable(campaign)


def _require_sendable(campaign: Campaign) -> None:
    """Raise CampaignRefused if a check fails, or nobody would get the campaign."""
    require_no_errors(campaign)
    if not select_audience(campaign, campaign.list_languages()).exists():
        raise CampaignRefused(_("Nobody would get this campaign."))


def require_no_errors(campaign: Campaign) -> None:
    """Raise CampaignRefused if a check fails."""
    problems = checks.find_problems(campaign, campaign.list_texts())
    if any(problem.severity == "error" for problem in problems):
        raise CampaignRefused(_("The campaign has errors. Please correct them first."))


def start_sending(campaign: Campaign) -> None:
    """Let a campaign or a step be sent from now on, with the links in its text. Does not save it."""
    campaign.state, campaign.stop_reason = CampaignState.SENDING, ""
    campaign.started_at = timezone.now()
    store_links(campaign)
    wake_after_commit()


def store_links(campaign: Campaign) -> None:
    """Store the links in the text that are not stored yet."""
    urls = {url for text in campaign.list_texts() for url in markdown.list_urls(text.body)}
    links = [CampaignLink(campaign=campaign, url=url) for url in sorted(urls)]
    CampaignLink.objects.bulk_create(links, ignore_conflicts=True)
