"""Where a visitor came from: the UTM tags of the first address, and the site that linked to it.

The browser keeps them in the memory of the page and sends them with a form; nothing is stored on the device.
They say which link works, never who used it: values that look like an address, a phone number or a key are
dropped.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy as _

MAX_TAG_LENGTH = 64
MAX_HOST_LENGTH = 100

_TAG = re.compile(r"\w[\w .,:/|&()+-]*")
"""No "@", so no address; no markup; no encoded character."""

_IDENTIFIER = re.compile(r"(\d[ .,:/|&()+-]?){9,}|[\da-f]{16,}|([a-z]+\d+){3,}|[\da-f]{8}-[\da-f]{4}-")
"""A phone number, a key or a UUID. A date has 8 digits."""

_HOST = re.compile(r"(?!\d+(\.\d+){3}$)[a-z\d-]+(\.[a-z\d-]+)+")
"""The name of a host, but no IP address."""


UTM_FIELDS = ("utm_source", "utm_medium", "utm_campaign")
ATTRIBUTION_FIELDS = (*UTM_FIELDS, "referrer")


class AttributionFields(models.Model):
    """The columns of a row that a visitor's form created; blank if not known."""

    utm_source = models.CharField(
        _("UTM source"), max_length=MAX_TAG_LENGTH, blank=True, default="", db_default=""
    )
    utm_medium = models.CharField(
        _("UTM medium"), max_length=MAX_TAG_LENGTH, blank=True, default="", db_default=""
    )
    utm_campaign = models.CharField(
        _("UTM campaign"), max_length=MAX_TAG_LENGTH, blank=True, default="", db_default=""
    )
    referrer = models.CharField(
        _("referring site"), max_length=MAX_HOST_LENGTH, blank=True, default="", db_default=""
    )

    class Meta:
        abstract = True

    @property
    @admin.display(description=_("link"))
    def attribution(self) -> str:
        """Return the known values as one line."""
        return " · ".join(filter(None, (getattr(self, name) for name in ATTRIBUTION_FIELDS)))


def clean_attribution(values: Mapping[str, str | None]) -> dict[str, str]:
    """Return the values of `ATTRIBUTION_FIELDS`, in lower case; other keys of `values` are ignored.

    A value that is too long or not allowed becomes blank. It is no error: the visitor did not type it.
    `referrer` is a host; this site's own counts as none.
    """
    return {name: _clean_tag(values.get(name) or "") for name in UTM_FIELDS} | {
        "referrer": _clean_host(values.get("referrer") or "")
    }


def _clean_tag(value: str) -> str:
    if len(value) > MAX_TAG_LENGTH:
        return ""
    tag = value.strip().lower()
    return tag if _TAG.fullmatch(tag) and not _IDENTIFIER.search(tag) else ""


def _clean_host(value: str) -> str:
    if len(value) > MAX_HOST_LENGTH:
        return ""
    host = value.lower()
    is_own = host == urlsplit(settings.SITE_URL).hostname
    return host if _HOST.fullmatch(host) and not is_own else ""
