"""The pages behind the links in mails to members."""

from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from accounts import device_cookie, links, services, tokens
from accounts.forms import PasswordResetForm
from accounts.models import AccountLink, LinkPurpose, User
from sailing.email.token_views import LinkPage
from sailing.email.tokens import Outcome
from sailing.errors import RateLimited


class AccountLinkPage(LinkPage):
    """What both kinds of link share."""

    purpose: ClassVar[LinkPurpose]
    link: AccountLink | None

    def look(self, token: str) -> tuple[Outcome, str]:
        self.link = links.find(token=token, purpose=self.purpose)
        user = self.link.user if self.link else None
        return links.outcome(self.link), user.language if user else ""


class VerifyPage(AccountLinkPage):
    """Verifies an address, or sends a new link in place of an expired one."""

    purpose = LinkPurpose.VERIFY
    templates = {
        Outcome.OPEN: "accounts/verify.html",
        Outcome.DONE: "accounts/verified.html",
        Outcome.EXPIRED: "accounts/verify_expired.html",
        Outcome.RENEWED: "links/renewed.html",
        Outcome.SPENT: "accounts/spent.html",
        Outcome.DISOWNED: "accounts/disowned.html",
        Outcome.BLOCKED: "links/blocked.html",
    }

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        if "not_me" in request.POST:
            return services.disown(token=token)
        if "renew" in request.POST:
            return services.renew_verification(token=token)
        return services.verify_email(token=token, kept=device_cookie.read(request))

    def page(self, request: HttpRequest, outcome: Outcome, language: str, **context: Any) -> HttpResponse:
        if self.link and self.link.user:
            context["member"] = self.link.user
            if outcome is Outcome.DONE:
                kept = device_cookie.read(request)
                context["is_signed_in"] = kept is not None and _is_kept(kept, self.link.user)
        return super().page(request, outcome, language, **context)


@method_decorator(sensitive_post_parameters(), name="dispatch")
class ResetPage(AccountLinkPage):
    """Takes a new password, or sends a new link in place of an expired one. It signs nobody in.

    Django's own view would move the token from the address into a session, so that it cannot leak by a
    Referer: that writes on GET. Here the page loads nothing foreign, its Referrer-Policy tells no other
    site the address, and its links tell it to nobody.
    """

    purpose = LinkPurpose.RESET
    templates = {
        Outcome.OPEN: "accounts/reset.html",
        Outcome.DONE: "accounts/reset_done.html",
        Outcome.EXPIRED: "accounts/reset_expired.html",
        Outcome.RENEWED: "links/renewed.html",
        Outcome.SPENT: "accounts/spent.html",
    }

    def answer(self, request: HttpRequest, token: str, outcome: Outcome, language: str) -> HttpResponse:
        if self.link is None or self.link.user is None or outcome is not Outcome.OPEN:
            return self.page(request, self.act(request, token, language), language)
        form = PasswordResetForm(self.link.user, request.POST)
        with translation.override(language):
            if not form.is_valid():
                return self.page(request, outcome, language, form=form)
        try:
            outcome = services.reset_password(token=token, password=form.cleaned_data["new_password1"])
        except RateLimited as error:
            form.add_error(None, error.message)
            response = self.page(request, outcome, language, form=form)
            response.status_code = error.status
            response.headers["Retry-After"] = str(error.retry_after)
            return response
        return self.page(request, outcome, language)

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        return services.renew_reset(token=token) if "renew" in request.POST else self.look(token)[0]

    def page(self, request: HttpRequest, outcome: Outcome, language: str, **context: Any) -> HttpResponse:
        if outcome is Outcome.OPEN and self.link and self.link.user:
            context.setdefault("form", PasswordResetForm(self.link.user))
        return super().page(request, outcome, language, **context)


def _is_kept(token: tokens.IssuedToken, user: User) -> bool:
    """Whether a token is the one that outlived the verification."""
    return token.user_id == user.pk and User.objects.filter(pk=user.pk, kept_jti=token.jti).exists()
