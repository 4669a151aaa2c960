"""The list of the reasons for leaving in Django admin."""

import pytest
from django.test import Client

from newsletter.models import ConsentEvent, ConsentKind, LeavingReason
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/leavinganswer/"


@pytest.fixture
def viewer() -> Client:
    return staff_client("view_subscription")


def leave(reason: str = "", comment: str = "") -> ConsentEvent:
    subscription = SubscriptionFactory(email="jana@example.com", unsubscribed=True)
    kind = ConsentKind.UNSUBSCRIBED
    ConsentEvent.record(subscription, kind, language="en", reason=reason, comment=comment)
    return ConsentEvent.objects.get()


def test_list_shows_reasons_without_addresses(viewer: Client) -> None:
    event = leave(LeavingReason.TOO_MANY, "Once a month is enough")
    for page in (LIST, f"{LIST}?reason__exact=too-many&q=month", f"{LIST}{event.pk}/change/"):
        html = viewer.get(page).content.decode()
        assert "Once a month is enough" in html
        assert "Too many emails" in html
        assert "jana" not in html
    assert "Once a month" not in viewer.get(f"{LIST}?reason__exact=other").content.decode()


def test_events_without_a_reason_are_left_out(viewer: Client) -> None:
    leave()
    assert not viewer.get(LIST).context["cl"].result_list


def test_nothing_can_be_changed(admin_client: Client) -> None:
    event = leave(LeavingReason.OTHER)
    assert admin_client.get(f"{LIST}add/").status_code == 403
    assert admin_client.post(f"{LIST}{event.pk}/change/", {"reason": "too-many"}).status_code == 403
    assert admin_client.post(f"{LIST}{event.pk}/delete/", {"post": "yes"}).status_code == 403
    assert ConsentEvent.objects.get().reason == LeavingReason.OTHER


def test_list_needs_the_permission_to_view_subscribers() -> None:
    assert staff_client("view_campaign").get(LIST).status_code == 403
    assert Client().get(LIST).status_code == 302
