"""Subscriptions in each state, links to confirm them, and interests."""

from datetime import timedelta

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from newsletter.models import Interest, LinkPurpose, Subscription, SubscriptionLink, UserType


class SubscriptionFactory(DjangoModelFactory):
    """A pending subscription without earlier mails."""

    class Meta:
        model = Subscription

    class Params:
        confirmed = factory.Trait(is_confirmed=True, confirmed_at=factory.LazyFunction(timezone.now))
        unsubscribed = factory.Trait(is_active=False, unsubscribed_at=factory.LazyFunction(timezone.now))
        paused = factory.Trait(paused_until=factory.LazyFunction(lambda: timezone.now() + timedelta(days=30)))
        bounced = factory.Trait(bounced_at=factory.LazyFunction(timezone.now))

    email = factory.Sequence(lambda number: f"sailor{number}@example.com")
    user_type = UserType.SAILOR
    language = "en"


def issue_confirm(subscription: Subscription, *, is_used: bool = False) -> str:
    """Return the path of a new link to confirm. Once it is used, it shows the page after confirming."""
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    if is_used:
        SubscriptionLink.objects.update(used_at=timezone.now())
    return f"/newsletter/confirm/{token}/"


class InterestFactory(DjangoModelFactory):
    """An interest that readers can choose; the first one made comes first."""

    class Meta:
        model = Interest

    name_en = factory.Sequence(lambda number: f"Interest {number}")
    name_cs = factory.Sequence(lambda number: f"Zájem {number}")
