"""What the links in newsletter mails do (the spec's welcome mail, RFC 8058)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.test.utils import CaptureQueriesContext
from post_office.models import Email
from time_machine import TimeMachineFixture

from newsletter import links, services
from newsletter.models import ConsentKind, LinkPurpose, State, Subscription, SubscriptionLink
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
UNKNOWN_TOKENS = ["x", "0" * 32, "a" * 5000, "%00", "{{7*7}}", "ž", "'%20OR%201=1"]


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


@pytest.fixture
def welcome(subscribe: Subscribe) -> Email:
    """The mail that a new subscriber got."""
    subscribe()
    deliver()
    return latest()


def stored() -> Subscription:
    return Subscription.objects.get()


def kinds() -> list[str]:
    return [event.kind for event in stored().consent_events.all()]


class TestOpening:
    @pytest.mark.parametrize("method", ["get", "head", "options"])
    @pytest.mark.parametrize("address", [confirm_address, unsubscribe_address])
    @pytest.mark.parametrize("days", [0, 30])
    def test_opening_a_link_writes_nothing(
        self,
        welcome: Email,
        method: str,
        address: Callable[[Email], str],
        days: int,
        time_machine: TimeMachineFixture,
    ) -> None:
        time_machine.shift(timedelta(days=days))
        with CaptureQueriesContext(connection) as queries:
            response = getattr(Client(), method)(address(welcome))

        assert response.status_code == 200
        assert set(response.cookies) <= {"django_language"}
        assert all(query["sql"].startswith("SELECT") for query in queries)
        assert bool(queries) == (method != "options")

    def test_the_buttons_of_a_page_post_to_its_own_address(self, welcome: Email) -> None:
        for address, buttons in ((confirm_address(welcome), 2), (unsubscribe_address(welcome), 1)):
            page = text(open_link(address))
            assert page.count("<button") == page.count("<form") == buttons
            assert "action=" not in page
            assert "<script" not in page


class TestConfirming:
    def test_the_button_confirms_the_subscription(self, welcome: Email) -> None:
        response = press_button(confirm_address(welcome))

        assert "Your subscription is confirmed." in text(response)
        assert stored().state is State.CONFIRMED
        assert stored().is_active
        assert stored().confirmed_at
        assert kinds() == [ConsentKind.REQUESTED, ConsentKind.CONFIRMED]

    def test_a_second_press_says_the_same_as_the_first_and_does_nothing(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        first = text(press_button(confirm_address(welcome)))
        confirmed_at = stored().confirmed_at
        time_machine.shift(WEEK)

        assert text(press_button(confirm_address(welcome))) == first
        assert stored().confirmed_at == confirmed_at
        assert len(kinds()) == 2

    def test_one_of_several_links_confirms_and_the_others_say_so(
        self, welcome: Email, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.shift(timedelta(hours=1))
        subscribe()
        first = text(press_button(confirm_address(latest())))

        assert text(press_button(confirm_address(welcome))) == first
        assert kinds().count(ConsentKind.CONFIRMED) == 1

    def test_a_link_works_for_seven_days(self, welcome: Email, time_machine: TimeMachineFixture) -> None:
        time_machine.shift(WEEK - timedelta(seconds=1))
        press_button(confirm_address(welcome))
        assert stored().is_confirmed

    def test_an_expired_link_confirms_nothing_and_offers_a_new_one(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.shift(WEEK)
        response = press_button(confirm_address(welcome))
        assert "Send me a new link" in text(response)
        assert not stored().is_confirmed
        assert len(mails()) == 1

        response = press_button(confirm_address(welcome), renew="1")
        assert "Check your email" in text(response)
        assert len(mails()) == 2
        press_button(confirm_address(latest()))
        assert stored().is_confirmed
        assert kinds() == [ConsentKind.REQUESTED, ConsentKind.REQUESTED, ConsentKind.CONFIRMED]

    def test_a_new_link_is_sent_within_the_limits_on_mails(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.shift(WEEK)
        first = text(press_button(confirm_address(welcome), renew="1"))
        assert text(press_button(confirm_address(welcome), renew="1")) == first
        assert len(mails()) == 2

    def test_no_new_link_is_sent_to_a_mailbox_that_bounced(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        Subscription.objects.update(bounced_at="2025-06-01T12:00:00+00:00")
        time_machine.shift(WEEK)
        press_button(confirm_address(welcome), renew="1")
        assert len(mails()) == 1

    def test_a_link_that_has_not_expired_is_not_renewed(self, welcome: Email) -> None:
        press_button(confirm_address(welcome), renew="1")
        assert len(mails()) == 1

    def test_a_used_link_never_brings_back_who_unsubscribed_later(
        self, welcome: Email, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        press_button(confirm_address(welcome))
        press_button(unsubscribe_address(welcome))
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

        time_machine.shift(timedelta(hours=1))
        subscribe()
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

    def test_unsubscribing_closes_the_links_that_were_still_open(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        press_button(unsubscribe_address(welcome))
        for days in (0, 8):
            time_machine.shift(timedelta(days=days))
            assert "This link no longer works" in text(open_link(confirm_address(welcome)))
            assert "This link no longer works" in text(press_button(confirm_address(welcome)))
            assert "This link no longer works" in text(press_button(confirm_address(welcome), renew="1"))
        assert stored().state is State.UNSUBSCRIBED
        assert len(mails()) == 1

    def test_a_confirmation_that_waited_for_an_unsubscription_does_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subscription = SubscriptionFactory()
        tokens = {
            purpose: SubscriptionLink.issue(lifetime=None, subscription=subscription, purpose=purpose)
            for purpose in LinkPurpose
        }
        find = links.find

        def find_and_be_overtaken(*, token: str, purpose: LinkPurpose) -> SubscriptionLink | None:
            link = find(token=token, purpose=purpose)
            if purpose is LinkPurpose.CONFIRM:
                services.unsubscribe(token=tokens[LinkPurpose.UNSUBSCRIBE], language="en")
            return link

        monkeypatch.setattr(links, "find", find_and_be_overtaken)
        services.confirm(token=tokens[LinkPurpose.CONFIRM], language="en")

        assert stored().state is State.UNSUBSCRIBED
        assert not stored().is_active

    def test_who_confirms_has_a_mailbox_that_works(self, welcome: Email) -> None:
        Subscription.objects.update(bounced_at="2025-06-01T12:00:00+00:00")
        press_button(confirm_address(welcome))
        assert stored().state is State.CONFIRMED


class TestUnsubscribing:
    def test_the_button_ends_the_subscription(self, welcome: Email) -> None:
        press_button(confirm_address(welcome))
        response = press_button(unsubscribe_address(welcome))

        assert "You are unsubscribed." in text(response)
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
    def test_one_click_needs_no_cookie_no_token_and_no_redirect(
        self, subscribe: Subscribe, form: str | dict[str, str], content_type: str
    ) -> None:
        czech = Client()
        czech.cookies.load({"django_language": "cs"})
        subscribe(client=czech)
        address = latest().headers["List-Unsubscribe"].removeprefix("<http://testserver").removesuffix(">")
        response = Client(enforce_csrf_checks=True).post(address, form, content_type=content_type)

        assert response.status_code == 200
        assert set(response.cookies) <= {"django_language"}
        assert stored().state is State.UNSUBSCRIBED

    def test_a_second_press_says_the_same_as_the_first_and_does_nothing(
        self, welcome: Email, time_machine: TimeMachineFixture
    ) -> None:
        first = text(press_button(unsubscribe_address(welcome)))
        ended_at = stored().unsubscribed_at
        time_machine.shift(WEEK)

        assert text(press_button(unsubscribe_address(welcome))) == first
        assert stored().unsubscribed_at == ended_at
        assert kinds().count(ConsentKind.UNSUBSCRIBED) == 1

    def test_a_link_has_no_end(self, welcome: Email, time_machine: TimeMachineFixture) -> None:
        time_machine.shift(timedelta(days=3650))
        press_button(unsubscribe_address(welcome))
        assert stored().state is State.UNSUBSCRIBED

    def test_an_old_link_works_again_for_who_came_back(
        self, welcome: Email, subscribe: Subscribe, time_machine: TimeMachineFixture
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

    def test_one_audience_is_left_and_the_other_kept(self, welcome: Email, subscribe: Subscribe) -> None:
        subscribe(userType="company")
        press_button(unsubscribe_address(welcome))
        active = Subscription.objects.filter(is_active=True)
        assert [subscription.user_type for subscription in active] == ["company"]


class TestWithoutTheLastSlash:
    """Some mail programs take it for the end of a sentence."""

    def test_a_link_confirms(self, welcome: Email) -> None:
        address = confirm_address(welcome).replace("/?", "?")
        assert open_link(address).status_code == 200
        assert press_button(address).status_code == 200
        assert stored().state is State.CONFIRMED

    def test_one_click_unsubscribes(self, welcome: Email) -> None:
        address = unsubscribe_address(welcome).replace("/?", "?")
        form = {"List-Unsubscribe": "One-Click"}
        response = Client(enforce_csrf_checks=True).post(address, form)
        assert response.status_code == 200
        assert stored().state is State.UNSUBSCRIBED


class TestUnknown:
    @pytest.mark.parametrize("page", ["confirm", "unsubscribe"])
    @pytest.mark.parametrize("token", UNKNOWN_TOKENS)
    def test_every_unknown_link_gets_the_same_page(self, page: str, token: str) -> None:
        expected = open_link("/newsletter/confirm/never-sent/")
        assert expected.status_code == 404
        assert "This link does not work" in text(expected)
        for response in (
            open_link(f"/newsletter/{page}/{token}/"),
            press_button(f"/newsletter/{page}/{token}/"),
        ):
            assert (response.status_code, response.content) == (404, expected.content)

    @pytest.mark.parametrize("method", ["get", "post", "head"])
    @pytest.mark.parametrize("rest", ["", "/", "x", "x//", "x/y", "x/y/", "%0A", "x%0Ay", "x/%0A/"])
    @pytest.mark.parametrize("page", ["confirm", "unsubscribe"])
    def test_so_does_whatever_else_stands_there(self, page: str, rest: str, method: str) -> None:
        response = getattr(Client(enforce_csrf_checks=True), method)(f"/newsletter/{page}/{rest}")
        assert response.status_code == 404
        assert response["X-Robots-Tag"] == "noindex"
        if method != "head":
            assert response.content == open_link("/newsletter/confirm/never-sent/").content

    def test_a_link_serves_its_own_purpose_only(self, welcome: Email) -> None:
        confirm, unsubscribe = confirm_address(welcome), unsubscribe_address(welcome)
        assert press_button(confirm.replace("confirm", "unsubscribe")).status_code == 404
        assert press_button(unsubscribe.replace("unsubscribe", "confirm")).status_code == 404
        assert stored().state is State.PENDING

    def test_the_links_of_a_removed_subscription_are_unknown(self, welcome: Email) -> None:
        stored().delete()
        assert press_button(confirm_address(welcome)).status_code == 404
        assert press_button(unsubscribe_address(welcome)).status_code == 404

    def test_tokens_are_not_readable_in_the_database(self, welcome: Email) -> None:
        token = confirm_address(welcome).split("/")[3]
        hashes = SubscriptionLink.objects.values_list("token_hash", flat=True)
        assert len(hashes) == 2
        assert not any(token in stored_hash for stored_hash in hashes)


class TestAnswers:
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_pages_of_tokens_leave_no_trace_elsewhere(self, welcome: Email, method: str) -> None:
        for address in (confirm_address(welcome), unsubscribe_address(welcome), "/newsletter/confirm/x/"):
            response = getattr(Client(), method)(address)
            assert response["Referrer-Policy"] == "same-origin"
            assert response["Cache-Control"] == "no-store"
            assert "noindex" in response["X-Robots-Tag"]
            assert '<meta name="robots" content="noindex">' in text(response)

    def test_the_log_has_the_path_of_a_link_without_its_token(
        self, welcome: Email, caplog: pytest.LogCaptureFixture
    ) -> None:
        address = confirm_address(welcome)
        press_button(address)
        assert "POST /newsletter/confirm/…" in caplog.text
        assert address.split("/")[3] not in caplog.text

    @pytest.mark.parametrize("method", ["put", "delete", "patch"])
    def test_other_methods_are_refused(self, welcome: Email, method: str) -> None:
        assert getattr(Client(), method)(confirm_address(welcome)).status_code == 405
        assert stored().state is State.PENDING
