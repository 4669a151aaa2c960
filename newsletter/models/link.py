"""The email tokens of subscribers. The other links in their mails are signed (`newsletter.tokens`)."""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from newsletter.models.subscription import Subscription
from sailing.mail.links import EmailToken, LinkStatus

CONFIRM_LIFETIME = timedelta(days=7)


class LinkPurpose(models.TextChoices):
    """The purpose of a stored link in a newsletter mail."""

    CONFIRM = "confirm", _("Confirm")


class SubscriptionLink(EmailToken):
    """The token of a link in a newsletter mail."""

    OWNER = "subscription"
    LIFETIMES = {LinkPurpose.CONFIRM: CONFIRM_LIFETIME}

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="links", null=True)
    purpose = models.CharField(max_length=16, choices=LinkPurpose)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def status(self) -> LinkStatus:
        subscription = self.subscription
        if subscription is None:
            return LinkStatus.DISOWNED
        if self.used_at:
            is_subscribed = subscription.is_confirmed and subscription.is_active
            return LinkStatus.DONE if is_subscribed else LinkStatus.SPENT
        return LinkStatus.EXPIRED if self.is_expired else LinkStatus.OPEN
