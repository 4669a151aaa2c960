"""The pictures that editors insert into campaigns."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


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
            message = _("Describe the picture in at least one language: not every reader sees it.")
            raise ValidationError({"alt_text_en": message})

    def get_alt_text(self, language: str) -> str:
        """Return what the picture shows in a language, or a blank string."""
        return str(getattr(self, f"alt_text_{language}", ""))
