"""Template tags for facts about the site."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def launch_year() -> int:
    """Return the year of the copyright line. A tag, because error pages have no context processors."""
    year: int = settings.LAUNCH_YEAR
    return year
