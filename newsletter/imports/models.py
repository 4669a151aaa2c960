"""The record of each imported file."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.jobs.models import Job


class ImportBatch(models.Model):
    """One imported file: who imported it, and what came of its rows.

    It is kept longer than its job and its file, so that the origin of each address stays known. `undone_at`:
    when an admin asked to undo it. `removed_count` and `kept_count` say what that did, `asked_count` how many
    mails to confirm were sent at the click of an admin, `opted_out_count` how many subscriptions ended
    because the file says so.
    """

    file_name = models.CharField(_("file"), max_length=255)
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(_("imported at"), default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("imported by"), related_name="+"
    )
    added_count = models.PositiveIntegerField(_("added"), default=0)
    repeated_count = models.PositiveIntegerField(_("repeated in the file"), default=0)
    duplicate_count = models.PositiveIntegerField(_("on the list already"), default=0)
    invalid_count = models.PositiveIntegerField(_("left out"), default=0)
    opted_out_count = models.PositiveIntegerField(_("ended by an opt-out"), default=0)
    asked_count = models.PositiveIntegerField(_("asked to confirm"), default=0)
    undone_at = models.DateTimeField(_("undone at"), null=True)
    removed_count = models.PositiveIntegerField(_("removed again"), default=0)
    kept_count = models.PositiveIntegerField(_("kept"), default=0)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-created_at"]
        default_permissions = ()  # the permission to add subscribers counts

    def __str__(self) -> str:
        return self.file_name
