"""The outbox in Django admin: mails with their state and last error, and an action to send them again."""

import re
from datetime import timedelta
from typing import Any

import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401 - both register the models below
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from sailing import history
from sailing.admin import bulk_actions
from sailing.admin.dashboard import OperationsListMixin
from sailing.admin.lists import ConditionFilter, PeriodFilter, render_badge
from sailing.admin.read_only import ReadOnlyMixin
from sailing.database import STATEMENT_TIMEOUT_MS
from sailing.jobs import claims
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.queue import CLAIM_LIFETIME
from sailing.mail.replies import is_address_refused
from sailing.mail.sender import wake_after_commit

# The pages of the second factor would show its secret.
for model in (StaticDevice, TOTPDevice):
    admin.site.unregister(model)

SECRET_FIELDS = ("text", "html", "headers")

STATES = {
    "sent": (_("sent"), Q(state=MailState.SENT)),
    "failed": (_("failed"), Q(state=MailState.FAILED)),
    "waiting": (_("waiting"), Q(state=MailState.WAITING, attempts=0)),
    "retried": (_("retrying"), Q(state=MailState.WAITING, attempts__gt=0)),
}
BADGES = {"sent": "good", "failed": "bad", "waiting": "waiting", "retried": "waiting"}


class StateFilter(ConditionFilter):
    title = _("state")
    parameter_name = "state"
    conditions = STATES


@admin.register(OutboxEmail)
class OutboxEmailAdmin(ReadOnlyMixin, OperationsListMixin):
    """Mails without their content, read-only.

    The links in a mail act for the owner of the mailbox. So neither the text nor the headers
    (List-Unsubscribe) are shown, not even to a superuser, and nobody can redirect a mail to another address.
    """

    list_display = ("recipient", "subject", "state_badge", "last_error", "attempts", "created_at")
    empty_value_display = ""
    list_filter = (StateFilter, "priority", ("sent_at", PeriodFilter))
    empty_text = _("No email is stored. What the site sends outside campaigns appears here.")
    search_fields = ("recipient",)
    search_help_text = _("Part of an address")
    ordering = ("-created_at",)
    actions = ("requeue",)
    readonly_fields = (
        "recipient",
        "recipient_link",
        "priority",
        "attempts",
        "created_at",
        "next_attempt_at",
        "sent_at",
        "message_id",
    )

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of the failed mails."""
        count = OutboxEmail.objects.filter(state=MailState.FAILED).count()
        if not count:
            return []
        text = ngettext("%(count)d email could not be sent.", "%(count)d emails could not be sent.", count)
        return [(text % {"count": count}, f"{reverse('admin:mail_outboxemail_changelist')}?state=failed")]

    def get_fields(self, request: HttpRequest, obj: OutboxEmail | None = None) -> list[Any]:
        """Leave out the times that say nothing in the state of a mail."""
        if obj is None:
            return []
        is_shown = {
            "next_attempt_at": obj.state == MailState.WAITING,
            "sent_at": obj.state == MailState.SENT,
            "recipient": not _may_open(request, obj),
            "recipient_link": _may_open(request, obj),
        }
        return [name for name in self.readonly_fields if is_shown.get(name, True)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboxEmail]:
        mails: QuerySet[OutboxEmail] = super().get_queryset(request).defer(*SECRET_FIELDS)
        return mails

    def lookup_allowed(  # type: ignore[override]
        self, lookup: str, value: str, request: HttpRequest
    ) -> bool:
        # Otherwise ?text__contains=... would reveal them letter by letter.
        return lookup.partition("__")[0] not in SECRET_FIELDS and super().lookup_allowed(
            lookup, value, request
        )

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("mail.change_outboxemail"))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, mail: OutboxEmail) -> str:
        is_retried = mail.state == MailState.WAITING and mail.attempts
        state = "retried" if is_retried else mail.state
        return render_badge(BADGES[state], STATES[state][0])

    @admin.display(description=_("to"))
    def recipient_link(self, mail: OutboxEmail) -> str:
        """Return the address with a link to the member or the subscriber that the mail is about."""
        opts = _get_subject_model(mail)._meta
        key = mail.subject_key.partition(" ")[2]
        url = reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[key])
        return format_html('<a href="{}">{}</a> ({})', url, mail.recipient, opts.verbose_name)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        mail = kwargs["obj"]
        context |= {
            "may_requeue": mail.state != MailState.SENT and self.has_requeue_permission(request),
            "title": mail.subject,
            "subtitle": None,
            "state_badge": self.state_badge(mail),
            "outcome": describe_outcome(mail),
            "is_refused": is_refused(mail),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.action(
        description=_("Resend the selected emails that failed or are waiting"), permissions=["requeue"]
    )
    def requeue(self, request: HttpRequest, queryset: QuerySet[OutboxEmail]) -> HttpResponse | None:
        """Make mails due again, with all their attempts. Several are asked about first.

        Sent mails are skipped, because their text is deleted. So are those that a sender may have claimed:
        they are on their way, or due within minutes.
        """
        total, now = queryset.count(), claims.now()
        if total > 1 and "until" not in request.POST:
            action: Any = self.requeue
            return bulk_actions.ask(action, self, request, count=total, is_job=False, until=now)
        # A sender may claim one until the update ends.
        last_claim_at = now + timedelta(milliseconds=STATEMENT_TIMEOUT_MS)
        is_soon_due = Q(next_attempt_at__gt=now, next_attempt_at__lte=last_claim_at + CLAIM_LIFETIME)
        claimed = is_soon_due & Q(state=MailState.WAITING)
        unsent = OutboxEmail.objects.filter(pk__in=queryset.values("pk")).exclude(state=MailState.SENT)
        requeued = unsent.exclude(claimed).update(
            state=MailState.WAITING, attempts=0, last_error="", next_attempt_at=now
        )
        wake_after_commit()
        if requeued:
            text = gettext_noop("Emails sent again: %(count)d.")
            history.record(request.user, OutboxEmail, self.opts.verbose_name_plural, text, count=requeued)
            message = ngettext(
                "%(count)d email will be sent now.", "%(count)d emails will be sent now.", requeued
            )
            self.message_user(request, message % {"count": requeued}, messages.SUCCESS)
        if skipped := total - requeued:
            message = ngettext(
                "%(count)d email was left alone: it has been sent or is on its way.",
                "%(count)d emails were left alone: they have been sent or are on their way.",
                skipped,
            )
            self.message_user(request, message % {"count": skipped}, messages.WARNING)
        if "from_page" in request.POST:
            key = request.POST[ACTION_CHECKBOX_NAME]
            return HttpResponseRedirect(reverse("admin:mail_outboxemail_change", args=[key]))
        return None


def is_refused(mail: OutboxEmail) -> bool:
    """Return whether the mail server refused a mail for good: its reply is the error."""
    return mail.state == MailState.FAILED and re.match(r"5\d\d ", mail.last_error) is not None


def describe_outcome(mail: OutboxEmail) -> str:
    """Return what became of a mail, and what another attempt would bring."""
    if mail.state == MailState.SENT:
        return gettext("The mail server has accepted the email.")
    if mail.state == MailState.WAITING:
        return gettext("Nothing to do: the site sends it by itself.")
    if not is_refused(mail):
        return gettext("The email was not sent. You can send it again once the reason is gone.")
    code, _space, text = mail.last_error.partition(" ")
    if is_address_refused(int(code), text):
        return gettext(
            "The mail server says that the address does not work. If you send the email again, it will"
            " probably come back again."
        )
    return gettext(
        "The mail server refused the email for good. If you send it again, it will probably be refused again."
    )


def _get_subject_model(mail: OutboxEmail) -> type[Model]:
    return apps.get_model(mail.subject_key.partition(" ")[0])


def _may_open(request: HttpRequest, mail: OutboxEmail) -> bool:
    """Return whether a mail is about a row that the admin may view."""
    if not mail.subject_key:
        return False
    return bool(admin.site.get_model_admin(_get_subject_model(mail)).has_view_permission(request))
