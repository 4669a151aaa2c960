"""Admin actions on subscribers: unsubscribe, undo it, ask again."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter.models import ConsentKind, Subscription
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import run_action
from sailing.mail.mailboxes import suppress
from sailing.mail.models import SuppressionReason
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


def run(client: Client, action: str, *subscriptions: Subscription) -> list[str]:
    return run_action(client, LIST, action, *subscriptions)


def get_events(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


def test_unsubscribe_reports_counts_and_records_consent_events(admin_client: Client) -> None:
    active, inactive = SubscriptionFactory(confirmed=True), SubscriptionFactory(is_active=False)
    assert run(admin_client, "unsubscribe", active, inactive) == [
        "1 subscriber was unsubscribed.",
        "1 subscriber was left alone: unsubscribed already.",
    ]
    active.refresh_from_db()
    assert not active.is_active
    assert get_events(active) == [ConsentKind.ENDED_BY_ADMIN]
    assert get_events(inactive) == []
    assert run(admin_client, "restore", active) == ["1 unsubscription was undone."]
    assert LogEntry.objects.latest("pk").object_id == str(active.pk)


def test_restore_skips_unsubscribed_owners(admin_client: Client) -> None:
    paused, active = SubscriptionFactory(confirmed=True), SubscriptionFactory(confirmed=True)
    administration.unsubscribe(subscription=paused)
    gone = SubscriptionFactory(confirmed=True, unsubscribed=True)
    done, *skipped = run(admin_client, "restore", paused, active, gone)
    assert done == "1 unsubscription was undone."
    assert set(skipped) == {
        "1 subscriber was left alone: not unsubscribed.",
        "1 subscriber was left alone: unsubscribed by the owner, who alone can come back,"
        " or by an admin more than 7 days ago.",
    }
    paused.refresh_from_db()
    gone.refresh_from_db()
    assert paused.is_active
    assert not gone.is_active


def test_ask_again_reports_reasons(admin_client: Client) -> None:
    pending = SubscriptionFactory.create_batch(2)
    others = [SubscriptionFactory(**{state: True}) for state in ("confirmed", "unsubscribed", "bounced")]
    others.append(SubscriptionFactory(email="complained@example.com"))
    suppress("complained@example.com", SuppressionReason.COMPLAINED)
    done, *skipped = run(admin_client, "ask_again", *pending, *others)
    assert done == "2 emails that ask to confirm are on their way."
    assert set(skipped) == {
        "1 subscriber was left alone: confirmed already.",
        "1 subscriber was left alone: unsubscribed.",
        "1 subscriber was left alone: emails to the address come back.",
        "1 subscriber was left alone: opted out in an imported file, or on the do-not-contact list.",
    }
    assert {mail.recipient for mail in mails()} == {subscription.email for subscription in pending}
    assert run(admin_client, "ask_again", *pending) == [
        "2 subscribers were left alone: asked recently, or the limit on emails to the mailbox is reached."
    ]
    assert len(mails()) == 2


def test_bulk_deletion_is_disabled(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    run(admin_client, "delete_selected", subscription)
    assert "delete_selected" not in admin_client.get(LIST).content.decode()
    assert Subscription.objects.filter(pk=subscription.pk).exists()


def test_subscriber_erased_meanwhile_is_reported(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscription = SubscriptionFactory()
    use_case = administration.unsubscribe

    def erase_first(*, subscription: Subscription, **options: int | None) -> bool:
        Subscription.objects.filter(pk=subscription.pk).delete()
        return use_case(subscription=subscription, **options)

    monkeypatch.setattr(administration, "unsubscribe", erase_first)
    assert run(admin_client, "unsubscribe", subscription) == [
        "1 subscriber was left alone: erased in the meantime."
    ]
