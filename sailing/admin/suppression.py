"""The suppression list in Django admin: whether an address is on it, or blocked, and taking it off.

The list stores hashes alone, so it cannot be shown: an admin types one address. The history says who took an
address off and why, and names it by its hash, so that erasing the person leaves nothing to remove.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminEmailInputWidget, AdminTextInputWidget
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from sailing.history import describe_entry, find_changes, record
from sailing.input_limits import clean_line
from sailing.mail import mailboxes
from sailing.mail.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.mail.models import Mailbox, SuppressionReason
from sailing.privacy import erasure
from sailing.redaction import redact

MAX_REASON_LENGTH = 200
LIFTED = gettext_noop("Taken off the do-not-contact list: %(reason)s")


class AddressForm(forms.Form):
    """The address to look for."""

    email = forms.CharField(
        label=_("Email address"),
        max_length=MAX_EMAIL_LENGTH,
        widget=AdminEmailInputWidget({"size": 60, "autofocus": True}),
    )

    def clean_email(self) -> str:
        return normalize_email(self.cleaned_data["email"])


class LiftForm(AddressForm):
    """The address to take off the list, and why."""

    email = forms.CharField(max_length=MAX_EMAIL_LENGTH, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON_LENGTH, widget=AdminTextInputWidget({"size": 60})
    )

    def clean_reason(self) -> str:
        # The history outlives the erasure of a person, so it must not name one.
        return redact(clean_line(self.cleaned_data["reason"], limit=MAX_REASON_LENGTH))


def is_visible(request: HttpRequest) -> bool:
    """Return whether the admin may use the page: who may erase persons."""
    model_admins = map(admin.site.get_model_admin, erasure.registered)
    return any(model_admin.has_delete_permission(request) for model_admin in model_admins)


def show(request: HttpRequest) -> HttpResponse:
    """Return the page, or lift a suppression."""
    if not is_visible(request):
        raise PermissionDenied
    counts = {reason.value: Count("pk", filter=Q(suppression=reason)) for reason in SuppressionReason}
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Do-not-contact list"),
        "counts": Mailbox.objects.aggregate(**counts),
    }
    form = AddressForm(request.POST or None)
    if form.is_valid():
        email = form.cleaned_data["email"]
        lift_form = LiftForm(request.POST if "lift" in request.POST else None, initial={"email": email})
        if lift_form.is_valid():
            _lift(request, email, lift_form.cleaned_data["reason"])
            return HttpResponseRedirect(request.path)
        mailbox = mailboxes.find(email).first()
        context |= {
            "email": email,
            "mailbox": mailbox,
            "is_blocked": mailboxes.is_blocked(email),
            "changes": [(each, describe_entry(each)) for each in find_changes(mailbox)] if mailbox else [],
            "lift_form": lift_form,
        }
    return TemplateResponse(request, "admin/suppression.html", {**context, "form": form})


@transaction.atomic
def _lift(request: HttpRequest, email: str, reason: str) -> None:
    """Take an address off the list, allow mails to it again, and record that."""
    mailbox = mailboxes.find(email).select_for_update().first()
    if mailbox and (mailbox.suppression or mailboxes.is_blocked(email)):
        record(request.user, Mailbox, mailbox, LIFTED, key=mailbox.pk, reason=reason)
        mailboxes.lift(email)
        mailboxes.reset_budget(email)
        messages.success(request, _("Taken off the list: %(email)s") % {"email": email})
    else:
        messages.warning(request, _("It was not on the list: %(email)s") % {"email": email})
