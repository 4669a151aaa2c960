"""The pages behind the links in newsletter mails.

Opening a link shows a page with one button and changes nothing, because mail scanners open links too;
the button acts, by POST. All pages of unknown links are the same and have status 404: there is nothing
at such an address, whatever its shape.
"""

from typing import ClassVar

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from newsletter import consent, links, services
from newsletter.links import Outcome
from newsletter.models import LinkPurpose, SubscriptionLink
from sailing.errors import DATABASE_AWAY
from sailing.middleware import LANGUAGES

logger = structlog.get_logger(__name__)


# The token itself is the permission, and RFC 8058 posts come from mail servers, without any cookie.
@method_decorator(csrf_exempt, name="dispatch")
class LinkPage(View):
    """What both kinds of link share: finding it, and the language."""

    purpose: ClassVar[LinkPurpose]
    templates: ClassVar[dict[Outcome, str]]

    def dispatch(self, request: HttpRequest, *args: str, **kwargs: str) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except DATABASE_AWAY as error:
            # The database is away or locked. Mail servers that unsubscribe somebody try again later.
            logger.warning("database_unavailable", error=type(error).__name__)
            return HttpResponse(render_to_string("500.html"), status=503, headers={"Retry-After": "5"})

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        link = links.find(token=token, purpose=self.purpose)
        return self._page(request, links.outcome(link), _language(request, link))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        language = _language(request, links.find(token=token, purpose=self.purpose))
        return self._page(request, self.act(request, token, language), language)

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        """Do what the button says; return what came of it."""
        raise NotImplementedError

    def _page(self, request: HttpRequest, outcome: Outcome, language: str) -> HttpResponse:
        with translation.override(language):
            response = render(request, self.templates[outcome], {"statement": consent.STATEMENT})
        response.headers["Content-Language"] = language
        response.status_code = 404 if outcome is Outcome.UNKNOWN else 200
        return response


class ConfirmPage(LinkPage):
    """Confirms a subscription, or sends a new link in place of an expired one."""

    purpose = LinkPurpose.CONFIRM
    templates = {
        Outcome.OPEN: "newsletter/confirm.html",
        Outcome.DONE: "newsletter/confirmed.html",
        Outcome.EXPIRED: "newsletter/expired.html",
        Outcome.RENEWED: "newsletter/renewed.html",
        Outcome.SPENT: "newsletter/spent.html",
        Outcome.UNKNOWN: "newsletter/unknown.html",
    }

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        if "renew" in request.POST:
            return services.renew(token=token)
        return services.confirm(token=token, language=language)


class UnsubscribePage(LinkPage):
    """Ends a subscription; also for the one-click posts of RFC 8058."""

    purpose = LinkPurpose.UNSUBSCRIBE
    templates = {
        Outcome.OPEN: "newsletter/unsubscribe.html",
        Outcome.DONE: "newsletter/unsubscribed.html",
        Outcome.UNKNOWN: "newsletter/unknown.html",
    }

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        return services.unsubscribe(token=token, language=language)


def _language(request: HttpRequest, link: SubscriptionLink | None) -> str:
    """The language that the visitor chose, by `?lang=` or its cookie; else the subscription's."""
    choices = (request.GET.get("lang", ""), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    if link and link.subscription.language in LANGUAGES and LANGUAGES.isdisjoint(choices):
        return link.subscription.language
    return translation.get_language() or settings.LANGUAGE_CODE
