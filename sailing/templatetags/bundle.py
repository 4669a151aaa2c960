"""Template tags for the webpack bundle."""

import structlog
from django import template

from sailing.pages import manifest

register = template.Library()
logger = structlog.get_logger(__name__)


@register.simple_tag
def document_assets() -> manifest.Assets:
    """Return the assets of a page that Django renders: `{% document_assets as assets %}`.

    They are empty without a bundle, so that such pages, error pages above all, still work without styles.
    """
    try:
        return manifest.document_assets()
    except FileNotFoundError as error:
        logger.error("bundle_missing", problem=str(error))
        return manifest.Assets(styles=(), scripts=(), fonts=())
