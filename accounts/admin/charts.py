"""How many became members on each of the last days."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from sailing.admin import charts


class Mailbox(models.IntegerChoices):
    """Whether a new member has shown by now that the mailbox is theirs; the values of a boolean field."""

    VERIFIED = 1, _("Email verified")
    UNVERIFIED = 0, _("Not verified yet")


def sign_ups() -> charts.Chart:
    """The members of the last 30 days, without the admins, whom nobody has to count."""
    members = User.objects.filter(is_staff=False)
    return charts.daily(members, by="is_email_verified", categories=list(Mailbox))
