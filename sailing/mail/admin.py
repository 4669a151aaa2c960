"""The outbox in Django admin: mails with their state and last error, and an action to send them again."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

from sailing import history
from sailing.admin import bulk_actions
from sailing.admin.lists import ConditionFilter, PeriodFilter, render_badge
from sailing.admin.read_only import ReadOnlyMixin
from sailing.admin.system import SystemListMixin
from sailing.database import STATEMENT_TIMEOUT_MS, Now
from sailing.mail.installation import NOT_SENT
from sailing.mail.models import FAILED, WAITING, MailState, OutboxEmail
from sailing.mail.queue import CLAIM_LIFETIME
from sailing.mail.sender import wake_after_commit

RETRIED = WAITING & Q(attempts__gt=0)
STATES = {
    "sent": (_("sent"), Q(state=MailState.SENT)),
    "failed": (_("failed"), FAILED),
    "waiting": (_("waiting"), WAITING & Q(attempts=0)),
    "retried": (_("retrying"), RETRIED),
}
BADGES = {"sent": "good", "failed": "bad", "waiting": "waiting", "retried": "waiting"}
REFUSED = "5"
OUTCOMES = {
    "sent": _("The mail server has accepted the email."),
    "waiting": _("Nothing to do: the site sends it by itself when it is due."),
    NOT_SENT: _("It waited when the database was restored or copied. Send it again if it is still needed."),
    "MAIL_ONLY_TO": _("The setting MAIL_ONLY_TO does not name the recipient. Change it, then send it again."),
    REFUSED: _("The mail server refused the email for good, and would probably do so again."),
    "": _("The email was not sent. You can send it again once the reason is gone."),
}
"""What became of a mail, by its state; if it has failed, by the start of its error."""


class StateFilter(ConditionFilter):
    title = _("state")
    parameter_name = "state"
    conditions = STATES


@admin.register(OutboxEmail)
class OutboxEmailAdmin(ReadOnlyMixin, SystemListMixin):
    """Mails, read-only and without their text and headers, even for a superuser.

    Their links act for the owner of the mailbox. So nobody can redirect a mail to another address either.
    """

    list_display = ("recipient", "subject", "state_badge", "last_error", "attempts", "due_at")
    number_columns = ("attempts",)
    empty_value_display = ""
    list_filter = (StateFilter, "priority", ("sent_at", PeriodFilter))
    empty_text = _("No email is stored. What the site sends outside campaigns appears here.")
    search_fields = ("recipient",)
    search_help_text = _("Part of an address")
    ordering = ("-due_at",)
    actions = ("requeue",)

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of the failed mails."""
        count = OutboxEmail.objects.filter(FAILED).count()
        text = ngettext("%(count)d email could not be sent.", "%(count)d emails could not be sent.", count)
        return [(text % {"count": count}, f"{self.get_url('changelist')}?state=failed")] if count else []

    def get_fields(self, request: HttpRequest, obj: OutboxEmail | None = None) -> list[Any]:
        """Leave out the times that say nothing in the state of a mail."""
        times = {"waiting": ["next_attempt_at"], "sent": ["sent_at"]}.get(obj.state if obj else "", [])
        return ["recipient", "priority", "attempts", "due_at", *times, "message_id"]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:  # type: ignore[override]
        # Otherwise ?text__contains=... would reveal them letter by letter.
        is_secret = lookup.partition("__")[0] in ("text", "html", "headers")
        return not is_secret and super().lookup_allowed(lookup, value, request)

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("mail.change_outboxemail"))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, mail: OutboxEmail) -> str:
        state = "retried" if mail.state == MailState.WAITING and mail.attempts else mail.state
        return render_badge(BADGES[state], STATES[state][0])

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        mail = kwargs["obj"]
        result = mail.last_error if mail.state == MailState.FAILED else mail.state
        may_requeue = _select_requeueable(OutboxEmail.objects.filter(pk=mail.pk)).exists()
        context |= {
            "title": mail.subject,
            "subtitle": None,
            "state_badge": self.state_badge(mail),
            "outcome": next(text for start, text in OUTCOMES.items() if result.startswith(start)),
            "may_requeue": may_requeue and self.has_requeue_permission(request),
            "person_url": _get_person_url(mail),
            "is_worth_sending": mail.state == MailState.FAILED and not result.startswith(REFUSED),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.action(
        description=_("Resend the selected emails that failed or are retried"), permissions=["requeue"]
    )
    def requeue(self, request: HttpRequest, queryset: QuerySet[OutboxEmail]) -> HttpResponse | None:
        """Make failed and retried mails due again, with all their attempts. Several are asked about first.

        The others go at their own time.
        """
        total = queryset.count()
        if total > 1 and "confirmed" not in request.POST:
            return bulk_actions.ask(self.requeue, self, request, count=total)
        requeued = _select_requeueable(queryset).update(
            state=MailState.WAITING, attempts=0, last_error="", next_attempt_at=Now()
        )
        wake_after_commit()
        if requeued:
            text = gettext_noop("Emails sent again: %(count)d.")
            history.record(request.user, OutboxEmail, self.opts.verbose_name_plural, text, count=requeued)
        sent = ngettext("%(count)d email will be sent now.", "%(count)d emails will be sent now.", requeued)
        self.message_user(request, sent % {"count": requeued})
        key = request.POST.get("from_page")
        return self.redirect("change", key) if key else None


def _get_person_url(mail: OutboxEmail) -> str:
    """Return the page of the person or the subscription that a mail is about; blank without one."""
    label, _space, key = mail.subject_key.partition(" ")
    try:
        return reverse(f"admin:{label.replace('.', '_')}_change", args=[key])
    except NoReverseMatch:
        return ""


def _select_requeueable(mails: QuerySet[OutboxEmail]) -> QuerySet[OutboxEmail]:
    """Return the failed and the retried mails, but for those that a sender may have claimed."""
    soon = CLAIM_LIFETIME + timedelta(milliseconds=STATEMENT_TIMEOUT_MS)
    return mails.filter(FAILED | RETRIED & Q(next_attempt_at__gt=Now() + soon))
