"""Send the deliveries of campaigns: the second source of mails of each sender (`sailing.mail.sender`).

A delivery is committed as SENDING just before its mail is handed to a free thread, and a thread is free only
after its last result is committed. So a killed sender leaves at most one delivery per connection whose fate
is unknown. When its claim ends, it becomes UNKNOWN, and is not repeated.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from functools import lru_cache
from random import uniform
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from newsletter.campaigns import mails, rendering, services, tokens
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    DeliveryState,
    SkipReason,
)
from newsletter.campaigns.models import Delivery as StoredDelivery
from newsletter.campaigns.rendering import RenderedMail
from newsletter.models import Subscription, UserType
from sailing.jobs import claims
from sailing.mail.delivery import Delivery, Outcome
from sailing.mail.sender import (
    CLAIM_LIFETIME,
    FIRST_BACKOFF,
    LONGEST_BACKOFF,
    MAX_ATTEMPTS,
    TURN_SECONDS,
    register_source,
    send_bounced,
)
from sailing.mail_links.tokens import page_url
from sailing.ratelimit import counters

LOOK_SECONDS = 1.0
"""How often a sender looks for campaigns that have been started, and for postponed mails that are due."""

SWEEP_SECONDS = 10.0
"""How often a sender looks for ended claims."""

FAILURE_SECONDS = 60.0
"""How long a campaign that cannot be rendered is left alone."""

RATE_KEY = "campaigns"

TOKEN = "TOKEN"  # noqa: S105
"""Stands for the token while the URLs around it are built."""

logger = structlog.get_logger(__name__)

TABLE = StoredDelivery._meta.db_table
SUBSCRIPTIONS = Subscription._meta.db_table
RECORDED = (DeliveryState.SENDING, DeliveryState.UNKNOWN)
"""The states of a delivery that this sender has claimed, before it records the result."""

EXCHANGE = f"""
    WITH due AS MATERIALIZED (
        SELECT id, subscription_id FROM {TABLE}
        WHERE campaign_id = %(campaign)s AND state = '{DeliveryState.WAITING}' AND id > %(after)s
            AND next_attempt_at <= %(now)s AND EXISTS (
                SELECT 1 FROM {Campaign._meta.db_table}
                WHERE id = %(campaign)s AND state = '{CampaignState.SENDING}'
            )
        ORDER BY id LIMIT {{limit}} {{lock}}
    ),
    numbered AS (SELECT id, subscription_id, row_number() OVER (ORDER BY id) AS number FROM due),
    secret (hash, number) AS ({{secrets}}),
    checked AS (
        SELECT numbered.id, secret.hash, CASE
            WHEN person.id IS NULL THEN '{SkipReason.ERASED}'
            WHEN person.bounced_at IS NOT NULL THEN '{SkipReason.BOUNCED}'
            WHEN person.unsubscribed_at IS NOT NULL THEN '{SkipReason.UNSUBSCRIBED}'
            WHEN NOT person.is_confirmed OR person.asked_again_at IS NOT NULL THEN '{SkipReason.UNCONFIRMED}'
            WHEN NOT person.is_active THEN '{SkipReason.DEACTIVATED}'
            WHEN person.paused_until > %(now)s THEN '{SkipReason.PAUSED}'
            ELSE '' END AS reason
        FROM numbered JOIN secret ON secret.number = numbered.number
        LEFT JOIN {SUBSCRIPTIONS} AS person ON person.id = numbered.subscription_id
    ),
    changed AS MATERIALIZED (
        SELECT id AS pk, hash, reason, 0 AS attempt, CASE reason
            WHEN '' THEN '{DeliveryState.SENDING}' ELSE '{DeliveryState.SKIPPED}' END AS result
        FROM checked
        UNION ALL SELECT id, token_hash, '', 1, '{DeliveryState.SENT}' FROM {TABLE}
        WHERE id {{accepted}} AND state IN ('{DeliveryState.SENDING}', '{DeliveryState.UNKNOWN}')
    )
    UPDATE {TABLE} AS delivery
    SET state = changed.result, skip_reason = changed.reason, token_hash = changed.hash,
        attempts = delivery.attempts + changed.attempt, next_attempt_at = %(claim_end)s,
        last_error = CASE changed.result WHEN '{DeliveryState.SENT}' THEN '' ELSE delivery.last_error END,
        ended_at = CASE changed.result WHEN '{DeliveryState.SENDING}' THEN NULL ELSE %(now)s END
    FROM changed WHERE delivery.id = changed.pk
    RETURNING id, state, language, token_hash, (
        SELECT user_type || ' ' || email FROM {SUBSCRIPTIONS} AS person WHERE person.id = subscription_id
    )
"""  # noqa: S608 - constants only
"""Record accepted mails, and start due ones, in one statement and so in one commit.

As SQL, because the same with the ORM takes four statements, and longer than sending the mails. The
subscription is looked at again here, just before the mail. `SKIP LOCKED` lets other senders take others.
"""


@dataclass(eq=False)
class SendingCampaign:
    """A campaign that is being sent, with its mails rendered.

    `last_pk`: the last delivery that this sender has started. Deliveries before it are looked at again only
    when none is left after it: until the next vacuum the index keeps entries of those that have ended.
    `quiet_until`: nothing is due before (`time.monotonic`).
    """

    pk: int
    key: str
    mails: Mapping[tuple[str, str], RenderedMail] = field(default_factory=dict)
    last_pk: int = 0
    quiet_until: float = 0.0


class CampaignMail:
    """The mail of a started delivery (`sailing.mail.delivery.SourceMail`)."""

    __slots__ = ("_key", "_language", "_rendered", "_secret", "pk", "recipient", "sender", "token_hash")

    def __init__(
        self,
        pk: int,
        *,
        campaign: SendingCampaign,
        rendered: RenderedMail,
        language: str,
        recipient: str,
        secret: str,
        token_hash: bytes,
    ) -> None:
        self.pk = pk
        self.recipient = recipient
        self.sender = _get_sender_address(settings.DEFAULT_FROM_EMAIL)
        self._language = language
        self.token_hash = token_hash
        self._key = campaign.key
        self._rendered = rendered
        self._secret = secret

    def encode(self) -> bytes:
        return mails.compose(self._rendered, **self._get_values())

    def build_message(self) -> EmailMultiAlternatives:
        return mails.build_message(self._rendered, **self._get_values())

    def _get_values(self) -> dict[str, Any]:
        token = tokens.build(self.pk, self._secret)
        reference = tokens.build_reference(self.pk, self._key)
        templates = _get_link_templates(self._language)
        return {
            "reference": reference,
            "recipient": self.recipient,
            "sender": settings.DEFAULT_FROM_EMAIL,
            "links": {name: url.replace(TOKEN, token) for name, url in templates.items()},
            "message_id": f"<{reference}@{rendering.get_host()}>",
            "date": timezone.now(),
        }


class CampaignSource:
    """The deliveries of all campaigns that are being sent. Used by one sender."""

    def __init__(self) -> None:
        self._campaigns: list[SendingCampaign] = []
        self._next_look = self._next_sweep = 0.0
        self._uncertain: list[bytes] = []
        """Token hashes of deliveries that may have been started, and are not handed over."""
        self.has_more = False

    def exchange(self, finished: Sequence[Delivery], free: int) -> list[CampaignMail]:
        """Record deliveries, and start at most `free` others (`sailing.mail.sender.MailSource`)."""
        accepted = [each.mail.pk for each in finished if each.outcome is Outcome.ACCEPTED]
        for delivery in finished:
            if delivery.outcome is not Outcome.ACCEPTED:
                _record_failure(delivery)
        now = time.monotonic()
        if now >= self._next_look or self._uncertain:
            self._look(now)
            now = time.monotonic()  # rendering a campaign takes a while
            self._next_look = now + LOOK_SECONDS
        started: list[CampaignMail] = []
        self.has_more = False
        ready = [each for each in self._campaigns if each.mails and each.quiet_until <= now]
        # Once for all of them: what one does not use is left to the next.
        allowed = _reserve(free) if ready and free > 0 else 0
        for campaign in ready:
            while allowed > len(started) and campaign.quiet_until <= now:
                if time.monotonic() > now + TURN_SECONDS:  # many are skipped
                    self.has_more = True
                    break
                started += self._start(campaign, allowed - len(started), accepted)
                accepted = []
        if accepted:
            _record_sent(accepted)
        self._uncertain = []  # now they are handed over; an error before this would lose them
        return started

    def _start(self, campaign: SendingCampaign, limit: int, accepted: Collection[int]) -> list[CampaignMail]:
        """Record accepted mails, and start at most `limit` deliveries of a campaign."""
        secrets = tokens.new_secrets(limit)
        self._uncertain += secrets
        found: list[CampaignMail] = []
        taken = 0
        for pk, state, language, token_hash, address in _exchange(campaign, accepted, secrets):
            if state == DeliveryState.SENT:
                continue
            taken += 1
            campaign.last_pk = max(campaign.last_pk, pk)
            if state == DeliveryState.SENDING:
                user_type, _space, email = address.partition(" ")
                token_hash = bytes(token_hash)
                found.append(
                    CampaignMail(
                        pk,
                        campaign=campaign,
                        rendered=campaign.mails[language, user_type],
                        language=language,
                        recipient=email,
                        secret=secrets[token_hash],
                        token_hash=token_hash,
                    )
                )
        if not taken:
            if campaign.last_pk:
                campaign.last_pk = 0  # mails before it may be due again
            else:
                campaign.quiet_until = time.monotonic() + LOOK_SECONDS
                services.finish_if_sent(campaign.pk)
        return found

    def _look(self, now: float) -> None:
        """Find the campaigns to send, and deliveries whose sender was killed."""
        if self._uncertain:
            # They were not handed to a thread: the call that started them failed.
            lost = StoredDelivery.objects.filter(state=DeliveryState.SENDING, token_hash__in=self._uncertain)
            lost.update(state=DeliveryState.WAITING, next_attempt_at=claims.now())
            self._uncertain = []
        if now >= self._next_sweep:
            services.enqueue_missing_jobs()
            _give_up_ended_claims()
            self._next_sweep = now + SWEEP_SECONDS
        sending = Campaign.objects.filter(state=CampaignState.SENDING).order_by("started_at", "pk")
        self._campaigns = [self._find_or_load(each, now) for each in sending]

    def _find_or_load(self, campaign: Campaign, now: float) -> SendingCampaign:
        for known in self._campaigns:
            if known.pk == campaign.pk and (known.mails or known.quiet_until > now):
                return known
        if services.pause_if_abandoned(campaign):
            return SendingCampaign(campaign.pk, campaign.key)
        return _load(campaign)


def _exchange(
    campaign: SendingCampaign, accepted: Collection[int], hashes: Collection[bytes]
) -> list[tuple[Any, ...]]:
    """Run `EXCHANGE`; return the changed rows."""
    adapt, now = connection.ops.adapt_datetimefield_value, claims.now()
    values: dict[str, Any] = {
        "campaign": campaign.pk,
        "after": campaign.last_pk,
        "now": adapt(now),
        "claim_end": adapt(now + CLAIM_LIFETIME),
    }
    secrets = {f"hash{number}": token_hash for number, token_hash in enumerate(hashes, 1)}
    keys = {f"accepted{number}": pk for number, pk in enumerate(accepted)}
    statement = EXCHANGE.format(
        limit=len(secrets),  # a constant: with a parameter PostgreSQL would plan for a tenth of the table
        lock="FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else "",
        secrets="VALUES " + ", ".join(f"(%({name})s, {name[4:]})" for name in secrets),
        accepted=f"IN ({', '.join(['NULL', *(f'%({name})s' for name in keys)])})",
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, {**values, **secrets, **keys})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _record_sent(accepted: Collection[int]) -> None:
    StoredDelivery.objects.filter(pk__in=accepted, state__in=RECORDED).update(
        state=DeliveryState.SENT, attempts=F("attempts") + 1, ended_at=timezone.now(), last_error=""
    )


def _record_failure(delivery: Delivery) -> None:
    """Record a delivery that was not accepted. Recording it twice changes nothing."""
    mail: CampaignMail = delivery.mail
    error = delivery.error[: StoredDelivery.LAST_ERROR_LENGTH]
    # The token identifies the claim: if it is another, a sender has started the delivery again.
    claimed = StoredDelivery.objects.filter(
        pk=mail.pk, state=DeliveryState.SENDING, token_hash=mail.token_hash
    )
    now = claims.now()
    if delivery.outcome in (Outcome.NOT_STARTED, Outcome.UNREACHABLE):
        claimed.update(state=DeliveryState.WAITING, next_attempt_at=now, last_error=error)
        return
    attempts = (claimed.values_list("attempts", flat=True).first() or 0) + 1
    is_postponed = delivery.outcome in (Outcome.POSTPONED, Outcome.INTERRUPTED)
    if is_postponed and attempts < MAX_ATTEMPTS:
        backoff = min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF) * uniform(1, 1.2)  # noqa: S311
        claimed.update(
            state=DeliveryState.WAITING, attempts=attempts, next_attempt_at=now + backoff, last_error=error
        )
    elif delivery.outcome is Outcome.UNKNOWN:
        claimed.update(state=DeliveryState.UNKNOWN, attempts=attempts, ended_at=now, last_error=error)
    else:
        with transaction.atomic():
            if delivery.is_bounced:
                # First, because receivers lock the subscription, which is always locked before deliveries.
                send_bounced(mail.recipient)
            claimed.update(
                state=DeliveryState.FAILED,
                attempts=attempts,
                ended_at=now,
                last_error=error,
                bounced_at=now if delivery.is_bounced else None,
            )
    logger.warning(
        "campaign_mail_not_sent", delivery=mail.pk, outcome=delivery.outcome.name, error=delivery.reason
    )


def _give_up_ended_claims() -> None:
    """Record that nobody knows what became of the mails whose sender was killed."""
    ended = StoredDelivery.objects.filter(state=DeliveryState.SENDING, next_attempt_at__lte=claims.now())
    if ended.exists():  # spares SQLite a write lock
        count = ended.update(state=DeliveryState.UNKNOWN, ended_at=timezone.now())
        logger.error("campaign_mails_unknown", count=count)


def _load(campaign: Campaign) -> SendingCampaign:
    """Render the mails of a campaign: one for each language and user type."""
    found = SendingCampaign(campaign.pk, campaign.key)
    url_of = {
        link.url: f"{settings.SITE_URL}{reverse('newsletter:campaigns:click', args=[link.key])}"
        for link in campaign.links.all()
    }
    texts = [text for text in campaign.texts.all() if not text.is_missing]
    try:
        found.mails = {
            (text.language, user_type): rendering.render(campaign, text, links=url_of, audience=user_type)
            for text in texts
            for user_type in UserType.values
        }
    except Exception:  # a text that cannot be rendered must not stop other mails
        logger.exception("campaign_not_rendered", campaign=campaign.pk)
        found.quiet_until = time.monotonic() + FAILURE_SECONDS
    return found


def _reserve(wanted: int) -> int:
    """Return how many of some mails CAMPAIGN_MAILS_PER_SECOND allows now, over all senders."""
    limit = settings.CAMPAIGN_MAILS_PER_SECOND
    if not limit:
        return wanted
    now = timezone.now()
    row = counters.Row(RATE_KEY, int(now.timestamp()), wanted, now + timedelta(minutes=1))
    reserved = counters.add([row])[RATE_KEY]
    return max(0, wanted - max(0, reserved - limit))


@lru_cache(16)
def _get_link_templates(language: str) -> dict[str, str]:
    """Return the URLs of the personal links, with `TOKEN` in place of the token."""
    return {
        f"{name}_url": page_url(reverse(f"newsletter:campaigns:{name}", args=[TOKEN]), language=language)
        for name in ("unsubscribe", "preferences")
    }


@lru_cache(1)
def _get_sender_address(sender: str) -> str:
    return parseaddr(sender)[1]


register_source(CampaignSource)
