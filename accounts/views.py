"""Pages behind the links in mails to members."""

from typing import Any, ClassVar

from django.forms import Form
from django.http import HttpResponse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from accounts import tokens
from accounts.errors import WrongPassword
from accounts.forms import PasswordForm, PasswordResetForm
from accounts.models import AccountLink, LinkPurpose
from accounts.services import links
from sailing.client import current_client
from sailing.errors import ApiError
from sailing.mail.links import LinkPage, LinkStatus


@method_decorator(sensitive_post_parameters(), name="dispatch")
class AccountLinkPage(LinkPage):
    """Base of the pages: a form that acts, "This was not me", and a new link in place of an expired one."""

    model = AccountLink
    purpose: ClassVar[LinkPurpose]
    templates: ClassVar = {
        LinkStatus.EXPIRED: "accounts/expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "accounts/spent.html",
        LinkStatus.DISOWNED: "accounts/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }

    def build_form(self, data: Any = None) -> Form:
        """Return the form of an open link, filled in with `data` if it was sent."""
        return PasswordResetForm(self.link.user, data)

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        if "not_me" in self.request.POST:
            # The page with this button may have been opened before the link was used.
            status = links.disown(token=token, purpose=self.purpose)
            return self.render(status, is_not_me=True)
        if "renew" in self.request.POST:
            return self.render(links.renew_link(token=token, purpose=self.purpose))
        if status is not LinkStatus.OPEN:
            return self.render(status)
        form = self.build_form(self.request.POST)
        with translation.override(self.language):
            if not form.is_valid():
                return self.render(status, form=form)
            try:
                confirmed = links.confirm_address(
                    client=current_client.get(),
                    token=token,
                    purpose=self.purpose,
                    device=tokens.read_cookie(self.request),
                    password=form.cleaned_data.get("password", ""),
                    new_password=form.cleaned_data.get("new_password1", ""),
                )
                return self.render(confirmed)
            except ApiError as error:
                # The session may have ended since the form was built without a password.
                is_shown = isinstance(error, WrongPassword) and "password" in form.fields
                form.add_error("password" if is_shown else None, error.message)
                response = self.render(status, form=form)
                response.status_code = error.status
                for name, value in error.headers.items():
                    response.headers[name] = value
                return response

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        if status is LinkStatus.OPEN and "form" not in context:
            context["form"] = self.build_form()
        return super().render(status, **context)


class ConfirmPage(AccountLinkPage):
    """Verify an address, or replace that of a member by it: with one button where the member is signed in.

    Any other browser gets a form for the password and one for a new password.
    """

    purpose = LinkPurpose.VERIFY  # or CHANGE_EMAIL (`accounts.urls`)
    templates: ClassVar = {
        **AccountLinkPage.templates,
        LinkStatus.OPEN: "accounts/confirm.html",
        LinkStatus.DONE: "accounts/confirmed.html",
    }

    def is_signed_in(self) -> bool:
        """Return whether the link's member is signed in with this browser."""
        token = tokens.read_cookie(self.request)
        member = tokens.find_member(token) if token else None
        return member is not None and self.link is not None and self.link.user == member

    def build_form(self, data: Any = None) -> Form:
        if self.is_signed_in():
            return Form(data)
        if "new_password1" in (data or ()) or not self.link.user.has_usable_password():
            return super().build_form(data)
        return PasswordForm(data)

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        context["is_signed_in"] = self.is_signed_in()
        if status is LinkStatus.OPEN:
            form = context["form"] = context.get("form") or self.build_form()
            is_new = isinstance(form, PasswordResetForm)
            context["new_password_form"] = form if is_new else PasswordResetForm(self.link.user)
            context["password_form"] = form if isinstance(form, PasswordForm) else PasswordForm()
        return super().render(status, **context)


class ResetPage(AccountLinkPage):
    """Set a new password. Does not sign the member in (docs/decisions/011)."""

    purpose = LinkPurpose.RESET
    templates: ClassVar = {
        **AccountLinkPage.templates,
        LinkStatus.OPEN: "accounts/reset.html",
        LinkStatus.DONE: "accounts/reset_done.html",
    }
