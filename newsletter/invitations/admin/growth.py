"""The invitations of a period on the growth page."""

from typing import Any

from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest

from newsletter.admin.growth import Bounds, section
from newsletter.invitations.models import Invitation, Inviter, Review


@section("admin/newsletter/invitations_growth.html")
def describe_invitations(request: HttpRequest, bounds: Bounds) -> dict[str, Any] | None:
    """Return how many came by a link in the period, and how many count in all, as of the last hourly count.

    None without the permission, or while invitations are turned off.
    """
    if not settings.INVITATIONS or not request.user.has_perm("invitations.view_invitation"):
        return None
    confirmed = Invitation.objects.filter(settled_at__range=bounds)
    return {
        "requested": Invitation.objects.filter(created_at__range=bounds).count(),
        "confirmed": confirmed.count(),
        "held": confirmed.filter(review=Review.HELD).count(),
        "counted": Inviter.objects.aggregate(sum=Sum("counted", default=0))["sum"],
    }
