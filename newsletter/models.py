"""Subscriptions, the consent history, and the email tokens of subscribers."""

import re
import unicodedata
import uuid
from datetime import timedelta
from html import unescape
from typing import Any, Never, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.input_limits import clean_line
from sailing.mail.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.mail_links.tokens import EmailToken, LinkStatus

STATEMENT = _(
    "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each email."
)
"""The consent: shown in the form (its message catalogue repeats it), in the mail and on the confirm page."""

STATEMENT_VERSION = "2026-11-24"
"""The day on which the wording of the statement last changed, in any language."""


CONFIRM_LIFETIME = timedelta(days=7)

MAX_FIRST_NAME_LENGTH = 50
NAME_PUNCTUATION = " '’.&-\u200c\u200d"


class UserType(models.TextChoices):
    """The two audiences (spec section 6)."""

    SAILOR = "sailor", _("Sailor")
    COMPANY = "company", _("Company")


class Source(models.TextChoices):
    """The landing page whose button led to the form (spec section 3)."""

    LANDING_SAILORS = "landing-sailors", _("Landing for sailors")
    LANDING_COMPANIES = "landing-companies", _("Landing for companies")


class State(models.TextChoices):
    """The state of a subscription, derived from its fields. Each subscription is in one state."""

    PENDING = "pending", _("Pending")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    BOUNCED = "bounced", _("Bounced")
    DEACTIVATED = "deactivated", _("Deactivated")


def clean_first_name(text: str) -> str:
    """Return a first name for mails, or a blank one if the text is none: an address, a number, markup."""
    # Mail programs turn "example.com" into a link.
    plain = re.sub(r"<[^<>]*>", " ", unescape(text)).replace(".", ". ")
    try:
        name = clean_line(" ".join(plain.split()), limit=MAX_FIRST_NAME_LENGTH)
    except ValidationError:
        return ""
    is_name = all(unicodedata.category(each)[0] in "LM" or each in NAME_PUNCTUATION for each in name)
    return name if is_name and any(map(str.isalpha, name)) else ""


def validate_first_name(text: str) -> None:
    if clean_first_name(text) != text:
        raise ValidationError(_("Please enter a first name, of letters only."))


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    """Subscriptions, filtered by state."""

    def in_state(self, state: State) -> Self:
        """Return the subscriptions whose `Subscription.state` is `state`."""
        if state is State.BOUNCED:
            return self.exclude(bounced_at=None)
        reached = self.filter(bounced_at=None)
        if state is State.UNSUBSCRIBED:
            return reached.filter(asked_again_at=None).exclude(unsubscribed_at=None)
        if state is State.DEACTIVATED:
            return reached.filter(asked_again_at=None, unsubscribed_at=None, is_active=False)
        is_asked = models.Q(unsubscribed_at=None, is_active=True, is_confirmed=False)
        if state is State.CONFIRMED:
            return reached.filter(
                asked_again_at=None, unsubscribed_at=None, is_active=True, is_confirmed=True
            )
        return reached.filter(is_asked | models.Q(asked_again_at__isnull=False))

    def not_paused(self) -> Self:
        """Return the subscriptions that are not paused now."""
        return self.filter(models.Q(paused_until=None) | models.Q(paused_until__lte=timezone.now()))


class Subscription(models.Model):
    """One address in one audience.

    `first_name`: from an imported file; blank if it is not known.
    `is_active`: newsletters may be sent once the subscription is confirmed.
    `is_confirmed`: the owner of the mailbox confirmed.
    `asked_again_at`: somebody asked for a subscription that had ended, and its owner has not answered. It
    stays inactive until the owner confirms; what the owner said before (`is_confirmed`, `confirmed_at`,
    `unsubscribed_at`) is kept until then.
    `last_mail_at`: when the last mail that asks to confirm was sent, or will be.
    `reminded_at`: when the last "already aboard" mail was sent.
    `paused_until`: the owner wants no newsletter before that time.
    `is_imported`: it came from an imported file, not from a request on the site; `import_batch` says which.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("email"), max_length=MAX_EMAIL_LENGTH)
    user_type = models.CharField(_("user type"), max_length=16, choices=UserType)
    first_name = models.CharField(
        _("first name"),
        max_length=MAX_FIRST_NAME_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[validate_first_name],
    )
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES, default="en")
    is_active = models.BooleanField(_("active"), default=True)
    is_confirmed = models.BooleanField(_("confirmed"), default=False)
    is_imported = models.BooleanField(_("imported"), default=False, editable=False)
    import_batch = models.ForeignKey(
        "imports.ImportBatch",
        models.SET_NULL,
        verbose_name=_("import"),
        null=True,
        blank=True,
        editable=False,
        db_index=False,  # an index of its own, without the many that were not imported
        related_name="subscriptions",
    )
    created_at = models.DateTimeField(_("subscribed"), default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True, editable=False)
    unsubscribed_at = models.DateTimeField(_("unsubscribed at"), null=True, blank=True, editable=False)
    asked_again_at = models.DateTimeField(_("asked again at"), null=True, blank=True, editable=False)
    bounced_at = models.DateTimeField(_("bounced at"), null=True, blank=True)
    last_mail_at = models.DateTimeField(_("last email at"), null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField(_("reminded at"), null=True, blank=True, editable=False)
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True, editable=False)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = _("subscriber")
        verbose_name_plural = _("subscribers")
        ordering = ["-created_at"]
        permissions = [("export_subscription", "Can export subscribers")]
        indexes = [
            models.Index(fields=["-created_at"], name="subscription_created_at"),
            models.Index(
                fields=["import_batch", "id"],
                condition=models.Q(import_batch__isnull=False),
                name="subscription_import_batch",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["email", "user_type"], name="subscription_unique"),
            # Makes the constraint above case-insensitive.
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="subscription_email_lower_case"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} ({self.get_user_type_display()})"

    def clean(self) -> None:
        self.email = normalize_email(self.email)

    @property
    def state(self) -> State:
        if self.bounced_at:
            return State.BOUNCED
        if self.asked_again_at:
            return State.PENDING
        if self.unsubscribed_at:
            return State.UNSUBSCRIBED
        if not self.is_active:
            return State.DEACTIVATED
        return State.CONFIRMED if self.is_confirmed else State.PENDING

    @property
    def is_subscribed(self) -> bool:
        """Whether newsletters are sent, apart from a pause."""
        return self.state is State.CONFIRMED

    @property
    def has_ended(self) -> bool:
        """Whether the subscription was ended, and nobody has asked for it since."""
        return self.unsubscribed_at is not None and self.asked_again_at is None

    @property
    def is_paused(self) -> bool:
        return self.paused_until is not None and self.paused_until > timezone.now()


class ConsentKind(models.TextChoices):
    """What happened to a consent.

    The first four events come from visitors and the owner, the next two from an admin.
    DISOWNED: the owner said that somebody else made the request.
    IMPORTED_OPT_OUT: the owner had opted out before the import.
    INVITED: an admin asked the owner of an imported address to confirm.
    BOUNCED: a mail server said that the address does not work.
    COMPLAINED: the owner reported a newsletter as spam.
    PAUSED, RESUMED: the owner wanted no newsletter for a while, and again before the pause ended.
    EXPLAINED: the owner said why, after unsubscribing.
    """

    REQUESTED = "requested", _("Requested")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    DISOWNED = "disowned", _("Request denied by the owner")
    DEACTIVATED = "deactivated", _("Deactivated by an admin")
    ACTIVATED = "activated", _("Activated by an admin")
    IMPORTED_OPT_OUT = "imported-opt-out", _("Unsubscribed before the import")
    INVITED = "invited", _("Asked to confirm after the import")
    BOUNCED = "bounced", _("Address does not work")
    COMPLAINED = "complained", _("Reported as spam")
    PAUSED = "paused", _("Newsletters paused")
    RESUMED = "resumed", _("Newsletters resumed")
    EXPLAINED = "explained", _("Said why they had unsubscribed")


class LeavingReason(models.TextChoices):
    """Why an owner unsubscribed, if they say so."""

    TOO_MANY = "too-many", _("Too many emails")
    NOT_FOR_ME = "not-for-me", _("Not what I am looking for")
    NOT_REQUESTED = "not-requested", _("I do not remember subscribing")
    OTHER = "other", _("Another reason")


ASKED_EVENTS = (ConsentKind.REQUESTED, ConsentKind.INVITED)
"""Events with a mail that asks to confirm."""

OWNER_EVENTS = (ConsentKind.CONFIRMED, ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT)
"""Events that only the owner of the mailbox can cause; the latest one counts."""


class AppendOnly(models.QuerySet["ConsentEvent"]):
    """Refuse bulk updates and deletions with TypeError."""

    def update(self, **kwargs: Any) -> Never:
        raise TypeError("A consent event is never changed.")

    def delete(self) -> Never:
        raise TypeError("A consent event is deleted only with its subscription.")


class ConsentEvent(models.Model):
    """The record that a consent was requested, given or withdrawn (GDPR article 7(1)).

    Append-only: an event is never changed, and is deleted only with its subscription. It has no IP address.
    `reason`, `comment`: why the owner unsubscribed; blank if they did not say.
    """

    COMMENT_LENGTH = 500

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="consent_events")
    kind = models.CharField(_("event"), max_length=16, choices=ConsentKind)
    at = models.DateTimeField(_("at"), default=timezone.now)
    language = models.CharField(_("language"), max_length=8)
    wording = models.CharField(_("version of the wording"), max_length=32)
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    user_type = models.CharField(_("user type"), max_length=16, choices=UserType)
    reason = models.CharField(
        _("reason"), max_length=16, choices=LeavingReason, blank=True, default="", db_default=""
    )
    comment = models.CharField(_("comment"), max_length=COMMENT_LENGTH, blank=True, default="", db_default="")

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("consent event")
        verbose_name_plural = _("consent history")
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["-at"], condition=models.Q(reason__gt=""), name="consent_leaving_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {timezone.localtime(self.at):%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("A consent event is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        raise TypeError("A consent event is deleted only with its subscription.")

    @classmethod
    def record(
        cls,
        subscription: Subscription,
        kind: ConsentKind,
        *,
        language: str,
        source: str | None = None,
        reason: str = "",
        comment: str = "",
    ) -> None:
        """Add an event, with the language in which the statement was shown.

        `source` is that of the recorded request; by default the subscription's.
        """
        cls.objects.create(
            subscription=subscription,
            kind=kind,
            language=language,
            wording=STATEMENT_VERSION,
            source=subscription.source if source is None else source,
            user_type=subscription.user_type,
            reason=reason,
            comment=comment,
        )


class LeavingAnswer(ConsentEvent):
    """A consent event, shown to admins for the reason alone."""

    class Meta:
        proxy = True
        verbose_name = _("reason for leaving")
        verbose_name_plural = _("reasons for leaving")
        ordering = ["-at"]
        default_permissions = ()  # the permission to view subscribers counts


class LinkPurpose(models.TextChoices):
    """The purpose of a link in a newsletter mail."""

    CONFIRM = "confirm", _("Confirm")
    UNSUBSCRIBE = "unsubscribe", _("Unsubscribe")
    PREFERENCES = "preferences", _("Preferences")


class SubscriptionLink(EmailToken):
    """The token of a link in a newsletter mail."""

    OWNER = "subscription"
    LIFETIMES = {
        LinkPurpose.CONFIRM: CONFIRM_LIFETIME,
        LinkPurpose.UNSUBSCRIBE: None,
        LinkPurpose.PREFERENCES: None,
    }

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="links", null=True)
    purpose = models.CharField(max_length=16, choices=LinkPurpose)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def status(self) -> LinkStatus:
        subscription = self.subscription
        if subscription is None:
            return LinkStatus.DISOWNED
        if self.purpose == LinkPurpose.UNSUBSCRIBE:
            return LinkStatus.DONE if subscription.has_ended else LinkStatus.OPEN
        if self.used_at:
            is_subscribed = subscription.is_confirmed and subscription.is_active
            return LinkStatus.DONE if is_subscribed else LinkStatus.SPENT
        return LinkStatus.EXPIRED if self.is_expired else LinkStatus.OPEN
