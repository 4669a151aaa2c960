"""Background jobs with their files, and the heartbeats of the worker."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.database import Now


class JobState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("canceled")


UNFINISHED = (JobState.WAITING, JobState.RUNNING)
IS_UNFINISHED = models.Q(state__in=UNFINISHED)


class Job(models.Model):
    """Work in the background (`sailing.jobs.queue`). Unfinished jobs differ in `unique_key`."""

    kind = models.CharField(_("kind"), max_length=64)
    arguments = models.JSONField(default=dict)
    unique_key = models.CharField(max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=16, choices=JobState, default=JobState.WAITING)
    cursor = models.JSONField(null=True)  # where the next step begins
    finished_rows = models.PositiveBigIntegerField(_("finished rows"), default=0)
    total_rows = models.PositiveBigIntegerField(_("rows in all"), null=True)
    result = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0)
    error = models.CharField(_("error"), max_length=255, blank=True)
    next_attempt_at = models.DateTimeField(default=timezone.now)  # of a running one: when it is abandoned
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("started by"), related_name="+"
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    started_at = models.DateTimeField(_("started"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("background jobs")
        default_permissions = ("view", "change")
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=IS_UNFINISHED, name="job_unfinished"),
            # Not by kind first: SQLite would find the next job by it, and sort.
            models.Index(fields=["created_at", "kind"], name="job_created"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["unique_key"],
                condition=IS_UNFINISHED & ~models.Q(unique_key=""),
                name="job_unique_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {timezone.localtime(self.created_at):%Y-%m-%d %H:%M}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED


class JobFile(models.Model):
    """A file that a job reads or writes. `created_by`: who made it before its job, an upload for example."""

    job = models.ForeignKey(Job, models.CASCADE, null=True, related_name="files")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class JobFileChunk(models.Model):
    pk = models.CompositePrimaryKey("file_id", "number")
    file = models.ForeignKey(JobFile, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.file_id} {self.number}"


MAILS, JOBS = WORKER_PARTS = ("mails", "jobs")
BACKUP = "backup"  # at the end of each


class WorkerHeartbeat(models.Model):
    """When a part of the background work was last alive, in any process."""

    part = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.part} {self.at:%Y-%m-%d %H:%M:%S}"

    @classmethod
    def touch(cls, part: str) -> None:
        cls.objects.update_or_create(part=part, defaults={"at": Now()})
