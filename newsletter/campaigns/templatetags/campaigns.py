"""Template tags for pages of the newsletter, which is below its campaigns and does not import them."""

from django import template

from newsletter.campaigns.views import list_issues

register = template.Library()


@register.simple_tag
def has_public_issues() -> bool:
    """Return whether the archive has an issue."""
    return list_issues().exists()
