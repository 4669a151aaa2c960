"""The pages behind the links in newsletter mails, and the form that works without a script."""

from typing import ClassVar

import structlog
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict, UnreadablePostError
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from newsletter import consent, links, services
from newsletter.models import LinkPurpose, Source, UserType
from sailing.email.token_views import LinkPage
from sailing.email.tokens import Outcome
from sailing.errors import DATABASE_AWAY, ApiError, BadUserInput, RateLimited, Unavailable
from sailing.input_limits import refused_body_status


class NewsletterLinkPage(LinkPage):
    """What both kinds of link share."""

    purpose: ClassVar[LinkPurpose]
    context = {"statement": consent.STATEMENT}

    def look(self, token: str) -> tuple[Outcome, str]:
        link = links.find(token=token, purpose=self.purpose)
        return links.outcome(link), link.subscription.language if link and link.subscription else ""

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        if "not_me" in request.POST:
            return services.disown(token=token, purpose=self.purpose, language=language)
        return self.answer_mail(request, token, language)

    def answer_mail(self, request: HttpRequest, token: str, language: str) -> Outcome:
        """Do what the page's main button says; return what came of it."""
        raise NotImplementedError


class ConfirmPage(NewsletterLinkPage):
    """Confirms a subscription, or sends a new link in place of an expired one."""

    purpose = LinkPurpose.CONFIRM
    templates = {
        Outcome.OPEN: "newsletter/confirm.html",
        Outcome.DONE: "newsletter/confirmed.html",
        Outcome.EXPIRED: "newsletter/expired.html",
        Outcome.RENEWED: "links/renewed.html",
        Outcome.SPENT: "newsletter/spent.html",
        Outcome.DISOWNED: "newsletter/disowned.html",
        Outcome.BLOCKED: "links/blocked.html",
    }

    def answer_mail(self, request: HttpRequest, token: str, language: str) -> Outcome:
        if "renew" in request.POST:
            return services.renew(token=token)
        return services.confirm(token=token, language=language)


class UnsubscribePage(NewsletterLinkPage):
    """Ends a subscription; also for the one-click posts of RFC 8058."""

    purpose = LinkPurpose.UNSUBSCRIBE
    templates = {
        Outcome.OPEN: "newsletter/unsubscribe.html",
        Outcome.DONE: "newsletter/unsubscribed.html",
        Outcome.DISOWNED: "newsletter/disowned.html",
        Outcome.BLOCKED: "links/blocked.html",
    }

    def answer_mail(self, request: HttpRequest, token: str, language: str) -> Outcome:
        return services.unsubscribe(token=token, language=language)


MAX_FORM_BYTES = 16 * 1024
FORM_TYPE = "application/x-www-form-urlencoded"

logger = structlog.get_logger(__name__)


# No CSRF token: the form's page is rendered at build time, the same for everyone, and a request acts for
# nobody, because it needs no session and no account. Another site could still make its visitors' browsers
# subscribe a stranger, each from an address of its own, past the rate limit. The headers that browsers send
# with a form tell such requests (OWASP CSRF Prevention Cheat Sheet, "Fetch Metadata", "Verifying Origin").
@method_decorator([csrf_exempt, never_cache], name="dispatch")
class SubscribePage(View):
    """Take the newsletter form as browsers send it without a script, or before the script has come."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Lead whoever opens the address, or changes the language of an error page, to the form itself."""
        return HttpResponseRedirect(f"/newsletter?lang={get_language()}")

    def post(self, request: HttpRequest) -> HttpResponse:
        if _is_cross_site(request):
            return HttpResponse(render_to_string("403.html"), status=403)
        if request.content_type != FORM_TYPE:  # no browser sends our form like that
            return HttpResponse(render_to_string("400.html"), status=415)
        if status := refused_body_status(request, limit=MAX_FORM_BYTES):
            return HttpResponse(render_to_string("400.html"), status=status)
        try:
            form = request.POST
        except UnreadablePostError:
            return HttpResponse(render_to_string("400.html"), status=400)
        try:
            services.submit_subscription(
                request,
                email=form.get("email", ""),
                user_type=form.get("userType", ""),
                source=_known_source(form),
                website=form.get("website"),
            )
        except ApiError as error:
            return _form_page(form, error)
        except DATABASE_AWAY as error:
            logger.warning("database_unavailable", error=type(error).__name__)
            return _form_page(form, Unavailable())
        return HttpResponseRedirect(f"{reverse('newsletter:subscribed')}?lang={get_language()}")


def _is_cross_site(request: HttpRequest) -> bool:
    """Whether the browser says that the form stands on another site. Older browsers may say nothing."""
    site = request.headers.get("Sec-Fetch-Site")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and origin != f"{request.scheme}://{request.get_host()}"


def _known_source(form: QueryDict) -> str:
    """Return the landing page that the form names; an unknown one counts as none, as in its link."""
    source = form.get("source", "")
    return source if source in Source.values else ""


def _form_page(form: QueryDict, error: ApiError) -> HttpResponse:
    """Show the form again as it was filled in, with what was wrong."""
    about_email = isinstance(error, BadUserInput) and error.extensions["field"] == "email"
    context = {
        "error": error.message,
        "about_email": about_email,
        "email": form.get("email", ""),
        "user_type": form.get("userType") if form.get("userType") in UserType.values else UserType.SAILOR,
        "source": _known_source(form),
        "statement": consent.STATEMENT,
    }
    response = HttpResponse(render_to_string("newsletter/subscribe.html", context))
    response.status_code = 422 if isinstance(error, BadUserInput) else error.status
    if isinstance(error, RateLimited | Unavailable):
        response.headers["Retry-After"] = str(error.retry_after)
    return response
