"""Suppressed mailboxes: who gets there, and the page in Django admin."""

from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.services import subscriptions
from sailing.admin.tests.helpers import staff_client
from sailing.client import NO_REQUEST
from sailing.mail import mailboxes
from sailing.mail.mailboxes import find_suppressed, suppress
from sailing.mail.models import Mailbox, SuppressionReason
from sailing.privacy.erasure import erase_person

PAGE = "/admin/suppression/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def subscription() -> Subscription:
    return Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")


def issue(subscription: Subscription) -> str:
    return SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)


def test_erased_person_is_suppressed_until_they_confirm(subscription: Subscription) -> None:
    erase_person(subscription)
    assert find_suppressed({"jana@example.org"})
    again = Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")
    assert find_suppressed({"jana@example.org"})
    subscriptions.confirm(client=NO_REQUEST, token=issue(again), language="en")
    assert not find_suppressed({"jana@example.org"})


def test_unsubscribing_suppresses_nothing(subscription: Subscription) -> None:
    subscriptions.unsubscribe(pk=subscription.pk, language="en")
    assert not find_suppressed({"jana@example.org"})


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_disowned_address_is_suppressed(subscription: Subscription, is_confirmed: bool) -> None:
    if is_confirmed:
        subscriptions.confirm(client=NO_REQUEST, token=issue(subscription), language="en")
        assert not find_suppressed({"jana@example.org"})
    subscriptions.disown(pk=subscription.pk, language="en")
    assert find_suppressed({"jana@example.org"})
    assert Mailbox.objects.get().suppression == SuppressionReason.COMPLAINED


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
            Mailbox.objects.update(suppressed_at="2025-06-01T12:00:00Z")
            page = post(f" {reason.title()}+x@Example.org ")
            assert told in page
            assert "On the list since Jun\xa01,\xa02025" in page
        assert "On the list: 1 after an erasure, 1 after a complaint." in page

    def test_blocked_mailbox_is_told_and_freed(self, post: Callable[..., str]) -> None:
        mailboxes.block("jana@example.org")
        block = "Nobody can have emails sent to this mailbox"
        assert block not in post("petr@example.org")
        assert block in post()
        post(lift="1", reason="She called us")
        assert "She called us" in post()
        assert mailboxes.reserve("jana@example.org")

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
        assert not find_suppressed({"jana@example.org"})
        entry = LogEntry.objects.get()
        assert "jana" not in str(LogEntry.objects.values())
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Taken off the do-not-contact list: [address] wrote to us" in history
        assert "[address] wrote to us" in post()
        assert "wrote to us" not in post("petr@example.org")
        assert "Not on the list: imports may add it." in post(lift="1", reason=told)
        assert LogEntry.objects.get() == entry
        Mailbox.objects.all().delete()  # as the row of an answered mailbox is
        assert "[address] wrote to us" in post()

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
