"""The base of every ModelAdmin, the page of one row with buttons and its history, and the whole history."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from sailing.admin.bulk_actions import RowAction
from sailing.admin.lists import KeyPaginator
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
        text = gettext("Email “%(subject)s”") % {"subject": mail.subject}
        url = reverse("admin:mail_outboxemail_change", args=[mail.pk])
        yield Entry(mail.sent_at or mail.due_at, text, details, MAIL_TONES[state], url)


def list_changes(row: Model, **filters: Any) -> Iterator[Entry]:
    for entry in find_changes(row).filter(**filters)[:SHOWN_ENTRIES]:
        yield Entry(entry.action_time, describe_entry(entry), (str(entry.user),))


class SailingModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin in our look, with a part of the home page. `title_column`: of a row on a phone."""

    paginator = KeyPaginator
    show_full_result_count = False
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    add_label: Any = _("Add")
    intro: Any = ""
    empty_text: Any = _("Nothing is here yet.")
    home_template = ""
    number_columns: Sequence[str] = ()
    hidden_columns: Sequence[str] = ()
    title_column = ""

    @property
    def list_name(self) -> Any:
        return capfirst(str(self.opts.verbose_name_plural))

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        return {}

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return what the home page says to need attention, with the addresses of pages about it."""
        return []

    def list_history(self, request: HttpRequest, row: Any) -> list[Entry]:
        return list(list_changes(row))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        return super().history_view(request, object_id, {"entries": row and self.list_history(request, row)})

    def route(self, pattern: str, view: Any, name: str) -> Any:
        return path(pattern, self.admin_site.admin_view(view), name=self._get_route_name(name))

    def get_url(self, name: str, *arguments: Any) -> str:
        return reverse(f"admin:{self._get_route_name(name)}", args=arguments)

    def redirect(self, name: str, *arguments: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(self.get_url(name, *arguments))

    def show_page(self, request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
        common = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**common, **context})

    def _get_route_name(self, name: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"


class ReadOnlyMixin:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class RowPageMixin(SailingModelAdmin):
    """A ModelAdmin whose rows have a page with buttons."""

    change_form_template = "admin/row_page.html"
    actions: Sequence[RowAction] = ()

    def get_page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return `title`, `state_badges`, `state_text`, and maybe `links`, shown as buttons."""
        raise NotImplementedError

    def get_urls(self) -> list[Any]:
        views = {each.__name__: require_POST(partial(self.action_view, action=each)) for each in self.actions}
        own = [self.route(f"<path:object_id>/{name}/", view, name) for name, view in views.items()]
        return own + super().get_urls()

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        # The page sends what it showed: what the owner has changed since then is no change of the admin.
        return super().formfield_for_dbfield(db_field, request, show_hidden_initial=True, **kwargs)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        # Read again: a form with errors has put its values into `obj`.
        if kwargs["obj"] and (row := self.get_object(request, str(kwargs["obj"].pk))):
            offered = [
                each for each in self.actions if self._is_allowed(request, each, row) and each.is_offered(row)
            ]
            buttons = [(action, self.get_url(action.__name__, row.pk)) for action in offered]
            context |= {
                "subtitle": None,
                "buttons": [button for button in buttons if not button[0].is_rare],
                "rare_buttons": [button for button in buttons if button[0].is_rare],
                # The page has one button to save, and its own to erase.
                "show_save_and_continue": False,
                "show_save_and_add_another": False,
                "show_delete": False,
                "entries": self.list_history(request, row),
                **self.get_page_context(request, row),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def action_view(self, request: HttpRequest, object_id: str, *, action: RowAction) -> HttpResponse:
        row = self.get_row(request, object_id)
        if not self._is_allowed(request, action, row):
            raise PermissionDenied
        action.apply(request, row)
        return self.redirect("change", row.pk)

    def get_row(self, request: HttpRequest, object_id: str) -> Any:
        """Return a row that the admin may find in the list. Raises Http404."""
        if row := self.get_object(request, unquote(object_id)):
            return row
        raise Http404

    def _is_allowed(self, request: HttpRequest, action: RowAction, row: Model) -> bool:
        return bool(getattr(self, f"has_{action.permission}_permission")(request, row))


@admin.register(LogEntry)
class HistoryAdmin(ReadOnlyMixin, SailingModelAdmin):
    """What admins did, and members to their own account, also to whole lists, such as an export."""

    list_name = _("Admin history")
    empty_text = _("Nothing is recorded yet. What admins change appears here.")
    list_display = ("action_time", "user", "kind", "row", "change")
    list_display_links = None
    title_column = "change"
    list_filter = ("action_time",)
    list_select_related = ("user", "content_type")
    search_fields = ("user__email",)
    search_help_text = _("User’s address")
    ordering = ("-pk",)  # the time has no index

    @admin.display(description=_("list"))
    def kind(self, entry: LogEntry) -> str:
        content_type: Any = entry.content_type
        model = content_type.model_class() if content_type else None  # none if it is gone from the code
        return capfirst(str(model._meta.verbose_name_plural)) if model else ""

    @admin.display(description=_("item"))
    def row(self, entry: LogEntry) -> str:
        if entry.object_id is None:
            return ""
        url = None if entry.is_deletion() else entry.get_admin_url()
        name = gettext(entry.object_repr)  # the label of a job is stored in English
        return format_html('<a href="{}">{}</a>', url, name) if url else name

    @admin.display(description=_("what was done"))
    def change(self, entry: LogEntry) -> str:
        return describe_entry(entry)
