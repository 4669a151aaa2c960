"""Suppressed mailboxes: who gets there, and the page in Django admin."""

from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from newsletter.services import subscriptions
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail import mailboxes
from sailing.mail.mailboxes import find_suppressed, suppress
from sailing.mail.models import Mailbox, SuppressionReason
from sailing.privacy.erasure import erase_person

PAGE = "/admin/suppression/"
JANA = "jana@example.org"
pytestmark = pytest.mark.django_db


def test_erased_person_is_suppressed_until_they_confirm() -> None:
    subscription = SubscriptionFactory(email=JANA)
    subscriptions.unsubscribe(pk=subscription.pk, language="en")
    assert not find_suppressed([JANA])
    erase_person(subscription)
    again = SubscriptionFactory(email=JANA)
    assert find_suppressed([JANA])
    begin_subscription(again, language="en")
    assert not find_suppressed([JANA])


def test_disowned_address_is_suppressed() -> None:
    subscription = SubscriptionFactory(email=JANA)
    subscriptions.disown(pk=subscription.pk, language="en")
    assert find_suppressed([JANA])
    assert Mailbox.objects.get().suppression == SuppressionReason.COMPLAINED


class TestPage:
    """The page in Django admin for one address at a time."""

    @pytest.fixture
    def post(self, admin_client: Client) -> Callable[..., str]:
        """Return a function that posts the form; it returns the page that comes last."""

        def submit(email: str = JANA, **values: str) -> str:
            return admin_client.post(PAGE, {"email": email, **values}, follow=True).content.decode()

        return submit

    def test_says_why_and_since_when_an_address_is_on_the_list(self, post: Callable[..., str]) -> None:
        assert 'name="lift"' not in post()
        assert 'class="errorlist"' in post("root@localhost", lift="1", reason="asked")
        suppress(JANA, SuppressionReason.COMPLAINED)
        Mailbox.objects.update(suppressed_at="2025-06-01T12:00:00Z")
        page = post(" Jana+x@Example.org ")
        assert "the owner complained about an email" in page
        assert "On the list since Jun\xa01,\xa02025" in page
        assert "On the list: 0 after an erasure, 1 after a complaint." in page

    def test_blocked_mailbox_is_told_and_freed(self, post: Callable[..., str]) -> None:
        mailboxes.block(JANA)
        assert "Nobody can have emails sent to this mailbox" in post()
        post(lift="1", reason="She called us")
        assert mailboxes.reserve(JANA)

    def test_lifts_with_a_reason_for_the_history(
        self, admin_client: Client, post: Callable[..., str]
    ) -> None:
        suppress(JANA, SuppressionReason.ERASED)
        for reason in ("  ", "x" * 201, "a\u202eb"):
            assert 'class="errorlist"' in post(lift="1", reason=reason)
            assert find_suppressed([JANA])
        told = f"{JANA} wrote to us"
        assert f"Taken off the list: {JANA}" in post(lift="1", reason=told)
        assert not find_suppressed([JANA])
        Mailbox.objects.all().delete()  # as the row of an answered mailbox is
        post(lift="1", reason=told)
        assert LogEntry.objects.count() == 1
        assert "jana" not in str(LogEntry.objects.values())
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Taken off the do-not-contact list: [address] wrote to us" in history
        assert "[address] wrote to us" in post()
        assert "wrote to us" not in post("petr@example.org")

    @pytest.mark.parametrize(
        ("permissions", "status"),
        [
            (("view_subscription", "change_subscription", "view_user"), 403),
            (("view_subscription", "delete_subscription"), 200),
            (("view_user", "delete_user"), 200),
        ],
    )
    def test_is_for_those_who_may_erase(self, permissions: tuple[str, ...], status: int) -> None:
        suppress(JANA, SuppressionReason.ERASED)
        client = staff_client(*permissions)
        assert client.get(PAGE).status_code == status
        assert (f'href="{PAGE}"' in client.get("/admin/").content.decode()) is (status == 200)
        client.post(PAGE, {"email": JANA, "lift": "1", "reason": "asked"})
        assert bool(find_suppressed([JANA])) is (status == 403)
