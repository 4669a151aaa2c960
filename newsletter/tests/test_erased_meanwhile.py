"""A subscription is erased between two statements of a use case."""

from typing import Any

import pytest
from django.test import Client

from newsletter import services
from newsletter.models import State, Subscription, SubscriptionQuerySet, UserType
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.validation import PreferencesChange
from tests.mailbox import mails

pytestmark = pytest.mark.django_db


def test_subscribing_stores_a_new_row(subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch) -> None:
    old = SubscriptionFactory(email="sailor@example.com", confirmed=True)
    store, lock = services._store_request, SubscriptionQuerySet.select_for_update

    def lock_nothing(self: SubscriptionQuerySet) -> SubscriptionQuerySet:
        monkeypatch.setattr(SubscriptionQuerySet, "select_for_update", lock)
        return self.none()

    def store_and_be_overtaken(*args: Any) -> None:
        try:
            store(*args)
        except Subscription.DoesNotExist:
            old.delete()
            raise

    monkeypatch.setattr(SubscriptionQuerySet, "select_for_update", lock_nothing)
    monkeypatch.setattr(services, "_store_request", store_and_be_overtaken)
    assert subscribe().data["success"]
    assert Subscription.objects.get().state is State.PENDING
    assert len(mails()) == 1


def test_change_of_preferences_subscribes_nobody() -> None:
    subscription = SubscriptionFactory(confirmed=True)
    Subscription.objects.all().delete()
    change = PreferencesChange(audiences=frozenset(UserType))
    assert services.change_preferences(subscription=subscription, change=change, language="en") is None
    assert not Subscription.objects.exists()
    assert not mails()


@pytest.mark.parametrize("action", ["activate", "deactivate", "resend_confirmation"])
def test_admin_action_reports_it(admin_client: Client, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subscription = SubscriptionFactory()
    use_case = getattr(services, action)

    def erase_first(*, subscription: Subscription, **options: bool) -> bool:
        Subscription.objects.filter(pk=subscription.pk).delete()
        done: bool = use_case(subscription=subscription, **options)
        return done

    monkeypatch.setattr(services, action, erase_first)
    chosen = {"action": action, "_selected_action": str(subscription.pk)}
    page = admin_client.post("/admin/newsletter/subscription/", chosen, follow=True)
    assert "1 subscriber was left alone: erased in the meantime." in page.content.decode()
