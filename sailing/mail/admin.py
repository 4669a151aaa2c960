"""The outbox in Django admin."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from sailing.admin.bulk_actions import ActionContext, Text, row_action
from sailing.admin.lists import render_badge
from sailing.admin.pages import MAIL_TONES, ReadOnlyMixin, RowPageMixin
from sailing.database import STATEMENT_TIMEOUT_MS, Now
from sailing.mail.models import FAILED, WAITING, MailState, OutboxEmail
from sailing.mail.outbox import CLAIM_LIFETIME, wake_after_commit


@row_action(
    _("Send again"),
    log_entry=_("Sent again."),
    permission="requeue",
    is_offered=lambda mail: mail.state == MailState.FAILED or (mail.attempts > 0 and not mail.sent_at),
)
def requeue(context: ActionContext, mail: OutboxEmail) -> Text | None:
    """Make a failed or retried mail due again, with all its attempts, unless a sender may have claimed it."""
    soon = Now() + CLAIM_LIFETIME + timedelta(milliseconds=STATEMENT_TIMEOUT_MS)
    retried = WAITING & Q(attempts__gt=0, next_attempt_at__gt=soon)
    mails = OutboxEmail.objects.filter(FAILED | retried, pk=mail.pk)
    values = {"state": MailState.WAITING, "attempts": 0, "last_error": ""}
    if not mails.update(**values, next_attempt_at=Now()):
        return _("sent already, or sent soon")
    wake_after_commit()
    return None


@admin.register(OutboxEmail)
class OutboxEmailAdmin(ReadOnlyMixin, RowPageMixin):
    """Mails, read-only and without their text and headers, whose links act for the owner of the mailbox."""

    list_display = ("recipient", "subject", "state_badge", "last_error", "attempts", "due_at")
    number_columns = ("attempts",)
    empty_value_display = ""
    list_filter = ("state", "priority", "due_at")
    empty_text = _("No email is stored. What the site sends outside campaigns appears here.")
    search_fields = ("recipient",)
    search_help_text = _("Address")
    ordering = ("-due_at",)
    actions = (requeue,)
    fields = ("recipient", "priority", "attempts", "due_at", "sent_at", "message_id")

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        count = OutboxEmail.objects.filter(FAILED).count()
        text = ngettext("%(count)d email could not be sent.", "%(count)d emails could not be sent.", count)
        return (
            [(text % {"count": count}, f"{self.get_url('changelist')}?state__exact=failed")] if count else []
        )

    def get_page_context(self, request: HttpRequest, row: OutboxEmail) -> dict[str, Any]:
        return {"title": row.subject, "state_badges": [self.state_badge(row)], "state_text": row.last_error}

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:  # type: ignore[override]
        # Otherwise ?text__contains=... would reveal them letter by letter.
        is_secret = lookup.partition("__")[0] in ("text", "html", "headers")
        return not is_secret and super().lookup_allowed(lookup, value, request)

    def has_requeue_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("mail.change_outboxemail")

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, mail: OutboxEmail) -> str:
        state = MailState(mail.state)
        return render_badge(MAIL_TONES[state], state.label)
