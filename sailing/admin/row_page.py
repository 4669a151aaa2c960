"""The page of one row in Django admin: its state, buttons for its actions, and one history."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sailing.admin.bulk_actions import ActionContext, RowAction
from sailing.admin.pages import PagesMixin
from sailing.history import describe_entry, find_changes
from sailing.mail import outbox
from sailing.mail.models import MailState, OutboxEmail

SHOWN_ENTRIES = 100

MAIL_TONES = {MailState.SENT: "good", MailState.WAITING: "waiting", MailState.FAILED: "bad"}


@dataclass(frozen=True)
class Entry:
    """Something that happened. `tone`: the color of its dot, as of a badge. `url`: the page about it."""

    at: datetime
    text: str
    details: tuple[str, ...] = ()
    tone: str = "off"
    url: str = ""


def get_newest(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:SHOWN_ENTRIES]


def list_mails(request: HttpRequest, row: Model) -> Iterator[Entry]:
    """Yield the mails about a row of the last weeks, if the admin may see the outbox."""
    user: Any = request.user
    if not user.has_perm("mail.view_outboxemail"):
        return
    mails = OutboxEmail.objects.filter(subject_key=outbox.subject_key(type(row), row.pk))
    newest = mails.order_by(Coalesce("sent_at", "due_at").desc())[:SHOWN_ENTRIES]
    for mail in newest.only("subject", "state", "due_at", "sent_at", "last_error"):
        state = MailState(mail.state)
        details = (str(state.label), *([mail.last_error] if mail.last_error else []))
        text = _("Email “%(subject)s”") % {"subject": mail.subject}
        url = reverse("admin:mail_outboxemail_change", args=[mail.pk])
        yield Entry(mail.sent_at or mail.due_at, text, details, MAIL_TONES[state], url)


def list_changes(row: Model, **filters: Any) -> Iterator[Entry]:
    """Yield the admin history of a row."""
    for entry in find_changes(row).filter(**filters)[:SHOWN_ENTRIES]:
        yield Entry(entry.action_time, describe_entry(entry), (str(entry.user),))


class RowPageMixin(PagesMixin):
    """A ModelAdmin whose rows have a page with buttons. Its template extends `admin/row_page.html`.

    `buttons`: actions, their labels (or functions of the row that return them), and the state of the row that
    each needs. The services check it again. `primary_action`: the one whose button has the full color.
    `rare_actions`: those whose buttons the template puts into a menu.
    """

    primary_action: RowAction | None = None
    rare_actions: tuple[RowAction, ...] = ()
    buttons: tuple[tuple[RowAction, Any, Callable[[Any], bool]], ...] = ()

    def get_page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return `title`, `state_badges`, `state_text` and `entries`."""
        raise NotImplementedError

    def get_urls(self) -> list[Any]:
        return [
            self.route(
                f"<path:object_id>/{action.__name__}/",
                require_POST(partial(self.act_view, action=action)),
                action.__name__,
            )
            for action, _label, _is_offered in self.buttons
        ] + super().get_urls()

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Let the page send what it showed, because only what the admin has changed is stored.

        The owner may have changed the row since the page was opened.
        """
        return super().formfield_for_dbfield(db_field, request, show_hidden_initial=True, **kwargs)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj = kwargs["obj"]
        # Read again: a form with errors has put its values into `obj`.
        if obj and (row := self.get_object(request, str(obj.pk))):
            context |= {
                "subtitle": None,
                "buttons": self._list_buttons(request, row),
                # The page has one button to save, and its own to erase.
                "show_save_and_continue": False,
                "show_save_and_add_another": False,
                "show_delete": False,
                **self.get_page_context(request, row),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def act_view(self, request: HttpRequest, object_id: str, *, action: RowAction) -> HttpResponseBase:
        """Carry out an action on one row."""
        row = self.get_row(request, object_id)
        if not self._is_allowed(request, action, row):
            raise PermissionDenied
        changed, reasons = action.apply([row], ActionContext(request.user))
        if changed:
            messages.success(request, str(action.log_entry))
        for reason in reasons:
            messages.warning(request, _("Nothing was changed: %(reason)s.") % {"reason": _(reason)})
        return self.redirect("change", row.pk)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the page of the row, which has its history."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self.redirect("change", self.get_row(request, object_id).pk)

    def get_row(self, request: HttpRequest, object_id: str) -> Any:
        """Return a row that the admin may find in the list. Raises Http404."""
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        return row

    def _list_buttons(self, request: HttpRequest, row: Model) -> list[dict[str, Any]]:
        return [
            {
                "label": label(row) if callable(label) else label,
                "url": self.get_url(action.__name__, row.pk),
                "is_primary": action is self.primary_action,
                "is_rare": action in self.rare_actions,
            }
            for action, label, is_offered in self.buttons
            if self._is_allowed(request, action, row) and is_offered(row)
        ]

    def _is_allowed(self, request: HttpRequest, action: RowAction, row: Model) -> bool:
        return bool(getattr(self, f"has_{action.permission}_permission")(request, row))
