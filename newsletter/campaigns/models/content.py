"""The pictures that editors insert into campaigns."""

from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


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
