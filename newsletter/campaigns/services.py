"""Use cases of campaigns.

Each works in one transaction and locks the campaign, so that concurrent requests wait for each other. Code
that needs both locks takes the job's lock before the campaign's, as a step of the job does.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from newsletter import services as newsletter
from newsletter.campaigns import checks, rendering
from newsletter.campaigns.audience import count_audience, text_languages
from newsletter.campaigns.models import (
    HAS_FEEDBACK,
    Campaign,
    CampaignLink,
    CampaignState,
    CampaignText,
    Delivery,
    DeliveryState,
    LinkClicks,
    SkipReason,
    StopReason,
)
from newsletter.models import ConsentKind, Subscription
from newsletter.validation import PreferencesChange
from sailing.email import outbox, suppression
from sailing.email.sender import send_bounced, wake_after_commit
from sailing.email.tokens import LinkStatus
from sailing.installation import Report, database_restored
from sailing.jobs import queue
from sailing.models import UNFINISHED, Job, SuppressionReason
from sailing.monitoring import queues

SEND_JOB = "campaigns.send"

ENDED_DELIVERIES = (DeliveryState.SENT, DeliveryState.SKIPPED, DeliveryState.FAILED, DeliveryState.UNKNOWN)

SOFT_BOUNCES = 3
"""Soft bounces in a row after which an address counts as not working."""

RATE_SECONDS = 20
"""The rate of a campaign is that of its last seconds."""

LONGEST_DELAY = timedelta(hours=1)
"""A campaign that is overdue by more, or that nobody has worked on for longer, waits for an admin."""

RECENT = timedelta(days=1)
"""Ended campaigns are in the metrics for so long."""

TEST_PREFIX = "[Test]"

logger = structlog.get_logger(__name__)


class CampaignRefused(Exception):
    """The campaign must not be changed so. The message tells the admin why."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message


class AudienceChanged(CampaignRefused):
    """The number of recipients is another than the admin has confirmed; `count` is the current one."""

    def __init__(self, count: int) -> None:
        super().__init__(_("The number of recipients has changed. Please look at it again."))
        self.count = count


@dataclass(frozen=True)
class Progress:
    """The deliveries of a campaign by what became of them.

    `rate_per_second`, `seconds_left`: None unless mails have just been sent. `is_prepared`: all recipients
    are fixed; before that, `total` still grows.
    """

    total: int = 0
    waiting: int = 0
    sending: int = 0
    sent: int = 0
    skipped: dict[SkipReason, int] = field(default_factory=dict)
    failed: int = 0
    unknown: int = 0
    bounced: int = 0
    complained: int = 0
    unsubscribed: int = 0
    rate_per_second: float | None = None
    seconds_left: int | None = None
    is_prepared: bool = False


# --- Write -----------------------------------------------------------------------------------


def create_duplicate(*, campaign: Campaign, by: Any) -> Campaign:
    """Return a new draft with the texts and the audience of a campaign."""
    with transaction.atomic():
        copy = Campaign.objects.create(
            name=_copy_name(campaign.name),
            user_type=campaign.user_type,
            language=campaign.language,
            source=campaign.source,
            subscribed_since=campaign.subscribed_since,
            missing_language=campaign.missing_language,
            is_public=campaign.is_public,
            created_by=by,
        )
        CampaignText.objects.bulk_create(
            CampaignText(
                campaign=copy,
                language=text.language,
                subject=text.subject,
                preheader=text.preheader,
                body=text.body,
            )
            for text in campaign.texts.order_by("pk")
        )
        return copy


def delete_campaign(*, campaign: Campaign) -> None:
    """Delete a draft, or a cancelled campaign that nobody was to get."""
    with transaction.atomic():
        current = _lock(campaign)
        if current.state not in (CampaignState.DRAFT, CampaignState.CANCELLED):
            raise CampaignRefused(_("Only drafts and canceled campaigns can be deleted."))
        if current.deliveries.exists():
            raise CampaignRefused(_("The campaign has recipients already, so it is kept."))
        current.delete()


def send_test(*, campaign: Campaign, addresses: Collection[str], languages: Collection[str]) -> int:
    """Send the texts in some languages to active staff; return the number of mails.

    The links of a test are real ones that count nothing; the personal ones lead to the web version.
    """
    members = get_user_model()._default_manager.filter(is_staff=True, is_active=True)
    staff = set(members.filter(email__in=addresses).values_list("email", flat=True))
    if not addresses or staff != set(addresses):
        raise CampaignRefused(_("A test goes to active staff only."))
    texts = [text for text in campaign.texts.order_by("pk") if text.language in languages]
    texts = [text for text in texts if not text.is_missing]
    if not texts:
        raise CampaignRefused(_("There is no text in that language yet."))
    with transaction.atomic():
        for text in texts:
            try:
                rendered = rendering.render(campaign, text, links=None, audience=campaign.user_type)
            except rendering.TextTooLong as error:
                raise CampaignRefused(error.message) from None
            url = rendering.web_version_url(campaign, text.language)
            links = dict.fromkeys(rendering.PERSONAL_FIELDS, url)
            for address in sorted(staff):
                outbox.store(
                    to=address,
                    subject=f"{TEST_PREFIX} {rendered.subject}",
                    text=rendered.fill_links(rendered.text, links),
                    html=rendered.fill_links(rendered.html, links),
                )
        wake_after_commit()
    return len(texts) * len(staff)


# --- Send ------------------------------------------------------------------------------------


def read_version(campaign: Campaign) -> str:
    """Return what identifies the stored texts and audience of a campaign: another after each change."""
    texts = campaign.texts.order_by("language").values_list("language", "subject", "preheader", "body")
    audience = Campaign.objects.filter(pk=campaign.pk).values_list(
        "user_type", "language", "source", "subscribed_since", "missing_language", "is_public"
    )
    return hashlib.sha256(repr([*texts, *audience]).encode()).hexdigest()


def send_now(
    *, campaign: Campaign, by: Any, expected_count: int | None = None, expected_version: str | None = None
) -> None:
    """Start sending a draft or a scheduled campaign.

    `expected_version`: what `read_version` returned when the admin looked at the campaign.
    Raises AudienceChanged if the number of recipients is not `expected_count`.
    """
    with transaction.atomic():
        current = _lock_startable(campaign, expected_count, expected_version)
        _begin(current)
        _enqueue_job(current, at=timezone.now(), by=by)
    campaign.refresh_from_db()


def schedule(
    *,
    campaign: Campaign,
    at: datetime,
    by: Any,
    expected_count: int | None = None,
    expected_version: str | None = None,
) -> None:
    """Let a draft or a scheduled campaign be sent at a time, with the conditions of `send_now`."""
    if at <= timezone.now():
        raise CampaignRefused(_("That time is in the past."))
    with transaction.atomic():
        current = _lock_startable(campaign, expected_count, expected_version)
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
        event = gettext_noop("Not sent as scheduled, because of errors or no recipients. Back to draft.")
        try:
            if current.scheduled_at and current.scheduled_at < timezone.now() - LONGEST_DELAY:
                event = gettext_noop("Not sent as scheduled, because the site was down then. Back to draft.")
                current.stop_reason = StopReason.OVERDUE
                logger.error("campaign_overdue", campaign=current.pk)
                raise CampaignRefused(_("The campaign is overdue by more than an hour."))
            _require_sendable(current, None)
            _begin(current)
            event = gettext_noop("Sending started as scheduled.")
        except CampaignRefused as error:
            refusal = error
            current.state = CampaignState.DRAFT
            current.scheduled_at = None
            current.save()
        _log_event(current, event, by=scheduled_by)
    if refusal:
        raise refusal
    return current


def pause_if_abandoned(campaign: Campaign) -> bool:
    """Pause a campaign that no sender has worked on for long, although mails were due; return whether it was.

    The site was down meanwhile, or this is an old state of the database. Its news may be no news any more. A
    campaign that waits while others are sent is not abandoned.
    """
    since = timezone.now() - LONGEST_DELAY
    if campaign.state != CampaignState.SENDING or campaign.changed_at > since:
        return False
    due = Delivery.objects.filter(campaign=campaign, state=DeliveryState.WAITING, next_attempt_at__lt=since)
    active = Campaign.objects.filter(Q(state=CampaignState.SENDING) | Q(finished_at__gte=since))
    ended = Delivery.objects.filter(campaign__in=active, state__in=ENDED_DELIVERIES, ended_at__gte=since)
    if (campaign.prepared_at and not due.exists()) or ended.exists():
        return False
    try:
        pause(campaign=campaign, reason=StopReason.ABANDONED)
    except CampaignRefused:
        return False
    _log_event(campaign, gettext_noop("Paused, because nothing was sent for more than an hour."))
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
            _log_event(campaign, gettext_noop("Stopped, because the database was restored or copied."))
        stopped.append(len(campaigns))
    # Paused already: whoever resumes them must know.
    Campaign.objects.filter(state=CampaignState.PAUSED).update(stop_reason=StopReason.RESTORED)
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
    """Enqueue the jobs of campaigns that wait for one, if an admin has cancelled it or it has failed."""
    is_due = Q(state=CampaignState.SCHEDULED, scheduled_at__lte=timezone.now())
    is_unprepared = Q(state=CampaignState.SENDING, prepared_at=None)
    for pk in Campaign.objects.filter(is_due | is_unprepared).values_list("pk", flat=True):
        queue.enqueue(SEND_JOB, unique_key=_job_key(pk), campaign=pk)


# --- Archive ---------------------------------------------------------------------------------


def publish(*, campaign: Campaign) -> None:
    """Show a campaign in the public archive, if it is sent or being sent."""
    _set_public(campaign, True)


def withdraw(*, campaign: Campaign) -> None:
    """Take a campaign out of the public archive. Links in its mails still open it."""
    _set_public(campaign, False)


def _set_public(campaign: Campaign, is_public: bool) -> None:
    with transaction.atomic():
        current = _lock(campaign)
        if current.is_editable or current.state == CampaignState.CANCELLED:
            raise CampaignRefused(_("The campaign has not been sent."))
        if current.is_public == is_public:
            raise CampaignRefused(_("This has been done already."))
        current.is_public = is_public
        current.save()
    campaign.refresh_from_db()


# --- Afterwards ------------------------------------------------------------------------------


def get_progress(campaign: Campaign) -> Progress:
    """Count the deliveries of a campaign."""
    deliveries = Delivery.objects.filter(campaign=campaign).order_by()
    counts = _count_states(campaign)
    skipped = deliveries.filter(state=DeliveryState.SKIPPED).values_list("skip_reason")
    feedback = deliveries.filter(HAS_FEEDBACK).aggregate(
        bounced=Count("pk", filter=Q(bounced_at__isnull=False)),
        complained=Count("pk", filter=Q(complained_at__isnull=False)),
        unsubscribed=Count("pk", filter=Q(unsubscribed_at__isnull=False)),
    )
    waiting = counts.get(DeliveryState.WAITING, 0)
    rate = _measure_rate(campaign) if campaign.state == CampaignState.SENDING else None
    return Progress(
        total=sum(counts.values()),
        waiting=waiting,
        sending=counts.get(DeliveryState.SENDING, 0),
        sent=counts.get(DeliveryState.SENT, 0),
        skipped={SkipReason(reason): count for reason, count in skipped.annotate(count=Count("*"))},
        failed=counts.get(DeliveryState.FAILED, 0),
        unknown=counts.get(DeliveryState.UNKNOWN, 0),
        rate_per_second=rate,
        seconds_left=round(waiting / rate) if rate and campaign.prepared_at else None,
        is_prepared=campaign.prepared_at is not None,
        **feedback,
    )


def count_recent_deliveries() -> dict[str, int]:
    """Count the waiting, failed and unknown deliveries of campaigns that are not ended, or ended lately."""
    is_recent = Q(finished_at=None) | Q(finished_at__gt=timezone.now() - RECENT)
    campaigns = Campaign.objects.filter(is_recent, started_at__isnull=False)
    counts = dict.fromkeys((DeliveryState.WAITING, DeliveryState.FAILED, DeliveryState.UNKNOWN), 0)
    # One campaign at a time: the index of deliveries begins with it.
    for campaign in campaigns:
        for state in counts:
            if campaign.finished_at and state == DeliveryState.WAITING:
                continue  # cancelled: they wait for nothing
            counts[state] += Delivery.objects.filter(campaign=campaign, state=state).count()
    return {state.value: count for state, count in counts.items()}


@queues.watch(
    "campaigns_due",
    description="How long no delivery of a campaign has ended, although some were never tried.",
    label=_("Campaigns"),
    problem=_("A campaign is being sent, but no email leaves. Does the mail server accept any?"),
)
def read_stalled_campaign() -> datetime | None:
    """Return since when a campaign that is being sent makes no progress; None if all do, or none waits."""
    stalled = map(_read_stalled_since, Campaign.objects.filter(state=CampaignState.SENDING))
    return min(filter(None, stalled), default=None)


def _read_stalled_since(campaign: Campaign) -> datetime | None:
    deliveries = Delivery.objects.filter(campaign=campaign)
    # Those that were tried wait for their next attempt, which may be hours away.
    if not deliveries.filter(state=DeliveryState.WAITING, attempts=0).exists():
        return None
    # One state at a time, as the index begins.
    ended: list[datetime | None] = [
        deliveries.filter(state=state).aggregate(last=Max("ended_at"))["last"] for state in ENDED_DELIVERIES
    ]
    return max(filter(None, [campaign.prepared_at, *ended]), default=None)


def unsubscribe_by_delivery(*, delivery: Delivery, language: str, at: datetime | None = None) -> LinkStatus:
    """End the subscription that a mail was sent to; `language` is that of the page.

    An erased subscription has ended already. `at`: when a provider was told, if it reports it. What the owner
    has confirmed since then stays.
    """
    with transaction.atomic():
        if subscription := _lock_subscription(delivery):
            if not subscription.has_ended and not _was_confirmed_since(subscription, at):
                newsletter.end_subscription(subscription, event=ConsentKind.UNSUBSCRIBED, language=language)
            _record_once(delivery, "unsubscribed_at")
    return LinkStatus.DONE


def record_delivery_bounce(*, delivery: Delivery, is_hard: bool, at: datetime | None = None) -> bool:
    """Record that a mail came back, and when; return False if that is known.

    After a hard bounce, or the third soft one in a row, the address counts as not working, unless its owner
    has confirmed it since.
    """
    with transaction.atomic():
        # The member first, whom the bounce changes too: preferences and erasure lock in that order.
        address = Delivery.objects.filter(pk=delivery.pk).values("subscription__email")
        members = get_user_model()._default_manager.filter(email__in=address)
        list(members.select_for_update(no_key=True).values_list("pk"))
        subscription = _lock_subscription(delivery)
        if not _record_once(delivery, "bounced_at" if is_hard else "soft_bounced_at"):
            return False
        if subscription is None or _has_confirmed_since(subscription.email, at):
            return True
        if is_hard or _has_bounced_softly(subscription):
            send_bounced(subscription.email)
        return True


def record_delivery_complaint(*, delivery: Delivery, at: datetime | None = None) -> bool:
    """Record that the owner reported a mail as spam: the subscription ends, and no import may add it again.

    What the owner has confirmed since then stays. Returns False if that is known.
    """
    with transaction.atomic():
        subscription = _lock_subscription(delivery)
        if not _record_once(delivery, "complained_at"):
            return False
        if subscription and not _was_confirmed_since(subscription, at):
            language = subscription.language
            newsletter.end_subscription(subscription, event=ConsentKind.COMPLAINED, language=language)
            suppression.suppress(subscription.email, SuppressionReason.COMPLAINED)
        return True


def change_preferences_by_delivery(
    *, delivery: Delivery, subscription: Subscription, change: PreferencesChange, language: str
) -> list[newsletter.RefusedAudience] | None:
    """Change what the address of a mail gets, like `newsletter.services.change_preferences`.

    Leaving its audience counts as unsubscribed by this mail.
    """
    had_ended = subscription.has_ended
    with transaction.atomic():
        refused = newsletter.change_preferences(subscription=subscription, change=change, language=language)
        if refused is not None:
            subscription.refresh_from_db()
            if subscription.has_ended and not had_ended:
                _record_once(delivery, "unsubscribed_at")
        return refused


def count_click(*, link: CampaignLink) -> None:
    """Count a click in the current hour. The database adds, so that simultaneous clicks all count."""
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    clicks = LinkClicks.objects.filter(link=link, hour=hour)
    if not clicks.update(count=F("count") + 1):
        LinkClicks.objects.bulk_create([LinkClicks(link=link, hour=hour)], ignore_conflicts=True)
        clicks.update(count=F("count") + 1)


# --- Reports of a provider about an address --------------------------------------------------


def record_address_bounce(*, email: str, at: datetime | None) -> None:
    """Record that an address does not work, unless its owner has confirmed it since the mail came back."""
    with transaction.atomic():
        if not _has_confirmed_since(email, at):
            send_bounced(email)


def end_subscriptions(*, email: str, event: ConsentKind, at: datetime | None) -> None:
    """End all subscriptions of an address whose owner complained, or unsubscribed at the provider.

    What the owner has confirmed since then stays. After a complaint no import may add the address again.
    """
    with transaction.atomic():
        subscriptions = list(Subscription.objects.filter(email=email).order_by("pk").select_for_update())
        if _has_confirmed_since(email, at):
            return
        for subscription in subscriptions:
            if not subscription.has_ended:
                newsletter.end_subscription(subscription, event=event, language=subscription.language)
        if event is ConsentKind.COMPLAINED:
            suppression.suppress(email, SuppressionReason.COMPLAINED)


# --- Helpers ---------------------------------------------------------------------------------


def _lock(campaign: Campaign) -> Campaign:
    """Lock and return the stored campaign. New deliveries may still refer to it (`no_key`)."""
    found = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).first()
    if found is None:
        raise CampaignRefused(_("The campaign has been deleted."))
    return found


def _lock_startable(campaign: Campaign, expected_count: int | None, expected_version: str | None) -> Campaign:
    """Lock and return a campaign that may be started. Raises CampaignRefused."""
    list(_unfinished_jobs(campaign).select_for_update().values_list("pk"))
    current = _lock(campaign)
    if not current.is_editable:
        raise CampaignRefused(_("The campaign has been sent already, or is being sent."))
    if expected_version not in (None, read_version(current)):
        raise CampaignRefused(_("Somebody has changed the campaign meanwhile. Please look at it again."))
    _require_sendable(current, expected_count)
    return current


def _require_sendable(campaign: Campaign, expected_count: int | None) -> None:
    """Raise CampaignRefused if a check fails or there is no recipient."""
    texts = [text for text in campaign.texts.order_by("pk") if not text.is_missing]
    problems = checks.find_problems(campaign, texts)
    if any(problem.severity == "error" for problem in problems):
        raise CampaignRefused(_("The campaign has errors. Please correct them first."))
    count = sum(group.count for group in count_audience(campaign, text_languages(campaign)))
    if expected_count is not None and count != expected_count:
        raise AudienceChanged(count)
    if not count:
        raise CampaignRefused(_("Nobody would get this campaign."))


def _begin(campaign: Campaign) -> None:
    """Lock the text, and store the links in it."""
    campaign.state = CampaignState.SENDING
    campaign.stop_reason = ""
    campaign.started_at = timezone.now()
    campaign.save()
    urls = {url for text in campaign.texts.all() if not text.is_missing for url in rendering.find_links(text)}
    links = [CampaignLink(campaign=campaign, url=url) for url in sorted(urls)]
    CampaignLink.objects.bulk_create(links, ignore_conflicts=True)


def _job_key(campaign_pk: int) -> str:
    return f"{SEND_JOB} {campaign_pk}"


def _unfinished_jobs(campaign: Campaign) -> Any:
    return Job.objects.filter(unique_key=_job_key(campaign.pk), state__in=UNFINISHED)


def _enqueue_job(campaign: Campaign, *, at: datetime, by: Any) -> None:
    """Let the job of a campaign run at a time; it may have one from an earlier schedule."""
    key = _job_key(campaign.pk)
    if queue.enqueue(SEND_JOB, created_by_id=by.pk, unique_key=key, at=at, campaign=campaign.pk) is None:
        _unfinished_jobs(campaign).update(next_attempt_at=at)


def _change_state(
    campaign: Campaign,
    before: set[CampaignState],
    after: CampaignState,
    refusal: str | Promise,
    **values: Any,
) -> None:
    with transaction.atomic():
        current = _lock(campaign)
        if current.state not in before:
            raise CampaignRefused(refusal)
        current.state = after
        current.stop_reason = ""
        for name, value in values.items():
            setattr(current, name, value)
        current.save()
    campaign.refresh_from_db()


def _count_states(campaign: Campaign) -> dict[str, int]:
    """Count the deliveries of a campaign by state.

    Once the recipients are fixed, the sent ones are the rest: at the end nearly all, they are not counted.
    """
    states = Delivery.objects.filter(campaign=campaign).order_by().values_list("state")
    if campaign.recipient_count is None:
        return dict(states.annotate(count=Count("*")))
    others = [state for state in DeliveryState if state != DeliveryState.SENT]
    counts = dict(states.filter(state__in=others).annotate(count=Count("*")))
    return {**counts, DeliveryState.SENT: campaign.recipient_count - sum(counts.values())}


def _measure_rate(campaign: Campaign) -> float | None:
    since = timezone.now() - timedelta(seconds=RATE_SECONDS)
    recent = Delivery.objects.filter(campaign=campaign, state=DeliveryState.SENT, ended_at__gt=since)
    return recent.count() / RATE_SECONDS or None


def _lock_subscription(delivery: Delivery) -> Subscription | None:
    """Lock the subscription of a delivery, before its deliveries; return None after it was erased.

    All subscriptions of the address are locked, in the order of their keys, because a bounce ends them all.
    """
    return newsletter.lock_address(delivery.subscription_id) if delivery.subscription_id else None


def _record_once(delivery: Delivery, name: str) -> bool:
    """Store the time of an event; return False if it has happened before."""
    unrecorded = Delivery.objects.filter(pk=delivery.pk, **{f"{name}__isnull": True})
    is_new = bool(unrecorded.update(**{name: timezone.now()}))
    delivery.refresh_from_db(fields=[name])
    return is_new


def _was_confirmed_since(subscription: Subscription, at: datetime | None) -> bool:
    """Return whether a subscription was confirmed after a time. An unknown time (None) counts as now."""
    return bool(at and subscription.confirmed_at and subscription.confirmed_at > at)


def _has_confirmed_since(email: str, at: datetime | None) -> bool:
    """Return the same for an address: whether its owner has confirmed any subscription."""
    return bool(at and Subscription.objects.filter(email=email, confirmed_at__gt=at).exists())


def _has_bounced_softly(subscription: Subscription) -> bool:
    """Return whether the last mails to a subscriber all came back."""
    last = Delivery.objects.filter(subscription=subscription, state=DeliveryState.SENT).order_by("-ended_at")
    bounced = list(last.values_list("soft_bounced_at", flat=True)[:SOFT_BOUNCES])
    return len(bounced) == SOFT_BOUNCES and all(bounced)


def _copy_name(name: str) -> str:
    copy = str(_("Copy of %(name)s") % {"name": name})
    return copy[: Campaign._meta.get_field("name").max_length]
