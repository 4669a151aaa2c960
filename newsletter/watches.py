"""How many subscriptions there are (see `sailing.status`)."""

from django.utils.translation import gettext_lazy as _

from newsletter.models import State, Subscription
from sailing.status import watch


@watch("subscriptions", label=_("Subscribers"), model="newsletter.Subscription")
def count_subscriptions() -> dict[State, int]:
    return {state: Subscription.objects.in_state(state).count() for state in State}
