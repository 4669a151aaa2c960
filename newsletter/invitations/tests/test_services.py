"""Who counts as having come by a link, and for how long."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import TimeMachineFixture

from newsletter.invitation_links import build_invitation_url, read_code
from newsletter.invitations import services
from newsletter.invitations.jobs import COUNT
from newsletter.invitations.models import HoldReason, Invitation, Inviter, Review
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.client import Client
from sailing.errors import BadUserInput
from sailing.jobs import queue
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from tests.jobs import run_pending_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ANNA = "anna.sailor@gmail.com"

SPELLINGS = [ANNA, "annasailor+boat@gmail.com", "a.n.n.a-sailor@googlemail.com"]


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


def count(reader: Subscription) -> int:
    summary = services.get_summary(email=reader.email)
    assert summary
    return summary.count


def run_hourly_count() -> None:
    queue.enqueue(COUNT)
    run_pending_jobs()


class TestLink:
    def test_link_leads_to_the_form_with_the_code_of_the_reader(
        self, anna: Subscription, settings: Settings
    ) -> None:
        settings.SITE_URL = "https://sailing.example"
        url = build_invitation_url(anna.pk)
        assert url == f"https://sailing.example/newsletter?invitation={anna.pk.hex}"
        assert read_code(url.rpartition("=")[2]) == anna.pk
        assert ANNA not in url

    @pytest.mark.parametrize(
        "value",
        [None, "F" * 32, str(uuid.UUID(int=1)), "f" * 32 + "\n", "１" * 32, "' OR 1=1 --", "f" * 1_000_000],
    )
    def test_what_is_no_code_is_ignored(self, value: str | None) -> None:
        assert read_code(value) is None
        services.record_request(subscription=SubscriptionFactory(), invitation=value)
        assert not Invitation.objects.exists()

    def test_reader_of_both_newsletters_has_one_link_and_keeps_the_count_when_leaving_one(
        self, anna: Subscription
    ) -> None:
        other = create_reader(ANNA, user_type=UserType.COMPANY)
        come(anna, "b@example.com")
        come(other, "c@example.com")
        assert Inviter.objects.count() == 1
        Subscription.objects.filter(pk=anna.pk).update(is_active=False)
        assert count(anna) == 2
        come(anna, "d@example.com")  # by the link that she shared before
        run_hourly_count()
        assert Inviter.objects.get().counted == 3

    def test_erasing_one_of_two_subscriptions_keeps_the_count(self, anna: Subscription) -> None:
        other = create_reader(ANNA, user_type=UserType.COMPANY)
        come(anna, "b@example.com")
        erase(Subscription, [anna.pk])
        assert count(other) == 1
        come(other, "c@example.com")
        assert count(other) == 2
        erase(Subscription, [other.pk])
        assert not Invitation.objects.exists()

    def test_erasing_both_subscriptions_at_once_deletes_the_inviter(self, anna: Subscription) -> None:
        other = create_reader(ANNA, user_type=UserType.COMPANY)
        come(anna, "b@example.com")
        erase(Subscription, [anna.pk, other.pk])
        assert not Inviter.objects.exists()

    def test_only_a_subscriber_has_a_link(self, anna: Subscription) -> None:
        assert services.get_summary(email="nobody@example.com") is None
        Subscription.objects.update(is_confirmed=False)
        assert services.get_summary(email=ANNA) is None


class TestWhoCounts:
    def test_counts_a_day_after_confirming(
        self, anna: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        come(anna, "friend@example.com", ago=timedelta())
        assert count(anna) == 0
        time_machine.shift(timedelta(hours=23, minutes=59))
        assert count(anna) == 0
        time_machine.shift(timedelta(minutes=1))
        assert count(anna) == 1

    @pytest.mark.parametrize(
        ("change", "counted"),
        [
            ({"paused_until": timezone.now() + timedelta(days=365 * 100)}, 1),
            ({"is_active": False}, 0),
            ({"bounced_at": timezone.now()}, 0),
            ({"asked_again_at": timezone.now()}, 0),
        ],
    )
    def test_counts_while_subscribed(
        self, anna: Subscription, change: dict[str, object], counted: int
    ) -> None:
        come(anna, "friend@example.com")
        Subscription.objects.filter(email="friend@example.com").update(**change)
        assert count(anna) == counted

    def test_nobody_invites_themselves(self, anna: Subscription) -> None:
        for email in SPELLINGS:
            assert come(anna, email, user_type=UserType.COMPANY) is None
        assert count(anna) == 0

    def test_mailbox_counts_once_in_all_its_spellings(self, anna: Subscription) -> None:
        eva = create_reader("eva@example.com")
        assert come(anna, "friend@example.com")
        assert come(anna, "friend@example.com", user_type=UserType.COMPANY) is None
        assert come(anna, "fri.end+2@example.com") is None
        assert come(eva, "f-riend@example.com") is None
        assert (count(anna), count(eva)) == (1, 0)

    def test_loop_counts_each_step_once(self, anna: Subscription) -> None:
        assert come(anna, "bert@example.com")
        bert = Subscription.objects.get(email="bert@example.com")
        for email in SPELLINGS[1:]:
            assert come(bert, email) is None
        come(bert, "cyril@example.com")
        cyril = Subscription.objects.get(email="cyril@example.com")
        assert come(cyril, "anna-sailor@gmail.com") is None
        assert come(cyril, "b.ert@example.com") is None
        assert [count(reader) for reader in (anna, bert, cyril)] == [1, 1, 0]

    @pytest.mark.parametrize("kind", [ConsentKind.CONFIRMED, ConsentKind.IMPORTED_CONSENT])
    def test_who_was_here_before_does_not_count(self, anna: Subscription, kind: ConsentKind) -> None:
        before = SubscriptionFactory(email="friend@example.com", user_type=UserType.COMPANY)
        ConsentEvent.record(before, kind, language="en")
        assert come(anna, "friend@example.com") is None

    def test_unanswered_request_of_the_other_audience_does_not_matter(self, anna: Subscription) -> None:
        before = SubscriptionFactory(email="friend@example.com", user_type=UserType.COMPANY)
        ConsentEvent.record(before, ConsentKind.REQUESTED, language="en")
        assert come(anna, "friend@example.com")

    def test_erased_address_does_not_count_again(self, anna: Subscription) -> None:
        come(anna, "friend@example.com")
        erase(Subscription, [Subscription.objects.get(email="friend@example.com").pk])
        mailboxes.suppress("friend@example.com", SuppressionReason.ERASED)
        assert come(anna, "friend@example.com") is None

    def test_link_of_somebody_who_is_not_subscribed_is_ignored(self, anna: Subscription) -> None:
        Subscription.objects.update(is_active=False)
        assert come(anna, "friend@example.com") is None

    def test_every_code_costs_the_same_statements(
        self, anna: Subscription, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        """How long a request takes must not tell whether somebody has the code."""
        mailboxes.read_salt()  # a process reads the salt once
        for code in (anna.pk.hex, uuid.uuid4().hex):
            friend = SubscriptionFactory()
            with django_assert_num_queries(2):  # the suppressed address, the invitation
                services.record_request(subscription=friend, invitation=code)

    def test_erasing_either_side_deletes_the_relation(self, anna: Subscription) -> None:
        for erased in (ANNA, "friend@example.com"):
            Subscription.objects.all().delete()
            reader = create_reader(ANNA)
            come(reader, "friend@example.com")
            erase(Subscription, [Subscription.objects.get(email=erased).pk])
            assert not Invitation.objects.exists()
            assert Subscription.objects.count() == 1


class TestCorrectedAddress:
    @pytest.mark.parametrize(
        ("is_settled", "email", "counted"),
        [
            (False, "friend@example.com", 1),
            (False, "anna.sailor+1@googlemail.com", 0),  # the inviter's own mailbox
            (True, "friend@example.com", 0),  # somebody else has confirmed
        ],
    )
    def test_invitation_that_is_not_settled_stays(
        self, anna: Subscription, is_settled: bool, email: str, counted: int
    ) -> None:
        typo = SubscriptionFactory(email="freind@example.com")
        services.record_request(subscription=typo, invitation=anna.pk.hex)
        if is_settled:
            services.settle(subscription=typo)
        new = administration.correct_address(subscription=typo, email=email)
        assert Invitation.objects.filter(subscription=new).exists() is not is_settled
        Subscription.objects.filter(pk=new.pk).update(
            is_confirmed=True, confirmed_at=timezone.now() - timedelta(days=2)
        )
        services.settle(subscription=new)
        assert count(anna) == counted

    def test_refused_correction_leaves_the_invitation(self, anna: Subscription) -> None:
        typo = SubscriptionFactory(email="freind@example.com")
        services.record_request(subscription=typo, invitation=anna.pk.hex)
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve("busy@example.com")
        with pytest.raises(BadUserInput):
            administration.correct_address(subscription=typo, email="busy@example.com")
        assert Invitation.objects.get().subscription == typo


class TestHolding:
    @pytest.fixture(autouse=True)
    def _low_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "NETWORK_RATE", "1/d")
        monkeypatch.setattr(services, "BURST_LIMIT", 2)

    def test_network_counts_up_to_its_rate_until_the_next_day(
        self, anna: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        eva = create_reader("eva@example.com")
        client = Client(("192.0.2.7",), "192.0.2.0/24")
        for number in range(3):
            come((anna, eva)[number % 2], f"n{number}@example.com", client=client)
        assert count(anna) + count(eva) == 1
        held = Invitation.objects.filter(review=Review.HELD, hold_reason=HoldReason.NETWORK)
        assert held.count() == 2
        time_machine.shift(timedelta(days=1, seconds=1))
        come(eva, "later@example.com", client=client)
        assert count(anna) + count(eva) == 2

    @pytest.mark.parametrize(
        ("clients", "counted"),
        [
            ([Client((f"192.0.2.{number}",), "192.0.2.0/24") for number in range(5)], 4),
            ([Client((f"a{number}", "b", "c"), "c") for number in range(5)], 4),
            ([Client((f"a{number}", f"b{number}", "c"), "c") for number in range(5)], 5),
        ],
    )
    def test_wider_networks_share_a_wider_budget(self, clients: list[Client], counted: int) -> None:
        for number, client in enumerate(clients):
            come(create_reader(f"reader{number}@example.com"), f"n{number}@example.com", client=client)
        assert Invitation.objects.counted().count() == counted

    def test_burst_on_one_link_is_held(self, anna: Subscription, time_machine: TimeMachineFixture) -> None:
        for number in range(3):
            come(anna, f"n{number}@example.com")
        assert count(anna) == 2
        assert Invitation.objects.filter(hold_reason=HoldReason.BURST).count() == 1
        time_machine.shift(timedelta(hours=1, seconds=1))
        come(anna, "later@example.com")
        assert count(anna) == 3

    @pytest.mark.parametrize(
        ("before", "decision", "is_done", "counted"),
        [
            (Review.HELD, Review.ACCEPTED, True, 1),
            (Review.HELD, Review.REFUSED, True, 0),
            (Review.ACCEPTED, Review.HELD, True, 0),
            (Review.REFUSED, Review.HELD, True, 0),
            (Review.REFUSED, Review.ACCEPTED, False, 0),
            (Review.HELD, Review.HELD, False, 0),
            (Review.NONE, Review.REFUSED, False, 1),
        ],
    )
    def test_admin_decides_about_what_is_held(
        self, anna: Subscription, before: Review, decision: Review, is_done: bool, counted: int
    ) -> None:
        invitation = come(anna, "friend@example.com")
        assert invitation
        Invitation.objects.update(review=before)
        assert services.review(invitation=invitation, decision=decision) is is_done
        assert count(anna) == counted


class TestHourlyCount:
    def test_numbers_follow_who_is_subscribed(self, anna: Subscription) -> None:
        come(anna, "friend@example.com")
        come(anna, "other@example.com")
        run_hourly_count()
        assert Inviter.objects.get().counted == 2
        Subscription.objects.filter(email=ANNA).update(is_active=False)
        run_hourly_count()
        assert Inviter.objects.get().counted == 0

    def test_goes_on_after_each_batch(self, anna: Subscription, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "BATCH_SIZE", 2)
        for number in range(5):
            come(create_reader(f"reader{number}@example.com"), f"friend{number}@example.com")
        run_hourly_count()
        assert list(Inviter.objects.values_list("counted", flat=True)) == [1] * 5

    def test_settles_what_a_killed_process_has_left(
        self, anna: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        friend = create_reader("friend@example.com", confirmed_at=timezone.now())
        services.record_request(subscription=friend, invitation=anna.pk.hex)
        run_hourly_count()
        assert not Inviter.objects.exists()  # its process may still be at work
        time_machine.shift(timedelta(minutes=11))
        run_hourly_count()
        assert Invitation.objects.get().inviter == Inviter.objects.get()
        time_machine.shift(timedelta(days=1))
        run_hourly_count()
        assert Inviter.objects.get().counted == 1

    def test_unanswered_request_waits(self, anna: Subscription) -> None:
        services.record_request(subscription=SubscriptionFactory(), invitation=anna.pk.hex)
        run_hourly_count()
        assert Invitation.objects.get().settled_at is None

    def test_order_is_by_number_and_then_by_time(self) -> None:
        late, early, most = (
            create_reader(f"{name}@example.com", confirmed_at=timezone.now() - timedelta(days=days))
            for name, days in (("late", 3), ("early", 9), ("most", 2))
        )
        for number, reader in enumerate((late, early, most, most)):
            come(reader, f"friend{number}@example.com")
        run_hourly_count()
        names = [inviter.subscription.email.partition("@")[0] for inviter in Inviter.objects.all()]
        assert names == ["most", "early", "late"]


class TestTurnedOff:
    @pytest.fixture(autouse=True)
    def _off(self, settings: Settings) -> None:
        settings.INVITATIONS = False

    def test_codes_are_ignored_and_there_is_no_link(self, settings: Settings, anna: Subscription) -> None:
        assert come(anna, "friend@example.com") is None
        assert services.get_summary(email=ANNA) is None
        assert build_invitation_url(anna.pk) == f"{settings.SITE_URL}/newsletter"

    def test_nothing_is_counted(self, settings: Settings, anna: Subscription) -> None:
        settings.INVITATIONS = True
        come(anna, "friend@example.com")
        settings.INVITATIONS = False
        run_hourly_count()
        assert Inviter.objects.get().counted == 0
