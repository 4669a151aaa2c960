"""Links in mails: their tokens, their addresses, and the base of the pages that they open.

Only the SHA-256 of a token is stored, so a copy of the database opens no link (OWASP Forgot Password Cheat
Sheet, "URL Tokens"). `sailing.redaction` lists the paths with tokens.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from enum import Enum
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from django.conf import settings
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import register_converter, reverse
from django.utils import timezone, translation
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from sailing.client import choose_language
from sailing.input_limits import is_oversized, refused_body_status
from sailing.jobs import retention

TOKEN_BYTES = 24
TOKEN_LENGTH = 32  # characters, in base64
TOKEN_RETENTION = timedelta(days=90)  # until then the page can still say what happened
retention.periods["mailLinks"] = TOKEN_RETENTION

MAX_BODY_BYTES = 16 * 1024  # the largest form has two passwords


class LinkStatus(Enum):
    OPEN = "open"
    DONE = "done"  # the purpose is fulfilled, by this link or otherwise
    EXPIRED = "expired"  # the page offers a new link
    RENEWED = "renewed"  # a newer link is in the mailbox
    SPENT = "spent"  # used, or overtaken by a later action of the owner
    DISOWNED = "disowned"  # "This was not me": the account or subscription was deleted
    BLOCKED = "blocked"  # "This was not me": the account or subscription stays
    UNKNOWN = "unknown"  # never issued, or purged


class EmailToken(models.Model):
    """A subclass adds `purpose`, `status` and a key to the owner, which is null after "This was not me"."""

    OWNER: ClassVar[str]  # name of the foreign key
    LIFETIMES: ClassVar[Mapping[str, timedelta]]  # by purpose

    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def issue(cls, purpose: str, *, lifetime: timedelta | None = None, **fields: Any) -> str:
        """Store a token and return it."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        values = {"token_hash": _hash(token), "purpose": purpose, **fields}
        cls(expires_at=timezone.now() + (lifetime or cls.LIFETIMES[purpose]), **values).save()
        return token

    @classmethod
    def find(cls, token: str, *, purpose: str) -> Self | None:
        """Return the row of a token with its owner, even if it is used or expired."""
        return cls._select(token, purpose).first()

    @classmethod
    def find_locked(cls, token: str, *, purpose: str) -> Self | None:
        """Do as `find`; lock the owner's row and then the token's, as all code does."""
        owned = cls._select(token, purpose).filter(**{f"{cls.OWNER}__isnull": False})
        # PostgreSQL locks in the order of `of`.
        return owned.select_for_update(of=(cls.OWNER, "self")).first() or cls.find(token, purpose=purpose)

    @classmethod
    def _select(cls, token: str, purpose: str) -> models.QuerySet[Self]:
        hashes = [] if is_oversized(token, limit=TOKEN_LENGTH) else [_hash(token)]
        return cls._default_manager.filter(token_hash__in=hashes, purpose=purpose).select_related(cls.OWNER)

    @classmethod
    def purge_expired(cls) -> bool:
        old = cls._default_manager.filter(created_at__lt=timezone.now() - TOKEN_RETENTION)
        return retention.delete_batch(old)

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def get_status(link: Any) -> LinkStatus:
    return link.status if link else LinkStatus.UNKNOWN


def page_url(path: str, *, language: str) -> str:
    return f"{settings.SITE_URL}{path}?{urlencode({'lang': language})}"


def link_url(view: str, *, token: str, language: str) -> str:
    return page_url(reverse(view, kwargs={"token": token}), language=language)


def not_me_url(link_url: str) -> str:
    """Return the URL of the question "This was not me" alone."""
    return link_url + "&not-me=1"


class TokenConverter:
    """The token at the end of a path, which may be truncated or have lost its last slash."""

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
    """The page of one kind of link: GET changes nothing, because mail scanners open links too.

    Only the small body of a POST with a known token is parsed. All unknown tokens get the same 404.
    """

    model: ClassVar[type[EmailToken]]
    purpose: ClassVar[str]
    templates: ClassVar[Mapping[LinkStatus, str]]
    context: ClassVar[Mapping[str, object]] = {}

    link: Any  # the row of the token (`model`), or None
    language: str

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
        """Set `link` and `language`, and return the status of the link."""
        self.link = self.model.find(token, purpose=self.purpose)
        owner = getattr(self.link, self.model.OWNER, None)
        self.language = choose_language(self.request, owner.language if owner else "")
        return get_status(self.link)

    def submit(self, token: str, status: LinkStatus) -> HttpResponse:
        """Do what the pressed button says, and show the page."""
        raise NotImplementedError

    def render(self, status: LinkStatus, **context: object) -> HttpResponse:
        is_unknown = status is LinkStatus.UNKNOWN
        values = {"link": self.link, "is_not_me": "not-me" in self.request.GET}
        template = "links/unknown.html" if is_unknown else self.templates[status]
        with translation.override(self.language):
            response = render(self.request, template, {**values, **self.context, **context})
        response.headers["Content-Language"] = self.language
        response.status_code = 404 if is_unknown else 200
        return response
