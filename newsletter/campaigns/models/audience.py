"""Which subscribers a campaign is for, and segments, which are such audiences with a name."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from newsletter.models import AUDIENCES, Interest, Source
from sailing.attribution import AttributionFields

NAME_LENGTH = 100


class SourceFilter(models.TextChoices):
    """Where the subscribers of an audience come from. A blank value means from anywhere."""

    LANDING_SAILORS = Source.LANDING_SAILORS.value, Source.LANDING_SAILORS.label
    LANDING_COMPANIES = Source.LANDING_COMPANIES.value, Source.LANDING_COMPANIES.label
    OTHER = "other", _("Elsewhere on the site")
    IMPORTED = "imported", _("Imported")


class AudienceFields(models.Model):
    """Which subscribers a campaign or a segment is for; blank or None means any."""

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

    class Meta:
        abstract = True


class InterestMatch(models.TextChoices):
    """How many of the interests of a segment a subscriber has chosen."""

    ANY = "any", _("at least one of them")
    ALL = "all", _("all of them")


class Segment(AudienceFields, AttributionFields):
    """A named audience, which campaigns, the list of subscribers and its exports share.

    `subscribed_before`: the first day that is too late. `interest_match`: blank if interests do not count.
    `min_invitations`: how many must have come by the subscriber's link (`newsletter.invitations`).
    `received_campaign`: only who got it. `missed_campaign`: only who did not get it.
    What a criterion names cannot be deleted, because the segment would have more subscribers then.
    """

    # As of a campaign, not of a person.
    name = models.CharField(pgettext_lazy("campaign", "name"), max_length=NAME_LENGTH, unique=True)
    subscribed_before = models.DateField(_("subscribed before"), null=True, blank=True)
    import_batch = models.ForeignKey(
        "imports.ImportBatch",
        models.PROTECT,
        verbose_name=_("import"),
        null=True,
        blank=True,
        related_name="+",
    )
    interests = models.ManyToManyField(
        Interest, verbose_name=_("interests"), blank=True, related_name="segments"
    )
    interest_match = models.CharField(
        _("interests that a subscriber has"), max_length=8, choices=InterestMatch, blank=True
    )
    min_invitations = models.PositiveSmallIntegerField(
        _("invited at least"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    received_campaign = models.ForeignKey(
        "Campaign",
        models.PROTECT,
        verbose_name=_("got the campaign"),
        null=True,
        blank=True,
        related_name="+",
    )
    missed_campaign = models.ForeignKey(
        "Campaign",
        models.PROTECT,
        verbose_name=_("did not get the campaign"),
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
