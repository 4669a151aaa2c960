"""The suppression list: erased and complained addresses, until their owner confirms or an admin lifts it."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.services import subscriptions
from sailing.admin.tests.helpers import staff_client
from sailing.mail import mailbox_budget
from sailing.mail.models import SuppressedAddress, SuppressionReason
from sailing.mail.suppression import find_suppressed, lift, suppress
from sailing.privacy.erasure import erase_person

PAGE = "/admin/suppression/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def subscription() -> Subscription:
    return Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")


def issue(subscription: Subscription, purpose: LinkPurpose) -> str:
    (token,) = SubscriptionLink.issue(purpose, subscription=subscription)
    return token


def test_suppressed_address_is_found_in_every_spelling_of_its_mailbox() -> None:
    suppress("jana.nova@gmail.com", SuppressionReason.ERASED)
    suppress("jana.nova@gmail.com", SuppressionReason.COMPLAINED)
    assert find_suppressed({"jananova+news@googlemail.com", "jana@example.org"}) == {
        "jananova+news@googlemail.com"
    }
    assert SuppressedAddress.objects.get().reason == SuppressionReason.ERASED
    lift("jananova@gmail.com")
    assert not find_suppressed({"jana.nova@gmail.com"})


@pytest.mark.parametrize(
    ("suppressed", "other"),
    [
        ("jana.nova@example.org", "jananova@example.org"),
        ("jana-nova@example.org", "jananova@example.org"),
        ("jana@seznam.cz", "jana@email.cz"),
        ("jana@notgmail.com", "jana@gmail.com"),
    ],
)
def test_neighbor_is_not_suppressed(suppressed: str, other: str) -> None:
    suppress(suppressed, SuppressionReason.COMPLAINED)
    assert find_suppressed({suppressed, other}) == {suppressed}


def test_list_contains_no_address() -> None:
    suppress("jana@example.org", SuppressionReason.ERASED)
    assert "jana" not in str(SuppressedAddress.objects.values())


def test_new_secret_key_keeps_the_list(settings: pytest.FixtureRequest) -> None:
    suppress("jana@example.org", SuppressionReason.ERASED)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert find_suppressed({"jana@example.org"})


def test_erased_person_is_suppressed_until_they_confirm(subscription: Subscription) -> None:
    erase_person(subscription)
    assert find_suppressed({"jana@example.org"})
    again = Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")
    assert find_suppressed({"jana@example.org"})
    subscriptions.confirm(token=issue(again, LinkPurpose.CONFIRM), language="en")
    assert not find_suppressed({"jana@example.org"})


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_disowned_address_is_suppressed(subscription: Subscription, is_confirmed: bool) -> None:
    if is_confirmed:
        subscriptions.confirm(token=issue(subscription, LinkPurpose.CONFIRM), language="en")
        assert not find_suppressed({"jana@example.org"})
    token = issue(subscription, LinkPurpose.UNSUBSCRIBE)
    subscriptions.disown(token=token, purpose=LinkPurpose.UNSUBSCRIBE, language="en")
    assert find_suppressed({"jana@example.org"})
    assert SuppressedAddress.objects.get().reason == SuppressionReason.COMPLAINED


class TestPage:
    """The page in Django admin for one address at a time."""

    def test_says_whether_why_and_since_when_an_address_is_on_the_list(self, admin_client: Client) -> None:
        assert 'name="email"' in admin_client.get(PAGE).content.decode()
        page = admin_client.post(PAGE, {"email": "jana@example.org"}).content.decode()
        assert "Not on the list: imports may add it." in page
        assert 'name="lift"' not in page
        for reason, told in (
            (SuppressionReason.ERASED, "the person was erased"),
            (SuppressionReason.COMPLAINED, "the owner complained about an email"),
        ):
            suppress(f"{reason}@example.org", reason)
            SuppressedAddress.objects.update(created_at="2025-06-01T12:00:00Z")
            page = admin_client.post(PAGE, {"email": f" {reason.title()}+x@Example.org "}).content.decode()
            assert told in page
            assert "On the list since Jun 1, 2025" in page
        assert "On the list: 1 after an erasure, 1 after a complaint." in page

    def test_blocked_mailbox_is_told_and_freed(self, admin_client: Client) -> None:
        for _mail in range(5):
            mailbox_budget.reserve("jana@example.org")
        block = "Nobody can have emails sent to this mailbox"
        assert block not in admin_client.post(PAGE, {"email": "petr@example.org"}).content.decode()
        assert block in admin_client.post(PAGE, {"email": "jana@example.org"}).content.decode()
        admin_client.post(PAGE, {"email": "jana@example.org", "lift": "1", "reason": "She called us"})
        assert mailbox_budget.reserve("jana@example.org")
        assert "She called us" in admin_client.post(PAGE, {"email": "jana@example.org"}).content.decode()

    @pytest.mark.parametrize("email", ["", "jana", "root@localhost", "x" * 300 + "@example.org"])
    def test_invalid_address_has_its_problem(self, admin_client: Client, email: str) -> None:
        page = admin_client.post(PAGE, {"email": email, "lift": "1", "reason": "asked"}).content.decode()
        assert 'class="errorlist"' in page

    def test_lifts_with_a_reason_which_the_history_keeps_without_the_address(
        self, admin_client: Client
    ) -> None:
        suppress("jana@example.org", SuppressionReason.ERASED)
        lift = {"email": "jana@example.org", "lift": "Take off the list"}
        for reason in ("", "  ", "x" * 201, "a\u202eb"):
            page = admin_client.post(PAGE, {**lift, "reason": reason}).content.decode()
            assert 'class="errorlist"' in page
            assert find_suppressed({"jana@example.org"})
        told = {**lift, "reason": "jana@example.org wrote to us"}
        page = admin_client.post(PAGE, told, follow=True).content.decode()
        assert "Taken off the list: jana@example.org" in page
        assert not SuppressedAddress.objects.exists()
        entry = LogEntry.objects.get()
        assert "jana" not in str(LogEntry.objects.values())
        assert (
            "Taken off the do-not-contact list: [address] wrote to us"
            in admin_client.get("/admin/admin/logentry/").content.decode()
        )
        assert (
            "[address] wrote to us" in admin_client.post(PAGE, {"email": "jana@example.org"}).content.decode()
        )
        assert "wrote to us" not in admin_client.post(PAGE, {"email": "petr@example.org"}).content.decode()
        page = admin_client.post(PAGE, told, follow=True).content.decode()
        assert "It was not on the list: jana@example.org" in page
        assert LogEntry.objects.get() == entry

    @pytest.mark.parametrize(
        ("permissions", "status"),
        [
            ((), 403),
            (("view_subscription", "change_subscription", "view_user"), 403),
            (("view_subscription", "delete_subscription"), 200),
            (("view_user", "delete_user"), 200),
        ],
    )
    def test_is_for_those_who_may_erase(self, permissions: tuple[str, ...], status: int) -> None:
        suppress("jana@example.org", SuppressionReason.ERASED)
        client = staff_client(*permissions)
        assert client.get(PAGE).status_code == status
        assert (f'href="{PAGE}"' in client.get("/admin/").content.decode()) is (status == 200)
        client.post(PAGE, {"email": "jana@example.org", "lift": "1", "reason": "asked"})
        assert bool(find_suppressed({"jana@example.org"})) is (status == 403)
