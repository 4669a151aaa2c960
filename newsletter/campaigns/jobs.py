"""The job that starts a campaign when its time has come, and fixes its recipients; and the one that reminds.

Sending begins with the first recipients, while the job fixes the others.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from newsletter.campaigns import reminder, series, services
from newsletter.campaigns.audience import count_audience, select_audience
from newsletter.campaigns.models import STARTED_STATES, Campaign, CampaignState, Delivery
from newsletter.campaigns.recipients import add_deliveries
from newsletter.models import Subscription, UserType
from sailing.jobs import queue
from sailing.jobs.models import Job
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.mail import installation
from sailing.mail.sender import wake_after_commit

COPY_PAUSE = timedelta(minutes=1)
"""After that, the job looks again whether an admin has agreed to send."""

REMINDER_INTERVAL = timedelta(hours=1)

STEP_ROWS = 20_000
"""Subscriptions of one user type that one step looks at, in the order of their keys."""


def authorize(_job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not send campaigns."""
    require_admin(user_id, "campaigns.send_campaign")


@queue.register(services.SEND_JOB, label=_("Start a campaign"), authorize=authorize)
def send(job: RunningJob) -> Iterator[Any]:
    """Start the campaign, and fix its recipients. In a copy of the site's database, wait."""
    if installation.is_copy():
        yield COPY_PAUSE
        return
    try:
        campaign = services.begin_scheduled(job.arguments["campaign"], scheduled_by=job.created_by_id)
    except services.CampaignRefused:
        raise JobFailed(
            gettext_noop("The campaign was not sent as scheduled. It is a draft again: see its history.")
        ) from None
    if campaign and campaign.state == CampaignState.SCHEDULED and campaign.scheduled_at:
        yield campaign.scheduled_at - timezone.now()  # the job is early
        return
    if campaign is None or campaign.started_at is None or campaign.prepared_at:
        return
    if campaign.changed_at < timezone.now() - services.LONGEST_DELAY:
        services.pause_abandoned(campaign)
    languages = campaign.list_languages()
    if job.total_rows is None:
        job.total_rows = sum(group.count for group in count_audience(campaign, languages))
    has_more = True
    while has_more:
        with job.step():
            campaign.refresh_from_db()
            # A canceled one gets no more, but the number of those that it has.
            has_more = campaign.state in STARTED_STATES and _fix_recipients(job, campaign, languages)
            if not has_more:
                services.finish_preparation(campaign.pk)
            wake_after_commit()
        yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # a million new rows mislead the planner until autovacuum comes
            cursor.execute(f"ANALYZE {Delivery._meta.db_table}")


def _fix_recipients(job: RunningJob, campaign: Campaign, languages: list[str]) -> bool:
    """Add deliveries for the next recipients; return whether there may be more.

    Sailors come first, and an address that has a delivery gets no second one. So a subscriber who
    confirms the other audience meanwhile gets one copy. No constraint can hold that, as deliveries keep no
    address.
    """
    user_types = [campaign.user_type] if campaign.user_type else [UserType.SAILOR, UserType.COMPANY]
    user_type, after = job.cursor or (user_types[0], None)
    subscriptions = Subscription.objects.filter(user_type=user_type).order_by("pk")
    recipients = select_audience(campaign, languages).filter(user_type=user_type)
    if after is not None:
        subscriptions = subscriptions.filter(pk__gt=after)
        recipients = recipients.filter(pk__gt=after)
    last = subscriptions.values_list("pk", flat=True)[STEP_ROWS - 1 : STEP_ROWS].first()
    if last is not None:
        recipients = recipients.filter(pk__lte=last)
    copies = Delivery.objects.filter(campaign=campaign, subscription__email=OuterRef("email"))
    # As a value for each row: PostgreSQL would join NOT EXISTS with all deliveries, in each step.
    recipients = recipients.annotate(copy=Subquery(copies.values("pk")[:1])).filter(copy=None)
    job.finished_rows += add_deliveries(campaign, recipients)
    has_more = last is not None or user_type != user_types[-1]
    if has_more:
        job.cursor = [user_type, str(last)] if last is not None else [user_types[-1], None]
    return has_more


@queue.register("newsletter.remind", label=_("Remind to confirm"), interval=REMINDER_INTERVAL)
def remind(job: RunningJob) -> Iterator[None]:
    """Remind those who signed up and have not confirmed, if the reminder is on.

    While no sender works, nobody: the first one that does again passes over those who are due.
    """
    if reminder.find_switch() is None or installation.is_copy():
        return
    has_more = True
    while has_more:
        with job.step():
            if series.is_silent():
                return
            job.cursor = reminder.remind_next(job.cursor)
            has_more = job.cursor is not None
        yield
