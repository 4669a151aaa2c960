"""The suppression list: erased and complained addresses, until their owner confirms or an admin lifts it."""

from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from pytest_django import Settings

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
    [("jana.nova@example.org", "jananova@example.org"), ("jana@notgmail.com", "jana@gmail.com")],
)
def test_neighbor_is_not_suppressed(suppressed: str, other: str) -> None:
    suppress(suppressed, SuppressionReason.COMPLAINED)
    assert find_suppressed({suppressed, other}) == {suppressed}


def test_list_contains_no_address_and_survives_a_new_secret_key(settings: Settings) -> None:
    suppress("jana@example.org", SuppressionReason.ERASED)
    assert "jana" not in str(SuppressedAddress.objects.values())
    settings.SECRET_KEY = "another"
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

    @pytest.fixture
    def post(self, admin_client: Client) -> Callable[..., str]:
        """Return a function that posts the form; it returns the page that comes last."""

        def submit(email: str = "jana@example.org", **values: str) -> str:
            return admin_client.post(PAGE, {"email": email, **values}, follow=True).content.decode()

        return submit

    def test_says_whether_why_and_since_when_an_address_is_on_the_list(
        self, post: Callable[..., str]
    ) -> None:
        page = post()
        assert "Not on the list: imports may add it." in page
        assert 'name="lift"' not in page
        for reason, told in (
            (SuppressionReason.ERASED, "the person was erased"),
            (SuppressionReason.COMPLAINED, "the owner complained about an email"),
        ):
            suppress(f"{reason}@example.org", reason)
            SuppressedAddress.objects.update(created_at="2025-06-01T12:00:00Z")
            page = post(f" {reason.title()}+x@Example.org ")
            assert told in page
            assert "On the list since Jun\xa01,\xa02025" in page
        assert "On the list: 1 after an erasure, 1 after a complaint." in page

    def test_blocked_mailbox_is_told_and_freed(self, post: Callable[..., str]) -> None:
        mailbox_budget.block("jana@example.org")
        block = "Nobody can have emails sent to this mailbox"
        assert block not in post("petr@example.org")
        assert block in post()
        post(lift="1", reason="She called us")
        assert "She called us" in post()
        assert mailbox_budget.reserve("jana@example.org")

    @pytest.mark.parametrize("email", ["", "root@localhost"])
    def test_invalid_address_has_its_problem(self, post: Callable[..., str], email: str) -> None:
        assert 'class="errorlist"' in post(email, lift="1", reason="asked")

    def test_lifts_with_a_reason_which_the_history_keeps_without_the_address(
        self, admin_client: Client, post: Callable[..., str]
    ) -> None:
        suppress("jana@example.org", SuppressionReason.ERASED)
        for reason in ("  ", "x" * 201, "a\u202eb"):
            assert 'class="errorlist"' in post(lift="1", reason=reason)
            assert find_suppressed({"jana@example.org"})
        told = "jana@example.org wrote to us"
        assert "Taken off the list: jana@example.org" in post(lift="1", reason=told)
        assert not SuppressedAddress.objects.exists()
        entry = LogEntry.objects.get()
        assert "jana" not in str(LogEntry.objects.values())
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Taken off the do-not-contact list: [address] wrote to us" in history
        assert "[address] wrote to us" in post()
        assert "wrote to us" not in post("petr@example.org")
        assert "It was not on the list: jana@example.org" in post(lift="1", reason=told)
        assert LogEntry.objects.get() == entry

    @pytest.mark.parametrize(
        ("permissions", "status"),
        [
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
