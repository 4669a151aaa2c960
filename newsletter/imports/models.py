"""The record of each imported file."""

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.jobs.models import Job


class Outcome(models.TextChoices):
    """What an import does with a row that is not left out."""

    CONFIRMED = "added-confirmed", _("New, confirmed")
    WAITING = "added-waiting", _("New, unconfirmed")
    OPTED_OUT = "added-opted-out", _("New, unsubscribed")
    KNOWN = "known", _("On the list, unchanged")
    ENDED = "ended", _("On the list, unsubscribed by the file")
    REPEATED = "repeated", _("Repeated in the file")


ADDED = (Outcome.CONFIRMED, Outcome.WAITING, Outcome.OPTED_OUT)


class ImportBatch(models.Model):
    """One imported file: who imported it, and what came of its rows.

    It is kept longer than its job and its file, so that the origin of each address stays known.
    `consent_date`, `consent_proof`: if its people come in as confirmed. `counts`: the number of rows for each
    `Outcome` and `LeftOutReason`. `undone_at`: when an admin asked to undo it.
    """

    ORIGIN_LENGTH = 150
    PROOF_LENGTH = 300

    file_name = models.CharField(_("file"), max_length=255)
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(_("imported at"), default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("imported by"), related_name="+"
    )
    origin = models.CharField(_("where the addresses come from"), max_length=ORIGIN_LENGTH)
    consent_date = models.DateField(_("agreed on"), null=True)
    consent_proof = models.CharField(_("proof"), max_length=PROOF_LENGTH, blank=True)
    counts = models.JSONField(default=dict)
    undone_at = models.DateTimeField(_("undone at"), null=True)
    removed_count = models.PositiveIntegerField(_("removed again"), default=0)
    kept_count = models.PositiveIntegerField(_("kept"), default=0)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-created_at"]
        default_permissions = ()  # the permission to add subscribers counts
        permissions = [("confirm_importbatch", "Can import people as confirmed")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_running(self) -> bool:
        return self.job is not None and self.job.is_unfinished

    @property
    def added_count(self) -> int:
        return count(self.counts, ADDED)


def count(counts: dict[str, int], names: Iterable[str]) -> int:
    """Return the sum of some of the counts of an import."""
    return sum(counts.get(name, 0) for name in names)
