"""What is forgotten: whom an admin erases, and in time everything that has served its purpose."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email
from time_machine import TimeMachineFixture

from newsletter import retention, services
from newsletter.models import ConsentEvent, ConsentKind, LinkPurpose, State, Subscription, SubscriptionLink
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing import outbox
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


def tidy() -> None:
    """As the outbox's thread does once an hour."""
    outbox.tidying.send(sender=None)


def left() -> set[str]:
    return set(Subscription.objects.values_list("email", flat=True))


class TestErasing:
    @pytest.mark.parametrize("status", [STATUS.queued, STATUS.requeued, STATUS.failed, STATUS.sent])
    def test_no_mail_about_it_is_sent_or_kept(
        self, admin_client: Client, subscribe: Subscribe, status: int
    ) -> None:
        subscribe(userType="sailor")
        subscribe(userType="company")
        Email.objects.update(status=status)
        company = latest()
        gone = Subscription.objects.get(user_type="sailor")
        admin_client.post(f"/admin/newsletter/subscription/{gone.pk}/delete/", {"post": "yes"})

        assert [subscription.user_type for subscription in Subscription.objects.all()] == ["company"]
        assert mails() == [company]
        assert "sailor@example.com" not in str(list(LogEntry.objects.values()))


class TestLinks:
    def test_a_confirm_link_is_forgotten_after_ninety_days(
        self, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        subscribe()
        deliver()
        press_button(confirm_address(latest()))
        time_machine.shift(90 * DAY)
        tidy()
        assert "Your subscription is confirmed." in text(open_link(confirm_address(latest())))

        time_machine.shift(timedelta(seconds=1))
        tidy()
        assert open_link(confirm_address(latest())).status_code == 404
        assert [link.purpose for link in SubscriptionLink.objects.all()] == [LinkPurpose.UNSUBSCRIBE]

    def test_a_link_to_unsubscribe_is_kept_with_its_subscription(
        self, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        subscribe()
        deliver()
        press_button(confirm_address(latest()))
        time_machine.shift(3650 * DAY)
        tidy()
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


class TestUnanswered:
    def test_a_request_goes_ninety_days_after_its_last_mail(
        self, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        subscribe()
        time_machine.shift(50 * DAY)
        subscribe()
        time_machine.shift(90 * DAY)
        tidy()
        assert left() == {"sailor@example.com"}

        time_machine.shift(timedelta(seconds=1))
        tidy()
        assert not left()
        assert not ConsentEvent.objects.exists()
        assert not SubscriptionLink.objects.exists()

    def test_one_that_came_by_import_and_was_never_asked_goes_too(self) -> None:
        SubscriptionFactory(email="old@example.com", created_at=timezone.now() - 91 * DAY)
        SubscriptionFactory(email="new@example.com", created_at=timezone.now() - 89 * DAY)
        tidy()
        assert left() == {"new@example.com"}

    def test_the_history_of_the_admin_forgets_the_address_as_well(
        self, admin_client: Client, time_machine: TimeMachineFixture
    ) -> None:
        subscription = SubscriptionFactory(email="old@example.com")
        action = {"action": "resend_confirmation", "_selected_action": str(subscription.pk)}
        admin_client.post("/admin/newsletter/subscription/", action)
        assert "old@example.com" in LogEntry.objects.get().object_repr
        time_machine.shift(91 * DAY)
        tidy()
        assert LogEntry.objects.get().object_repr == str(subscription.pk)

    def test_whose_owner_said_anything_stays(self) -> None:
        long_ago = timezone.now() - 1000 * DAY
        for state in ("confirmed", "unsubscribed", "bounced"):
            SubscriptionFactory(email=f"{state}@example.com", created_at=long_ago, **{state: True})
        for kind in (ConsentKind.UNSUBSCRIBED, ConsentKind.IMPORTED_OPT_OUT):
            asked_again = SubscriptionFactory(email=f"asked-{kind}@example.com", created_at=long_ago)
            asked_again.consent_events.create(kind=kind, language="en", user_type="sailor")
        everybody = left()
        tidy()
        assert left() == everybody
        assert len(everybody) == 5

    def test_many_go_in_batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retention, "BATCH", 2)
        SubscriptionFactory.create_batch(5, created_at=timezone.now() - 91 * DAY)
        tidy()
        assert not left()

    def test_who_was_forgotten_can_subscribe_again(
        self, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        subscribe()
        time_machine.shift(91 * DAY)
        tidy()
        subscribe()
        press_button(confirm_address(latest()))
        assert not services.activate(subscription=Subscription.objects.get())
        assert Subscription.objects.get().state is State.CONFIRMED
