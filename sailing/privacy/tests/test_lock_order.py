"""Transactions that delete or change a person lock rows in the same order, so they do not deadlock."""

from contextlib import suppress

import pytest
from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.errors import MemberErased
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import links, membership
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.feedback import Report, record
from newsletter.campaigns.models import DeliveryState
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import Subscription
from newsletter.services.administration import correct_address
from newsletter.services.preferences import change_preferences
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import second_factor
from sailing.admin.tests.test_second_factor import set_up_second_factor
from sailing.privacy import erasure
from sailing.privacy.tests.test_erasure import JANA, PASSWORD
from tests.concurrency import run_overlapping

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


@pytest.fixture
def _superusers() -> None:
    for name in ("first", "second"):
        User.objects.create_superuser(f"{name}@example.com", PASSWORD)


@pytest.mark.usefixtures("_superusers")
@pytest.mark.parametrize("is_disowned", [True, False])
def test_deleting_an_account_does_not_deadlock_with_deactivating_it(is_disowned: bool) -> None:
    user = User.objects.create_user(JANA, PASSWORD, is_superuser=not is_disowned, is_staff=not is_disowned)
    token = AccountLink.issue(LinkPurpose.VERIFY, user=user, email=user.email)

    def deactivate_unless_erased() -> None:
        with suppress(MemberErased):
            membership.deactivate(user=user)

    def delete() -> object:
        if is_disowned:
            return links.disown(token=token, purpose=LinkPurpose.VERIFY)
        return erasure.erase_person(user)

    run_overlapping(delete, deactivate_unless_erased)
    assert not User.objects.filter(pk=user.pk).exists()


@pytest.mark.usefixtures("_superusers")
def test_superusers_who_reset_each_other_do_not_deadlock() -> None:
    """The history refers to the other superuser, whose row is locked."""
    users, clients = list(User.objects.all()), []
    for user in users:
        set_up_second_factor(user)
        client = Client()
        client.force_login(user)
        session = client.session
        session[DEVICE_ID_SESSION_KEY] = TOTPDevice.objects.get(user=user).persistent_id
        session.save()
        clients.append(client)
    path = "/admin/accounts/user/{}/reset_second_factor/"
    run_overlapping(
        lambda: clients[0].post(path.format(users[1].pk)), lambda: clients[1].post(path.format(users[0].pk))
    )
    assert not any(map(second_factor.is_set_up, users))


def test_bounce_of_a_newsletter_does_not_deadlock_with_a_change_of_preferences() -> None:
    """Both lock the subscriptions of the address."""
    member = MemberFactory(email=JANA, is_email_verified=True)
    sailor = SubscriptionFactory(email=JANA, confirmed=True)
    delivery = DeliveryFactory(state=DeliveryState.SENT, subscription=sailor)
    run_overlapping(
        lambda: record(JANA, delivery, Report.HARD_BOUNCE, None),
        lambda: change_preferences(
            subscription=sailor, audiences=["sailor"], mail_language="cs", language="en"
        ),
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
