"""Template tags of invitations, for pages of the newsletter, which does not import them."""

from django import template
from django.conf import settings

from newsletter.invitations import services

register = template.Library()


@register.simple_tag
def get_invitation(email: str) -> services.InvitationSummary | None:
    """Return what the subscriber with an address sees: `{% get_invitation email as invitation %}`."""
    return services.get_summary(email=email)


@register.simple_tag
def has_invitations() -> bool:
    """Return whether invitations are turned on."""
    enabled: bool = settings.INVITATIONS
    return enabled
