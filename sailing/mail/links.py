"""Email tokens: single-purpose secrets in mail links.

A token is 192 random bits. Only its SHA-256 is stored, so a copy of the database opens no link
(OWASP Forgot Password Cheat Sheet, "URL Tokens"). Each app stores its tokens in a table of its own.
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

from sailing.input_limits import is_oversized, refused_body_status
from sailing.jobs import retention
from sailing.language import get_language

TOKEN_BYTES = 24
TOKEN_LENGTH = 32
"""Characters of a token: its bytes in base64."""

TOKEN_RETENTION = timedelta(days=90)
"""Until then the page of a used or expired link can still say what happened."""
retention.periods["mailLinks"] = TOKEN_RETENTION


class LinkStatus(Enum):
    """The status of a link, or the result of pressing its button."""

    OPEN = "open"
    """The button acts."""
    DONE = "done"
    """The purpose is fulfilled, by this link or otherwise."""
    EXPIRED = "expired"
    """Too old to act; the page offers a new link."""
    RENEWED = "renewed"
    """A newer link is in the mailbox."""
    SPENT = "spent"
    """Used, or overtaken by a later action of the owner."""
    DISOWNED = "disowned"
    """The receiver said "This was not me", and the account or subscription was deleted."""
    BLOCKED = "blocked"
    """The receiver said "This was not me", and the account or subscription stays."""
    TAKEN = "taken"
    """Nothing was changed, because the address belongs to another account meanwhile."""
    UNKNOWN = "unknown"
    """Never issued, or purged."""


class EmailToken(models.Model):
    """A token that was sent in a mail.

    A subclass adds `purpose` and a nullable foreign key to the owner. The key is null after the receiver
    said "This was not me".
    """

    OWNER: ClassVar[str]
    """Name of the foreign key."""
    LIFETIMES: ClassVar[Mapping[str, timedelta | None]]
    """How long a token of each purpose is valid; None for ever."""

    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def issue(cls, *purposes: str, lifetime: timedelta | None = None, **fields: Any) -> list[str]:
        """Store one token for each purpose and return the tokens. `lifetime` overrides `LIFETIMES`."""
        tokens = [secrets.token_urlsafe(TOKEN_BYTES) for _purpose in purposes]
        now = timezone.now()
        rows = []
        for purpose, token in zip(purposes, tokens, strict=True):
            valid_for = lifetime or cls.LIFETIMES[purpose]
            values = {"purpose": purpose, "expires_at": now + valid_for if valid_for else None, **fields}
            rows.append(cls(token_hash=_hash(token), **values))
        cls._default_manager.bulk_create(rows)
        return tokens

    @classmethod
    def find(cls, token: str, *, purpose: str) -> Self | None:
        """Return the row of a token with its owner, even if the token was used or has expired."""
        if is_oversized(token, limit=TOKEN_LENGTH):
            return None
        rows = cls._default_manager.filter(token_hash=_hash(token), purpose=purpose)
        return rows.select_related(cls.OWNER).first()

    @classmethod
    def find_locked(cls, token: str, *, purpose: str) -> Self | None:
        """Return what `find` returns; lock the owner's row and the token's until the transaction ends.

        PostgreSQL locks in the order of `of`. All code locks the owner first, so there is no deadlock.
        """
        if is_oversized(token, limit=TOKEN_LENGTH):
            return None
        rows = cls._default_manager.filter(token_hash=_hash(token), purpose=purpose)
        owned = rows.filter(**{f"{cls.OWNER}__isnull": False}).select_related(cls.OWNER)
        return owned.select_for_update(of=(cls.OWNER, "self")).first() or cls.find(token, purpose=purpose)

    @classmethod
    def purge_expired(cls, **fields: Any) -> bool:
        """Delete a batch of tokens older than `TOKEN_RETENTION`; return whether more are left."""
        old = cls._default_manager.filter(created_at__lt=timezone.now() - TOKEN_RETENTION, **fields)
        return retention.delete_batch(old)

    @property
    def owner(self) -> Any:
        return getattr(self, self.OWNER)

    @property
    def status(self) -> LinkStatus:
        raise NotImplementedError

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


def get_status(link: EmailToken | None) -> LinkStatus:
    """Return the status of what `EmailToken.find` returned."""
    return link.status if link else LinkStatus.UNKNOWN


def link_url(view: str, *, token: str, language: str) -> str:
    """Return the absolute URL of a link in a mail."""
    return f"{settings.SITE_URL}{link_path(view, token=token, language=language)}"


def link_path(view: str, *, token: str, language: str) -> str:
    """Return the path of a link, with its language."""
    return f"{reverse(view, kwargs={'token': token})}?{urlencode({'lang': language})}"


def not_me_url(link_url: str) -> str:
    """Return the URL at which the page of a link offers "This was not me" alone."""
    return f"{link_url}&not-me=1"


def page_url(path: str, *, language: str) -> str:
    """Return the absolute URL of a page, for a mail.

    It always names the mail's language, which overrides the one that the reader chose on the site.
    """
    return f"{settings.SITE_URL}{path}?{urlencode({'lang': language})}"


def privacy_url(*, language: str) -> str:
    """Return the absolute URL of the privacy notice, for a mail."""
    return f"{page_url('/', language=language)}#privacy"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


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
