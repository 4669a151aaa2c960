"""Tables that belong to no single app."""

from django.db import models


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


class RetentionRun(models.Model):
    """The start of the last run of `sailing.retention`, in a single row."""

    started_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


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
        return f"{self.unanswered} unanswered since {self.changed_at:%Y-%m-%d %H:%M}"
