"""The outbox, the mailboxes, and the database that the site sends from."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SuppressionReason(models.TextChoices):
    ERASED = "erased", _("erased")
    COMPLAINED = "complained", _("complained")


class Mailbox(models.Model):
    """What is known of a mailbox. `sent_at`: POSIX times of a day. `changed_at`: of the budget, if any."""

    address_hash = models.CharField(max_length=64, unique=True)
    sent_at = models.JSONField(_("sent at"), default=list)
    unanswered = models.PositiveSmallIntegerField(_("emails without an answer"), default=0)
    is_blocked = models.BooleanField(_("blocked by “This was not me”"), default=False)
    changed_at = models.DateTimeField(_("changed"), null=True, db_index=True)
    suppression = models.CharField(
        _("do-not-contact list"), max_length=16, choices=SuppressionReason, blank=True
    )
    suppressed_at = models.DateTimeField(_("on the list since"), null=True)

    class Meta:
        verbose_name = verbose_name_plural = _("do-not-contact list")  # in the admin history
        default_permissions = ()

    def __str__(self) -> str:
        return self.address_hash[:12]


class MailPriority(models.IntegerChoices):
    URGENT = 0, _("Urgent")  # a member waits for it: a link to verify the address or to set a password
    NORMAL = 1, _("Normal")  # about one person, such as the confirmation of a newsletter subscription
    BULK = 2, _("Bulk")  # one of many alike, such as the requests to confirm after an import


class MailState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    FAILED = "failed", _("failed")


WAITING, FAILED = Q(state=MailState.WAITING), Q(state=MailState.FAILED)


class OutboxEmail(models.Model):
    """A mail to one recipient.

    `text`, `html`, `headers`: deleted when the mail is sent, because their links act for the owner.
    `is_reminder`: deleted if the owner answers or the mailbox is suppressed.
    `next_attempt_at`: when a waiting mail is due (at first `due_at`), a claim ends, or a failed mail failed.
    """

    LAST_ERROR_LENGTH = 500
    SUBJECT_LENGTH = 255

    recipient = models.EmailField(_("to"))
    subject = models.CharField(_("subject"), max_length=SUBJECT_LENGTH)
    text = models.TextField()
    html = models.TextField()
    headers = models.JSONField(default=dict)
    subject_key = models.CharField(max_length=100, blank=True)
    is_reminder = models.BooleanField(default=False, db_default=False)
    message_id = models.CharField("Message-ID", max_length=255)
    priority = models.PositiveSmallIntegerField(
        _("priority"), choices=MailPriority, default=MailPriority.NORMAL
    )
    state = models.CharField(_("state"), max_length=8, choices=MailState, default=MailState.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt"), default=timezone.now)
    last_error = models.CharField(_("last error"), max_length=LAST_ERROR_LENGTH, blank=True)
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    sent_at = models.DateTimeField(_("sent at"), null=True)

    class Meta:
        verbose_name = _("email")
        verbose_name_plural = _("outbox")
        default_permissions = ("view", "change")
        indexes = [
            models.Index(
                fields=["priority", "next_attempt_at", "id"], condition=WAITING, name="outbox_waiting"
            ),
            models.Index(fields=["due_at"], condition=FAILED, name="outbox_failed"),
            models.Index(fields=["-due_at"], name="outbox_due_at"),
            models.Index(fields=["subject_key"], name="outbox_subject_key"),
        ]

    def __str__(self) -> str:
        return self.subject

    def build_message(self) -> EmailMultiAlternatives:
        headers = {**self.headers, "Message-ID": self.message_id}
        message = EmailMultiAlternatives(
            self.subject, self.text, settings.DEFAULT_FROM_EMAIL, [self.recipient], headers=headers
        )
        message.attach_alternative(self.html, "text/html")
        return message


class Installation(models.Model):
    """What tells this database from its copies, in one row. `salt`: of the hashes of mailboxes."""

    identity = models.CharField(max_length=500, blank=True)
    salt = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.identity
