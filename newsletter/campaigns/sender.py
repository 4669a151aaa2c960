"""Send the deliveries of campaigns: the queue of each sender beside the outbox (`sailing.mail.sender`).

A delivery is committed as SENDING just before its mail is handed to a free thread, and a thread is free only
after its last result is committed. So a killed sender leaves at most one delivery per connection whose fate
is unknown. When its claim ends, it becomes UNKNOWN, and is not repeated.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Case, F, Value, When
from django.urls import reverse
from django.utils import timezone

from newsletter.campaigns import rendering, series, services, tokens
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    MissingLanguage,
    SkipReason,
)
from newsletter.campaigns.rendering import RenderedMail
from newsletter.invitation_links import build_invitation_url
from newsletter.models import State, Subscription, UserType
from sailing.errors import is_database_unavailable
from sailing.jobs import claims
from sailing.mail.delivery import LAST
from sailing.mail.recording import MAX_ATTEMPTS, get_backoff, report_bounce
from sailing.mail.results import DeliveryAttempt, DeliveryResult
from sailing.mail.sender import CLAIM_LIFETIME, TURN_SECONDS, register_queue
from sailing.mail_links.tokens import page_url
from sailing.ratelimit import counters

SEARCH_SECONDS = 1.0
"""How often a sender looks for campaigns that have been started, and for postponed mails that are due."""

SWEEP_SECONDS = 10.0
"""How often a sender looks for ended claims, and for readers whose next step of the welcome series is due."""

FAILURE_SECONDS = 60.0
"""How long a campaign that cannot be rendered or claimed is left alone."""

RATE_KEY = "campaigns"

logger = structlog.get_logger(__name__)

SKIP_REASONS = {
    State.BOUNCED: SkipReason.BOUNCED,
    State.UNSUBSCRIBED: SkipReason.UNSUBSCRIBED,
    State.PENDING: SkipReason.UNCONFIRMED,
    State.PAUSED: SkipReason.PAUSED,
}


@dataclass(eq=False)
class SendingCampaign:
    """A campaign that is being sent, with its mails rendered.

    `last_pk`: the last delivery that this sender has claimed. Deliveries before it are looked at again only
    when none is left after it: until the next vacuum the index keeps entries of those that have ended.
    `quiet_until`: nothing is due before (`time.monotonic`). `changed_at`: a step may be edited while on.
    """

    pk: int
    key: str
    changed_at: datetime
    is_step: bool = False
    mails: Mapping[tuple[str, str], RenderedMail] = field(default_factory=dict)
    last_pk: int = 0
    quiet_until: float = 0.0


@dataclass(eq=False)
class CampaignMail:
    """The mail of a claimed delivery (`sailing.mail.results.Mail`)."""

    pk: int
    recipient: str
    first_name: str
    rendered: RenderedMail
    reference: str
    language: str
    token: str
    token_hash: bytes
    invitation_url: str
    priority: int = LAST

    def build_message(self) -> EmailMultiAlternatives:
        links = {
            f"{name}_url": page_url(
                reverse(f"newsletter:campaigns:{name}", args=[self.token]), language=self.language
            )
            for name in ("unsubscribe", "preferences")
        }
        links["invitation_url"] = self.invitation_url
        return self.rendered.build_message(
            recipient=self.recipient,
            reference=self.reference,
            links=links,
            first_name=self.first_name,
        )


@register_queue
class CampaignQueue:
    """The deliveries of all campaigns that are being sent (`sailing.mail.sender.MailQueue`)."""

    def __init__(self) -> None:
        self._campaigns: list[SendingCampaign] = []
        self._next_search = self._next_sweep = 0.0
        self._uncertain: list[bytes] = []
        """Token hashes of deliveries that may have been claimed, and are not handed over."""
        self.has_more = False

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record attempts. Recording one twice changes nothing.

        Deliveries whose claim failed are handed back here, because an ending sender claims no more.
        """
        if self._uncertain:
            lost = Delivery.objects.filter(state=DeliveryState.SENDING, token_hash__in=self._uncertain)
            lost.update(state=DeliveryState.WAITING, next_attempt_at=claims.now())
            self._uncertain = []
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

    def claim(self, limit: int) -> list[CampaignMail]:
        """Claim at most `limit` deliveries that are due, and return their mails."""
        now = time.monotonic()
        if now >= self._next_search:
            series.stop_abandoned()
            self._find_campaigns(now)
            now = time.monotonic()  # rendering a campaign takes a while
            self._next_search = now + SEARCH_SECONDS
        claimed: list[CampaignMail] = []
        self.has_more = False
        ready = [each for each in self._campaigns if each.mails and each.quiet_until <= now]
        # Once for all of them: what one does not use is left to the next.
        allowed = _reserve(limit) if ready and limit > 0 else 0
        for campaign in ready:
            while allowed > len(claimed) and campaign.quiet_until <= now:
                if time.monotonic() > now + TURN_SECONDS:  # many are skipped
                    self.has_more = True
                    break
                secrets = [tokens.new_secret() for _number in range(allowed - len(claimed))]
                self._uncertain += [token_hash for _secret, token_hash in secrets]
                try:
                    claimed += _claim(campaign, secrets)
                except Exception as error:  # must not stop the other campaigns
                    if is_database_unavailable(error):
                        raise
                    logger.exception("campaign_failed", campaign=campaign.pk)
                    campaign.quiet_until = time.monotonic() + FAILURE_SECONDS
        self._uncertain = []  # now they are handed over; after an error before this, `record` hands them back
        return claimed

    def _find_campaigns(self, now: float) -> None:
        """Find the campaigns to send, and deliveries whose sender was killed."""
        if now >= self._next_sweep:
            services.enqueue_missing_jobs()
            _give_up_ended_claims()
            has_more = series.add_due_readers()
            self._next_sweep = now if has_more else now + SWEEP_SECONDS
        # Steps first, the earliest before the others: few readers wait for each.
        sending = Campaign.objects.filter(state=CampaignState.SENDING).order_by(
            F("delay_days").asc(nulls_last=True), "started_at", "pk"
        )
        self._campaigns = [self._find_or_load(each, now) for each in sending]

    def _find_or_load(self, campaign: Campaign, now: float) -> SendingCampaign:
        for known in self._campaigns:
            is_current = known.pk == campaign.pk and known.changed_at == campaign.changed_at
            if is_current and (known.mails or known.quiet_until > now):
                return known
        return _load(campaign)


def _claim(campaign: SendingCampaign, secrets: Sequence[tuple[str, bytes]]) -> list[CampaignMail]:
    """Claim due deliveries, one for each secret, and return the mails of those that are not skipped.

    The subscriptions are read again here, just before the mails are sent.
    """
    now = claims.now()
    due = Delivery.objects.filter(
        campaign=campaign.pk,
        campaign__state=CampaignState.SENDING,
        state=DeliveryState.WAITING,
        pk__gt=campaign.last_pk,
        next_attempt_at__lte=now,
    )
    found: list[CampaignMail] = []
    skipped: dict[str, list[int]] = defaultdict(list)
    with transaction.atomic():
        locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("subscription")
        deliveries = list(locked.order_by("pk")[: len(secrets)])
        postponed = series.find_postponed(campaign.pk, deliveries, now) if campaign.is_step else {}
        for delivery, (secret, token_hash) in zip(deliveries, secrets, strict=False):
            if delivery.pk in postponed:
                continue
            subscription = delivery.subscription
            reason = _find_skip_reason(subscription)
            if campaign.is_step and (delivery.language, UserType.SAILOR) not in campaign.mails:
                reason = reason or SkipReason.NO_TEXT
            if subscription is None or reason:
                skipped[reason].append(delivery.pk)
                continue
            mail = CampaignMail(
                delivery.pk,
                recipient=subscription.email,
                first_name=subscription.first_name,
                rendered=campaign.mails[delivery.language, subscription.user_type],
                reference=tokens.build_reference(delivery.pk, campaign.key),
                language=delivery.language,
                token=tokens.build(delivery.pk, secret),
                token_hash=token_hash,
                invitation_url=build_invitation_url(subscription.pk),
            )
            found.append(mail)
        for due_at in set(postponed.values()):
            keys = [pk for pk, at in postponed.items() if at == due_at]
            Delivery.objects.filter(pk__in=keys).update(next_attempt_at=due_at)
        for reason, keys in skipped.items():
            Delivery.objects.filter(pk__in=keys).update(
                state=DeliveryState.SKIPPED, skip_reason=reason, ended_at=now
            )
        if found:
            Delivery.objects.filter(pk__in=[mail.pk for mail in found]).update(
                state=DeliveryState.SENDING,
                next_attempt_at=now + CLAIM_LIFETIME,
                token_hash=Case(*(When(pk=mail.pk, then=Value(mail.token_hash)) for mail in found)),
            )
    if deliveries:
        campaign.last_pk = deliveries[-1].pk
    elif campaign.last_pk:
        campaign.last_pk = 0  # deliveries before it may be due again
    else:
        campaign.quiet_until = time.monotonic() + SEARCH_SECONDS
        services.finish_if_sent(campaign.pk)
    return found


def _find_skip_reason(subscription: Subscription | None) -> str:
    """Return why a subscriber gets no mail, or a blank text."""
    if subscription is None:
        return SkipReason.ERASED
    return SKIP_REASONS.get(subscription.state, "")


def _record_failure(attempt: DeliveryAttempt) -> None:
    """Record the attempt of a mail that was not accepted."""
    mail: CampaignMail = attempt.mail
    error = attempt.error[: Delivery.LAST_ERROR_LENGTH]
    # The token identifies the claim: if it is another, a sender has started the delivery again.
    claimed = Delivery.objects.filter(pk=mail.pk, state=DeliveryState.SENDING, token_hash=mail.token_hash)
    now = claims.now()
    if attempt.result in (DeliveryResult.NOT_STARTED, DeliveryResult.UNREACHABLE):
        claimed.update(state=DeliveryState.WAITING, next_attempt_at=now, last_error=error)
        return
    attempts = (claimed.values_list("attempts", flat=True).first() or 0) + 1
    is_postponed = attempt.result in (
        DeliveryResult.POSTPONED,
        DeliveryResult.INTERRUPTED,
        DeliveryResult.UNEXPLAINED,
    )
    if is_postponed and attempts < MAX_ATTEMPTS:
        due_at = now + get_backoff(attempts)
        claimed.update(
            state=DeliveryState.WAITING, attempts=attempts, next_attempt_at=due_at, last_error=error
        )
    elif attempt.result is DeliveryResult.UNKNOWN:
        claimed.update(state=DeliveryState.UNKNOWN, attempts=attempts, ended_at=now, last_error=error)
    else:
        with transaction.atomic():
            if attempt.is_bounced:
                # First, because receivers lock the subscription, which is always locked before deliveries.
                report_bounce(mail.recipient, error)
            claimed.update(
                state=DeliveryState.FAILED,
                attempts=attempts,
                ended_at=now,
                last_error=error,
                bounced_at=now if attempt.is_bounced else None,
            )
    logger.warning(
        "campaign_mail_not_sent", delivery=mail.pk, result=attempt.result.name, error=attempt.reason
    )


def _give_up_ended_claims() -> None:
    """Record that nobody knows what became of the mails whose sender was killed."""
    ended = Delivery.objects.filter(state=DeliveryState.SENDING, next_attempt_at__lte=claims.now())
    if ended.exists():  # spares SQLite a write lock
        count = ended.update(state=DeliveryState.UNKNOWN, ended_at=timezone.now())
        logger.error("campaign_mails_unknown", count=count)


def _load(campaign: Campaign) -> SendingCampaign:
    """Render the mails of a campaign: one for each language and user type."""
    found = SendingCampaign(campaign.pk, campaign.key, campaign.changed_at, campaign.is_step)
    url_of = {
        link.url: f"{settings.SITE_URL}{reverse('newsletter:campaigns:click', args=[link.key])}"
        for link in campaign.links.all()
    }
    try:
        found.mails = {
            (text.language, user_type): rendering.render(campaign, text, links=url_of, audience=user_type)
            for text in campaign.list_texts()
            for user_type in UserType.values
        }
        if campaign.is_step and campaign.missing_language != MissingLanguage.LEAVE_OUT:
            _fill_missing_languages(found, campaign.list_languages())
    except Exception:  # a text that cannot be rendered must not stop other mails
        logger.exception("campaign_not_rendered", campaign=campaign.pk)
        found.quiet_until = time.monotonic() + FAILURE_SECONDS
    return found


def _fill_missing_languages(found: SendingCampaign, written: Sequence[str]) -> None:
    """Give the other text to readers whose language a step has lost after their delivery was added."""
    found.mails = {
        (language, user_type): found.mails[language if language in written else written[0], user_type]
        for language, _name in settings.LANGUAGES
        for user_type in UserType.values
    }


def _reserve(wanted: int) -> int:
    """Return how many of some mails CAMPAIGN_MAILS_PER_SECOND allows now, over all senders."""
    limit = settings.CAMPAIGN_MAILS_PER_SECOND
    if not limit:
        return wanted
    now = timezone.now()
    row = counters.Row(RATE_KEY, int(now.timestamp()), wanted, now + timedelta(minutes=1))
    reserved = counters.add([row])[RATE_KEY]
    return max(0, wanted - max(0, reserved - limit))
