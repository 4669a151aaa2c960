"""Use cases of campaigns.

Each works in one transaction and locks the campaign, so that concurrent requests wait for each other. Code
that needs several locks takes the job's first, as a step of the job does, then the campaign's, then the
segment's.
"""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import checks, markdown
from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import (
    STARTED_STATES,
    Campaign,
    CampaignLink,
    CampaignState,
    Delivery,
    DeliveryState,
    Segment,
    StopReason,
)
from sailing.jobs import queue
from sailing.jobs.models import UNFINISHED, Job
from sailing.mail.installation import Report, database_restored
from sailing.mail.sender import wake_after_commit

SEND_JOB = "campaigns.send"

LONGEST_DELAY = timedelta(hours=1)
"""A campaign that is overdue by more, or that nobody has worked on for longer, waits for an admin."""

STARTED_AS_SCHEDULED = gettext_noop("Sending started as scheduled.")
NOT_SENDABLE = gettext_noop("Not sent as scheduled, because of errors or no recipients. Back to draft.")
OVERDUE = gettext_noop("Not sent as scheduled, because the site was down then. Back to draft.")
ABANDONED = gettext_noop("Stopped, because nothing was sent for more than an hour.")
RESTORED = gettext_noop("Stopped, because the database was restored or copied.")
AUTOMATIC_EVENTS = (STARTED_AS_SCHEDULED, NOT_SENDABLE, OVERDUE, ABANDONED, RESTORED)
"""What the history has under the name of an admin, although none did it."""

logger = structlog.get_logger(__name__)


class CampaignRefused(Exception):
    """The campaign must not be changed so. The message tells the admin why."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message


def get_version(campaign: Campaign, recipients: int | None = None) -> str:
    """Return what changes with each change of a campaign, and of its recipients if their number is given."""
    changed_at = [campaign.changed_at]
    if recipients is not None and campaign.segment:
        changed_at.append(campaign.segment.changed_at)
    return " ".join([campaign.state, *(time.isoformat() for time in changed_at), str(recipients)])


def send_now(*, campaign: Campaign, by: Any, expected_version: str) -> None:
    """Start sending a draft or a scheduled campaign.

    `expected_version`: what `get_version` returned when the admin looked at the campaign.
    """
    with transaction.atomic():
        current = _lock_startable(campaign, expected_version)
        _begin(current)
        _enqueue_job(current, at=timezone.now(), by=by)
    campaign.refresh_from_db()


def schedule(*, campaign: Campaign, at: datetime, by: Any, expected_version: str) -> None:
    """Let a draft or a scheduled campaign be sent at a time, with the condition of `send_now`."""
    if at <= timezone.now():
        raise CampaignRefused(_("That time is in the past."))
    with transaction.atomic():
        current = _lock_startable(campaign, expected_version)
        current.state = CampaignState.SCHEDULED
        current.scheduled_at = at
        current.stop_reason = ""
        current.save()
        _enqueue_job(current, at=at, by=by)
    campaign.refresh_from_db()


def unschedule(*, campaign: Campaign) -> None:
    """Make a scheduled campaign a draft again."""
    _change_state(
        campaign,
        {CampaignState.SCHEDULED},
        CampaignState.DRAFT,
        _("The campaign is no longer scheduled."),
        scheduled_at=None,
    )


def pause(*, campaign: Campaign, reason: str = "") -> None:
    """Stop sending until it is resumed. `reason`: why it stops without an admin (`StopReason`)."""
    _change_state(
        campaign,
        {CampaignState.SENDING},
        CampaignState.PAUSED,
        _("The campaign is not being sent."),
        stop_reason=reason,
    )


def resume(*, campaign: Campaign) -> None:
    """Continue sending."""
    _change_state(campaign, {CampaignState.PAUSED}, CampaignState.SENDING, _("The campaign is not paused."))
    wake_after_commit()


def cancel(*, campaign: Campaign) -> None:
    """Stop sending for good. Who has not got the mail by now never gets it."""
    _change_state(
        campaign,
        {CampaignState.SCHEDULED, CampaignState.SENDING, CampaignState.PAUSED},
        CampaignState.CANCELLED,
        _("The campaign is not being sent."),
        finished_at=timezone.now(),
    )


def begin_scheduled(campaign_pk: int, *, scheduled_by: int | None = None) -> Campaign | None:
    """Start a scheduled campaign whose time has come; return the campaign, None if it is deleted.

    It may have been edited since. With errors, without recipients, or when its time passed long ago because
    the site was down, it becomes a draft again, which raises CampaignRefused. Either is in its history, under
    the name of the admin who scheduled it.
    """
    refusal = None
    with transaction.atomic():
        current = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign_pk).first()
        if current is None or current.state != CampaignState.SCHEDULED:
            return current
        if current.scheduled_at and current.scheduled_at > timezone.now():
            return current
        lock_segment(current.segment_id)
        event = NOT_SENDABLE
        try:
            if current.scheduled_at and current.scheduled_at < timezone.now() - LONGEST_DELAY:
                event = OVERDUE
                current.stop_reason = StopReason.OVERDUE
                logger.error("campaign_unscheduled", campaign=current.pk)
                raise CampaignRefused(_("The campaign is overdue by more than an hour."))
            _require_sendable(current)
            _begin(current)
            event = STARTED_AS_SCHEDULED
        except CampaignRefused as error:
            refusal = error
            current.state = CampaignState.DRAFT
            current.scheduled_at = None
            current.save()
        _log_event(current, event, by=scheduled_by)
    if refusal:
        raise refusal
    return current


def pause_abandoned(campaign: Campaign) -> bool:
    """Pause a campaign, or turn a step off, until an admin decides; return whether it was being sent."""
    try:
        pause(campaign=campaign, reason=StopReason.ABANDONED)
    except CampaignRefused:
        return False
    _log_event(campaign, ABANDONED)
    logger.error("campaign_abandoned", campaign=campaign.pk)
    return True


@receiver(database_restored)
def stop_after_restore(**_signal: Any) -> Report:
    """Pause the campaigns under way, and return scheduled ones to draft."""
    stopped = []
    for before, after in (
        (CampaignState.SENDING, {"state": CampaignState.PAUSED}),
        (CampaignState.SCHEDULED, {"state": CampaignState.DRAFT, "scheduled_at": None}),
    ):
        campaigns = list(Campaign.objects.filter(state=before).select_for_update(no_key=True))
        Campaign.objects.filter(pk__in=[campaign.pk for campaign in campaigns]).update(
            stop_reason=StopReason.RESTORED, **after
        )
        for campaign in campaigns:
            _log_event(campaign, RESTORED)
        stopped.append(len(campaigns))
    # Stopped already: whoever lets them go on must know.
    is_undecided = Q(delay_days=None) | Q(stop_reason=StopReason.ABANDONED)
    paused = Campaign.objects.filter(is_undecided, state=CampaignState.PAUSED)
    paused.update(stop_reason=StopReason.RESTORED)
    return [
        (_("Campaigns that are paused"), stopped[0]),
        (_("Scheduled campaigns that are drafts again"), stopped[1]),
    ]


def _log_event(campaign: Campaign, event: str, *, by: int | None = None) -> None:
    """Add what no admin did to the history of a campaign, which needs the name of one."""
    if admin := by or campaign.created_by_id:
        LogEntry.objects.log_actions(admin, [campaign], CHANGE, event)


def finish_preparation(campaign_pk: int) -> None:
    """Record that all recipients of a campaign are fixed, and how many they are."""
    Campaign.objects.filter(pk=campaign_pk, prepared_at=None).update(
        prepared_at=timezone.now(),
        recipient_count=Delivery.objects.filter(campaign=campaign_pk).count(),
    )
    wake_after_commit()


def finish_if_sent(campaign_pk: int) -> bool:
    """End a campaign if every delivery has ended; return whether it has just been ended."""
    unfinished = Delivery.objects.filter(
        campaign=campaign_pk, state__in=(DeliveryState.WAITING, DeliveryState.SENDING)
    )
    sending = Campaign.objects.filter(pk=campaign_pk, state=CampaignState.SENDING, prepared_at__isnull=False)
    if not sending.exists() or unfinished.exists():
        return False
    return bool(sending.update(state=CampaignState.SENT, finished_at=timezone.now()))


def enqueue_missing_jobs() -> None:
    """Enqueue the jobs of campaigns that wait for one, if an admin has canceled it or it has failed."""
    is_due = Q(state=CampaignState.SCHEDULED, scheduled_at__lte=timezone.now())
    # A campaign that was canceled in preparation still needs the number of its recipients.
    is_begun = Q(state__in=(CampaignState.SENDING, CampaignState.CANCELLED), started_at__isnull=False)
    is_unprepared = is_begun & Q(prepared_at=None, delay_days=None)
    for pk in Campaign.objects.filter(is_due | is_unprepared).values_list("pk", flat=True):
        queue.enqueue(SEND_JOB, unique_key=_get_job_key(pk), campaign=pk)


# --- Archive ---------------------------------------------------------------------------------


def set_public(*, campaign: Campaign, is_public: bool) -> None:
    """Show a campaign that is sent or being sent in the public archive, or take it out.

    Links in its mails still open it.
    """
    with transaction.atomic():
        current = lock_campaign(campaign)
        if current.is_editable or current.state == CampaignState.CANCELLED:
            raise CampaignRefused(_("The campaign has not been sent."))
        if current.is_public == is_public:
            raise CampaignRefused(_("This has been done already."))
        current.is_public = is_public
        current.save()
    campaign.refresh_from_db()


# --- Segments --------------------------------------------------------------------------------


def lock_segment(segment_pk: int | None) -> None:
    """Lock a segment before it changes, or before a campaign to it begins; neither happens meanwhile.

    A campaign that has begun, or is scheduled, is then seen by `explain_segment_lock`. A changed segment is
    read anew.
    """
    if segment_pk is not None:
        list(Segment.objects.select_for_update(no_key=True).filter(pk=segment_pk).values_list("pk"))


def explain_segment_lock(segment: Segment, *, may_send: bool) -> str:
    """Return why a segment cannot be changed now, or a blank string.

    The recipients of a campaign are fixed in steps, which must not differ. A scheduled campaign is changed
    only by admins who may send it.
    """
    if segment.campaigns.filter(state__in=STARTED_STATES, prepared_at=None).exists():
        return gettext("A campaign to this segment has just begun. Change the segment in a few minutes.")
    if not may_send and segment.campaigns.filter(state=CampaignState.SCHEDULED).exists():
        return gettext(
            "A campaign to this segment is scheduled, so only admins who may send campaigns can change it."
        )
    return ""


# --- Helpers ---------------------------------------------------------------------------------


def lock_campaign(campaign: Campaign) -> Campaign:
    """Lock and return the stored campaign. New deliveries may still refer to it (`no_key`)."""
    found = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).first()
    if found is None:
        raise CampaignRefused(_("The campaign has been deleted."))
    return found


def _lock_startable(campaign: Campaign, expected_version: str) -> Campaign:
    """Lock and return a campaign that may be started. Raises CampaignRefused."""
    list(_find_unfinished_jobs(campaign).select_for_update().values_list("pk"))
    current = lock_campaign(campaign)
    lock_segment(current.segment_id)
    if not current.is_editable or current.is_step:
        raise CampaignRefused(_("The campaign has been sent already, or is being sent."))
    recipients = _require_sendable(current)
    if expected_version != get_version(current, recipients):
        raise CampaignRefused(
            _("The campaign or the number of its recipients has changed. Please look at it again.")
        )
    return current


def _require_sendable(campaign: Campaign) -> int:
    """Return the number of recipients. Raises CampaignRefused if a check fails or there is none."""
    require_no_errors(campaign)
    count = sum(group.count for group in count_audience(campaign, campaign.list_languages()))
    if not count:
        raise CampaignRefused(_("Nobody would get this campaign."))
    return count


def require_no_errors(campaign: Campaign) -> None:
    """Raise CampaignRefused if a check fails."""
    problems = checks.find_problems(campaign, campaign.list_texts())
    if any(problem.severity == "error" for problem in problems):
        raise CampaignRefused(_("The campaign has errors. Please correct them first."))


def _begin(campaign: Campaign) -> None:
    """Lock the text, and store the links in it."""
    campaign.state = CampaignState.SENDING
    campaign.stop_reason = ""
    campaign.started_at = timezone.now()
    campaign.save()
    store_links(campaign)


def store_links(campaign: Campaign) -> None:
    """Store the links in the text that are not stored yet."""
    urls = {url for text in campaign.list_texts() for url in markdown.parse(text.body).list_urls()}
    links = [CampaignLink(campaign=campaign, url=url) for url in sorted(urls)]
    CampaignLink.objects.bulk_create(links, ignore_conflicts=True)


def _get_job_key(campaign_pk: int) -> str:
    return f"{SEND_JOB} {campaign_pk}"


def _find_unfinished_jobs(campaign: Campaign) -> Any:
    return Job.objects.filter(unique_key=_get_job_key(campaign.pk), state__in=UNFINISHED)


def _enqueue_job(campaign: Campaign, *, at: datetime, by: Any) -> None:
    """Let the job of a campaign run at a time; it may have one from an earlier schedule."""
    key = _get_job_key(campaign.pk)
    if queue.enqueue(SEND_JOB, created_by_id=by.pk, unique_key=key, at=at, campaign=campaign.pk) is None:
        _find_unfinished_jobs(campaign).update(next_attempt_at=at)


def _change_state(
    campaign: Campaign,
    before: set[CampaignState],
    after: CampaignState,
    refusal: str | Promise,
    **values: Any,
) -> None:
    with transaction.atomic():
        current = lock_campaign(campaign)
        if current.state not in before:
            raise CampaignRefused(refusal)
        current.state = after
        current.stop_reason = ""
        for name, value in values.items():
            setattr(current, name, value)
        current.save()
    campaign.refresh_from_db()
