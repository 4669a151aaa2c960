"""Template tags for what webpack built."""

import structlog
from django import template

from sailing.pages import manifest

register = template.Library()
logger = structlog.get_logger(__name__)


@register.simple_tag
def document_assets() -> manifest.Assets:
    """The assets of a page that Django renders itself: `{% document_assets as assets %}`.

    None without a bundle: such a page does its work unstyled, and an error page can say what it has to.
    """
    try:
        return manifest.document_assets()
    except FileNotFoundError as error:
        logger.error("bundle_missing", problem=str(error))
        return manifest.Assets(styles=(), scripts=(), fonts=())
