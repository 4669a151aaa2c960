"""The page of a subscriber in Django admin, and the list of the reasons for leaving."""

import pytest
from django.db import models
from django.test import Client

from newsletter.models import (
    STATEMENT_VERSION,
    ConsentEvent,
    ConsentKind,
    LeavingReason,
    Subscription,
    UserType,
)
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db


def get_path(subscription: Subscription, name: str = "change") -> str:
    return f"/admin/newsletter/subscription/{subscription.pk}/{name}/"


def save(client: Client, subscription: Subscription, **values: str) -> None:
    """Post the form with these values and valid ones for the other fields."""
    form = {
        "language": subscription.language,
        "bounced_at_0": "",
        "bounced_at_1": "",
        "consent_events-TOTAL_FORMS": "0",
        "consent_events-INITIAL_FORMS": "0",
        "deliveries-TOTAL_FORMS": "0",
        "deliveries-INITIAL_FORMS": "0",
    }
    response = client.post(get_path(subscription), form | values)
    assert response.status_code == 302, response.context["errors"]


def test_language_and_bounce_can_be_changed(admin_client: Client) -> None:
    subscription = SubscriptionFactory(language="en")
    save(admin_client, subscription, language="cs", bounced_at_0="2025-06-01", bounced_at_1="12:00:00")
    subscription.refresh_from_db()
    assert subscription.language == "cs"
    assert subscription.bounced_at


def test_bounce_in_the_future_is_refused(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    sent = {"language": "en", "bounced_at_0": "2099-01-01", "bounced_at_1": "12:00:00"}
    response = admin_client.post(get_path(subscription), sent)
    assert response.status_code == 200
    assert response.context["adminform"].form.errors["bounced_at"] == [
        "A mail cannot have bounced in the future."
    ]
    subscription.refresh_from_db()
    assert not subscription.bounced_at


def test_consent_of_the_owner_cannot_be_changed(admin_client: Client) -> None:
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


def test_saving_keeps_concurrent_changes_of_the_owner(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscription = SubscriptionFactory(confirmed=True, language="en")
    clean = Subscription.clean

    def unsubscribe_then_clean(self: Subscription) -> None:
        # The owner unsubscribes after the admin's request has read the row.
        Subscription.objects.filter(pk=self.pk).update(is_active=False)
        clean(self)

    monkeypatch.setattr(Subscription, "clean", unsubscribe_then_clean)
    save(admin_client, subscription, language="cs")
    subscription.refresh_from_db()
    assert subscription.language == "cs"
    assert not subscription.is_active


class TestConsentHistory:
    def test_permission_to_view_subscribers_is_enough(self) -> None:
        client = staff_client("view_subscription")
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        assert STATEMENT_VERSION in client.get(get_path(subscription)).content.decode()

    def test_reason_for_leaving_is_shown(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        kind = ConsentKind.UNSUBSCRIBED
        ConsentEvent.record(subscription, kind, language="en", reason="too-many", comment="Once a month")
        html = admin_client.get(get_path(subscription)).content.decode()
        assert "Too many emails" in html
        assert "Once a month" in html

    def test_events_cannot_be_added_changed_or_deleted(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        event = ConsentEvent.objects.get()
        assert 'name="consent_events-0-kind"' not in admin_client.get(get_path(subscription)).content.decode()
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

    def test_events_are_deleted_with_the_subscription(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        admin_client.post(get_path(subscription, "delete"), {"post": "yes"})
        assert not Subscription.objects.exists()
        assert not ConsentEvent.objects.exists()

    def test_ip_address_is_neither_stored_nor_shown(self, admin_client: Client) -> None:
        fields = [field for model in (Subscription, ConsentEvent) for field in model._meta.get_fields()]
        assert not [field for field in fields if isinstance(field, models.GenericIPAddressField)]
        subscription = SubscriptionFactory()
        ConsentEvent.record(subscription, ConsentKind.REQUESTED, language="en")
        html = admin_client.get(get_path(subscription), REMOTE_ADDR="203.0.113.7").content.decode()
        assert "203.0.113.7" not in html


LEAVING = "/admin/newsletter/leavinganswer/"


@pytest.fixture
def viewer() -> Client:
    return staff_client("view_subscription")


def leave(reason: str = "", comment: str = "") -> ConsentEvent:
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    kind = ConsentKind.UNSUBSCRIBED
    ConsentEvent.record(subscription, kind, language="en", reason=reason, comment=comment)
    return ConsentEvent.objects.get()


def test_reasons_for_leaving_are_listed_without_addresses(viewer: Client) -> None:
    event = leave(LeavingReason.TOO_MANY, "Once a month is enough")
    for page in (LEAVING, f"{LEAVING}?reason__exact=too-many&q=month", f"{LEAVING}{event.pk}/change/"):
        html = viewer.get(page).content.decode()
        assert "Once a month is enough" in html
        assert "Too many emails" in html
        assert "jana" not in html
    assert "Once a month" not in viewer.get(f"{LEAVING}?reason__exact=other").content.decode()


def test_events_without_a_reason_for_leaving_are_left_out(viewer: Client) -> None:
    leave()
    assert not viewer.get(LEAVING).context["cl"].result_list


def test_reasons_for_leaving_cannot_be_changed(admin_client: Client) -> None:
    event = leave(LeavingReason.OTHER)
    assert admin_client.get(f"{LEAVING}add/").status_code == 403
    assert admin_client.post(f"{LEAVING}{event.pk}/change/", {"reason": "too-many"}).status_code == 403
    assert admin_client.post(f"{LEAVING}{event.pk}/delete/", {"post": "yes"}).status_code == 403
    assert ConsentEvent.objects.get().reason == LeavingReason.OTHER


def test_reasons_for_leaving_need_the_permission_to_view_subscribers() -> None:
    assert staff_client("view_campaign").get(LEAVING).status_code == 403
    assert Client().get(LEAVING).status_code == 302
