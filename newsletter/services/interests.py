"""What the owner of an address is interested in: one choice for all subscriptions of the address."""

from collections.abc import Collection, Iterable

from django.db import transaction

from newsletter.models import Interest, Subscription


def list_choices(*, email: str) -> list[tuple[Interest, bool]]:
    """Return the interests that readers can choose, each with whether the owner of an address has."""
    offered = list(Interest.objects.filter(is_offered=True))
    if not offered:
        return []
    chosen = set(Interest.objects.filter(subscriptions__email=email).values_list("pk", flat=True))
    return [(interest, interest.pk in chosen) for interest in offered]


def choose(*, subscription: Subscription, keys: Collection[int]) -> None:
    """Store the choice of the holder of a link in a mail about a subscription.

    Nothing is stored if the subscription was erased meanwhile.
    """
    with transaction.atomic():
        rows = Subscription.objects.filter(email=subscription.email).order_by("pk")
        stored = list(rows.select_for_update())
        if subscription in stored:
            store(stored, keys)


def store(subscriptions: Iterable[Subscription], keys: Collection[int]) -> None:
    """Store the keys of the chosen interests with the locked subscriptions of an address.

    A key that is not offered changes nothing: a retired interest stays as it was chosen.
    """
    offered = Interest.objects.filter(is_offered=True)
    chosen = list(offered.filter(pk__in=keys))
    for subscription in subscriptions:
        kept = subscription.interests.filter(is_offered=False)
        subscription.interests.set([*chosen, *kept])
