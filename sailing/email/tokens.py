"""Links in mails: what stands behind one in the database.

A link's token is 192 random bits. Only its SHA-256 is stored, so that who reads the database cannot
open the links (OWASP Forgot Password Cheat Sheet, "URL Tokens": random, hashed, single use, expiring).
Each app has a table of its own that extends `MailLink` with what the link is about.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from enum import Enum
from typing import Any, Self
from urllib.parse import urlencode

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from sailing.input_limits import is_oversized
from sailing.retention import delete_batch

TOKEN_BYTES = 24
TOKEN_LENGTH = 32
"""Characters of a token: its bytes in base64."""

KEPT = timedelta(days=90)
"""Long after a link was used or expired; until then its page can still say which."""


class Outcome(Enum):
    """How things stand with a link, or what came of its button."""

    OPEN = "open"
    """Its button would act."""
    DONE = "done"
    """What it is for holds, by this link or otherwise."""
    EXPIRED = "expired"
    """Too old to act; a new one can be asked for."""
    RENEWED = "renewed"
    """A newer link is in the mailbox."""
    SPENT = "spent"
    """Used, or overtaken by what its owner did later; it does nothing any more."""
    DISOWNED = "disowned"
    """Its receiver said "This was not me": what was asked for in their name is deleted."""
    BLOCKED = "blocked"
    """The same, where what the mail was about stays: its receiver had confirmed it, or an admin made it."""
    UNKNOWN = "unknown"
    """Never sent, or what it was about is gone."""


class MailLink(models.Model):
    """One link that was sent: for what, until when, and when it was used."""

    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def issue(cls, *, lifetime: timedelta | None, **fields: Any) -> str:
        """Store a new link and return its token. `lifetime` None: it never expires."""
        (token,) = cls.issue_all({"lifetime": lifetime, **fields})
        return token

    @classmethod
    def issue_all(cls, *links: Mapping[str, Any]) -> list[str]:
        """Store new links at once and return their tokens. Each is given as the arguments of `issue`."""
        tokens = [secrets.token_urlsafe(TOKEN_BYTES) for _link in links]
        now = timezone.now()
        cls._default_manager.bulk_create(
            cls(token_hash=_hash(token), expires_at=now + lifetime if lifetime else None, **fields)
            for token, (lifetime, fields) in zip(tokens, map(_split, links), strict=True)
        )
        return tokens

    @classmethod
    def find(cls, token: str, **fields: Any) -> Self | None:
        """The link of a token, used or expired as it may be; None for a token that never was."""
        if is_oversized(token, limit=TOKEN_LENGTH):
            return None
        return cls._default_manager.filter(token_hash=_hash(token), **fields).first()

    @classmethod
    def delete_old(cls, **fields: Any) -> bool:
        """Delete a batch of the links that were sent long ago; return whether more are left."""
        return delete_batch(cls._default_manager.filter(created_at__lt=timezone.now() - KEPT, **fields))

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


def _split(link: Mapping[str, Any]) -> tuple[timedelta | None, dict[str, Any]]:
    fields = dict(link)
    return fields.pop("lifetime"), fields


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def url(view: str, *, token: str, language: str) -> str:
    """The whole address of a link, for a mail: absolute, and in the mail's language."""
    return page_url(reverse(view, kwargs={"token": token}), language=language)


def not_me(url: str) -> str:
    """The address by which the page of a link asks for "This was not me" alone."""
    return f"{url}&not-me=1"


def page_url(path: str, *, language: str) -> str:
    """The whole address of a page, for a mail. Its language is told also where it is the site's own:
    the reader may have chosen another one there, and follows this mail now."""
    return f"{settings.SITE_URL}{path}?{urlencode({'lang': language})}"
