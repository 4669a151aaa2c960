"""The invitations of a period on the growth page."""

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from newsletter.admin.growth import section
from newsletter.invitations.models import Invitation, Review


@section("admin/newsletter/invitations_growth.html")
def describe_invitations(request: HttpRequest, first: date, last: date) -> dict[str, Any] | None:
    """Return how many came by a link in the period; None without the permission, or while turned off."""
    user: Any = request.user
    if not settings.INVITATIONS or not user.has_perm("invitations.view_invitation"):
        return None
    confirmed = Invitation.objects.filter(settled_at__date__range=(first, last))
    return {
        "requested": Invitation.objects.filter(created_at__date__range=(first, last)).count(),
        "confirmed": confirmed.count(),
        "counted": confirmed.counted().count(),
        "held": confirmed.filter(review=Review.HELD).count(),
    }
