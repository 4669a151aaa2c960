"""What readers may be interested in."""

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Interest(models.Model):
    """What readers may be interested in. They choose on the pages behind the links in mails.

    `is_offered`: whether they can choose it now. A retired one keeps the readers who have chosen it.
    """

    NAME_LENGTH = 60

    name_en = models.CharField(_("name in English"), max_length=NAME_LENGTH, unique=True)
    name_cs = models.CharField(_("name in Czech"), max_length=NAME_LENGTH, unique=True)
    position = models.PositiveSmallIntegerField(
        _("position"), default=0, help_text=_("Readers see the lowest number first.")
    )
    is_offered = models.BooleanField(
        _("readers can choose it"),
        default=True,
        help_text=_("Without the tick it is retired: only those who have chosen it already keep it."),
    )

    class Meta:
        verbose_name = _("interest")
        verbose_name_plural = _("interests")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        """Return the name in the language of the page."""
        return str(getattr(self, f"name_{get_language()}", self.name_en))
