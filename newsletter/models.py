"""Who subscribed, and how that came about."""

import uuid
from datetime import datetime
from typing import Any, Never, Self

from django.db import connections, models
from django.db.models.constants import OnConflict
from django.db.models.functions import Lower
from django.db.models.sql import InsertQuery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter import periods
from sailing.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.links import MailLink


class UserType(models.TextChoices):
    """The two audiences (spec section 6)."""

    SAILOR = "sailor", _("Sailor")
    COMPANY = "company", _("Company")


class Source(models.TextChoices):
    """The landing page whose button led to the form (spec section 3)."""

    LANDING_SAILORS = "landing-sailors", _("Landing for sailors")
    LANDING_COMPANIES = "landing-companies", _("Landing for companies")


class State(models.TextChoices):
    """Where a subscription stands, read off its fields."""

    PENDING = "pending", _("Pending")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    BOUNCED = "bounced", _("Bounced")


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    """Subscribers, to be found by where they stand."""

    def in_state(self, state: State) -> Self:
        """Those of whom `Subscription.state` is this."""
        if state is State.BOUNCED:
            return self.exclude(bounced_at=None)
        if state is State.UNSUBSCRIBED:
            return self.filter(bounced_at=None).exclude(unsubscribed_at=None)
        return self.filter(bounced_at=None, unsubscribed_at=None, is_confirmed=state is State.CONFIRMED)

    def datetimes(self, field_name: str, kind: str) -> list[datetime]:  # type: ignore[override]
        """The years, months or days (UTC) from the first row's to the last one's, also those without any.

        Django admin lists them above the rows. To find those that have one would be a pass over the whole
        table; for the first and the last there is the index.
        """
        span = self.aggregate(first=models.Min(field_name), last=models.Max(field_name))
        return list(periods.each(kind, span["first"], span["last"])) if span["first"] else []

    def add(self, subscription: "Subscription") -> bool:
        """Store a new subscription, unless its address is on the list; return whether it was stored.

        Of many equal ones at once one is stored, and the others wait for that. `bulk_create` with
        `ignore_conflicts` is the same statement, and does not tell what came of it.
        """
        query = InsertQuery(self.model, on_conflict=OnConflict.IGNORE)
        query.insert_values(self.model._meta.concrete_fields, [subscription])
        with connections[self.db].cursor() as cursor:
            for statement, values in query.get_compiler(self.db).as_sql():
                cursor.execute(statement, values)
            added: bool = cursor.rowcount == 1
        return added


class Subscription(models.Model):
    """One address in one audience.

    `is_active`: newsletters may be sent once it is confirmed. `is_confirmed`: the owner of the mailbox
    said yes. A subscription that was ended and asked for again stays inactive until it is confirmed.
    `last_mail_at`: when the last mail that asks to confirm was sent, or will be.
    `reminded_at`: when the last "you are already aboard" mail was sent.
    `is_imported`: it came with a file; its owner asked for nothing on the site.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("email"), max_length=MAX_EMAIL_LENGTH)
    user_type = models.CharField(_("user type"), max_length=16, choices=UserType)
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    language = models.CharField(_("language"), max_length=8, default="en")
    is_active = models.BooleanField(_("active"), default=True)
    is_confirmed = models.BooleanField(_("confirmed"), default=False)
    is_imported = models.BooleanField(_("imported"), default=False, editable=False)
    created_at = models.DateTimeField(_("subscribed"), default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True, editable=False)
    unsubscribed_at = models.DateTimeField(_("unsubscribed at"), null=True, blank=True, editable=False)
    bounced_at = models.DateTimeField(_("bounced at"), null=True, blank=True)
    last_mail_at = models.DateTimeField(_("last mail at"), null=True, blank=True, editable=False)
    reminded_at = models.DateTimeField(_("reminded at"), null=True, blank=True, editable=False)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = _("subscriber")
        verbose_name_plural = _("subscribers")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["-created_at"], name="subscription_created_at")]
        constraints = [
            models.UniqueConstraint(fields=["email", "user_type"], name="subscription_unique"),
            # With it, the constraint above holds whatever the letter case.
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
        if self.unsubscribed_at:
            return State.UNSUBSCRIBED
        return State.CONFIRMED if self.is_confirmed else State.PENDING


class ConsentKind(models.TextChoices):
    """What happened to a consent. The first three are its owner's doing, the next two an admin's.

    The last came with an import: the owner had said no where the file is from.
    """

    REQUESTED = "requested", _("Requested")
    CONFIRMED = "confirmed", _("Confirmed")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    DEACTIVATED = "deactivated", _("Deactivated by an admin")
    ACTIVATED = "activated", _("Activated by an admin")
    IMPORTED_OPT_OUT = "imported-opt-out", _("Unsubscribed before the import")


OWN_WORDS = (ConsentKind.CONFIRMED, ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT)
"""What only the owner of the mailbox can have said; the last of these holds."""


class AppendOnly(models.QuerySet["ConsentEvent"]):
    """Rows that are added and read; what would change or remove many at once raises TypeError."""

    def update(self, **kwargs: Any) -> Never:
        raise TypeError("A consent event is never changed.")

    def delete(self) -> Never:
        raise TypeError("A consent event goes only with its subscription.")


class ConsentEvent(models.Model):
    """The record that a consent was asked for, given or taken back (GDPR article 7(1)).

    Append-only: an event is never changed, and it goes only with its subscription. No IP address is kept.
    """

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="consent_events")
    kind = models.CharField(_("event"), max_length=16, choices=ConsentKind)
    at = models.DateTimeField(_("at"), default=timezone.now)
    language = models.CharField(_("language"), max_length=8)
    wording = models.CharField(_("version of the wording"), max_length=32)
    source = models.CharField(_("source"), max_length=32, choices=Source, blank=True)
    user_type = models.CharField(_("user type"), max_length=16, choices=UserType)

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("consent event")
        verbose_name_plural = _("consent history")
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("A consent event is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        raise TypeError("A consent event goes only with its subscription.")


class LinkPurpose(models.TextChoices):
    """What a link in a newsletter mail does."""

    CONFIRM = "confirm", _("Confirm")
    UNSUBSCRIBE = "unsubscribe", _("Unsubscribe")


class SubscriptionLink(MailLink):
    """A link in a newsletter mail."""

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="links")
    purpose = models.CharField(max_length=16, choices=LinkPurpose)

    def __str__(self) -> str:
        return f"{self.purpose} {self.created_at:%Y-%m-%d %H:%M}"
