"""Who came through whose invitation link, and what that earns."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.models import Subscription


class Invitation(models.Model):
    """A subscription that was requested by the link of another one.

    `code`: as the visitor sent it; whether anybody has it is looked up when the owner of the mailbox
    confirms. Until then `inviter` is empty, and so is `mailbox`, a keyed hash that all spellings of the
    address share.
    """

    subscription = models.OneToOneField(Subscription, models.CASCADE, related_name="invitation")
    code = models.UUIDField(editable=False)
    inviter = models.ForeignKey(Subscription, models.CASCADE, null=True, related_name="invitations")
    mailbox = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("requested"), default=timezone.now)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["mailbox"], condition=Q(mailbox__gt=""), name="invitation_once")
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Inviter(Subscription):
    """A subscriber in the order of early access."""

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = _("early access")
        default_permissions = ("view",)
        permissions = [("export_inviter", "Can export early access")]


class Milestone(models.Model):
    """The reward for a number of invitations, named in both languages."""

    threshold = models.PositiveIntegerField(
        _("number of people"), unique=True, validators=[MinValueValidator(1)]
    )
    name_en = models.CharField(_("reward in English"), max_length=100)
    name_cs = models.CharField(_("reward in Czech"), max_length=100)

    class Meta:
        verbose_name = _("milestone")
        verbose_name_plural = _("milestones")
        ordering = ["threshold"]

    def __str__(self) -> str:
        return ngettext("%(number)s person", "%(number)s people", self.threshold) % {
            "number": intcomma(self.threshold)
        }

    @property
    def name(self) -> str:
        """Return the name in the language of the request."""
        return str(getattr(self, f"name_{get_language()}", self.name_en))
