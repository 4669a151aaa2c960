"""How many readers came, stayed and left on each day."""

from datetime import date, datetime, time

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.models import UserType
from sailing.attribution import MAX_HOST_LENGTH, MAX_TAG_LENGTH


class Measure(models.TextChoices):
    """What is counted.

    READERS, WAITING: the subscriptions in that state at the end of the day. READERS includes paused ones.
    SIGNED_UP: new subscriptions that were asked for on the site. COMPLETED: those of them that were confirmed
    for the first time. CONFIRMED: all that began, with imported ones and those that came back. UNSUBSCRIBED,
    UNDELIVERABLE: confirmed ones that ended.
    """

    READERS = "readers", _("Readers")
    WAITING = "waiting", _("Waiting")
    SIGNED_UP = "signed-up", _("Sign-ups")
    COMPLETED = "completed", _("Confirmed sign-ups")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    UNDELIVERABLE = "undeliverable", _("Undeliverable")


STOCKS = (Measure.READERS, Measure.WAITING)
"""What is there at the end of a day; the others happen in the course of it."""


def get_today() -> date:
    """Return the day in the time zone of the site, which the jobs count in; admins have their own."""
    return timezone.localdate(timezone=timezone.get_default_timezone())


def get_bounds(day: date) -> tuple[datetime, datetime]:
    """Return the first and the last moment of a day in the time zone of the site."""
    zone = timezone.get_default_timezone()
    return datetime.combine(day, time.min, zone), datetime.combine(day, time.max, zone)


class DailyTotal(models.Model):
    """A number of one day, without a link to any person, so that an erasure does not change the past.

    `origin`: for SIGNED_UP and COMPLETED, the UTM source, or else the referring site; blank if not known.
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
