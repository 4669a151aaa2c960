"""How many subscriptions there are, and how many bots tried (see `sailing.status`)."""

from django.utils.translation import gettext_lazy as _

from newsletter import traps
from newsletter.models import State, Subscription
from sailing.status import watch


@watch("subscriptions", label=_("Subscribers"), model="newsletter.Subscription")
def count_subscriptions() -> dict[State, int]:
    return {state: Subscription.objects.in_state(state).count() for state in State}


@watch(
    "subscriptions_dropped",
    label=_("Forms that bots filled in, in the last 24 hours"),
    model="newsletter.Subscription",
)
def count_dropped() -> dict[traps.Trap, int]:
    return traps.count_dropped()
