"""Template tags of the pages that Django renders. Tags, because error pages have no context processors."""

import structlog
from django import template
from django.conf import settings

from sailing.pages import manifest

register = template.Library()
logger = structlog.get_logger(__name__)


@register.simple_tag
def launch_year() -> int:
    """Return the year of the copyright line."""
    year: int = settings.LAUNCH_YEAR
    return year


@register.simple_tag
def document_assets() -> manifest.Assets:
    """Return the assets of a page: `{% document_assets as assets %}`.

    They are empty without a bundle, or if it cannot be read, so that error pages still work without styles.
    """
    try:
        return manifest.document_assets()
    except OSError as error:
        logger.error("bundle_missing", problem=str(error))
        return manifest.Assets(styles=(), scripts=(), fonts=())
