"""Base view of the pages behind mail links.

GET shows a page with one button and changes nothing, because mail scanners open links too. The button acts
by POST. The body of a POST is parsed only if the token is known and the body is small: parsing 2.5 MB
takes half a second. Unknown tokens all get the same 404 page.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import register_converter
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from sailing.input_limits import refused_body_status
from sailing.language import get_language
from sailing.mail_links.tokens import EmailToken, LinkStatus, get_status

MAX_BODY_BYTES = 16 * 1024
"""The largest form has two passwords."""


class TokenConverter:
    """The token at the end of a path. A link may have been truncated, or have lost its last slash."""

    regex = "(?s:.*)"

    def to_python(self, value: str) -> str:
        return value.removesuffix("/")

    def to_url(self, token: str) -> str:
        return f"{token}/"


register_converter(TokenConverter, "mail_token")


# The token is the permission: it proves access to the mailbox. One-click posts (RFC 8058) come from mail
# servers, without cookies.
@method_decorator(csrf_exempt, name="dispatch")
class LinkPage(View):
    """The page of one kind of link."""

    model: ClassVar[type[EmailToken]]
    purpose: ClassVar[str]
    templates: ClassVar[Mapping[LinkStatus, str]]
    """One for each status that this kind of link has, except UNKNOWN."""
    context: ClassVar[Mapping[str, object]] = {}

    link: Any
    """The row of the token (`model`); None for an unknown token."""
    language: str

    def perform(self, token: str) -> LinkStatus:
        """Do what the pressed button says; return the status afterwards."""
        raise NotImplementedError

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return self.render(self.get_status(token))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        status = self.get_status(token)
        if status is LinkStatus.UNKNOWN:
            return self.render(status)
        if http_status := refused_body_status(request, limit=MAX_BODY_BYTES):
            with translation.override(self.language):
                return render(request, "400.html", status=http_status)
        return self.submit(token, status)

    def get_status(self, token: str) -> LinkStatus:
        """Find the link of a token, set `link` and `language`, and return the link's status."""
        self.link = self.model.find(token, purpose=self.purpose)
        self.language = get_language(
            self.request, owner.language if (owner := self.link and self.link.owner) else ""
        )
        return get_status(self.link)

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        """Answer a POST with a known token and a small body."""
        return self.render(self.perform(token))

    def render(self, status: LinkStatus, **context: object) -> HttpResponse:
        """Render the page of a status; `context` is added to the context of all statuses."""
        is_unknown = status is LinkStatus.UNKNOWN
        # The link "This was not me" in a mail leads to that question alone.
        has_not_me = LinkStatus.DISOWNED in self.templates or LinkStatus.BLOCKED in self.templates
        is_not_me = "not-me" in self.request.GET and has_not_me
        template = "links/unknown.html" if is_unknown else self.templates[status]
        with translation.override(self.language):
            values = {"link": self.link, "is_not_me": is_not_me, **self.context, **context}
            response = render(self.request, template, values)
        response.headers["Content-Language"] = self.language
        response.status_code = 404 if is_unknown else 200
        return response
