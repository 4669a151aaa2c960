"""Activating, deactivating and asking again, for chosen subscribers."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter import services
from newsletter.models import ConsentKind, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import actions
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def run(client: Client, action: str, *subscriptions: Subscription) -> list[str]:
    """Choose these and press Go; the messages of the next page."""
    chosen = [str(subscription.pk) for subscription in subscriptions]
    response = client.post(LIST, {"action": action, "_selected_action": chosen}, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


def kinds(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


def test_deactivating_says_how_many_and_writes_the_history(admin_client: Client) -> None:
    active, inactive = SubscriptionFactory(confirmed=True), SubscriptionFactory(is_active=False)
    assert run(admin_client, "deactivate", active, inactive) == [
        "1 subscriber was deactivated.",
        "1 subscriber was left alone: inactive already.",
    ]
    active.refresh_from_db()
    assert not active.is_active
    assert kinds(active) == [ConsentKind.DEACTIVATED]
    assert kinds(inactive) == []
    assert LogEntry.objects.get().object_id == str(active.pk)


def test_activating_leaves_who_unsubscribed_alone(admin_client: Client) -> None:
    paused, active = SubscriptionFactory(confirmed=True), SubscriptionFactory(confirmed=True)
    services.deactivate(subscription=paused)
    gone = SubscriptionFactory(confirmed=True, unsubscribed=True)
    done, *left = run(admin_client, "activate", paused, active, gone)
    assert done == "1 subscriber was activated."
    assert set(left) == {
        "1 subscriber was left alone: active already.",
        "1 subscriber was left alone: unsubscribed by the owner, who alone can come back.",
    }
    paused.refresh_from_db()
    gone.refresh_from_db()
    assert paused.is_active
    assert not gone.is_active


def test_asking_again_tells_why_not(admin_client: Client) -> None:
    pending = SubscriptionFactory.create_batch(2)
    others = [SubscriptionFactory(**{state: True}) for state in ("confirmed", "unsubscribed", "bounced")]
    done, *left = run(admin_client, "resend_confirmation", *pending, *others)
    assert done == "2 confirmation mails are on their way."
    assert set(left) == {
        "1 subscriber was left alone: confirmed already.",
        "1 subscriber was left alone: unsubscribed.",
        "1 subscriber was left alone: the mailbox takes no mail.",
    }
    assert {mail.to[0] for mail in mails()} == {subscription.email for subscription in pending}
    assert run(admin_client, "resend_confirmation", *pending) == [
        "2 subscribers were left alone: asked less than ten minutes ago, or five times within a day."
    ]
    assert len(mails()) == 2


def test_more_than_one_request_can_do_is_refused_whole(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_ROWS", 2)
    subscriptions = SubscriptionFactory.create_batch(3)
    assert run(admin_client, "deactivate", *subscriptions) == [
        "Nothing was done: please choose at most 2 at a time."
    ]
    assert Subscription.objects.filter(is_active=True).count() == 3


def test_nobody_is_deleted_by_the_dozen(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    run(admin_client, "delete_selected", subscription)
    assert "delete_selected" not in admin_client.get(LIST).content.decode()
    assert Subscription.objects.filter(pk=subscription.pk).exists()
