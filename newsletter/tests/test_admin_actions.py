"""Admin actions on subscribers: activate, deactivate, resend the confirmation mail."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter.models import ConsentKind, Subscription
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import run_action
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def run(client: Client, action: str, *subscriptions: Subscription) -> list[str]:
    return run_action(client, LIST, action, *subscriptions)


def get_events(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


def test_deactivate_reports_counts_and_records_consent_events(admin_client: Client) -> None:
    active, inactive = SubscriptionFactory(confirmed=True), SubscriptionFactory(is_active=False)
    assert run(admin_client, "deactivate", active, inactive) == [
        "1 subscriber was deactivated.",
        "1 subscriber was left alone: inactive already.",
    ]
    active.refresh_from_db()
    assert not active.is_active
    assert get_events(active) == [ConsentKind.DEACTIVATED]
    assert get_events(inactive) == []
    assert run(admin_client, "activate", active) == ["1 subscriber was activated."]
    assert LogEntry.objects.latest("pk").object_id == str(active.pk)


def test_activate_skips_unsubscribed_owners(admin_client: Client) -> None:
    paused, active = SubscriptionFactory(confirmed=True), SubscriptionFactory(confirmed=True)
    administration.deactivate(subscription=paused)
    gone = SubscriptionFactory(confirmed=True, unsubscribed=True)
    done, *skipped = run(admin_client, "activate", paused, active, gone)
    assert done == "1 subscriber was activated."
    assert set(skipped) == {
        "1 subscriber was left alone: active already.",
        "1 subscriber was left alone: unsubscribed by the owner, who alone can come back.",
    }
    paused.refresh_from_db()
    gone.refresh_from_db()
    assert paused.is_active
    assert not gone.is_active


def test_resend_confirmation_reports_reasons(admin_client: Client) -> None:
    pending = SubscriptionFactory.create_batch(2)
    others = [SubscriptionFactory(**{state: True}) for state in ("confirmed", "unsubscribed", "bounced")]
    done, *skipped = run(admin_client, "resend_confirmation", *pending, *others)
    assert done == "2 confirmation mails are on their way."
    assert set(skipped) == {
        "1 subscriber was left alone: confirmed already.",
        "1 subscriber was left alone: unsubscribed.",
        "1 subscriber was left alone: the mailbox takes no mail.",
    }
    assert {mail.recipient for mail in mails()} == {subscription.email for subscription in pending}
    assert run(admin_client, "resend_confirmation", *pending) == [
        "2 subscribers were left alone: asked recently, or the limit on mails to the mailbox is reached."
    ]
    assert len(mails()) == 2


def test_bulk_deletion_is_disabled(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    run(admin_client, "delete_selected", subscription)
    assert "delete_selected" not in admin_client.get(LIST).content.decode()
    assert Subscription.objects.filter(pk=subscription.pk).exists()


def test_deactivated_subscriber_is_not_asked_to_confirm(admin_client: Client) -> None:
    pending = SubscriptionFactory()
    administration.deactivate(subscription=pending)
    assert run(admin_client, "resend_confirmation", pending) == ["1 subscriber was left alone: deactivated."]
    assert not mails()


@pytest.mark.parametrize("action", ["activate", "deactivate", "resend_confirmation"])
def test_subscriber_erased_meanwhile_is_reported(
    admin_client: Client, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
