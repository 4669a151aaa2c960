"""Campaigns with their texts, links, pictures and deliveries to subscribers."""

import secrets
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.imports.models import ImportBatch
from newsletter.models import AUDIENCES, Interest, Source, Subscription
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

    A blank criterion means any. What a criterion names cannot be deleted: the segment would grow.
    `subscribed_before`: the first day that is too late.
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
    `key`: the address of its web version. `prepared_at`: when all recipients were added. `finished_at`: when
    it was sent or cancelled. `stop_reason`: why it waits for the decision of an admin; blank otherwise.

    A step of the welcome series is on while it is SENDING; its `started_at` is when it was turned on, or its
    delay was changed. `delay_days`, `delay_hour`: how long after confirming its readers get it, None for a
    campaign; without an hour at the time of day at which they confirmed.
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
    """A link in the text of a campaign. Its redirect in the mail counts `clicks`, and not who clicked."""

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
    """A picture for mails, in the database, so that each machine and each backup has it.

    `name`: the last part of its public address. `content`: what `picture_file` made from the upload.
    """

    name = models.CharField(_("address"), max_length=32, unique=True, editable=False)
    alt_text_en = models.CharField(
        _("description (alt text), English"),
        max_length=250,
        blank=True,
        help_text=_("Read aloud by screen readers, and shown while pictures are blocked."),
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


class DeliveryState(models.TextChoices):
    """The state of a delivery.

    SENDING: handed to a connection. UNKNOWN: it may have been accepted or not; it is listed and not repeated.
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

    `subscription`: None after it was erased.
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
