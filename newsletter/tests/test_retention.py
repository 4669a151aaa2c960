"""The retention of unanswered subscriptions."""

from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter import retention
from newsletter.models import ConsentEvent, ConsentKind, Subscription, SubscriptionLink
from newsletter.services import administration
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)


def purge() -> None:
    while retention.purge_unanswered():
        pass


def get_addresses() -> set[str]:
    return set(Subscription.objects.values_list("email", flat=True))


def test_unanswered_subscription_is_erased_ninety_days_after_the_last_mail(
    time_machine: TimeMachineFixture,
) -> None:
    subscribe()
    time_machine.shift(50 * DAY)
    subscribe()
    time_machine.shift(90 * DAY)
    purge()
    assert get_addresses() == {"sailor@example.com"}

    time_machine.shift(timedelta(seconds=1))
    purge()
    assert not get_addresses()
    assert not ConsentEvent.objects.exists()
    assert not SubscriptionLink.objects.exists()


def test_imported_subscription_without_a_mail_is_erased() -> None:
    SubscriptionFactory(email="old@example.com", created_at=timezone.now() - 91 * DAY)
    SubscriptionFactory(email="new@example.com", created_at=timezone.now() - 89 * DAY)
    purge()
    assert get_addresses() == {"new@example.com"}


def test_answered_subscription_is_kept() -> None:
    long_ago = timezone.now() - 1000 * DAY
    for state in ("confirmed", "unsubscribed", "bounced"):
        SubscriptionFactory(email=f"{state}@example.com", created_at=long_ago, **{state: True})
    for kind in (ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT):
        asked_again = SubscriptionFactory(email=f"asked-{kind}@example.com", created_at=long_ago)
        asked_again.consent_events.create(kind=kind, language="en", user_type="sailor")
    ended = SubscriptionFactory(email="ended@example.com", created_at=long_ago)
    administration.unsubscribe(subscription=ended)
    everyone = get_addresses()
    purge()
    assert get_addresses() == everyone
    assert len(everyone) == 6


def test_each_call_erases_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sailing.jobs.retention.BATCH_SIZE", 2)
    SubscriptionFactory.create_batch(5, created_at=timezone.now() - 91 * DAY)
    more = [(retention.purge_unanswered(), len(get_addresses())) for _call in range(3)]
    assert more == [(True, 3), (True, 1), (False, 0)]
