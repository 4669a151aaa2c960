"""A subscription is erased between two statements of a use case."""

import pytest
from django.test import Client

from newsletter.models import Subscription, UserType
from newsletter.services import administration, preferences
from newsletter.tests.factories import SubscriptionFactory
from newsletter.validation import PreferencesChange
from tests.mailbox import mails

pytestmark = pytest.mark.django_db


def test_change_of_preferences_subscribes_nobody() -> None:
    subscription = SubscriptionFactory(confirmed=True)
    Subscription.objects.all().delete()
    change = PreferencesChange(audiences=frozenset(UserType))
    assert preferences.change_preferences(subscription=subscription, change=change, language="en") is None
    assert not Subscription.objects.exists()
    assert not mails()


@pytest.mark.parametrize("action", ["activate", "deactivate", "resend_confirmation"])
def test_admin_action_reports_it(admin_client: Client, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subscription = SubscriptionFactory()
    use_case = getattr(administration, action)

    def erase_first(*, subscription: Subscription, **options: bool) -> bool:
        Subscription.objects.filter(pk=subscription.pk).delete()
        done: bool = use_case(subscription=subscription, **options)
        return done

    monkeypatch.setattr(administration, action, erase_first)
    chosen = {"action": action, "_selected_action": str(subscription.pk)}
    page = admin_client.post("/admin/newsletter/subscription/", chosen, follow=True)
    assert "1 subscriber was left alone: erased in the meantime." in page.content.decode()
