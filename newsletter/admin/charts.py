"""How many signed up on each of the last days, by user type."""

from newsletter.models import Subscription, UserType
from sailing.admin import charts


def sign_ups() -> charts.Chart:
    """The sign-ups of the last 30 days. Who came by an import asked for nothing here, and does not count."""
    asked = Subscription.objects.filter(is_imported=False)
    return charts.daily(asked, by="user_type", categories=list(UserType))
