"""Pages behind the links in newsletter mails, and the newsletter form without JavaScript."""

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

from newsletter import services
from newsletter.models import STATEMENT, LinkPurpose, Source, SubscriptionLink, UserType
from sailing.email.token_views import LinkPage
from sailing.email.tokens import LinkStatus
from sailing.errors import DATABASE_AWAY, ApiError, BadUserInput, Unavailable
from sailing.input_limits import refused_body_status

MAX_FORM_BYTES = 16 * 1024
FORM_TYPE = "application/x-www-form-urlencoded"

logger = structlog.get_logger(__name__)


class SubscriptionLinkPage(LinkPage):
    """Base of the two pages."""

    model = SubscriptionLink
    purpose: ClassVar[LinkPurpose]
    context = {"statement": STATEMENT}

    def perform(self, token: str) -> LinkStatus:
        if "not_me" in self.request.POST:
            return services.disown(token=token, purpose=self.purpose, language=self.language)
        return self.perform_main(token)

    def perform_main(self, token: str) -> LinkStatus:
        """Do what any button but "This was not me" says; return the status afterwards."""
        raise NotImplementedError


class ConfirmPage(SubscriptionLinkPage):
    """Confirm a subscription, or send a new link in place of an expired one."""

    purpose = LinkPurpose.CONFIRM
    templates = {
        LinkStatus.OPEN: "newsletter/confirm.html",
        LinkStatus.DONE: "newsletter/confirmed.html",
        LinkStatus.EXPIRED: "newsletter/expired.html",
        LinkStatus.RENEWED: "links/renewed.html",
        LinkStatus.SPENT: "newsletter/spent.html",
        LinkStatus.DISOWNED: "newsletter/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }

    def perform_main(self, token: str) -> LinkStatus:
        if "renew" in self.request.POST:
            return services.renew_link(token=token)
        return services.confirm(token=token, language=self.language)


class UnsubscribePage(SubscriptionLinkPage):
    """End a subscription, also by a one-click post (RFC 8058)."""

    purpose = LinkPurpose.UNSUBSCRIBE
    templates = {
        LinkStatus.OPEN: "newsletter/unsubscribe.html",
        LinkStatus.DONE: "newsletter/unsubscribed.html",
        LinkStatus.DISOWNED: "newsletter/disowned.html",
        LinkStatus.BLOCKED: "links/blocked.html",
    }

    def perform_main(self, token: str) -> LinkStatus:
        return services.unsubscribe(token=token, language=self.language)


# No CSRF token: the form's page is prerendered for everyone, and a request needs no session or account. To
# keep another site from making its visitors' browsers subscribe strangers past the rate limit, the fetch
# metadata is checked (OWASP CSRF Prevention Cheat Sheet, "Fetch Metadata", "Verifying Origin").
@method_decorator([csrf_exempt, never_cache], name="dispatch")
class SubscribePage(View):
    """Take the newsletter form as a browser posts it without JavaScript, or before it has loaded."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the form, for example after a language switch on the error page."""
        return HttpResponseRedirect(f"/newsletter?lang={get_language()}")

    def post(self, request: HttpRequest) -> HttpResponse:
        if _is_cross_site(request):
            return HttpResponse(render_to_string("403.html"), status=403)
        if request.content_type != FORM_TYPE:
            return HttpResponse(render_to_string("400.html"), status=415)
        if status := refused_body_status(request, limit=MAX_FORM_BYTES):
            return HttpResponse(render_to_string("400.html"), status=status)
        try:
            form = request.POST
        except UnreadablePostError:
            return HttpResponse(render_to_string("400.html"), status=400)
        try:
            services.subscribe(
                request=request,
                email=form.get("email", ""),
                user_type=form.get("userType", ""),
                source=_known_source(form),
                website=form.get("website"),
                language=get_language(),
            )
        except ApiError as error:
            return _form_page(form, error)
        except DATABASE_AWAY as error:
            logger.warning("database_unavailable", error=type(error).__name__)
            return _form_page(form, Unavailable())
        return HttpResponseRedirect(f"{reverse('newsletter:subscribed')}?lang={get_language()}")


def _is_cross_site(request: HttpRequest) -> bool:
    """Return whether the browser says that another site sent the form; old browsers may say nothing."""
    site = request.headers.get("Sec-Fetch-Site")
    if site:
        return site not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and origin != f"{request.scheme}://{request.get_host()}"


def _known_source(form: QueryDict) -> str:
    """Return the landing page that the form names; an unknown one counts as none."""
    source = form.get("source", "")
    return source if source in Source.values else ""


def _form_page(form: QueryDict, error: ApiError) -> HttpResponse:
    """Render the form with its values and the error."""
    about_email = isinstance(error, BadUserInput) and error.extensions["field"] == "email"
    context = {
        "error": error.message,
        "about_email": about_email,
        "email": form.get("email", ""),
        "user_type": form.get("userType") if form.get("userType") in UserType.values else UserType.SAILOR,
        "source": _known_source(form),
        "statement": STATEMENT,
    }
    status = 422 if isinstance(error, BadUserInput) else error.status
    page = render_to_string("newsletter/subscribe.html", context)
    return HttpResponse(page, status=status, headers=error.headers)
