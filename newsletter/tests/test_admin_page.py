"""The page of one subscriber: what an admin may correct, and what only its owner can change."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import models
from django.test import Client

from accounts.models import User
from newsletter.models import STATEMENT_VERSION, ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db


def page(subscription: Subscription, name: str = "change") -> str:
    return f"/admin/newsletter/subscription/{subscription.pk}/{name}/"


def save(client: Client, subscription: Subscription, **values: str) -> None:
    """Post the form with these values beside good ones."""
    form = {
        "language": subscription.language,
        "bounced_at_0": "",
        "bounced_at_1": "",
        "consent_events-TOTAL_FORMS": "0",
        "consent_events-INITIAL_FORMS": "0",
    }
    response = client.post(page(subscription), form | values)
    assert response.status_code == 302, response.context["errors"]


def test_language_and_bounce_can_be_corrected(admin_client: Client) -> None:
    subscription = SubscriptionFactory(language="en")
    save(admin_client, subscription, language="cs", bounced_at_0="2025-06-01", bounced_at_1="12:00:00")
    subscription.refresh_from_db()
    assert subscription.language == "cs"
    assert subscription.bounced_at


def test_a_language_without_texts_is_refused(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    response = admin_client.post(page(subscription), {"language": "de"})
    assert response.status_code == 200
    assert "language" in response.context["adminform"].form.errors


def test_a_bounce_in_the_future_is_refused(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    sent = {"language": "en", "bounced_at_0": "2099-01-01", "bounced_at_1": "12:00:00"}
    response = admin_client.post(page(subscription), sent)
    assert response.status_code == 200
    assert response.context["adminform"].form.errors["bounced_at"] == [
        "A mail cannot have bounced in the future."
    ]
    subscription.refresh_from_db()
    assert not subscription.bounced_at


def test_what_the_owner_consented_to_cannot_be_changed(admin_client: Client) -> None:
    subscription = SubscriptionFactory(email="owner@example.com")
    save(
        admin_client,
        subscription,
        email="other@example.com",
        user_type="company",
        is_active="",
        is_confirmed="on",
        confirmed_at_0="2025-06-01",
        confirmed_at_1="12:00:00",
        source="landing-companies",
    )
    after = Subscription.objects.get()
    assert (after.email, after.user_type, after.source) == ("owner@example.com", UserType.SAILOR, "")
    assert after.is_active
    assert not after.is_confirmed
    assert after.confirmed_at is None


def test_saving_does_not_undo_what_the_owner_did_meanwhile(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscription = SubscriptionFactory(confirmed=True, language="en")
    clean = Subscription.clean

    def unsubscribe_then_clean(self: Subscription) -> None:
        # The owner's request comes through while the admin's holds the old row in its hands.
        Subscription.objects.filter(pk=self.pk).update(is_active=False)
        clean(self)

    monkeypatch.setattr(Subscription, "clean", unsubscribe_then_clean)
    save(admin_client, subscription, language="cs")
    subscription.refresh_from_db()
    assert subscription.language == "cs"
    assert not subscription.is_active


def test_who_is_erased_leaves_no_address_in_the_history_of_admin(admin_client: Client) -> None:
    subscription = SubscriptionFactory(email="jana@example.com", language="en")
    save(admin_client, subscription, language="cs")
    admin_client.post(page(subscription, "delete"), {"post": "yes"})
    entries = LogEntry.objects.values_list("object_repr", "change_message")
    assert len(entries) == 2
    assert "jana" not in str(entries)


class TestConsentHistory:
    def test_who_may_view_subscribers_may_view_it(self, client: Client) -> None:
        user = User.objects.create_user("staff@example.com", "only for tests", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename="view_subscription"))
        client.force_login(user)
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        assert STATEMENT_VERSION in client.get(page(subscription)).content.decode()

    def test_it_is_shown(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language="cs")
        shown = admin_client.get(page(subscription)).content.decode()
        for part in ("Consent history", "Confirmed", STATEMENT_VERSION):
            assert part in shown

    def test_nothing_of_it_can_be_changed_added_or_removed(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        event = ConsentEvent.objects.get()
        assert 'name="consent_events-0-kind"' not in admin_client.get(page(subscription)).content.decode()
        prefix = "consent_events"
        save(
            admin_client,
            subscription,
            **{
                f"{prefix}-TOTAL_FORMS": "2",
                f"{prefix}-INITIAL_FORMS": "1",
                f"{prefix}-0-id": str(event.pk),
                f"{prefix}-0-subscription": str(subscription.pk),
                f"{prefix}-0-kind": "confirmed",
                f"{prefix}-0-DELETE": "on",
                f"{prefix}-1-subscription": str(subscription.pk),
                f"{prefix}-1-kind": "confirmed",
                f"{prefix}-1-language": "en",
                f"{prefix}-1-wording": "x",
                f"{prefix}-1-user_type": "sailor",
            },
        )
        assert [event.kind for event in ConsentEvent.objects.all()] == [ConsentKind.REQUESTED]

    def test_it_goes_with_the_subscriber_and_not_without(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        admin_client.post(page(subscription, "delete"), {"post": "yes"})
        assert not Subscription.objects.exists()
        assert not ConsentEvent.objects.exists()

    def test_no_address_of_a_computer_is_kept_or_shown(self, admin_client: Client) -> None:
        fields = [field for model in (Subscription, ConsentEvent) for field in model._meta.get_fields()]
        assert not [field for field in fields if isinstance(field, models.GenericIPAddressField)]
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        shown = admin_client.get(page(subscription), REMOTE_ADDR="203.0.113.7").content.decode()
        assert "203.0.113.7" not in shown
