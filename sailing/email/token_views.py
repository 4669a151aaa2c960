"""The pages behind the links in mails: what those of both apps share.

Opening a link shows a page with one button and changes nothing, because mail scanners open links too;
the button acts, by POST. The body of a post is read only for a link that is known, and only a small one:
parsing 2.5 MB takes half a second. All pages of unknown links are the same and have status 404: there is
nothing at such an address, whatever its shape.
"""

from collections.abc import Mapping
from typing import ClassVar

import structlog
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from sailing.email.tokens import Outcome
from sailing.errors import DATABASE_AWAY
from sailing.input_limits import refused_body_status
from sailing.language import get_language

MAX_BODY = 16 * 1024  # bytes; the largest form has two passwords

logger = structlog.get_logger(__name__)


# The token itself is the permission: who has it came from the mailbox. RFC 8058 posts come from mail
# servers, without any cookie.
@method_decorator(csrf_exempt, name="dispatch")
class LinkPage(View):
    """One kind of link: its outcomes' templates, how to look a token up, and what the button does."""

    templates: ClassVar[Mapping[Outcome, str]]
    """One for each outcome that this kind of link has, except UNKNOWN."""
    context: ClassVar[Mapping[str, object]] = {}
    """What the templates use."""

    def look(self, token: str) -> tuple[Outcome, str]:
        """How things stand with a link, and its reader's language; a blank one for an unknown link."""
        raise NotImplementedError

    def act(self, request: HttpRequest, token: str, language: str) -> Outcome:
        """Do what the button says; return what came of it."""
        raise NotImplementedError

    def dispatch(self, request: HttpRequest, *args: str, **kwargs: str) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except DATABASE_AWAY as error:
            # The database is away or locked. Mail servers that unsubscribe somebody try again later.
            logger.warning("database_unavailable", error=type(error).__name__)
            return HttpResponse(render_to_string("500.html"), status=503, headers={"Retry-After": "5"})

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        outcome, reader_language = self.look(token)
        return self.page(request, outcome, get_language(request, reader_language))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        outcome, reader_language = self.look(token)
        language = get_language(request, reader_language)
        if outcome is Outcome.UNKNOWN:
            return self.page(request, outcome, language)
        if status := refused_body_status(request, limit=MAX_BODY):
            with translation.override(language):
                return render(request, "400.html", status=status)
        return self.answer(request, token, outcome, language)

    def answer(self, request: HttpRequest, token: str, outcome: Outcome, language: str) -> HttpResponse:
        """Answer a post to a link that is known, whose body is small."""
        return self.page(request, self.act(request, token, language), language)

    def page(self, request: HttpRequest, outcome: Outcome, language: str, **context: object) -> HttpResponse:
        """The page of an outcome; `context` joins what the templates of every outcome use."""
        unknown = outcome is Outcome.UNKNOWN
        # Who followed "This was not me" in the mail is asked that alone.
        is_not_me = "not-me" in request.GET and Outcome.DISOWNED in self.templates
        template = "links/unknown.html" if unknown else self.templates[outcome]
        with translation.override(language):
            response = render(request, template, {"is_not_me": is_not_me, **self.context, **context})
        response.headers["Content-Language"] = language
        response.status_code = 404 if unknown else 200
        return response
