"""Tables that belong to no single app."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class RateCounter(models.Model):
    """The hits of one rate limit in one sub-window of time (`sailing.ratelimit`).

    `key` is a digest of the limit and the client. A row counts until `expires_at`, one period after its last
    hit, and is then purged.
    """

    KEY_LENGTH = 32

    pk = models.CompositePrimaryKey("key", "sub_window")
    key = models.CharField(max_length=KEY_LENGTH)
    sub_window = models.BigIntegerField()
    hits = models.BigIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key} {self.sub_window}: {self.hits}"


class MailboxBudget(models.Model):
    """The budget of mails that anybody can cause to one mailbox (`sailing.email.mailbox_budget`).

    `mailbox`: a keyed hash of the address. `sent_at`: POSIX times of the last mails, at most one day's.
    `unanswered`: mails since the owner last answered one. `is_blocked`: the owner reported a mail that
    somebody else had caused.
    """

    mailbox = models.CharField(max_length=64, unique=True)
    sent_at = models.JSONField(default=list)
    unanswered = models.PositiveSmallIntegerField(default=0)
    is_blocked = models.BooleanField(default=False)
    changed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.unanswered} unanswered since {timezone.localtime(self.changed_at):%Y-%m-%d %H:%M}"


class MailPriority(models.IntegerChoices):
    """The order of mails: a lower number is sent first."""

    URGENT = 0, _("urgent")
    """A member waits for it: a link to verify the address or to set a password."""
    NORMAL = 1, _("normal")
    """Other mails about one person, such as the confirmation of a newsletter subscription."""
    BULK = 2, _("bulk")
    """One of many alike: a newsletter."""


class MailState(models.TextChoices):
    """The state of a mail in the outbox."""

    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    FAILED = "failed", _("failed")


class OutboxEmail(models.Model):
    """A mail to one recipient, from the transaction that causes it until its retention is over.

    `text`, `html`, `headers`: deleted when the mail is sent, because their links act for the owner.
    `subject_key`: the row that the mail is about (`sailing.email.outbox.subject_key`), blank for none.
    `attempts`: how often the mail server took or refused it. `last_error`: without addresses and links.
    `next_attempt_at`: when a waiting mail is due, and when a failed one failed. A sender that claims a mail
    moves it into the future.
    """

    LAST_ERROR_LENGTH = 500

    recipient = models.EmailField(_("to"))
    subject = models.CharField(_("subject"), max_length=255)
    text = models.TextField()
    html = models.TextField()
    headers = models.JSONField(default=dict)
    subject_key = models.CharField(max_length=100, blank=True)
    message_id = models.CharField("Message-ID", max_length=255)
    priority = models.PositiveSmallIntegerField(
        _("priority"), choices=MailPriority, default=MailPriority.NORMAL
    )
    state = models.CharField(_("status"), max_length=8, choices=MailState, default=MailState.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt"), default=timezone.now)
    last_error = models.CharField(_("last error"), max_length=LAST_ERROR_LENGTH, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    sent_at = models.DateTimeField(_("sent at"), null=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("outbox")
        default_permissions = ("view", "change")
        indexes = [
            # What a sender looks for. It holds no sent mail, so it stays small.
            models.Index(
                fields=["priority", "next_attempt_at", "id"],
                condition=Q(state=MailState.WAITING),
                name="outbox_waiting",
            ),
            models.Index(fields=["created_at"], condition=Q(state=MailState.FAILED), name="outbox_failed"),
            models.Index(fields=["-created_at"], name="outbox_created_at"),
            models.Index(fields=["subject_key"], name="outbox_subject_key"),
        ]

    def __str__(self) -> str:
        return f"{self.recipient}: {self.subject}"


class JobState(models.TextChoices):
    """The state of a job. A draft waits for an admin to start it."""

    DRAFT = "draft", _("not started")
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("canceled")


UNFINISHED = (JobState.WAITING, JobState.RUNNING)


class Job(models.Model):
    """Work in the background (`sailing.jobs`), and the record of it.

    `cursor` says where the next step begins; None at the start. `next_attempt_at` is when a waiting job may
    start, and when a running job counts as abandoned by its worker. Unfinished jobs differ in `unique_key`,
    unless it is blank.
    """

    kind = models.CharField(_("kind"), max_length=64)
    arguments = models.JSONField(default=dict)
    unique_key = models.CharField(max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=16, choices=JobState, default=JobState.WAITING)
    cursor = models.JSONField(null=True)
    finished_rows = models.PositiveBigIntegerField(_("finished rows"), default=0)
    total_rows = models.PositiveBigIntegerField(_("rows in all"), null=True)
    result = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0)
    error = models.CharField(_("error"), max_length=255, blank=True)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("started by"), related_name="+"
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    started_at = models.DateTimeField(_("started"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        default_permissions = ("view", "change")
        indexes = [
            models.Index(
                fields=["kind", "next_attempt_at"],
                condition=models.Q(state__in=UNFINISHED),
                name="job_unfinished",
            ),
            models.Index(fields=["kind", "created_at"], name="job_kind_created"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["unique_key"],
                condition=models.Q(state__in=UNFINISHED) & ~models.Q(unique_key=""),
                name="job_unique_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {timezone.localtime(self.created_at):%Y-%m-%d %H:%M}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED


class JobFile(models.Model):
    """A file that a job reads or writes. It is in the database because every machine can read it there."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="files")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class JobFileChunk(models.Model):
    """One part of a file, at most `sailing.jobs.files.CHUNK_BYTES` long."""

    pk = models.CompositePrimaryKey("file_id", "number")
    file = models.ForeignKey(JobFile, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.file_id} {self.number}"


class SuppressionReason(models.TextChoices):
    """Why an address is on the suppression list."""

    ERASED = "erased", _("erased")
    COMPLAINED = "complained", _("complained")


class SuppressedAddress(models.Model):
    """An address that no import may add again (`sailing.email.suppression`), as a salted hash."""

    address_hash = models.CharField(max_length=64, unique=True)
    reason = models.CharField(max_length=16, choices=SuppressionReason)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("do-not-contact list")
        verbose_name_plural = _("do-not-contact list")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.reason} {timezone.localtime(self.created_at):%Y-%m-%d %H:%M}"


class SuppressionSalt(models.Model):
    """The salt of the suppression list, in a single row.

    It is stored beside the list, and not derived from SECRET_KEY: a new key must not empty the list.
    """

    value = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return "salt of the suppression list"


class Installation(models.Model):
    """The one database that the site sends mails from (`sailing.installation`), as row 1.

    `identity`: what no copy of the database has. `site_url`: the SITE_URL with which it was last used.
    """

    identity = models.CharField(max_length=500)
    site_url = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.site_url


class WorkerHeartbeat(models.Model):
    """When a part of the background worker last worked, in any process (`sailing.heartbeats`)."""

    part = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.part} {self.at:%Y-%m-%d %H:%M:%S}"
