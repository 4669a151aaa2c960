"""Segments of the readers."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from newsletter.imports.models import ImportBatch
from newsletter.models import AUDIENCES, Interest, Source
from sailing.attribution import AttributionFields

NAME_LENGTH = 100


class SourceFilter(models.TextChoices):
    LANDING_SAILORS = Source.LANDING_SAILORS.value, Source.LANDING_SAILORS.label
    LANDING_COMPANIES = Source.LANDING_COMPANIES.value, Source.LANDING_COMPANIES.label
    OTHER = "other", _("Elsewhere on the site")
    IMPORTED = "imported", _("Imported")


class InterestMatch(models.TextChoices):
    """How many of the interests of a segment a subscriber has chosen."""

    ANY = "any", _("at least one of them")
    ALL = "all", _("all of them")


class Segment(AttributionFields):
    """A named audience, which campaigns, the list of subscribers and its exports share.

    A blank criterion means any. What a criterion names cannot be deleted, because the segment would have
    more subscribers then. `subscribed_before`: the first day that is too late.
    """

    # As of a campaign, not of a person.
    name = models.CharField(pgettext_lazy("campaign", "name"), max_length=NAME_LENGTH, unique=True)
    user_type = models.CharField(
        _("audience"), max_length=16, choices=[("", _("Sailors and companies")), *AUDIENCES], blank=True
    )
    language = models.CharField(
        _("language"), max_length=8, choices=[("", _("All languages")), *settings.LANGUAGES], blank=True
    )
    source = models.CharField(
        _("source"), max_length=32, choices=[("", _("From anywhere")), *SourceFilter.choices], blank=True
    )
    subscribed_since = models.DateField(_("subscribed since"), null=True, blank=True)
    subscribed_before = models.DateField(_("subscribed before"), null=True, blank=True)
    import_batch = models.ForeignKey(
        ImportBatch, models.PROTECT, verbose_name=_("import"), null=True, blank=True, related_name="+"
    )
    interests = models.ManyToManyField(
        Interest, verbose_name=_("interests"), blank=True, related_name="segments"
    )
    interest_match = models.CharField(
        _("a reader must have chosen"), max_length=8, choices=InterestMatch, default=InterestMatch.ANY
    )
    min_invitations = models.PositiveSmallIntegerField(_("invited at least"), null=True, blank=True)
    received_campaign = models.ForeignKey(
        "Campaign",
        models.PROTECT,
        verbose_name=_("got the campaign"),
        null=True,
        blank=True,
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("segment")
        verbose_name_plural = _("segments")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
