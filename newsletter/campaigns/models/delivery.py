"""The deliveries of campaigns."""

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from newsletter.campaigns.models.campaign import Campaign
from newsletter.models import Subscription


class DeliveryState(models.TextChoices):
    """The state of a delivery.

    SENDING: handed to a connection; if its sender is killed meanwhile, it becomes UNKNOWN.
    UNKNOWN: the mail server may have accepted the mail or not. It is listed, and not repeated.
    """

    WAITING = "waiting", _("waiting")
    SENDING = "sending", _("sending")
    SENT = "sent", _("sent")
    SKIPPED = "skipped", _("skipped")
    FAILED = "failed", pgettext_lazy("delivery", "failed")
    UNKNOWN = "unknown", _("unknown")


ENDED_DELIVERIES = (DeliveryState.SENT, DeliveryState.SKIPPED, DeliveryState.FAILED, DeliveryState.UNKNOWN)


class SkipReason(models.TextChoices):
    """Why a recipient got no mail."""

    UNSUBSCRIBED = "unsubscribed", _("unsubscribed in the meantime")
    BOUNCED = "bounced", _("bounced in the meantime")
    ERASED = "erased", _("erased in the meantime")
    UNCONFIRMED = "unconfirmed", _("no longer confirmed")
    PAUSED = "paused", _("paused in the meantime")


HAS_FEEDBACK = Q(bounced_at__isnull=False) | Q(complained_at__isnull=False) | Q(unsubscribed_at__isnull=False)
"""The deliveries after which something happened. Queries that repeat it use the index of these few rows."""


class Delivery(models.Model):
    """The mail of a campaign to one subscriber.

    `subscription`: None after it was erased. `language`: that of the text.
    `next_attempt_at`: when a waiting delivery is due, and when the claim of a sending one ends.
    `bounced_at`, `complained_at`, `unsubscribed_at`: what happened because of this mail. `soft_bounced_at`:
    the mail server of the recipient refused it for now, after it was sent.
    """

    LAST_ERROR_LENGTH = 200

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="deliveries", db_index=False)
    # Without an index of its own: the unique constraint below begins with it.
    subscription = models.ForeignKey(
        Subscription, models.SET_NULL, null=True, related_name="deliveries", db_index=False
    )
    language = models.CharField(max_length=8, choices=settings.LANGUAGES)
    state = models.CharField(_("state"), max_length=8, choices=DeliveryState, default=DeliveryState.WAITING)
    skip_reason = models.CharField(_("reason"), max_length=16, choices=SkipReason, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    last_error = models.CharField(_("last error"), max_length=LAST_ERROR_LENGTH, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    bounced_at = models.DateTimeField(_("bounced"), null=True)
    soft_bounced_at = models.DateTimeField(null=True)
    complained_at = models.DateTimeField(_("complained"), null=True)
    unsubscribed_at = models.DateTimeField(_("unsubscribed"), null=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["subscription", "campaign"], name="delivery_unique")]
        indexes = [
            # What a sender looks for. They hold no ended delivery, so they stay small.
            models.Index(
                fields=["campaign", "id"], condition=Q(state=DeliveryState.WAITING), name="delivery_waiting"
            ),
            models.Index(
                fields=["next_attempt_at"], condition=Q(state=DeliveryState.SENDING), name="delivery_sending"
            ),
            models.Index(fields=["campaign", "state", "ended_at"], name="delivery_campaign_state"),
            models.Index(fields=["campaign"], condition=HAS_FEEDBACK, name="delivery_feedback"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id} {self.state}"


class CampaignPace(models.Model):
    """What spreads the mails of all senders at CAMPAIGN_MAILS_PER_SECOND, in row 1.

    `next_at`: the next free time to start one. Read it locked, with the attribute `now`: the database's time.
    """

    next_at = models.DateTimeField(default=timezone.now)
    now: datetime

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.next_at}"

    @property
    def is_full(self) -> bool:
        """Whether the times of the next second are given away."""
        return self.next_at > self.now + timedelta(seconds=1)

    def reserve(self) -> float:
        """Return the next free time to start a mail (`time.monotonic`)."""
        start_at = max(self.next_at, self.now)
        self.next_at = start_at + timedelta(seconds=1 / settings.CAMPAIGN_MAILS_PER_SECOND)
        return time.monotonic() + (start_at - self.now).total_seconds()
