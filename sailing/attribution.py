"""Which link a visitor used, by its UTM tags and its site, and never who used it."""

import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy as _

MAX_TAG_LENGTH = 64
MAX_HOST_LENGTH = 100

_TAG = re.compile(r"\w[\w .,:/|&()+-]*")  # no "@", so no address; no markup; no encoded character
# A phone number, a key or a UUID. A date has 8 digits.
_IDENTIFIER = re.compile(r"(\d[ .,:/|&()+-]?){9,}|[\da-f]{16,}|([a-z]+\d+){3,}|[\da-f]{8}-[\da-f]{4}-")
_HOST = re.compile(r"(?!\d+(\.\d+){3}$)[a-z\d-]+(\.[a-z\d-]+)+")  # the name of a host, but no IP address

UTM_FIELDS = ("utm_source", "utm_medium", "utm_campaign")
ATTRIBUTION_FIELDS = (*UTM_FIELDS, "referrer")

_optional_text = partial(models.CharField, blank=True, default="", db_default="")


class AttributionFields(models.Model):
    """The columns of a row that a visitor's form created; blank if not known."""

    utm_source = _optional_text(_("UTM source"), max_length=MAX_TAG_LENGTH)
    utm_medium = _optional_text(_("UTM medium"), max_length=MAX_TAG_LENGTH)
    utm_campaign = _optional_text(_("UTM campaign"), max_length=MAX_TAG_LENGTH)
    referrer = _optional_text(_("referring site"), max_length=MAX_HOST_LENGTH)

    class Meta:
        abstract = True

    @property
    @admin.display(description=_("link"))
    def attribution(self) -> str:
        return " · ".join(filter(None, (getattr(self, name) for name in ATTRIBUTION_FIELDS)))


def clean_attribution(values: Mapping[str, str | None]) -> dict[str, str]:
    """Return the `ATTRIBUTION_FIELDS` in lower case, blank if too long, not allowed or this site."""
    tags = {name: _clean(values.get(name), _TAG, MAX_TAG_LENGTH) for name in UTM_FIELDS}
    tags = {name: "" if _IDENTIFIER.search(tag) else tag for name, tag in tags.items()}
    host = _clean(values.get("referrer"), _HOST, MAX_HOST_LENGTH)
    return {**tags, "referrer": "" if host == urlsplit(settings.SITE_URL).hostname else host}


def _clean(value: str | None, allowed: re.Pattern[str], max_length: int) -> str:
    text = value.strip().lower() if value and len(value) <= max_length else ""
    return text if allowed.fullmatch(text) else ""
