"""The record of each imported file."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.jobs.models import Job


class ImportBatch(models.Model):
    """One imported file: who imported it, and what came of its rows.

    `added_inactive_count`: those of the added who had opted out, or whose address does not work.
    `added_confirmed_count`: those who came in as confirmed.

    It is kept longer than its job and its file, so that the origin of each address stays known. `undone_at`:
    when an admin asked to undo it. `removed_count` and `kept_count` say what that did, `asked_count` how many
    mails to confirm were sent at the click of an admin, `opted_out_count` how many subscriptions ended
    because the file says so. `left_out_reasons`: the number of rows for each `LeftOutReason`.

    `consent_date`, `consent_origin`, `consent_proof`: when and where these people agreed, and what proves
    it, if they come in as confirmed. `request_texts`: the admin's own `subject` and `text` of the mail that
    asks to confirm, by language.
    """

    ORIGIN_LENGTH = 150
    PROOF_LENGTH = 300

    file_name = models.CharField(_("file"), max_length=255)
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(_("imported at"), default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("imported by"), related_name="+"
    )
    added_count = models.PositiveIntegerField(_("added"), default=0)
    added_inactive_count = models.PositiveIntegerField(_("added without newsletters"), default=0)
    added_confirmed_count = models.PositiveIntegerField(_("added as confirmed"), default=0)
    repeated_count = models.PositiveIntegerField(_("repeated in the file"), default=0)
    duplicate_count = models.PositiveIntegerField(_("on the list already"), default=0)
    invalid_count = models.PositiveIntegerField(_("left out"), default=0)
    left_out_reasons = models.JSONField(default=dict)
    opted_out_count = models.PositiveIntegerField(_("ended by an opt-out"), default=0)
    asked_count = models.PositiveIntegerField(_("asked to confirm"), default=0)
    undone_at = models.DateTimeField(_("undone at"), null=True)
    removed_count = models.PositiveIntegerField(_("removed again"), default=0)
    kept_count = models.PositiveIntegerField(_("kept"), default=0)
    consent_date = models.DateField(_("agreed on"), null=True)
    consent_origin = models.CharField(_("where they agreed"), max_length=ORIGIN_LENGTH, blank=True)
    consent_proof = models.CharField(_("proof"), max_length=PROOF_LENGTH, blank=True)
    request_texts = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-created_at"]
        default_permissions = ()  # the permission to add subscribers counts
        permissions = [("confirm_importbatch", "Can import people as confirmed")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def added_waiting_count(self) -> int:
        """Return how many of the added can get newsletters, once they confirm."""
        return self.added_count - self.added_inactive_count - self.added_confirmed_count
