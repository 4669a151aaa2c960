"""Who came by whose invitation link, and what that earns."""

from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.models import SUBSCRIBED_STATES, Subscription

COUNT_AFTER = timedelta(days=1)
"""How long somebody must have been subscribed before they count."""


def move_or_cascade(collector: Any, field: Any, inviters: Any, using: str) -> None:
    """Move inviters to the other subscription of their address before theirs is deleted (an `on_delete`).

    Those without another one are deleted, too.
    """
    deleted = {subscription.pk for subscription in collector.data[Subscription]}
    cascaded: Any = []
    for inviter in inviters:
        same_address = Subscription.objects.using(using).filter(
            email=inviter.subscription.email, inviter=None
        )
        if other := same_address.exclude(pk__in=deleted).first():
            collector.add_field_update(field, other, [inviter])
        else:
            cascaded.append(inviter)
    models.CASCADE(collector, field, cascaded, using)


class Inviter(models.Model):
    """A subscriber by whose link somebody has come. An address has one, also if it is in both audiences.

    `subscription`: any of the address. `mailbox`: a keyed hash of the address, the same for all spellings of
    the mailbox. `joined_at`: when the inviter confirmed. `counted`: how many came, as of the last hourly
    count; 0 once the inviter has left both audiences.
    """

    subscription = models.OneToOneField(Subscription, move_or_cascade, related_name="inviter")
    mailbox = models.CharField(max_length=64, db_index=True, editable=False)
    joined_at = models.DateTimeField(_("joined"))
    created_at = models.DateTimeField(_("first invitation"), default=timezone.now)
    counted = models.PositiveIntegerField(_("came by the link"), default=0)

    class Meta:
        verbose_name = _("early access")
        verbose_name_plural = _("early access")
        ordering = ["-counted", "joined_at"]
        default_permissions = ("view",)
        permissions = [("export_inviter", "Can export early access")]
        indexes = [models.Index(fields=["-counted", "joined_at"], name="inviter_order")]

    def __str__(self) -> str:
        return str(self.pk)


class Review(models.TextChoices):
    """What an admin has to say about an invitation. Those that are held or refused do not count."""

    NONE = "", _("Not needed")
    HELD = "held", _("Held")
    ACCEPTED = "accepted", _("Accepted")
    REFUSED = "refused", _("Refused")


class HoldReason(models.TextChoices):
    """Why an invitation is held."""

    NETWORK = "network", _("Many from one network")
    BURST = "burst", _("Many by one link within an hour")


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations, filtered by whether they count."""

    def counted(self) -> Self:
        """Return those that count: both sides are subscribed, and the invited for a day.

        The inviter is an address, so one of its subscriptions is enough.
        """
        subscribed = Subscription.objects.in_state(*SUBSCRIBED_STATES)
        return self.filter(
            inviter__subscription__email__in=subscribed.values("email"),
            subscription__in=subscribed.filter(confirmed_at__lte=timezone.now() - COUNT_AFTER),
            review__in=(Review.NONE, Review.ACCEPTED),
        )


class Invitation(models.Model):
    """A subscription that was requested by an invitation link.

    `code`: as the visitor sent it; whether anybody has it is looked up when the owner of the mailbox
    confirms. Until then `settled_at`, `inviter` and `mailbox` (see `Inviter`) are empty. One that cannot
    count is deleted then.
    """

    subscription = models.OneToOneField(Subscription, models.CASCADE, related_name="invitation")
    code = models.UUIDField(editable=False)
    inviter = models.ForeignKey(
        Inviter,
        models.CASCADE,
        verbose_name=_("link"),
        null=True,
        db_index=False,  # an index of its own, with the time
        related_name="invitations",
    )
    mailbox = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("requested"), default=timezone.now)
    settled_at = models.DateTimeField(_("confirmed"), null=True)
    review = models.CharField(_("review"), max_length=8, choices=Review, blank=True, default=Review.NONE)
    hold_reason = models.CharField(_("reason"), max_length=8, choices=HoldReason, blank=True, default="")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-settled_at"]
        default_permissions = ("view", "change")
        indexes = [
            models.Index(fields=["inviter", "settled_at"], name="invitation_inviter"),
            models.Index(fields=["-settled_at", "-id"], name="invitation_settled"),
            models.Index(fields=["created_at"], condition=Q(settled_at=None), name="invitation_open"),
            models.Index(fields=["settled_at"], condition=Q(review="held"), name="invitation_held"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["mailbox"], condition=Q(mailbox__gt=""), name="invitation_once"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Milestone(models.Model):
    """What a number of invitations brings, named in both languages."""

    threshold = models.PositiveIntegerField(
        _("number of people"), unique=True, validators=[MinValueValidator(1)]
    )
    name_en = models.CharField(_("what it brings, in English"), max_length=100)
    name_cs = models.CharField(_("what it brings, in Czech"), max_length=100)

    class Meta:
        verbose_name = _("milestone")
        verbose_name_plural = _("milestones")
        ordering = ["threshold"]

    def __str__(self) -> str:
        return ngettext("%(number)s person", "%(number)s people", self.threshold) % {"number": self.threshold}

    @property
    def name(self) -> str:
        """Return the name in the language of the request."""
        name: str = getattr(self, f"name_{get_language() or settings.LANGUAGE_CODE}")
        return name
