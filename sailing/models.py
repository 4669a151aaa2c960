"""What the project itself keeps."""

from django.db import models


class Failure(models.Model):
    """A place in the code where something went wrong, and how often it did.

    Nothing tells what it went wrong with, or for whom: an error's own text quotes the values that it
    is about. The request's id leads to the lines of the log.
    """

    event = models.CharField(max_length=100)
    kind = models.CharField(max_length=100, blank=True)
    place = models.CharField(max_length=200)
    request_id = models.CharField(max_length=64, blank=True)
    times = models.PositiveBigIntegerField(default=0)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "kind", "place"], name="failure_unique")]

    def __str__(self) -> str:
        return f"{self.kind or self.event} in {self.place}"


class RateCounter(models.Model):
    """How often one thing was done in one sub-window of time (`sailing.ratelimit`).

    `key` is a digest of what is counted and for whom. A row counts until `expires_at`, which is one
    period after its last hit, and is purged then.
    """

    KEY_LENGTH = 32

    pk = models.CompositePrimaryKey("key", "sub_window")
    key = models.CharField(max_length=KEY_LENGTH)
    sub_window = models.BigIntegerField()
    hits = models.BigIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key} {self.sub_window}: {self.hits}"


class RetentionRun(models.Model):
    """When `sailing.privacy.retention` last began to delete expired data; there is one row."""

    started_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


class MailboxBudget(models.Model):
    """The mails to one mailbox that its owner did not ask for (`sailing.email.mailbox_budget`).

    `mailbox`: a keyed hash, no address. `sent_at`: POSIX times of the last mails, at most a day's.
    `unanswered`: mails since the owner last answered one. `is_blocked`: the owner said that a mail was
    caused by somebody else.
    """

    mailbox = models.CharField(max_length=64, unique=True)
    sent_at = models.JSONField(default=list)
    unanswered = models.PositiveSmallIntegerField(default=0)
    is_blocked = models.BooleanField(default=False)
    changed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.unanswered} unanswered since {self.changed_at:%Y-%m-%d %H:%M}"
