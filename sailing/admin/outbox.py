"""The outbox in Django admin: which mails wait, which failed and why, and the button to try again."""

from datetime import datetime
from typing import Any

import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401
import post_office.admin  # noqa: F401 - all three register what is put right below
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

# The libraries register these at import. Templates are files here, and nothing attaches anything. An admin's
# second factor is their own affair, and its pages would show the secret.
for model in (Attachment, Email, EmailTemplate, Log, StaticDevice, TOTPDevice):
    admin.site.unregister(model)

SECRET = ("message", "html_message", "headers", "context")
# In our words: the library brings none in Czech.
STATUSES = {
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
        return [(str(status), label) for status, label in STATUSES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Email]) -> QuerySet[Email]:
        value = self.value() or ""
        return queryset.filter(status=value) if value.isdecimal() else queryset


class LogInline(ReadOnlyInline):
    """Every failed try of a mail."""

    model = Log
    fields = readonly_fields = ("at", "kind", "error")
    verbose_name_plural = _("failed tries")
    ordering = ("-date",)

    @admin.display(description=_("at"))
    def at(self, log: Log) -> str:
        return _moment(log.date)

    @admin.display(description=_("kind of error"))
    def kind(self, log: Log) -> str:
        return str(log.exception_type)

    @admin.display(description=_("error"))
    def error(self, log: Log) -> str:
        return str(log.message)


@admin.register(Email)
class EmailAdmin(StrictListMixin):
    """Mails as they stand, without what they say.

    The links in a mail confirm subscriptions and open accounts; who reads them can act for the owner
    of the mailbox. So neither the text nor the headers (List-Unsubscribe) are shown, not even to a
    superuser, and what is shown cannot be changed: a changed address would send a link astray.
    """

    change_form_template = "admin/change_form.html"  # the library's own has a button that sends at once
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
        emails = super().get_queryset(request).defer(*SECRET)
        shown: QuerySet[Email] = emails.annotate(error=Subquery(last.values("message")[:1]))
        return shown

    def lookup_allowed(  # type: ignore[override]
        self, lookup: str, value: str, request: HttpRequest
    ) -> bool:
        # Else ?message__contains=... in the list's address would give them away letter by letter.
        return lookup.partition("__")[0] not in SECRET and super().lookup_allowed(lookup, value, request)

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
        badge, label = BADGES[email.status], STATUSES[email.status]
        return format_html('<span class="badge badge-{}">{}</span>', badge, label)

    @admin.display(description=_("last error"))
    def last_error(self, email: Email) -> str:
        return email.error or ""

    @admin.display(description=_("retries"), ordering="number_of_retries")
    def retries(self, email: Email) -> int:
        return email.number_of_retries or 0

    @admin.display(description=_("created"), ordering="created")
    def created_at(self, email: Email) -> str:
        return _moment(email.created)

    @admin.display(description=_("next try"))
    def next_try_at(self, email: Email) -> str:
        waits = email.status in (STATUS.queued, STATUS.requeued) and email.scheduled_time
        return _moment(email.scheduled_time) if waits else "-"

    @admin.action(description=_("Send the selected mails again that failed or wait"), permissions=["requeue"])
    def requeue(self, request: HttpRequest, queryset: QuerySet[Email]) -> None:
        """Queue mails anew, with all their tries. A sent mail has forgotten its text, so it stays sent."""
        total = queryset.count()
        waiting = Email.objects.filter(pk__in=queryset.values("pk")).exclude(status=STATUS.sent)
        requeued = waiting.update(status=STATUS.queued, number_of_retries=None, scheduled_time=None)
        wake_after_commit()
        if requeued:
            message = ngettext(
                "%(count)d mail will be sent now.", "%(count)d mails will be sent now.", requeued
            )
            self.message_user(request, message % {"count": requeued}, messages.SUCCESS)
        if left := total - requeued:
            message = ngettext(
                "%(count)d mail was left alone: it has been sent.",
                "%(count)d mails were left alone: they have been sent.",
                left,
            )
            self.message_user(request, message % {"count": left}, messages.WARNING)


def _moment(at: datetime) -> str:
    # Django's admin formats what stands in a field of the model; what a method returns it takes as it is.
    return date_format(localtime(at), "DATETIME_FORMAT")
