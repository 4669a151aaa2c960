"""The outbox in Django admin: mails with their state and last error, and an action to send them again."""

from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from sailing import history
from sailing.admin import bulk_actions
from sailing.admin.dashboard import OperationsListMixin
from sailing.admin.lists import ConditionFilter, PeriodFilter, render_badge
from sailing.admin.read_only import ReadOnlyMixin
from sailing.database import STATEMENT_TIMEOUT_MS, Now
from sailing.mail.installation import NOT_SENT
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.queue import CLAIM_LIFETIME
from sailing.mail.sender import wake_after_commit

SECRET_FIELDS = ("text", "html", "headers")

STATES = {
    "sent": (_("sent"), Q(state=MailState.SENT)),
    "failed": (_("failed"), Q(state=MailState.FAILED)),
    "waiting": (_("waiting"), Q(state=MailState.WAITING, attempts=0)),
    "retried": (_("retrying"), Q(state=MailState.WAITING, attempts__gt=0)),
}
BADGES = {"sent": "good", "failed": "bad", "waiting": "waiting", "retried": "waiting"}

REFUSED = "5"
FAILURES = {
    NOT_SENT: _("It waited when the database was restored or copied. Send it again if it is still needed."),
    "MAIL_ONLY_TO": _("The setting MAIL_ONLY_TO does not name the recipient. Change it, then send it again."),
    REFUSED: _("The mail server refused the email for good, and would probably do so again."),
    "": _("The email was not sent. You can send it again once the reason is gone."),
}
"""What to say about a failed mail, by the start of its error."""


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

    list_display = ("recipient", "subject", "state_badge", "reason", "attempts", "due_at")
    empty_value_display = ""
    list_filter = (StateFilter, "priority", ("sent_at", PeriodFilter))
    empty_text = _("No email is stored. What the site sends outside campaigns appears here.")
    search_fields = ("recipient",)
    search_help_text = _("Part of an address")
    ordering = ("-due_at",)
    actions = ("requeue",)

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of the failed mails."""
        count = OutboxEmail.objects.filter(state=MailState.FAILED).count()
        text = ngettext("%(count)d email could not be sent.", "%(count)d emails could not be sent.", count)
        return [(text % {"count": count}, f"{self.get_url('changelist')}?state=failed")] if count else []

    def get_fields(self, request: HttpRequest, obj: OutboxEmail | None = None) -> list[Any]:
        """Leave out the times that say nothing in the state of a mail."""
        times = {MailState.WAITING: ["next_attempt_at"], MailState.SENT: ["sent_at"]}
        state_times = times.get(MailState(obj.state), []) if obj else []
        return ["recipient", "priority", "attempts", "due_at", *state_times, "message_id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboxEmail]:
        mails: QuerySet[OutboxEmail] = super().get_queryset(request).defer(*SECRET_FIELDS)
        return mails

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:  # type: ignore[override]
        # Otherwise ?text__contains=... would reveal them letter by letter.
        is_secret = lookup.partition("__")[0] in SECRET_FIELDS
        return not is_secret and super().lookup_allowed(lookup, value, request)

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("mail.change_outboxemail"))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, mail: OutboxEmail) -> str:
        state = "retried" if _is_retried(mail) else mail.state
        return render_badge(BADGES[state], STATES[state][0])

    @admin.display(description=_("last error"))
    def reason(self, mail: OutboxEmail) -> str:
        return gettext(mail.last_error) if mail.last_error else ""  # the catalogues have those of the site

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        mail = kwargs["obj"]
        has_failed = mail.state == MailState.FAILED
        context |= {
            "may_requeue": (has_failed or _is_retried(mail)) and self.has_requeue_permission(request),
            "is_worth_sending": has_failed and not mail.last_error.startswith(REFUSED),
            "title": mail.subject,
            "subtitle": None,
            "state_badge": self.state_badge(mail),
            "reason": self.reason(mail),
            "outcome": describe_outcome(mail),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.action(
        description=_("Resend the selected emails that failed or are retried"), permissions=["requeue"]
    )
    def requeue(self, request: HttpRequest, queryset: QuerySet[OutboxEmail]) -> HttpResponse | None:
        """Make failed and retried mails due again, with all their attempts. Several are asked about first.

        The others go at their own time; so do those that a sender may have claimed before the update ends.
        """
        total = queryset.count()
        if total > 1 and "until" not in request.POST:
            action: Any = self.requeue
            return bulk_actions.ask(action, self, request, count=total, is_job=False, until=timezone.now())
        soon = CLAIM_LIFETIME + timedelta(milliseconds=STATEMENT_TIMEOUT_MS)
        retried = Q(state=MailState.WAITING, attempts__gt=0, next_attempt_at__gt=Now() + soon)
        requeued = queryset.filter(Q(state=MailState.FAILED) | retried).update(
            state=MailState.WAITING, attempts=0, last_error="", next_attempt_at=Now()
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
                "%(count)d email was left alone: it has been sent or goes out by itself.",
                "%(count)d emails were left alone: they have been sent or go out by themselves.",
                skipped,
            )
            self.message_user(request, message % {"count": skipped}, messages.WARNING)
        key = request.POST.get("from_page")
        return self.redirect("change", key) if key else None


def describe_outcome(mail: OutboxEmail) -> Any:
    """Return what became of a mail, and what an admin can do."""
    if mail.state == MailState.SENT:
        return _("The mail server has accepted the email.")
    if mail.state == MailState.WAITING:
        return _("Nothing to do: the site sends it by itself when it is due.")
    return next(text for start, text in FAILURES.items() if mail.last_error.startswith(start))


def _is_retried(mail: OutboxEmail) -> bool:
    return mail.state == MailState.WAITING and mail.attempts > 0
