"""Who counts as having come through a link, and for how long."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from newsletter.invitations import services
from newsletter.invitations.models import Invitation
from newsletter.invitations.tests.factories import come, confirm, create_reader
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from tests.concurrency import run_at_once, run_overlapping

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ANNA = "anna.sailor@gmail.com"
FRIEND = "friend@example.com"


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


def count(reader: Subscription) -> int:
    summary = services.get_summary(email=reader.email)
    assert summary
    return int(summary["count"])


@pytest.mark.parametrize(
    "value", [None, "F" * 32, str(uuid.UUID(int=1)), "f" * 32 + "\n", "１" * 32, "' OR 1=1 --"]
)
def test_what_is_no_code_is_ignored(value: str | None) -> None:
    services.record_request(subscription=SubscriptionFactory(), code=value)
    assert not Invitation.objects.exists()


def test_only_a_subscriber_has_a_link(anna: Subscription) -> None:
    Subscription.objects.update(is_confirmed=False)
    assert services.get_summary(email=ANNA) is None


def test_reader_of_both_newsletters_sees_those_who_came_by_either_link(anna: Subscription) -> None:
    other = create_reader(ANNA, user_type=UserType.COMPANY)
    come(anna, "b@example.com")
    come(other, "c@example.com")
    assert count(anna) == 2


def test_counts_a_day_after_confirming(anna: Subscription, time_machine: TimeMachineFixture) -> None:
    come(anna, FRIEND, ago=timedelta())
    for shift, counted in ((timedelta(hours=23, minutes=59), 0), (timedelta(minutes=1), 1)):
        time_machine.shift(shift)
        assert count(anna) == counted


@pytest.mark.parametrize("email", [ANNA, FRIEND])
@pytest.mark.parametrize(
    ("change", "counted"),
    [
        ({"paused_until": timezone.now() + timedelta(days=365 * 100)}, 1),
        ({"is_active": False}, 0),
        ({"bounced_at": timezone.now()}, 0),
        ({"asked_again_at": timezone.now()}, 0),
    ],
)
def test_counts_while_both_are_subscribed(
    anna: Subscription, email: str, change: dict[str, object], counted: int
) -> None:
    come(anna, FRIEND)
    Subscription.objects.filter(email=email).update(**change)
    assert services.find_inviters().filter(pk=anna.pk).count() == counted


@pytest.mark.parametrize("email", [ANNA, "annasailor+boat@gmail.com", "a.n.n.a-sailor@googlemail.com"])
def test_nobody_invites_themselves(anna: Subscription, email: str) -> None:
    assert not come(anna, email, user_type=UserType.COMPANY)


@pytest.mark.parametrize(
    ("email", "user_type"),
    [(FRIEND, UserType.COMPANY), ("fri.end+2@example.com", "sailor"), ("f-riend@example.com", "sailor")],
)
def test_mailbox_counts_once_in_all_its_spellings(anna: Subscription, email: str, user_type: str) -> None:
    assert come(anna, FRIEND)
    for reader in (anna, create_reader("eva@example.com")):
        Subscription.objects.filter(email=email, user_type=user_type).delete()
        assert not come(reader, email, user_type=user_type)
    assert count(anna) == 1


@pytest.mark.parametrize(
    ("kind", "can_count"),
    [(ConsentKind.CONFIRMED, False), (ConsentKind.IMPORTED_CONSENT, False), (ConsentKind.REQUESTED, True)],
)
def test_who_has_answered_before_does_not_count(
    anna: Subscription, kind: ConsentKind, can_count: bool
) -> None:
    before = SubscriptionFactory(email=FRIEND, user_type=UserType.COMPANY)
    ConsentEvent.record(before, kind, language="en")
    assert come(anna, FRIEND) is can_count


def test_who_was_erased_and_links_of_those_who_left_do_not_count(anna: Subscription) -> None:
    mailboxes.suppress(FRIEND, SuppressionReason.ERASED)
    assert not come(anna, FRIEND)
    Subscription.objects.update(is_active=False)
    assert not come(anna, "other@example.com")


def test_every_code_costs_the_same_statements(
    anna: Subscription, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """How long a request takes must not tell whether somebody has the code."""
    mailboxes.read_salt()  # a process reads the salt once
    for code in (anna.pk.hex, uuid.uuid4().hex):
        friend = SubscriptionFactory()
        with django_assert_num_queries(2):  # the suppressed address, the invitation
            services.record_request(subscription=friend, code=code)


@pytest.mark.parametrize("erased", [ANNA, FRIEND])
def test_erasing_either_side_deletes_the_relation_and_not_the_other(anna: Subscription, erased: str) -> None:
    come(anna, FRIEND)
    erase(Subscription, [Subscription.objects.get(email=erased).pk])
    assert not Invitation.objects.exists()
    assert Subscription.objects.count() == 1


@pytest.mark.parametrize(
    ("clients", "counted"),
    [
        ([Client(("192.0.2.7",), "192.0.2.0/24")] * 3, 1),
        ([Client((f"a{number}", "b", "c"), "c") for number in range(5)], 4),
        ([Client((f"a{number}", f"b{number}", "c"), "c") for number in range(5)], 5),
    ],
)
def test_network_counts_up_to_its_rate_and_confirms_all_the_same(
    clients: list[Client], counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "NETWORK_RATE", "1/d")
    for number, client in enumerate(clients):
        come(create_reader(f"reader{number}@example.com"), f"n{number}@example.com", client=client)
    assert services.select_counted().count() == counted
    assert not Subscription.objects.filter(is_confirmed=False).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def request(self, inviting: Subscription, email: str) -> Subscription:
        friend: Subscription = SubscriptionFactory(email=email)
        services.record_request(subscription=friend, code=inviting.pk.hex)
        return friend

    def test_spellings_of_a_mailbox_that_confirm_at_once_count_once(self, anna: Subscription) -> None:
        friends = [self.request(anna, f"friend+{number}@example.com") for number in range(8)]
        run_at_once(8, lambda number: confirm(friends[number]))
        assert Subscription.objects.filter(is_confirmed=True).count() == 9
        assert Invitation.objects.count() == 1

    @pytest.mark.parametrize("is_erasure_first", [True, False])
    def test_inviter_erased_meanwhile_does_not_keep_the_invited_from_confirming(
        self, anna: Subscription, is_erasure_first: bool
    ) -> None:
        friend = self.request(anna, FRIEND)
        transactions = [lambda: erase(Subscription, [anna.pk]), lambda: confirm(friend)]
        run_overlapping(*(transactions if is_erasure_first else reversed(transactions)))
        assert not Invitation.objects.exists()
        assert Subscription.objects.get().is_confirmed
