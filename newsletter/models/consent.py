"""The consent history: what the owner of a subscription and others said about it."""

from typing import Any, Never

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.models.subscription import Source, Subscription, UserType

STATEMENT = _(
    "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each email."
)
"""The consent: shown in the form (its message catalogue repeats it), in the mail and on the confirm page."""

STATEMENT_VERSION = "2026-11-24"
"""The day on which the wording of the statement last changed, in any language."""


class ConsentKind(models.TextChoices):
    """What happened to a consent: by visitors and the owner, then by admins and mail servers.

    EXPLAINED: the owner said why, after unsubscribing. IMPORTED_CONSENT: an admin documented the consent.
    REMINDER: one was stored for a later day. CORRECTED: an admin corrected the address.
    """

    REQUESTED = "requested", _("Asked for the newsletter on the site")
    CONFIRMED = "confirmed", _("Confirmed by the subscriber")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed by the subscriber")
    DISOWNED = "disowned", _("Request denied: “This was not me”")
    PAUSED = "paused", _("Paused by the subscriber")
    RESUMED = "resumed", _("Pause ended by the subscriber")
    EXPLAINED = "explained", _("The subscriber said why")
    COMPLAINED = "complained", _("Reported as spam by the subscriber")
    IMPORTED_OPT_OUT = "imported-opt-out", _("Had unsubscribed before the import")
    IMPORTED_CONSENT = "imported-consent", _("Had agreed before the import, as an admin documented")
    INVITED = "invited", _("Asked to confirm by an admin")
    REMINDER = "reminder", _("Reminder to confirm scheduled")
    ADDED = "added", _("Added by an admin")
    CORRECTED = "corrected", _("Address corrected by an admin")
    ENDED_BY_ADMIN = "ended-by-admin", _("Unsubscribed by an admin")
    RESTORED = "restored", _("Unsubscription undone by an admin")
    BOUNCED = "bounced", _("Emails came back: the address does not work")
    REACHABLE = "reachable", _("Marked as reachable by an admin")


class LeavingReason(models.TextChoices):
    """Why an owner unsubscribed, if they say so."""

    TOO_MANY = "too-many", _("Too many emails")
    NOT_FOR_ME = "not-for-me", _("Not what I am looking for")
    NOT_REQUESTED = "not-requested", _("I do not remember subscribing")
    OTHER = "other", _("Another reason")


ASKED_EVENTS = (ConsentKind.REQUESTED, ConsentKind.INVITED)
"""Events with a mail that asks to confirm at once."""

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
    `reason`, `comment`: why the owner unsubscribed; blank if they did not say. The comment of
    IMPORTED_CONSENT is the documentation, that of BOUNCED what the mail server said. `by`: the admin.
    """

    COMMENT_LENGTH = 500

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="consent_events")
    kind = models.CharField(_("event"), max_length=16, choices=ConsentKind)
    at = models.DateTimeField(_("date"), default=timezone.now)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    wording = models.CharField(_("version of the wording"), max_length=32)
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    user_type = models.CharField(_("audience"), max_length=16, choices=UserType)
    reason = models.CharField(
        _("reason"), max_length=16, choices=LeavingReason, blank=True, default="", db_default=""
    )
    comment = models.CharField(_("comment"), max_length=COMMENT_LENGTH, blank=True, default="", db_default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        db_index=False,  # an index of its own, without the many events that no admin caused
        related_name="+",
    )

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("consent event")
        verbose_name_plural = _("consent history")
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["-at"], condition=Q(reason__gt=""), name="consent_leaving_reason"),
            models.Index(fields=["by"], condition=Q(by__isnull=False), name="consent_by"),
            models.Index(fields=["kind", "at"], name="consent_kind"),  # for the growth page
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
        language: str = "",
        source: str | None = None,
        reason: str = "",
        comment: str = "",
        by_id: int | None = None,
    ) -> None:
        """Add an event. `language`: in which the statement was shown. `source`: of the recorded request.

        Both are the subscription's by default. `by_id`: of the admin.
        """
        cls.objects.create(
            subscription=subscription,
            kind=kind,
            language=language or subscription.language,
            wording=STATEMENT_VERSION,
            source=subscription.source if source is None else source,
            user_type=subscription.user_type,
            reason=reason,
            comment=comment,
            by_id=by_id,
        )


class LeavingAnswer(ConsentEvent):
    """A consent event, shown to admins for the reason alone."""

    class Meta:
        proxy = True
        verbose_name = _("reason for leaving")
        verbose_name_plural = _("reasons for leaving")
        ordering = ["-at"]
        default_permissions = ()  # the permission to view subscribers counts
