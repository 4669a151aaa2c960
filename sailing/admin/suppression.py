"""The suppression list in Django admin, which stores hashes alone, so that an admin types one address.

The history says who took it off and why, and names it by its hash: an erasure leaves nothing to remove.
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
    email = forms.CharField(
        label=_("Email address"),
        max_length=MAX_EMAIL_LENGTH,
        widget=AdminEmailInputWidget({"size": 60, "autofocus": True}),
    )

    def clean_email(self) -> str:
        return normalize_email(self.cleaned_data["email"])


class LiftForm(AddressForm):
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
        mailbox, is_blocked = mailboxes.find(email).first(), mailboxes.is_blocked(email)
        lift_form = LiftForm(request.POST if "lift" in request.POST else None, initial={"email": email})
        if mailbox and (mailbox.suppression or is_blocked) and lift_form.is_valid():
            with transaction.atomic():
                reason = lift_form.cleaned_data["reason"]
                record(request.user, Mailbox, mailbox, LIFTED, key=mailbox.address_hash, reason=reason)
                mailboxes.lift_suppression(email)
                mailboxes.reset_budget(email)
            messages.success(request, _("Taken off the list: %(email)s") % {"email": email})
            return HttpResponseRedirect(request.path)
        # By the hash, because a row that says nothing more is purged.
        changes = find_changes(Mailbox(), key=mailboxes.hash_mailbox(email))
        context |= {
            "email": email,
            "mailbox": mailbox,
            "is_blocked": is_blocked,
            "changes": [(each, describe_entry(each)) for each in changes],
            "lift_form": lift_form,
        }
    return TemplateResponse(request, "admin/suppression.html", {**context, "form": form})
