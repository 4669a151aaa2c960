"""Transactions that delete or change a person lock rows in the same order, so they do not deadlock."""

from contextlib import suppress
from functools import partial

import pytest

from accounts.errors import MemberErased
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import confirmation, membership
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.feedback import Report, record
from newsletter.campaigns.models import DeliveryState
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import Subscription
from newsletter.services.administration import correct_address
from newsletter.services.preferences import change_member_preferences
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.second_factor import devices
from sailing.admin.tests.test_second_factor import set_up_second_factor
from sailing.jobs import queue
from sailing.jobs.models import Job
from sailing.privacy import erasure
from sailing.privacy.tests.test_erasure import JANA, PASSWORD, subscribe_address
from tests.api import VISITOR
from tests.concurrency import run_overlapping

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


def deactivate_unless_erased(user: User) -> None:
    with suppress(MemberErased):
        membership.deactivate(user=user)


def test_disowning_does_not_deadlock_with_deactivating() -> None:
    for name in ("first", "second"):
        User.objects.create_superuser(f"{name}@example.com", PASSWORD)
    member = User.objects.create_user(JANA, PASSWORD)
    token = AccountLink.issue(LinkPurpose.VERIFY, user=member, email=member.email)
    disown = partial(confirmation.disown, token=token, purpose=LinkPurpose.VERIFY)
    run_overlapping(disown, lambda: deactivate_unless_erased(member))
    assert not User.objects.filter(pk=member.pk).exists()


def test_erasing_a_superuser_does_not_deadlock_with_deactivating_them() -> None:
    for name in ("first", "second"):
        User.objects.create_superuser(f"{name}@example.com", PASSWORD)
    superuser = User.objects.create_superuser(JANA, PASSWORD)
    run_overlapping(lambda: erasure.erase_person(superuser), lambda: deactivate_unless_erased(superuser))
    assert not User.objects.filter(pk=superuser.pk).exists()


@pytest.mark.parametrize("is_job_first", [False, True])
def test_erasing_does_not_deadlock_with_a_job_on_a_search_for_the_address(
    is_job_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if the admin who searched for the own address is erased."""
    User.objects.create_superuser("other@example.com", PASSWORD)
    admin = User.objects.create_superuser(JANA, PASSWORD)
    subscribe_address("sailor")
    monkeypatch.setattr(queue, "kinds", {})

    @queue.register("lock", label="Lock")
    def lock(_job: Job) -> bool:
        return len(Subscription.objects.select_for_update()) > 1

    queue.enqueue("lock", created_by_id=admin.pk, query="q=jana%40example.com")
    transactions = [lambda: erasure.erase_person(admin), queue.run_next_step]
    run_overlapping(*(reversed(transactions) if is_job_first else transactions))
    assert not Subscription.objects.exists()
    assert not Job.objects.exists()


def test_bounce_of_a_newsletter_does_not_deadlock_with_a_change_of_preferences() -> None:
    """Both lock the member and the subscriptions of the address."""
    member = MemberFactory(email=JANA, is_email_verified=True)
    delivery = DeliveryFactory(
        state=DeliveryState.SENT, subscription=SubscriptionFactory(email=JANA, confirmed=True)
    )
    run_overlapping(
        lambda: record(JANA, delivery, Report.HARD_BOUNCE, None),
        lambda: change_member_preferences(client=VISITOR, user=member, page_language="en", language="cs"),
    )
    member.refresh_from_db()
    assert member.email_undeliverable_at
    assert Subscription.objects.get().language == "cs"


@pytest.mark.parametrize("is_erasure_first", [False, True])
def test_correcting_an_address_does_not_deadlock_with_erasing_it(is_erasure_first: bool) -> None:
    """Both lock the subscription."""
    typo = SubscriptionFactory(email=JANA)

    def correct() -> None:
        with suppress(Subscription.DoesNotExist):
            correct_address(subscription=typo, email="other@example.com")

    transactions = [correct, lambda: erasure.erase_person(typo)]
    run_overlapping(*(reversed(transactions) if is_erasure_first else transactions))
    assert not Subscription.objects.filter(pk=typo.pk).exists()


def test_superusers_who_reset_each_other_do_not_deadlock() -> None:
    """The history refers to the other superuser, whose row is locked."""
    first, second = (
        User.objects.create_superuser(f"{name}@example.com", PASSWORD) for name in ("first", "second")
    )
    for user in (first, second):
        set_up_second_factor(user)
    run_overlapping(
        lambda: devices.remove(user=first, by=second),
        lambda: devices.remove(user=second, by=first),
    )
    assert not devices.is_set_up(first)
    assert not devices.is_set_up(second)
