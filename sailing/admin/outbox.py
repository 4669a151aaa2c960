"""The outbox in Django admin: mails with their status and errors, and an action to send them again."""

from datetime import datetime
from typing import Any

import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401
import post_office.admin  # noqa: F401 - registers the models below, as the two above
from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from post_office.models import STATUS, Attachment, Email, EmailTemplate, Log

from sailing.admin.inlines import ReadOnlyInline
from sailing.admin.lists import StrictListMixin
from sailing.email.sender import wake_after_commit

# Attachments and stored templates are not used, and the pages of the second factor would show its secret.
for model in (Attachment, Email, EmailTemplate, Log, StaticDevice, TOTPDevice):
    admin.site.unregister(model)

SECRET_FIELDS = ("message", "html_message", "headers", "context")
# The library has no Czech translation.
STATUS_LABELS = {
    STATUS.sent: _("sent"),
    STATUS.failed: _("failed"),
    STATUS.queued: _("waiting"),
    STATUS.requeued: _("waiting to be tried again"),
}
BADGES = {STATUS.sent: "good", STATUS.failed: "bad", STATUS.queued: "waiting", STATUS.requeued: "waiting"}


class StatusFilter(admin.SimpleListFilter):
    title = _("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(status), label) for status, label in STATUS_LABELS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Email]) -> QuerySet[Email]:
        value = self.value() or ""
        return queryset.filter(status=value) if value.isdecimal() else queryset


class LogInline(ReadOnlyInline):
    """The failed attempts to send a mail."""

    model = Log
    fields = readonly_fields = ("at", "kind", "error")
    verbose_name_plural = _("failed tries")
    ordering = ("-date",)

    @admin.display(description=_("at"))
    def at(self, log: Log) -> str:
        return _format_time(log.date)

    @admin.display(description=_("kind of error"))
    def kind(self, log: Log) -> str:
        return str(log.exception_type)

    @admin.display(description=_("error"))
    def error(self, log: Log) -> str:
        return str(log.message)


@admin.register(Email)
class EmailAdmin(StrictListMixin):
    """Mails without their content, read-only.

    The links in a mail act for the owner of the mailbox. So neither the body nor the headers
    (List-Unsubscribe) are shown, not even to a superuser, and nobody can redirect a mail to another address.
    """

    change_form_template = "admin/change_form.html"  # the library's template has a send button
    list_display = ("recipients", "subject_line", "status_badge", "last_error", "retries", "created_at")
    list_filter = (StatusFilter,)
    search_fields = ("to",)
    search_help_text = _("Part of an address")
    ordering = ("-created",)
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions = ("requeue",)
    inlines = (LogInline,)
    fields = readonly_fields = (
        "recipients",
        "subject_line",
        "status_badge",
        "last_error",
        "retries",
        "created_at",
        "next_try_at",
        "message_id",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Email]:
        last = Log.objects.filter(email=OuterRef("pk"), status=STATUS.failed).order_by("-date", "-pk")
        emails = super().get_queryset(request).defer(*SECRET_FIELDS)
        annotated: QuerySet[Email] = emails.annotate(error=Subquery(last.values("message")[:1]))
        return annotated

    def lookup_allowed(  # type: ignore[override]
        self, lookup: str, value: str, request: HttpRequest
    ) -> bool:
        # Otherwise ?message__contains=... would reveal them letter by letter.
        return lookup.partition("__")[0] not in SECRET_FIELDS and super().lookup_allowed(
            lookup, value, request
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Email | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Email | None = None) -> bool:
        return False

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("post_office.change_email"))

    @admin.display(description=_("to"), ordering="to")
    def recipients(self, email: Email) -> str:
        return ", ".join(email.to)

    @admin.display(description=_("subject"), ordering="subject")
    def subject_line(self, email: Email) -> str:
        return str(email.subject)

    @admin.display(description=_("status"), ordering="status")
    def status_badge(self, email: Email) -> str:
        badge, label = BADGES[email.status], STATUS_LABELS[email.status]
        return format_html('<span class="badge badge-{}">{}</span>', badge, label)

    @admin.display(description=_("last error"))
    def last_error(self, email: Email) -> str:
        return email.error or ""

    @admin.display(description=_("retries"), ordering="number_of_retries")
    def retries(self, email: Email) -> int:
        return email.number_of_retries or 0

    @admin.display(description=_("created"), ordering="created")
    def created_at(self, email: Email) -> str:
        return _format_time(email.created)

    @admin.display(description=_("next try"))
    def next_try_at(self, email: Email) -> str:
        is_waiting = email.status in (STATUS.queued, STATUS.requeued)
        return _format_time(email.scheduled_time) if is_waiting and email.scheduled_time else "-"

    @admin.action(description=_("Send the selected mails again that failed or wait"), permissions=["requeue"])
    def requeue(self, request: HttpRequest, queryset: QuerySet[Email]) -> None:
        """Queue mails again, with all their retries. Sent mails are skipped: their bodies are deleted."""
        total = queryset.count()
        waiting = Email.objects.filter(pk__in=queryset.values("pk")).exclude(status=STATUS.sent)
        requeued = waiting.update(status=STATUS.queued, number_of_retries=None, scheduled_time=None)
        wake_after_commit()
        if requeued:
            message = ngettext(
                "%(count)d mail will be sent now.", "%(count)d mails will be sent now.", requeued
            )
            self.message_user(request, message % {"count": requeued}, messages.SUCCESS)
        if skipped := total - requeued:
            message = ngettext(
                "%(count)d mail was left alone: it has been sent.",
                "%(count)d mails were left alone: they have been sent.",
                skipped,
            )
            self.message_user(request, message % {"count": skipped}, messages.WARNING)


def _format_time(at: datetime) -> str:
    # Django admin formats the fields of a model, but not what methods return.
    return date_format(localtime(at), "DATETIME_FORMAT")
