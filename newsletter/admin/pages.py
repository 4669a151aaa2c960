"""The page of one subscriber, with its buttons, and the forms to add one and to correct an address."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.widgets import AdminEmailInputWidget
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from newsletter.admin import actions, history
from newsletter.first_names import MAX_FIRST_NAME_LENGTH, validate_first_name
from newsletter.models import ConsentKind, State, Subscription, UserType
from newsletter.services import administration
from sailing.admin.bulk_actions import RowAction
from sailing.admin.lists import format_time, render_badge
from sailing.admin.row_page import RowPageMixin
from sailing.errors import BadUserInput
from sailing.history import record
from sailing.mail.addresses import MAX_EMAIL_LENGTH
from sailing.mail.mailboxes import find_suppressed

FORM_TEMPLATE = "admin/newsletter/subscription/form.html"


def may_ask(subscription: Subscription) -> bool:
    return subscription.state is State.PENDING and not administration.has_refused(subscription.email)


def get_ask_label(subscription: Subscription) -> Any:
    return _("Ask again to confirm") if subscription.last_mail_at else actions.ask_again.short_description


BUTTONS: tuple[tuple[RowAction, Any, Callable[[Subscription], bool]], ...] = (
    (actions.ask_again, get_ask_label, may_ask),
    (actions.mark_reachable, actions.mark_reachable.short_description, lambda one: bool(one.bounced_at)),
    (actions.resume, actions.resume.short_description, administration.may_resume),
    (actions.restore, _("Undo the unsubscription"), administration.may_restore),
    (actions.pause_month, _("Pause for 30 days"), lambda one: one.state is State.CONFIRMED),
    (actions.pause_season, _("Pause for 90 days"), lambda one: one.state is State.CONFIRMED),
    (actions.unsubscribe, _("Unsubscribe"), administration.may_unsubscribe),
)

BADGES = {
    State.PENDING: "waiting",
    State.CONFIRMED: "good",
    State.PAUSED: "waiting",
    State.UNSUBSCRIBED: "off",
    State.BOUNCED: "bad",
}

STATE_TEXTS = {
    State.PENDING: _("Gets nothing until the owner of the address confirms."),
    State.CONFIRMED: _("Gets the newsletters."),
    State.PAUSED: _("Gets no newsletter until %(date)s."),
    State.UNSUBSCRIBED: _("Gets nothing."),
    State.BOUNCED: _("Gets nothing, because emails to the address come back."),
}


def render_state(subscription: Subscription) -> str:
    """Return the state of a subscription as a badge."""
    return render_badge(BADGES[subscription.state], subscription.state.label)


def describe_state(subscription: Subscription) -> str:
    """Return what a subscriber gets now, and what the owner said before somebody asked again."""
    state = subscription.state
    found = [str(STATE_TEXTS[state])]
    if state is State.PAUSED and subscription.paused_until:
        found = [_format(found[0], subscription.paused_until)]
    elif state is State.BOUNCED and subscription.bounced_at:
        found.append(_format(gettext("The last one came back on %(date)s."), subscription.bounced_at))
        bounce = subscription.consent_events.filter(kind=ConsentKind.BOUNCED).last()
        if bounce and bounce.comment:
            found.append(gettext("The mail server said: “%(reason)s”.") % {"reason": bounce.comment})
    elif state is State.UNSUBSCRIBED:
        if subscription.unsubscribed_at:
            found.append(_format(gettext("Unsubscribed on %(date)s."), subscription.unsubscribed_at))
        else:
            found = [gettext("Gets nothing, because an admin has unsubscribed the address.")]
        if not administration.may_restore(subscription):
            found.append(gettext("Only the owner of the address can subscribe again."))
    elif state is State.PENDING:
        if subscription.unsubscribed_at:
            found.append(_format(gettext("Unsubscribed once, on %(date)s."), subscription.unsubscribed_at))
        elif subscription.confirmed_at:
            found.append(_format(gettext("Confirmed once, on %(date)s."), subscription.confirmed_at))
        if subscription.last_mail_at:
            found.append(_format(gettext("Asked on %(date)s."), subscription.last_mail_at))
        else:
            found.append(gettext("Nobody has asked them yet."))
    if find_suppressed([subscription.email]):
        found.append(gettext("The address is on the do-not-contact list."))
    elif state is State.PENDING and administration.has_refused(subscription.email):
        found.append(gettext("The owner of this address has opted out."))
    return " ".join(found)


def explain_no_correction(subscription: Subscription) -> tuple[str, str]:
    """Return why the address of a subscriber cannot be corrected, and what an admin can do instead."""
    if administration.may_restore(subscription):
        return (
            gettext("An admin has unsubscribed this address."),
            gettext("Undo the unsubscription first, then correct the address."),
        )
    if since := administration.find_opt_out(subscription):
        text = gettext(
            "The owner of this address unsubscribed once, as recorded on %(date)s. That wish stays with the"
            " address, so no other address can take its place."
        )
        reason = _format(text, since)
    else:
        reason = gettext("An admin has unsubscribed this address, and that can no longer be undone.")
    advice = gettext(
        "Add the right address as a new subscriber instead. Its owner gets an email that asks to confirm, and"
        " nothing else before that."
    )
    return reason, advice


def _format(text: str, at: datetime) -> str:
    return text % {"date": format_time(at, "DATE_FORMAT")}


class CorrectForm(forms.Form):
    """The right address."""

    email = forms.CharField(
        label=_("New address"), max_length=MAX_EMAIL_LENGTH, widget=AdminEmailInputWidget()
    )


class AddForm(forms.Form):
    """A subscriber to add."""

    email = forms.CharField(
        label=_("Email address"), max_length=MAX_EMAIL_LENGTH, widget=AdminEmailInputWidget()
    )
    first_name = forms.CharField(
        label=_("First name (optional)"),
        max_length=MAX_FIRST_NAME_LENGTH,
        required=False,
        validators=[validate_first_name],
    )
    user_type = forms.ChoiceField(label=_("Audience"), choices=UserType.choices)
    language = forms.ChoiceField(label=_("Language of the emails"), choices=settings.LANGUAGES)


class SubscriberPages(RowPageMixin):
    """The pages of one subscriber."""

    buttons = BUTTONS
    primary_action = actions.ask_again

    def has_ask_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the admin may have somebody asked to confirm."""
        return request.user.has_perms(administration.ASK_PERMISSIONS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and self.has_ask_permission(request)

    def get_urls(self) -> list[Any]:
        return [self.route("<path:object_id>/correct/", self.correct_view, "correct"), *super().get_urls()]

    def get_page_context(self, request: HttpRequest, row: Subscription) -> dict[str, Any]:
        return {
            "title": row.email,
            "state_badges": [render_state(row)],
            "state_text": describe_state(row),
            "may_correct": self.has_ask_permission(request) and administration.may_correct(row),
            "entries": history.list_entries(request, row),
        }

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Add a subscriber by hand."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddForm(request.POST or None, label_suffix="", initial={"language": get_language()})
        note = _("The owner of the address gets an email that asks to confirm, and nothing else before that.")
        return self._handle_form(
            request,
            form,
            administration.add,
            title=_("Add a subscriber"),
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
        page: dict[str, Any] = {
            "title": _("Correct the address"),
            "back_url": self.get_url("change", subscription.pk),
            "old": subscription,
            "state_badge": render_state(subscription),
        }
        if not administration.may_correct(subscription):
            return self.show_page(
                request,
                FORM_TEMPLATE,
                **page,
                refusal=explain_no_correction(subscription),
                may_undo=administration.may_restore(subscription),
                may_add=self.has_add_permission(request),
            )
        return self._handle_form(
            request,
            CorrectForm(request.POST or None, label_suffix="", initial={"email": subscription.email}),
            partial(administration.correct_address, subscription=subscription),
            note=_(
                "The owner of the new address is asked to confirm. The old address is erased with its"
                " history, and gets nothing more."
            ),
            button=_("Correct and ask to confirm"),
            log_entry=gettext_noop("Address corrected."),
            **page,
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
                field = str(error.extensions["field"])
                form.add_error(field if field in form.fields else None, error.message)
            except Subscription.DoesNotExist:
                raise Http404 from None
            else:
                record(user, Subscription, new, log_entry, key=new.pk)
                text = gettext("Asked to confirm: %(email)s.") % {"email": new.email}
                messages.success(request, text)
                return self.redirect("change", new.pk)
        return self.show_page(request, FORM_TEMPLATE, form=form, **context)
