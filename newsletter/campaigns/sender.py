"""Start campaigns, add their recipients, and send their deliveries: the last queue of each sender.

A delivery is committed as SENDING just before its mail is handed to a free thread. So a killed sender leaves
at most one delivery per connection whose fate is unknown. When its claim ends, it becomes UNKNOWN, and is not
repeated.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from newsletter.campaigns import feedback, rendering, series, services, tokens
from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import (
    Campaign,
    CampaignPace,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
)
from newsletter.campaigns.rendering import RenderedMail
from newsletter.invitation_links import build_invitation_url
from newsletter.models import State, Subscription
from newsletter.tokens import build_urls
from sailing.database import Now
from sailing.errors import is_database_unavailable
from sailing.mail.queue import CLAIM_LIFETIME, decide
from sailing.mail.replies import DeliveryResult
from sailing.mail.sender import woken
from sailing.mail.transport import DeliveryAttempt

SEARCH_SECONDS = 1.0
"""How often a sender looks for campaigns that have been started, and for postponed mails that are due."""

SWEEP_SECONDS = 10.0
"""How often a sender looks for ended claims, and for readers whose next step of the welcome series is due."""

FAILURE_SECONDS = 60.0
"""How long a campaign that cannot be rendered or claimed is left alone."""

PAUSE_CHECK = timedelta(hours=1)
"""When the step of a paused reader is looked at again. Readers can end their pause early."""

SKIP_REASONS = {
    State.BOUNCED: SkipReason.BOUNCED,
    State.UNSUBSCRIBED: SkipReason.UNSUBSCRIBED,
    State.PENDING: SkipReason.UNCONFIRMED,
    State.PAUSED: SkipReason.PAUSED,
}

logger = structlog.get_logger(__name__)


@dataclass(eq=False)
class SendingCampaign:
    """A campaign that is being sent, with its mails by language.

    `last_pk`: the last delivery that this sender has claimed. Deliveries before it are looked at again only
    when none is left after it: until the next vacuum the index keeps entries of those that have ended.
    `quiet_until`: nothing is due before (`time.monotonic`). `changed_at`: a step may be edited while on.
    """

    pk: int
    key: str
    changed_at: datetime
    is_step: bool
    mails: Mapping[str, RenderedMail] = field(default_factory=dict)
    last_pk: int = 0
    quiet_until: float = 0.0


@dataclass(eq=False)
class CampaignMail:
    """The mail of a claimed delivery (`sailing.mail.transport.Mail`).

    `next_attempt_at`: the end of the claim, which identifies it. `start_at`: not before (`time.monotonic`).
    """

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
            recipient=self.recipient,
            reference=self.reference,
            links=self.links,
            first_name=self.first_name,
        )


class CampaignQueue:
    """The deliveries of all campaigns and steps that are being sent (`sailing.mail.queue.Queue`)."""

    is_urgent = False
    is_claimed_ahead = False

    def __init__(self) -> None:
        self._campaigns: list[SendingCampaign] = []
        self._next_search = self._next_sweep = 0.0
        self._uncertain: list[tuple[list[int], datetime]] = []
        """Claims that may have been committed although their mails were not handed over."""

    def claim(self, limit: int) -> list[CampaignMail]:
        """Claim at most `limit` deliveries that are due, and return their mails."""
        for keys, until in self._uncertain:
            lost = Delivery.objects.filter(pk__in=keys, state=DeliveryState.SENDING, next_attempt_at=until)
            lost.update(state=DeliveryState.WAITING, next_attempt_at=Now())
            self._campaigns, self._next_search = [], 0.0
        self._uncertain = []
        if time.monotonic() >= self._next_search:
            self._search()
        claimed: list[CampaignMail] = []
        for campaign in self._campaigns:
            if len(claimed) >= limit or not campaign.mails or campaign.quiet_until > time.monotonic():
                continue
            try:
                claimed += self._claim(campaign, limit - len(claimed))
            except Exception as error:  # must not stop the other campaigns
                if is_database_unavailable(error):
                    raise
                logger.exception("campaign_failed", campaign=campaign.pk)
                campaign.quiet_until = time.monotonic() + FAILURE_SECONDS
        self._uncertain = []
        return claimed

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record attempts. Recording one twice changes nothing."""
        accepted = [attempt.mail.pk for attempt in attempts if attempt.result is DeliveryResult.ACCEPTED]
        if accepted:
            # UNKNOWN: the claim has ended meanwhile.
            Delivery.objects.filter(
                pk__in=accepted, state__in=(DeliveryState.SENDING, DeliveryState.UNKNOWN)
            ).update(
                state=DeliveryState.SENT, attempts=F("attempts") + 1, ended_at=timezone.now(), last_error=""
            )
        for attempt in attempts:
            if attempt.result is not DeliveryResult.ACCEPTED:
                _record_failure(attempt)

    def _search(self) -> None:
        """Begin what is due, add the next recipients, and find the campaigns to send."""
        now = time.monotonic()
        services.begin_due()
        has_more = services.add_recipients()
        if now >= self._next_sweep:
            _give_up_ended_claims()
            has_more |= series.add_due_readers()
            self._next_sweep = now if has_more else now + SWEEP_SECONDS
        # Steps first, the earliest before the others: few readers wait for each.
        sending = Campaign.objects.filter(state=CampaignState.SENDING).order_by(
            F("delay_days").asc(nulls_last=True), "started_at", "pk"
        )
        known = {(each.pk, each.changed_at): each for each in self._campaigns}
        self._campaigns = [self._find_or_load(each, known) for each in sending]
        self._next_search = now if has_more else now + SEARCH_SECONDS
        if has_more:
            woken.set()

    def _find_or_load(
        self, campaign: Campaign, known: Mapping[tuple[int, datetime], SendingCampaign]
    ) -> SendingCampaign:
        found = known.get((campaign.pk, campaign.changed_at))
        if found and (found.mails or found.quiet_until > time.monotonic()):
            return found
        return _load(campaign)

    def _claim(self, campaign: SendingCampaign, limit: int) -> list[CampaignMail]:
        """Claim due deliveries, and return the mails of those that are not skipped.

        The subscriptions are read again here, just before the mails are sent.
        """
        due = Delivery.objects.filter(
            campaign=campaign.pk,
            campaign__state=CampaignState.SENDING,
            state=DeliveryState.WAITING,
            pk__gt=campaign.last_pk,
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
                if campaign.is_step and reason is SkipReason.PAUSED:
                    due_at = min(subscription.paused_until, delivery.now + PAUSE_CHECK)
                    Delivery.objects.filter(pk=delivery.pk).update(next_attempt_at=due_at)
                elif reason:
                    skipped[reason].append(delivery.pk)
                else:
                    start_at = pace.reserve() if pace else 0.0
                    found.append(_build_mail(campaign, delivery, subscription, until, start_at))
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
            campaign.last_pk = deliveries[-1].pk
            if len(found) < len(deliveries):
                woken.set()  # others may be due behind those that are skipped
        elif campaign.last_pk:
            campaign.last_pk = 0  # deliveries before it may be due again
        else:
            campaign.quiet_until = time.monotonic() + SEARCH_SECONDS
            services.finish_if_sent(campaign.pk)
        return found


def _build_mail(
    campaign: SendingCampaign,
    delivery: Delivery,
    subscription: Subscription,
    until: datetime,
    start_at: float,
) -> CampaignMail:
    return CampaignMail(
        delivery.pk,
        recipient=subscription.email,
        attempts=delivery.attempts,
        next_attempt_at=until,
        start_at=start_at,
        first_name=subscription.first_name,
        # A step may have lost a text after the delivery was added.
        rendered=campaign.mails.get(delivery.language) or next(iter(campaign.mails.values())),
        reference=tokens.build_reference(delivery.pk, campaign.key),
        links={
            **build_urls(subscription.pk, delivery.pk, language=delivery.language),
            "invitation_url": build_invitation_url(subscription.pk),
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
    mail, decision = attempt.mail, decide(attempt, repeats_unknown=False)
    has_ended = decision.state != DeliveryState.WAITING
    with transaction.atomic():
        if attempt.is_bounced:
            # First, because it locks the subscription, which is always locked before deliveries.
            delivery = Delivery.objects.filter(pk=mail.pk).first()
            feedback.record(mail.recipient, delivery, Report.HARD_BOUNCE, None, reason=attempt.error)
        # The end of the claim identifies it: if it is another, a sender has started the delivery again.
        Delivery.objects.filter(
            pk=mail.pk, state=DeliveryState.SENDING, next_attempt_at=mail.next_attempt_at
        ).update(
            state=decision.state,
            attempts=decision.attempts,
            next_attempt_at=Now() + decision.delay,
            last_error=attempt.error[: Delivery.LAST_ERROR_LENGTH],
            ended_at=Now() if has_ended else None,
        )
    if attempt.result is not DeliveryResult.NOT_TRIED:
        logger.warning(
            "campaign_mail_not_sent", delivery=mail.pk, result=attempt.result.name, error=attempt.reason
        )


def _give_up_ended_claims() -> None:
    """Record that nobody knows what became of the mails whose sender was killed."""
    ended = Delivery.objects.filter(state=DeliveryState.SENDING, next_attempt_at__lte=Now())
    if ended.exists():  # spares SQLite a write lock
        count = ended.update(state=DeliveryState.UNKNOWN, ended_at=Now())
        logger.error("campaign_mails_unknown", count=count)


def _load(campaign: Campaign) -> SendingCampaign:
    """Render the mails of a campaign, one for each language that is written."""
    found = SendingCampaign(campaign.pk, campaign.key, campaign.changed_at, campaign.is_step)
    url_of = {
        link.url: f"{settings.SITE_URL}{reverse('newsletter:campaigns:click', args=[link.key])}"
        for link in campaign.links.all()
    }
    try:
        found.mails = {
            text.language: rendering.render(campaign, text, links=url_of) for text in campaign.list_texts()
        }
    except Exception:  # a text that cannot be rendered must not stop other mails
        logger.exception("campaign_not_rendered", campaign=campaign.pk)
        found.quiet_until = time.monotonic() + FAILURE_SECONDS
    return found
