"""How many readers came, stayed and left on each day."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from newsletter.models import UserType
from sailing.attribution import MAX_HOST_LENGTH, MAX_TAG_LENGTH

IMPORT = "(import)"
"""The origin of imported subscribers. Neither a tag nor a host begins with a parenthesis."""


class Measure(models.TextChoices):
    """What is counted.

    READERS, WAITING: the subscriptions in that state at the end of the day. READERS includes paused ones.
    SIGNED_UP: new subscriptions that were asked for on the site. CONFIRMED: also imported ones, and those of
    readers who come back. UNSUBSCRIBED, UNDELIVERABLE: confirmed ones that ended.
    """

    READERS = "readers", _("Readers")
    WAITING = "waiting", _("Waiting")
    SIGNED_UP = "signed-up", _("Sign-ups")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    UNDELIVERABLE = "undeliverable", _("Undeliverable")


STOCKS = (Measure.READERS, Measure.WAITING)
"""What is there at the end of a day; the others happen in the course of it."""


class DailyTotal(models.Model):
    """A number of one day, without a link to any person, so that an erasure does not change the past.

    `origin`: the UTM source, or else the referring site, or IMPORT; blank if not known, and for `STOCKS`.
    `campaign`: the UTM campaign.
    """

    day = models.DateField(_("day"))
    measure = models.CharField(_("measure"), max_length=16, choices=Measure)
    user_type = models.CharField(_("audience"), max_length=16, choices=UserType)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    origin = models.CharField(_("origin"), max_length=max(MAX_HOST_LENGTH, MAX_TAG_LENGTH), blank=True)
    campaign = models.CharField(_("campaign"), max_length=MAX_TAG_LENGTH, blank=True)
    count = models.PositiveIntegerField(_("number"))

    class Meta:
        verbose_name = verbose_name_plural = _("growth")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["day", "measure", "user_type", "language", "origin", "campaign"],
                name="daily_total_unique",
            )
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.measure} {self.count}"
