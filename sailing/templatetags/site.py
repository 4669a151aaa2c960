"""Template tags for what every page says about the site."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def launch_year() -> int:
    """The year of the copyright line; a tag, because error pages are rendered without a context."""
    year: int = settings.LAUNCH_YEAR
    return year
