"""Campaigns, and their deliveries to subscribers."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from newsletter.models import AUDIENCES, Interest, Source, Subscription
from sailing.attribution import AttributionFields

KEY_BYTES = 18
KEY_LENGTH = 24
"""Characters of a key in an address: its bytes in base64."""

SUBJECT_LENGTH = 200
PREHEADER_LENGTH = 200
NAME_LENGTH = 100
MAX_DELAY_DAYS = 365
MAX_BODY_LENGTH = 100_000
"""Characters of Markdown. Gmail clips a mail at about 100 KB."""


def new_key() -> str:
    """Return a random key for an address that nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


class CampaignState(models.TextChoices):
    """The state of a campaign: draft → scheduled → sending ⇄ paused → sent, or cancelled."""

    DRAFT = "draft", _("Draft")
    SCHEDULED = "scheduled", _("Scheduled")
    SENDING = "sending", _("Sending")
    PAUSED = "paused", _("Paused")
    SENT = "sent", _("Sent")
    CANCELLED = "cancelled", _("Canceled")


EDITABLE_STATES = (CampaignState.DRAFT, CampaignState.SCHEDULED)
STARTED_STATES = (CampaignState.SENDING, CampaignState.PAUSED)
ENDED_STATES = (CampaignState.SENT, CampaignState.CANCELLED)


class StopReason(models.TextChoices):
    """Why a campaign is paused, or a draft again, although no admin has asked for it."""

    OVERDUE = "overdue"
    ABANDONED = "abandoned"
    RESTORED = "restored"


class MissingLanguage(models.TextChoices):
    """What subscribers get whose language a campaign does not have."""

    OTHER = "other", _("Its readers get the other text")
    LEAVE_OUT = "leave-out", _("Its readers are left out")


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


class Campaign(AudienceFields):
    """One newsletter mail to an audience: the part of a segment, or of all subscribers, that its fields name.

    `excluded_campaign`: an ended campaign; whoever got it, or one that it left out itself, is left out.
    `missing_language`: blank until chosen; needed only if one language has no text.
    `is_public`: whether it appears in the archive after sending. `key`: the address of its web version.
    `scheduled_at`: when to send it. `started_at`: when sending began. `prepared_at`: when all recipients were
    fixed. `finished_at`: when it was sent or cancelled. `recipient_count`: how many recipients were fixed.
    `stop_reason`: why it waits for the decision of an admin; blank otherwise.

    A step of the welcome series (`newsletter.campaigns.series`) has these too; it is on while it is SENDING:
    `delay_days`, `delay_hour`: how long after confirming its readers get it, None for a campaign; without an
    hour at the time of day at which they confirmed. `series_since`: since when its audience has had a series
    without a break. `readers_since`: whoever confirmed before does not get it. `added_until`: whoever
    confirmed before has a delivery, or gets none.
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
    segment = models.ForeignKey(
        "Segment",
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
    missing_language = models.CharField(
        _("subscribers of the missing language"), max_length=16, choices=MissingLanguage, blank=True
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
    recipient_count = models.PositiveIntegerField(_("recipients"), null=True, editable=False)
    delay_days = models.PositiveSmallIntegerField(
        _("days after confirming"), null=True, validators=[MaxValueValidator(MAX_DELAY_DAYS)]
    )
    delay_hour = models.PositiveSmallIntegerField(
        _("time of day"),
        null=True,
        blank=True,
        choices=[(hour, f"{hour}:00") for hour in range(24)],
    )
    series_since = models.DateTimeField(null=True, editable=False)
    readers_since = models.DateTimeField(null=True, editable=False)
    added_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-created_at"]
        permissions = [
            ("send_campaign", "Can send campaigns"),
            ("view_campaign_figures", "Can view the figures of campaigns"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_editable(self) -> bool:
        return self.state in EDITABLE_STATES or self.is_step

    @property
    def is_step(self) -> bool:
        """Whether it is a step of the welcome series."""
        return self.delay_days is not None

    def list_texts(self) -> list["CampaignText"]:
        """Return the texts that are not missing, in the order of LANGUAGES. An emptied text keeps its row."""
        written = {text.language: text for text in self.texts.all() if not text.is_missing}
        return [written[language] for language, _name in settings.LANGUAGES if language in written]

    def list_languages(self) -> list[str]:
        """Return the languages of the texts that are not missing."""
        return [text.language for text in self.list_texts()]


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
        Campaign, models.PROTECT, verbose_name=_("got the campaign"), null=True, blank=True, related_name="+"
    )
    missed_campaign = models.ForeignKey(
        Campaign,
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


class ConfirmReminder(models.Model):
    """The switch of the reminder to confirm: while its row exists, those who sign up since are reminded."""

    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("reminder to confirm")
        default_permissions = ()

    def __str__(self) -> str:
        return str(self._meta.verbose_name)


class CampaignText(models.Model):
    """The text of a campaign in one language. A language without a subject and a body is missing."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="texts")
    language = models.CharField(max_length=8, choices=settings.LANGUAGES)
    subject = models.CharField(_("subject"), max_length=SUBJECT_LENGTH, blank=True)
    preheader = models.CharField(_("preheader"), max_length=PREHEADER_LENGTH, blank=True)
    body = models.TextField(_("body"), max_length=MAX_BODY_LENGTH, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["campaign", "language"], name="campaign_text_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.language}: {self.subject}"

    @property
    def is_missing(self) -> bool:
        return not self.subject.strip() and not self.body.strip()


class CampaignLink(models.Model):
    """A link in the text of a campaign, which the mail replaces with a redirect that counts."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    url = models.CharField(max_length=2000)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["campaign", "url"], name="campaign_link_unique")]

    def __str__(self) -> str:
        return self.url


class LinkClicks(models.Model):
    """The clicks on a link within one hour. Nothing says who clicked."""

    link = models.ForeignKey(CampaignLink, models.CASCADE, related_name="clicks")
    hour = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["link", "hour"], name="link_clicks_unique")]

    def __str__(self) -> str:
        return f"{self.hour:%Y-%m-%d %H}: {self.count}"


class Picture(models.Model):
    """A picture for mails. It is in the database, so that each machine and each backup has it.

    `name`: the last part of its public address, a hash of its content. `content`, `thumbnail`: a JPEG or a
    PNG that was made from the uploaded file (`picture_file`). `alt_text_*`: what it shows, by language.
    """

    ALT_TEXT_LENGTH = 250

    name = models.CharField(_("address"), max_length=32, unique=True, editable=False)
    file_name = models.CharField(_("file"), max_length=255, editable=False)
    alt_text_en = models.CharField(
        _("description (alt text), English"), max_length=ALT_TEXT_LENGTH, blank=True
    )
    alt_text_cs = models.CharField(_("description (alt text), Czech"), max_length=ALT_TEXT_LENGTH, blank=True)
    content = models.BinaryField()
    thumbnail = models.BinaryField()
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    created_at = models.DateTimeField(_("added"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return (
            self.get_alt_text(get_language() or "") or self.alt_text_en or self.alt_text_cs or self.file_name
        )

    def get_alt_text(self, language: str) -> str:
        """Return what the picture shows in a language, or a blank string."""
        return str(getattr(self, f"alt_text_{language}", ""))


class Block(models.Model):
    """Markdown under a name, which editors insert into campaigns. Changing it changes no campaign."""

    NAME_LENGTH = 60
    MAX_LENGTH = 10_000

    # As of a campaign, not of a person.
    name = models.CharField(pgettext_lazy("campaign", "name"), max_length=NAME_LENGTH, unique=True)
    body_en = models.TextField(_("text in English"), max_length=MAX_LENGTH, blank=True)
    body_cs = models.TextField(_("text in Czech"), max_length=MAX_LENGTH, blank=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_body(self, language: str) -> str:
        """Return the Markdown in a language, or a blank string."""
        return str(getattr(self, f"body_{language}", ""))


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
    NO_TEXT = "no-text", _("no text in their language")


HAS_FEEDBACK = Q(bounced_at__isnull=False) | Q(complained_at__isnull=False) | Q(unsubscribed_at__isnull=False)
"""The deliveries after which something happened. Queries that repeat it use the index of these few rows."""


class Delivery(models.Model):
    """The mail of a campaign to one subscriber.

    `subscription`: None after it was erased. `language`: that of the text.
    `next_attempt_at`: when a waiting delivery is due, and when the claim of a sending one ends.
    `token_hash`: SHA-256 of the token in its links (`newsletter.campaigns.tokens`); empty until it is sent.
    `bounced_at`, `complained_at`, `unsubscribed_at`: what happened because of this mail. `soft_bounced_at`:
    the mail server of the recipient refused it for now, after it was sent.
    """

    LAST_ERROR_LENGTH = 200

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="deliveries", db_index=False)
    # Without an index of its own: the unique constraint below begins with it.
    subscription = models.ForeignKey(
        Subscription, models.SET_NULL, null=True, related_name="deliveries", db_index=False
    )
    language = models.CharField(max_length=8)
    state = models.CharField(_("state"), max_length=8, choices=DeliveryState, default=DeliveryState.WAITING)
    skip_reason = models.CharField(_("reason"), max_length=16, choices=SkipReason, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    token_hash = models.BinaryField(default=b"")
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
        constraints = [
            models.UniqueConstraint(fields=["subscription", "campaign"], name="delivery_unique"),
        ]
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
