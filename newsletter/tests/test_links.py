"""Confirm and unsubscribe links."""

from datetime import timedelta

import pytest
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from time_machine import TimeMachineFixture

from newsletter.models import ConsentKind, LinkPurpose, State, Subscription, SubscriptionLink
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.mail.models import OutboxEmail
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

WEEK = timedelta(days=7)


@pytest.fixture
def welcome() -> OutboxEmail:
    """Return the mail to a new subscriber."""
    subscribe()
    deliver()
    return latest()


def stored() -> Subscription:
    return Subscription.objects.get()


def kinds() -> list[str]:
    return [event.kind for event in stored().consent_events.all()]


class TestConfirm:
    def test_button_confirms_the_subscription_for_seven_days(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        Subscription.objects.update(bounced_at="2025-06-01T12:00:00+00:00")  # the mail has arrived after all
        time_machine.shift(WEEK - timedelta(seconds=1))
        page = text(press_button(confirm_address(welcome)))
        assert "Your subscription is confirmed." in page
        assert stored().state is State.CONFIRMED
        assert stored().confirmed_at
        assert kinds() == [ConsentKind.REQUESTED, ConsentKind.CONFIRMED]

        hint = "The “Unsubscribe” link at the bottom of the same email ends it"
        assert hint not in page
        assert hint in text(open_link(f"{confirm_address(welcome)}&not-me=1"))

    def test_link_of_a_bounced_mailbox_is_not_renewed(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        Subscription.objects.update(bounced_at="2025-06-01T12:00:00+00:00")
        time_machine.shift(WEEK)
        press_button(confirm_address(welcome), renew="1")
        assert len(mails()) == 1

    def test_used_link_does_not_undo_a_later_unsubscription(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(confirm_address(welcome))
        press_button(unsubscribe_address(welcome))
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

        time_machine.shift(timedelta(hours=1))
        subscribe()
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

    def test_unsubscribing_closes_open_links(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(unsubscribe_address(welcome))
        address = confirm_address(welcome)
        for days in (0, 8):
            time_machine.shift(timedelta(days=days))
            for page in (open_link(address), press_button(address), press_button(address, renew="1")):
                assert "This link no longer works" in text(page)
        assert stored().state is State.UNSUBSCRIBED
        assert len(mails()) == 1


class TestUnsubscribe:
    def test_button_ends_the_subscription_and_never_expires(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(confirm_address(welcome))
        time_machine.shift(timedelta(days=3650))
        assert "You are unsubscribed." in text(press_button(unsubscribe_address(welcome)))
        assert stored().state is State.UNSUBSCRIBED
        assert not stored().is_active
        assert kinds() == [ConsentKind.REQUESTED, ConsentKind.CONFIRMED, ConsentKind.UNSUBSCRIBED]

    @pytest.mark.parametrize(
        ("form", "content_type"),
        [
            ("List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"),
            ({"List-Unsubscribe": "One-Click"}, MULTIPART_CONTENT),
        ],
    )
    def test_one_click_needs_no_cookie_csrf_token_or_redirect(
        self, form: str | dict[str, str], content_type: str
    ) -> None:
        czech = Client()
        czech.cookies.load({"django_language": "cs"})
        subscribe(client=czech)
        address = latest().headers["List-Unsubscribe"].removeprefix("<http://testserver").removesuffix(">")
        response = Client(enforce_csrf_checks=True).post(address, form, content_type=content_type)

        assert response.status_code == 200
        assert set(response.cookies) <= {"django_language"}
        assert stored().state is State.UNSUBSCRIBED

    @pytest.mark.parametrize(("user_type", "readers"), [("sailor", "sailors"), ("company", "companies")])
    def test_page_names_only_the_newsletter_that_ends(self, user_type: str, readers: str) -> None:
        subscription = SubscriptionFactory(user_type=user_type, confirmed=True)
        (token,) = SubscriptionLink.issue(LinkPurpose.UNSUBSCRIBE, subscription=subscription)
        address = f"/newsletter/unsubscribe/{token}/"
        for page in (open_link(address), press_button(address)):
            assert f"We won’t send you any more newsletters for {readers}." in text(page)

    def test_reason_is_asked_once_afterwards(self, welcome: OutboxEmail) -> None:
        address = unsubscribe_address(welcome)
        question = "Would you tell us why?"
        assert question not in text(open_link(address))
        assert question in text(press_button(address))
        for unknown in ("", "no such reason", "\0"):
            press_button(address, reason=unknown)
        assert "Thank you" in text(press_button(address, reason="too-many"))
        assert question not in text(open_link(address))
        press_button(address, reason="other")
        assert [event.reason for event in stored().consent_events.all()][-2:] == ["", "too-many"]
        assert kinds()[-2:] == [ConsentKind.UNSUBSCRIBED, ConsentKind.EXPLAINED]

    def test_reason_does_not_unsubscribe(self, welcome: OutboxEmail) -> None:
        press_button(confirm_address(welcome))
        page = press_button(unsubscribe_address(welcome), reason="too-many")
        assert "Leave the newsletter?" in text(page)
        assert stored().state is State.CONFIRMED

    def test_page_leads_to_the_preferences(self, welcome: OutboxEmail) -> None:
        press_button(confirm_address(welcome))
        address = unsubscribe_address(welcome)
        for page in (open_link(address), press_button(address)):
            assert 'name="preferences"' in text(page)
            response = press_button(address, preferences="1")
            assert response.status_code == 302
            assert "Your newsletter" in text(open_link(response.headers["Location"]))
        assert kinds()[-1] == ConsentKind.UNSUBSCRIBED

    def test_links_to_the_preferences_are_limited(self, welcome: OutboxEmail) -> None:
        address = unsubscribe_address(welcome)
        links = SubscriptionLink.objects.filter(purpose=LinkPurpose.PREFERENCES)
        before = links.count()
        statuses = [press_button(address, preferences="1").status_code for _time in range(11)]
        assert statuses == [302] * 10 + [429]
        assert links.count() == before + 10
        assert "You are unsubscribed." in text(press_button(address))
        other = press_button(czech_link(LinkPurpose.UNSUBSCRIBE), preferences="1")
        assert other.headers["Location"].endswith("/?lang=cs")

    def test_disowned_request_has_no_preferences(self, welcome: OutboxEmail) -> None:
        address = unsubscribe_address(welcome)
        press_button(address, not_me="1")
        assert "The request is deleted." in text(press_button(address, preferences="1"))

    def test_old_link_works_again_after_resubscribing(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(unsubscribe_address(welcome))
        time_machine.shift(timedelta(hours=1))
        subscribe()
        press_button(confirm_address(latest()))
        assert stored().is_active

        press_button(unsubscribe_address(welcome))
        assert stored().state is State.UNSUBSCRIBED
        assert not stored().is_active
        assert kinds().count(ConsentKind.UNSUBSCRIBED) == 2

    def test_other_audience_stays_subscribed(self, welcome: OutboxEmail) -> None:
        subscribe(userType="company")
        press_button(unsubscribe_address(welcome))
        active = Subscription.objects.filter(is_active=True)
        assert [subscription.user_type for subscription in active] == ["company"]


def czech_link(purpose: LinkPurpose) -> str:
    """Return the path of a new link, without `?lang=`."""
    subscription = SubscriptionFactory(language="cs")
    (token,) = SubscriptionLink.issue(purpose, subscription=subscription)
    return f"/newsletter/{purpose}/{token}/"
