"""The page of one subscriber, and the forms to add one and to correct an address."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, gettext_noop, pgettext
from django.utils.translation import gettext_lazy as _

from newsletter.admin import actions
from newsletter.admin.filters import has_import_permission
from newsletter.forms import AddForm, AddressForm
from newsletter.models import ConsentKind, State, Subscription
from newsletter.services import administration
from sailing import history
from sailing.admin.lists import format_time, render_badge
from sailing.admin.pages import Entry, RowPageMixin, get_newest, list_changes, list_mails
from sailing.errors import BadUserInput
from sailing.mail.mailboxes import find_suppressed

STATES = {
    State.PENDING: ("waiting", _("Gets nothing until they confirm.")),
    State.CONFIRMED: ("good", _("Gets the newsletters.")),
    State.PAUSED: ("waiting", _("Gets no newsletter until %(date)s.")),
    State.UNSUBSCRIBED: ("off", _("Gets nothing.")),
    State.BOUNCED: ("bad", _("Gets nothing, because emails to the address come back.")),
}
"""The color of the badge, and what a subscriber gets."""


def render_state(subscription: Subscription) -> str:
    """Return the state of a subscription as a badge."""
    return render_badge(STATES[subscription.state][0], subscription.state.label)


def describe_state(subscription: Subscription) -> str:
    """Return what a subscriber gets now."""
    until = subscription.paused_until
    date_text = format_time(until, "SHORT_DATE_FORMAT") if until else ""
    text = str(STATES[subscription.state][1]) % {"date": date_text}
    if find_suppressed([subscription.email]):
        text += " " + gettext("The address is on the do-not-contact list.")
    return text


TONES = {
    **dict.fromkeys((ConsentKind.CONFIRMED, ConsentKind.IMPORTED_CONSENT, ConsentKind.RESUMED), "good"),
    **dict.fromkeys((ConsentKind.RESTORED, ConsentKind.REACHABLE), "good"),
    **dict.fromkeys((ConsentKind.REQUESTED, ConsentKind.INVITED, ConsentKind.REMINDER), "waiting"),
    **dict.fromkeys((ConsentKind.COMPLAINED, ConsentKind.BOUNCED), "bad"),
}


def _list_imports(request: HttpRequest, subscription: Subscription) -> Iterator[Entry]:
    if batch := subscription.import_batch:
        may_open = has_import_permission(request)
        url = reverse("admin:imports_importbatch_change", args=[batch.pk]) if may_open else ""
        yield Entry(batch.created_at, gettext("Imported from the file %(file)s") % {"file": batch}, url=url)
    elif subscription.is_imported:
        yield Entry(subscription.created_at, pgettext("event", "Imported"))


def _list_consent_events(subscription: Subscription) -> Iterator[Entry]:
    """Yield the consent events, with the version of the statement that the owner saw."""
    for event in subscription.consent_events.select_related("by"):
        details = [event.by, event.get_reason_display(), event.comment]
        if event.wording and event.kind in (ConsentKind.REQUESTED, ConsentKind.CONFIRMED):
            values = {
                "version": date_format(date.fromisoformat(event.wording), "SHORT_DATE_FORMAT"),
                "language": event.get_language_display(),
            }
            details.append(gettext("consent text of %(version)s, %(language)s") % values)
        if event.kind == ConsentKind.REQUESTED:
            details.append(event.get_source_display())
        shown = tuple(str(detail) for detail in details if detail)
        yield Entry(event.at, event.get_kind_display(), shown, TONES.get(ConsentKind(event.kind), "off"))


class SubscriberPages(RowPageMixin):
    """The pages of one subscriber."""

    actions = (actions.ask_again, actions.mark_reachable, actions.restore, actions.unsubscribe)

    def has_ask_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the admin may have somebody asked to confirm."""
        return request.user.has_perms(administration.ASK_PERMISSIONS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and self.has_ask_permission(request)

    def get_urls(self) -> list[Any]:
        return [self.route("<path:object_id>/correct/", self.correct_view, "correct"), *super().get_urls()]

    def get_page_context(self, request: HttpRequest, row: Subscription) -> dict[str, Any]:
        may_correct = self.has_ask_permission(request) and administration.may_correct(row)
        return {
            "title": row.email,
            "state_badges": [render_state(row)],
            "state_text": describe_state(row),
            "links": [(_("Correct the address"), self.get_url("correct", row.pk))] if may_correct else [],
        }

    def list_history(self, request: HttpRequest, row: Subscription) -> list[Entry]:
        """Return the newest entries of all that the admin may see."""
        from newsletter.campaigns.admin.results import list_deliveries

        return get_newest(
            [
                *_list_imports(request, row),
                *_list_consent_events(row),
                *list_mails(request, row),
                *list_deliveries(request, row),
                # Changes in the form. Django stores such entries as JSON lists.
                *list_changes(row, change_message__startswith="[{"),
            ]
        )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Add a subscriber by hand."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddForm(request.POST or None, label_suffix="", initial={"language": get_language()})
        note = _("The subscriber gets an email asking them to confirm, and nothing else until they do.")
        return self._handle_form(
            request,
            form,
            administration.add,
            title=self.add_label,
            note=note,
            button=_("Add and ask to confirm"),
            log_entry=gettext_noop("Added by hand."),
            back_url=self.get_url("changelist"),
        )

    def correct_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Put another address in place of one."""
        if not self.has_ask_permission(request):
            raise PermissionDenied
        subscription = self.get_row(request, object_id)
        return self._handle_form(
            request,
            AddressForm(request.POST or None, label_suffix="", initial={"email": subscription.email}),
            partial(administration.correct_address, subscription=subscription),
            title=_("Correct the address"),
            note=_(
                "The owner of the new address is asked to confirm. The old address is erased with its"
                " history and gets nothing more."
            ),
            button=_("Correct and ask to confirm"),
            log_entry=gettext_noop("Address corrected."),
            back_url=self.get_url("change", subscription.pk),
            original=subscription,
        )

    def _handle_form(
        self,
        request: HttpRequest,
        form: forms.Form,
        use_case: Callable[..., Subscription],
        *,
        log_entry: str,
        **context: Any,
    ) -> HttpResponse:
        """Show a form, or carry it out; then show the page of the new subscriber."""
        user: Any = request.user
        if request.method == "POST" and form.is_valid():
            try:
                new = use_case(**form.cleaned_data, by_id=user.pk)
            except BadUserInput as error:
                form.add_error("email", error.message)
            except Subscription.DoesNotExist:
                raise Http404 from None
            else:
                history.record(user, Subscription, new, log_entry, key=new.pk)
                text = gettext("Asked to confirm: %(email)s.") % {"email": new.email}
                messages.success(request, text)
                return self.redirect("change", new.pk)
        return self.show_page(request, "admin/form_page.html", form=form, **context)
