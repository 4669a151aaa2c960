"""Start campaigns, add their recipients, and send their deliveries: the last queue of each sender.

A delivery is committed as SENDING just before a free thread gets its mail. So a killed sender leaves at most
one per connection whose fate is unknown. When its claim ends, it becomes UNKNOWN, and is not repeated.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from newsletter.campaigns import feedback, rendering, series, services
from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import (
    STARTED_STATES,
    Campaign,
    CampaignPace,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
)
from newsletter.campaigns.rendering import RenderedMail
from newsletter.invitations.services import build_invitation_url
from newsletter.models import State, Subscription
from newsletter.tokens import build_urls
from sailing.database import Now
from sailing.errors import is_database_unavailable, is_statement_timeout
from sailing.mail.outbox import CLAIM_LIFETIME, decide, woken
from sailing.mail.transport import DeliveryAttempt, DeliveryResult

SEARCH_SECONDS = 1.0
"""How often a sender looks for campaigns that have been started, and for postponed mails that are due."""

SWEEP_SECONDS = 10.0
"""How often a sender looks for ended claims, and for readers whose next step of the welcome series is due."""

FAILURE_SECONDS = 60.0
"""How long a campaign that cannot be rendered or claimed is left alone."""

PAUSE_CHECK = timedelta(hours=1)
"""When the step of a paused reader is looked at again. Readers can end their pause early."""

CLAIMED_STATES = (DeliveryState.SENDING, DeliveryState.UNKNOWN)
"""The states of a delivery that a sender holds. UNKNOWN: its claim has ended meanwhile."""

SKIP_REASONS = {
    State.BOUNCED: SkipReason.BOUNCED,
    State.UNSUBSCRIBED: SkipReason.UNSUBSCRIBED,
    State.PENDING: SkipReason.UNCONFIRMED,
    State.PAUSED: SkipReason.PAUSED,
}

logger = structlog.get_logger(__name__)


@dataclass(eq=False)
class SendingCampaign:
    """A campaign that is being sent, with its mails by language once they are rendered.

    `last_pk`: the last claimed delivery. Those before it are looked at when none is left after it: until
    the next vacuum the index keeps entries of ended ones. `quiet_until` (`time.monotonic`): nothing is due.
    """

    campaign: Campaign
    mails: Mapping[str, RenderedMail] = field(default_factory=dict)
    last_pk: int = 0
    quiet_until: float = 0.0


@dataclass(eq=False)
class CampaignMail:
    """The mail of a claimed delivery (`transport.Mail`), due at `start_at` by `time.monotonic`."""

    pk: int
    recipient: str
    attempts: int
    next_attempt_at: datetime
    start_at: float
    first_name: str
    rendered: RenderedMail
    reference: str
    links: Mapping[str, str]

    def build_message(self) -> EmailMultiAlternatives:
        return self.rendered.build_message(
            recipient=self.recipient, reference=self.reference, links=self.links, first_name=self.first_name
        )


class CampaignQueue:
    """The deliveries of all campaigns and steps that are being sent (`sailing.mail.sender.Queue`)."""

    is_urgent = False
    is_claimed_ahead = False

    def __init__(self) -> None:
        self._campaigns: list[SendingCampaign] = []
        self._next_search = self._next_sweep = 0.0
        self._failed_until: dict[int, float] = defaultdict(float)
        self._uncertain: list[tuple[list[int], datetime]] = []
        """Claims that may have been committed although their mails were not handed over."""

    def claim(self, limit: int) -> list[CampaignMail]:
        """Claim at most `limit` deliveries that are due, and return their mails."""
        self._hand_back()
        if time.monotonic() >= self._next_search:
            self._search()
        claimed: list[CampaignMail] = []
        for sending in self._campaigns:
            if len(claimed) >= limit or sending.quiet_until > time.monotonic():
                continue
            try:
                sending.mails = sending.mails or _render(sending.campaign)
                if sending.mails:
                    claimed += self._claim(sending, limit - len(claimed))
            except Exception as error:  # must not stop the other campaigns
                if is_database_unavailable(error):
                    raise
                logger.exception("campaign_failed", campaign=sending.campaign.pk)
                sending.quiet_until = time.monotonic() + FAILURE_SECONDS
        self._uncertain = []
        return claimed

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record attempts, and hand back uncertain claims. Recording one twice changes nothing."""
        self._hand_back()
        accepted = [attempt.mail.pk for attempt in attempts if attempt.result is DeliveryResult.ACCEPTED]
        if accepted:
            Delivery.objects.filter(pk__in=accepted, state__in=CLAIMED_STATES).update(
                state=DeliveryState.SENT, attempts=F("attempts") + 1, ended_at=timezone.now(), last_error=""
            )
        for attempt in attempts:
            if attempt.result is not DeliveryResult.ACCEPTED:
                _record_failure(attempt)

    def _hand_back(self) -> None:
        """Let deliveries wait again whose claim may be committed, although the database failed then."""
        for keys, until in self._uncertain:
            lost = _select_claimed(until).filter(pk__in=keys)
            lost.update(state=DeliveryState.WAITING, next_attempt_at=Now(), ended_at=None)
            self._campaigns, self._next_search = [], 0.0
        self._uncertain = []

    def _search(self) -> None:
        """Begin what is due, add the next recipients, and find the campaigns to send."""
        now = time.monotonic()
        scheduled = Campaign.objects.filter(state=CampaignState.SCHEDULED, scheduled_at__lte=timezone.now())
        begun = Campaign.objects.filter(state__in=STARTED_STATES, prepared_at=None, delay_days=None)
        # Steps first, the earliest before the others: few readers wait for each.
        sending = Campaign.objects.filter(state=CampaignState.SENDING).order_by(
            F("delay_days").asc(nulls_last=True), "started_at", "pk"
        )
        self._run_each(scheduled, services.begin_scheduled)
        has_more = self._run_each(begun, services.add_recipients)
        if now >= self._next_sweep:
            _give_up_ended_claims()
            has_more |= self._run_each(sending.exclude(delay_days=None), series.add_due_readers)
            self._next_sweep = now if has_more else now + SWEEP_SECONDS
        # A step may be edited while it is on.
        known = {(each.campaign.pk, each.campaign.changed_at): each for each in self._campaigns}
        self._campaigns = [
            known.get((campaign.pk, campaign.changed_at)) or SendingCampaign(campaign) for campaign in sending
        ]
        self._next_search = now if has_more else now + SEARCH_SECONDS
        if has_more:
            woken.set()

    def _run_each(self, campaigns: QuerySet[Campaign], run: Callable[[int], bool | None]) -> bool:
        """Run a function with each key; return whether one has more. A failed campaign waits a while."""
        has_more = False
        for pk in campaigns.values_list("pk", flat=True):
            if self._failed_until[pk] > time.monotonic():
                continue
            try:
                has_more |= bool(run(pk))
            except IntegrityError:  # a reader has just been erased; the next look adds the others
                logger.warning("recipients_not_added", campaign=pk)
            except Exception as error:
                # A segment may be too slow to select, which is no outage.
                if is_database_unavailable(error) and not is_statement_timeout(error):
                    raise
                logger.exception("campaign_failed", campaign=pk)
                self._failed_until[pk] = time.monotonic() + FAILURE_SECONDS
        return has_more

    def _claim(self, sending: SendingCampaign, limit: int) -> list[CampaignMail]:
        """Claim due deliveries; return the mails of those whose subscription, read again, allows it."""
        due = Delivery.objects.filter(
            campaign=sending.campaign,
            campaign__state=CampaignState.SENDING,
            state=DeliveryState.WAITING,
            pk__gt=sending.last_pk,
            next_attempt_at__lte=Now(),
        )
        found: list[CampaignMail] = []
        skipped: dict[str, list[int]] = defaultdict(list)
        with transaction.atomic():
            pace = _lock_pace()
            if pace and pace.is_full:
                return []
            locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("subscription")
            deliveries: list[Any] = list(locked.annotate(now=Now()).order_by("pk")[:limit])
            for delivery in deliveries:
                subscription, until = delivery.subscription, delivery.now + CLAIM_LIFETIME
                reason = SKIP_REASONS.get(subscription.state, "") if subscription else SkipReason.ERASED
                if sending.campaign.is_step and reason is SkipReason.PAUSED:
                    due_at = min(subscription.paused_until, delivery.now + PAUSE_CHECK)
                    Delivery.objects.filter(pk=delivery.pk).update(next_attempt_at=due_at)
                elif reason:
                    skipped[reason].append(delivery.pk)
                else:
                    start_at = pace.reserve() if pace else 0.0
                    found.append(_build_mail(sending, delivery, subscription, until, start_at))
            for reason, keys in skipped.items():
                Delivery.objects.filter(pk__in=keys).update(
                    state=DeliveryState.SKIPPED, skip_reason=reason, ended_at=timezone.now()
                )
            if found:
                keys, until = [mail.pk for mail in found], found[0].next_attempt_at
                self._uncertain.append((keys, until))
                Delivery.objects.filter(pk__in=keys).update(
                    state=DeliveryState.SENDING, next_attempt_at=until
                )
                if pace:
                    pace.save()
        if deliveries:
            sending.last_pk = deliveries[-1].pk
            if len(found) < len(deliveries):
                woken.set()  # others may be due behind those that are skipped
        elif sending.last_pk:
            sending.last_pk = 0  # deliveries before it may be due again
        else:
            sending.quiet_until = time.monotonic() + SEARCH_SECONDS
            services.finish_if_sent(sending.campaign.pk)
        return found


def _build_mail(
    sending: SendingCampaign, delivery: Delivery, reader: Subscription, until: datetime, start_at: float
) -> CampaignMail:
    return CampaignMail(
        delivery.pk,
        recipient=reader.email,
        attempts=delivery.attempts,
        next_attempt_at=until,
        start_at=start_at,
        first_name=reader.first_name,
        # A step may have lost a text after the delivery was added.
        rendered=sending.mails.get(delivery.language) or next(iter(sending.mails.values())),
        # The key is random: two sites that share an account of a provider get each other's reports.
        reference=f"{delivery.pk}.{sending.campaign.key}",
        links={
            **build_urls(reader.pk, delivery.pk, language=delivery.language),
            "invitation_url": build_invitation_url(reader.pk),
        },
    )


def _lock_pace() -> Any:
    """Lock and return the row that spreads campaign mails, or None if nothing limits their rate."""
    if not settings.CAMPAIGN_MAILS_PER_SECOND:
        return None
    CampaignPace.objects.get_or_create(pk=1)
    rows: Any = CampaignPace.objects.select_for_update()
    return rows.annotate(now=Now()).get(pk=1)


def _record_failure(attempt: DeliveryAttempt) -> None:
    """Record the attempt of a mail that was not accepted."""
    mail = attempt.mail
    state, attempts, delay = decide(attempt, repeats_unknown=False)
    with transaction.atomic():
        if attempt.is_bounced:
            # First, because it locks the subscription, which is always locked before deliveries.
            delivery = Delivery.objects.filter(pk=mail.pk).first()
            feedback.record(mail.recipient, delivery, Report.HARD_BOUNCE, None, reason=attempt.error)
        _select_claimed(mail.next_attempt_at).filter(pk=mail.pk).update(
            state=state,
            attempts=attempts,
            next_attempt_at=Now() + delay,
            last_error=attempt.error[: Delivery.LAST_ERROR_LENGTH],
            ended_at=None if state == DeliveryState.WAITING else Now(),
        )
    if attempt.result is not DeliveryResult.NOT_TRIED:
        logger.warning(f"campaign_mail_{state}", delivery=mail.pk, error=attempt.reason)


def _select_claimed(until: datetime) -> QuerySet[Delivery]:
    """Return the deliveries of a claim, which its end identifies: after another one, a sender has them again.

    A late result changes nothing once all deliveries of the campaign had ended, because nobody would send it.
    """
    claimed = Delivery.objects.filter(state__in=CLAIMED_STATES, next_attempt_at=until)
    return claimed.exclude(campaign__state=CampaignState.SENT)


def _give_up_ended_claims() -> None:
    """Record that nobody knows what became of the mails whose sender was killed."""
    ended = Delivery.objects.filter(state=DeliveryState.SENDING, next_attempt_at__lte=Now())
    if ended.exists():  # spares SQLite a write lock
        count = ended.update(state=DeliveryState.UNKNOWN, ended_at=Now())
        logger.error("campaign_mails_unknown", count=count)


def _render(campaign: Campaign) -> dict[str, RenderedMail]:
    """Render the mails of a campaign, one for each language that is written."""
    url_of = {
        link.url: f"{settings.SITE_URL}{reverse('newsletter:campaigns:click', args=[link.key])}"
        for link in campaign.links.all()
    }
    texts = campaign.list_texts()
    return {text.language: rendering.render(campaign, text, links=url_of) for text in texts}
