"""Campaigns with their texts, links and pictures."""

import secrets

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.imports.models import ImportBatch
from newsletter.models import AUDIENCES, Interest, Source
from sailing.attribution import AttributionFields

KEY_LENGTH = 24
"""Characters of a key in an address: 18 bytes in base64."""

NAME_LENGTH = 100
MAX_DELAY_DAYS = 365
MAX_BODY_LENGTH = 50_000
"""Characters of Markdown. Gmail clips a mail at about 100 KB."""


def new_key() -> str:
    """Return a random key for an address that nobody can guess."""
    return secrets.token_urlsafe(18)


class CampaignState(models.TextChoices):
    """The state of a campaign: draft → scheduled → sending ⇄ paused → sent, or cancelled."""

    DRAFT = "draft", _("Draft")
    SCHEDULED = "scheduled", _("Scheduled")
    SENDING = "sending", _("Sending")
    PAUSED = "paused", _("Paused")
    SENT = "sent", _("Sent")
    CANCELLED = "cancelled", _("Canceled")


STARTED_STATES = (CampaignState.SENDING, CampaignState.PAUSED)
ENDED_STATES = (CampaignState.SENT, CampaignState.CANCELLED)


class StopReason(models.TextChoices):
    """Why a campaign is paused, or a draft again, although no admin has asked for it."""

    OVERDUE = "overdue"
    NOT_SENDABLE = "not-sendable"
    RESTORED = "restored"


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
        _("a subscriber must have chosen"), max_length=8, choices=InterestMatch, default=InterestMatch.ANY
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


class Campaign(models.Model):
    """One newsletter mail to an audience: sailors, companies or both, of a segment or of all subscribers.

    `excluded_campaign`: an ended campaign; whoever got it, or one that it left out itself, is left out.
    `is_public`: whether it appears in the archive after sending. `key`: the address of its web version.
    `scheduled_at`: when to send it. `started_at`: when sending began. `prepared_at`: when all recipients were
    added. `finished_at`: when it was sent or cancelled. `recipient_count`: how many recipients were added.
    `stop_reason`: why it waits for the decision of an admin; blank otherwise.

    A step of the welcome series (`newsletter.campaigns.series`) has these too; it is on while it is SENDING,
    and `started_at` is when it was turned on, or its delay was changed. `delay_days`, `delay_hour`: how long
    after confirming its readers get it, None for a campaign; without an hour at the time of day at which they
    confirmed.
    """

    name = models.CharField(
        # Czech has another word for the name of a person.
        pgettext_lazy("campaign", "name"),
        max_length=NAME_LENGTH,
        help_text=_("Only admins see it."),
    )
    state = models.CharField(
        _("state"), max_length=16, choices=CampaignState, default=CampaignState.DRAFT, editable=False
    )
    user_type = models.CharField(
        _("audience"), max_length=16, choices=[("", _("Sailors and companies")), *AUDIENCES], blank=True
    )
    segment = models.ForeignKey(
        Segment,
        models.PROTECT,  # without it, everybody would get the campaign
        verbose_name=_("segment"),
        null=True,
        blank=True,
        related_name="campaigns",
    )
    excluded_campaign = models.ForeignKey(
        "self",
        models.PROTECT,  # without it, those who got it would get this one too
        verbose_name=_("leave out recipients of"),
        null=True,
        blank=True,
        related_name="+",
    )
    is_public = models.BooleanField(_("show it in the public archive"), default=False)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        editable=False,
        verbose_name=_("created by"),
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    scheduled_at = models.DateTimeField(_("scheduled for"), null=True, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, editable=False)
    prepared_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, editable=False)
    stop_reason = models.CharField(max_length=16, choices=StopReason, blank=True, editable=False)
    recipient_count = models.PositiveIntegerField(_("recipients"), default=0, editable=False)
    delay_days = models.PositiveSmallIntegerField(
        _("days after confirming"), null=True, validators=[MaxValueValidator(MAX_DELAY_DAYS)]
    )
    delay_hour = models.PositiveSmallIntegerField(
        _("time of day"), null=True, blank=True, choices=[(hour, f"{hour}:00") for hour in range(24)]
    )

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-created_at"]
        permissions = [("send_campaign", "Can send campaigns")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_editable(self) -> bool:
        return self.is_step or self.state in (CampaignState.DRAFT, CampaignState.SCHEDULED)

    @property
    def is_step(self) -> bool:
        """Whether it is a step of the welcome series."""
        return self.delay_days is not None

    @property
    def audience(self) -> str:
        """The user type of all its readers; blank if they may be of both."""
        return self.user_type or (self.segment.user_type if self.segment else "")

    def list_texts(self) -> list["CampaignText"]:
        """Return the texts that are not missing, in the order of LANGUAGES. An emptied text keeps its row."""
        written = {text.language: text for text in self.texts.all() if not text.is_missing}
        return [written[language] for language, _name in settings.LANGUAGES if language in written]

    def list_languages(self) -> list[str]:
        """Return the languages of the texts that are not missing."""
        return [text.language for text in self.list_texts()]


class CampaignText(models.Model):
    """The text of a campaign in one language. A language without a subject and a body is missing."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="texts")
    language = models.CharField(max_length=8, choices=settings.LANGUAGES)
    subject = models.CharField(_("subject"), max_length=200, blank=True)
    preheader = models.CharField(_("preheader"), max_length=200, blank=True)
    body = models.TextField(_("body"), max_length=MAX_BODY_LENGTH, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["campaign", "language"], name="campaign_text_unique")]

    def __str__(self) -> str:
        return f"{self.language}: {self.subject}"

    @property
    def is_missing(self) -> bool:
        return not self.subject.strip() and not self.body.strip()


class CampaignLink(models.Model):
    """A link in the text of a campaign, which the mail replaces with a redirect that counts.

    `clicks`: nothing says who clicked.
    """

    URL_LENGTH = 2000

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    url = models.CharField(max_length=URL_LENGTH)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key)
    clicks = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["campaign", "url"], name="campaign_link_unique")]

    def __str__(self) -> str:
        return self.url


class Picture(models.Model):
    """A picture for mails. It is in the database, so that each machine and each backup has it.

    `name`: the last part of its public address. `content`: a JPEG or a PNG that was made from the uploaded
    file (`picture_file`). `alt_text_*`: what it shows, by language, in one at least.
    """

    name = models.CharField(_("address"), max_length=32, unique=True, editable=False)
    alt_text_en = models.CharField(
        _("description (alt text), English"),
        max_length=250,
        blank=True,
        help_text=_("Read aloud, and shown while pictures are blocked."),
    )
    alt_text_cs = models.CharField(_("description (alt text), Czech"), max_length=250, blank=True)
    content = models.BinaryField()
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    created_at = models.DateTimeField(_("added"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.get_alt_text(get_language() or "") or self.alt_text_en or self.alt_text_cs

    def clean(self) -> None:
        if not (self.alt_text_en or self.alt_text_cs):
            message = _("Describe the picture in at least one language: not every subscriber sees it.")
            raise ValidationError({"alt_text_en": message})

    def get_alt_text(self, language: str) -> str:
        """Return what the picture shows in a language, or a blank string."""
        return str(getattr(self, f"alt_text_{language}", ""))
