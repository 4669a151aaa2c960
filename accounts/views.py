"""Pages behind the links in mails to members."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from accounts import device_cookie
from accounts.forms import PasswordResetForm
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import email_change, links, passwords, verification
from sailing.client import get_client
from sailing.errors import RateLimited
from sailing.mail.links import LinkPage, LinkStatus, get_status


class AccountLinkPage(LinkPage):
    """Base of the pages."""

    model = AccountLink
    purpose: ClassVar[LinkPurpose]
    link: AccountLink | None


class VerifyPage(AccountLinkPage):
    """Verify an address, or send a new link in place of an expired one."""

    purpose = LinkPurpose.VERIFY
    templates = {
        LinkStatus.OPEN: "accounts/verify.html",
        LinkStatus.DONE: "accounts/verified.html",
        LinkStatus.EXPIRED: "accounts/verify_expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "accounts/spent.html",
        LinkStatus.DISOWNED: "accounts/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }

    def perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST:
            return verification.disown(token=token, purpose=self.purpose)
        if "renew" in self.request.POST:
            return links.renew_link(token=token, purpose=self.purpose)
        if "reset" in self.request.POST:
            return passwords.send_reset_mail_by_link(token=token)
        return verification.verify_email(token=token, device_token=device_cookie.read(self.request))

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        if self.link and (user := self.link.user):
            token = device_cookie.read(self.request)
            context["member"] = user
            # Whether the member signed up or signed in with this browser.
            context["is_own_browser"] = token is not None and token.user_id == user.pk
            if status is LinkStatus.DONE:
                # Verifying may just have ended the password, or kept the bearer token of this browser.
                stored = User.objects.filter(pk=user.pk).first() or user
                context["is_signed_in"] = token is not None and token.jti == stored.kept_jti
                context["has_password"] = stored.has_usable_password()
                if "not_me" in self.request.POST:  # the button of a page opened before
                    context["is_not_me"] = True
        return super().render(status, **context)


@method_decorator(sensitive_post_parameters(), name="dispatch")
class ResetPage(AccountLinkPage):
    """Set a new password, or send a new link in place of an expired one. Does not sign the member in.

    Django's PasswordResetConfirmView moves the token from the URL into a session to keep it out of the
    Referer header, which writes on GET. Here the Referrer-Policy and each link keep it out.
    """

    purpose = LinkPurpose.RESET
    templates = {
        LinkStatus.OPEN: "accounts/reset.html",
        LinkStatus.DONE: "accounts/reset_done.html",
        LinkStatus.EXPIRED: "accounts/reset_expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "accounts/spent.html",
        LinkStatus.DISOWNED: "accounts/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        is_form = status is LinkStatus.OPEN and "not_me" not in self.request.POST
        if self.link is None or self.link.user is None or not is_form:
            return super().submit(token, status)
        form = PasswordResetForm(self.link.user, self.request.POST)
        with translation.override(self.language):
            if not form.is_valid():
                return self.render(status, form=form)
        try:
            status = passwords.reset_password(
                client=get_client(self.request), token=token, password=form.cleaned_data["new_password1"]
            )
        except RateLimited as error:
            form.add_error(None, error.message)
            response = self.render(status, form=form)
            response.status_code = error.status
            response.headers["Retry-After"] = str(error.retry_after)
            return response
        return self.render(status)

    def perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST:
            return verification.disown(token=token, purpose=self.purpose)
        if "renew" in self.request.POST:
            return links.renew_link(token=token, purpose=self.purpose)
        return get_status(self.link)

    def render(self, status: LinkStatus, **context: Any) -> HttpResponse:
        if status is LinkStatus.OPEN and self.link and self.link.user:
            context.setdefault("form", PasswordResetForm(self.link.user))
        return super().render(status, **context)


class EmailChangePage(AccountLinkPage):
    """Replace the address of a member by the one that the mail went to."""

    purpose = LinkPurpose.CHANGE_EMAIL
    templates = {
        LinkStatus.OPEN: "accounts/email_change.html",
        LinkStatus.DONE: "accounts/email_changed.html",
        LinkStatus.EXPIRED: "accounts/email_change_expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "accounts/spent.html",
        LinkStatus.DISOWNED: "links/blocked.html",
        LinkStatus.TAKEN: "accounts/email_taken.html",
    }

    def perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST:
            return email_change.refuse_email_change(token=token)
        if "renew" in self.request.POST:
            return links.renew_link(token=token, purpose=self.purpose)
        return email_change.confirm_email_change(token=token)
