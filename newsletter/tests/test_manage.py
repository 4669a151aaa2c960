"""The page behind the signed links in mails: unsubscribing, preferences, the reason for leaving."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.signing import Signer
from django.http import HttpResponse
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter import tokens
from newsletter.models import (
    STATEMENT,
    ConsentEvent,
    ConsentKind,
    LeavingReason,
    State,
    Subscription,
    UserType,
)
from newsletter.services import preferences
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "jana@example.com"
BOTH = ["sailor", "company"]
DAY = timedelta(days=1)
QUESTION = "Would you tell us why?"


@pytest.fixture
def sailor() -> Subscription:
    found: Subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
    return found


@pytest.fixture
def address(sailor: Subscription) -> str:
    """Return the path of the page of a confirmed sailor."""
    return manage_address(sailor)


@pytest.fixture
def company() -> Subscription:
    """Return the same reader's confirmed subscription to the other newsletter."""
    found: Subscription = SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    return found


def save(address: str, **form: Any) -> HttpResponse:
    """Press the button of the preferences."""
    return press_button(address, preferences="1", **form)


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def kinds(user_type: UserType = UserType.SAILOR) -> list[str]:
    return [event.kind for event in stored(user_type).consent_events.all()]


class TestToken:
    @pytest.mark.parametrize("delivery", [None, 1, 2**63 - 1])
    def test_names_its_subscription_and_delivery(self, delivery: int | None) -> None:
        key = SubscriptionFactory.build().pk
        token = tokens.build(key, delivery)
        assert tokens.read(token) == (key, delivery)

    def test_only_what_this_site_has_signed_opens_a_page(self, sailor: Subscription) -> None:
        token, other = tokens.build(sailor.pk, 1), tokens.build(SubscriptionFactory().pk, 2)
        value, _dot, signature = token.rpartition(".")
        forged = [
            *("", ".", "..", "1.x", "ž.x", "x\0", "x" * 5000, token[:-1], f"{token}A", value),
            f"{value}.{other.rpartition('.')[2]}",  # the signature of another
            f"{value.partition('.')[0]}.{signature}",  # without the delivery
            f"{value}0.{signature}",
            Signer(sep=".").sign(value),  # for another purpose
        ]
        for wrong in forged:
            for response in (open_link(path := f"/newsletter/manage/{wrong}"), press_button(path)):
                assert response.status_code == 404
                assert "This link does not work" in text(response)
        assert stored().state is State.CONFIRMED

    def test_survives_a_new_secret_key_while_the_old_one_is_a_fallback(
        self, address: str, settings: Settings
    ) -> None:
        old, settings.SECRET_KEY = settings.SECRET_KEY, "k" * 50
        assert open_link(address).status_code == 404
        settings.SECRET_KEY_FALLBACKS = [old]
        assert open_link(address).status_code == 200


class TestUnsubscribe:
    def test_button_ends_the_subscription_of_the_mail_and_never_expires(
        self, address: str, company: Subscription, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.shift(3650 * DAY)
        assert "We won’t send you any more newsletters for sailors." in text(open_link(address))
        page = text(press_button(address))
        assert "You are unsubscribed." in page
        assert "We won’t send you any more newsletters for sailors." in page
        assert stored().state is State.UNSUBSCRIBED
        assert kinds() == [ConsentKind.UNSUBSCRIBED]
        assert stored(UserType.COMPANY).is_subscribed
        assert "newsletters for companies" in text(open_link(manage_address(company)))

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
        subscribe(client=czech, email=EMAIL)
        address = latest().headers["List-Unsubscribe"].removeprefix("<http://testserver").removesuffix(">")
        response = Client(enforce_csrf_checks=True).post(address, form, content_type=content_type)
        assert response.status_code == 200
        assert set(response.cookies) <= {"django_language"}
        assert stored().state is State.UNSUBSCRIBED

    def test_everything_takes_one_click_too(self, address: str) -> None:
        assert 'name="everything"' not in text(open_link(address))
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY)
        assert 'name="everything"' in text(open_link(address))
        for _press in range(2):
            page = text(press_button(address, everything="1", audience=BOTH))
            assert "You are unsubscribed." in page
            assert "Check what you want to get" in page
        for user_type in UserType:
            assert stored(user_type).state is State.UNSUBSCRIBED
            assert kinds(user_type) == [ConsentKind.UNSUBSCRIBED]
        save(address, audience="sailor")  # the way back is the same page
        assert (stored().state, stored().is_active) == (State.PENDING, False)

    @pytest.mark.parametrize("form", [{}, {"preferences": "1", "audience": "sailor"}, {"everything": "1"}])
    def test_erased_subscriber_sees_a_calm_page(
        self, sailor: Subscription, address: str, form: dict[str, Any]
    ) -> None:
        erase(Subscription, [sailor.pk])
        for response in (open_link(address), press_button(address, **form)):
            assert response.status_code == 200
            assert "has been deleted" in text(response)
            assert "jana" not in text(response)
        assert "Žádný newsletter nedostáváte" in text(open_link(f"{address}?lang=cs"))
        assert not Subscription.objects.exists()


class TestReason:
    def test_is_asked_once_afterwards(self, address: str) -> None:
        assert QUESTION not in text(open_link(address))
        assert QUESTION in text(press_button(address))
        for nothing in ("", "no such reason", "\0"):
            assert "Thank you" not in text(press_button(address, reason=nothing))
        assert "Thank you" in text(press_button(address, reason="too-many"))
        assert QUESTION not in text(open_link(address))
        press_button(address, reason="other")
        assert [event.reason for event in stored().consent_events.all()] == ["", "too-many"]
        assert kinds() == [ConsentKind.UNSUBSCRIBED, ConsentKind.EXPLAINED]

    @pytest.mark.parametrize(
        ("form", "expected"),
        [
            ({"comment": " Three a\r\n week! "}, (LeavingReason.OTHER, "Three a week!")),
            ({"reason": "not-for-me", "comment": "x" * 500}, (LeavingReason.NOT_FOR_ME, "x" * 500)),
        ],
    )
    def test_can_be_in_own_words(self, address: str, form: dict[str, Any], expected: tuple[str, str]) -> None:
        press_button(address)
        press_button(address, **form)
        event = ConsentEvent.objects.get(kind=ConsentKind.EXPLAINED)
        assert (event.reason, event.comment) == expected

    @pytest.mark.parametrize(
        ("comment", "problem"),
        [
            ("x" * 501, "Please use at most 500 characters"),
            ("\u202egnitfard", "Please remove the invisible control characters"),
        ],
    )
    def test_bad_comment_is_shown_with_its_problem(self, address: str, comment: str, problem: str) -> None:
        press_button(address)
        response = press_button(address, comment=comment)
        assert response.status_code == 422
        assert problem in text(response)
        assert f">{comment}</textarea>" in response.content.decode()
        assert kinds() == [ConsentKind.UNSUBSCRIBED]

    def test_does_not_unsubscribe(self, address: str) -> None:
        assert "Leave the newsletter?" in text(press_button(address, reason="too-many"))
        assert stored().state is State.CONFIRMED


STATES: list[dict[str, bool] | None] = [None, {}, {"unsubscribed": True}]
"""States of the subscription to the other audience. None: there is none."""


class TestAudiences:
    def test_page_shows_what_the_address_gets(self, address: str) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY)
        page = text(open_link(address))
        assert EMAIL in page
        assert 'value="sailor" checked' in page
        assert 'value="company" checked' not in page
        assert page.count("not confirmed yet") == 1
        assert str(STATEMENT) in page

    @pytest.mark.parametrize("state", STATES, ids=["new", "pending", "unsubscribed"])
    def test_ticked_audience_is_confirmed_by_mail_because_mails_are_forwarded(
        self, address: str, state: dict[str, bool] | None
    ) -> None:
        if state is not None:
            SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, **state)
        for _time in range(2):
            page = text(save(address, audience=BOTH, language="en"))
            assert "use the link in the email" in page
        assert stored(UserType.COMPANY).state is State.PENDING
        assert kinds(UserType.COMPANY) == [ConsentKind.REQUESTED]
        assert kinds() == []
        assert [mail.recipient for mail in mails()] == [EMAIL]

    def test_who_comes_back_is_told_to_confirm_and_not_asked_to_leave(self) -> None:
        subscription = SubscriptionFactory(email=EMAIL, unsubscribed=True)
        page = text(save(manage_address(subscription), audience="sailor", language="en"))
        assert "use the link in the email" in page
        assert "not confirmed yet" in page
        assert "We send no newsletter" not in page
        assert "Leave the newsletter?" not in page

    def test_subscriber_who_adds_an_audience_can_still_unsubscribe(self, address: str) -> None:
        assert "Leave the newsletter?" in text(save(address, audience=BOTH, language="en"))

    @pytest.mark.parametrize("limit", ["of the subscription", "of the mailbox", "bounced"])
    def test_audience_that_cannot_be_asked_for_is_refused_and_all_else_is_saved(
        self, address: str, limit: str
    ) -> None:
        is_bounced = limit == "bounced"
        company = SubscriptionFactory(
            email=EMAIL, user_type=UserType.COMPANY, unsubscribed=not is_bounced, bounced=is_bounced
        )
        for _time in range(5):
            if limit == "of the mailbox":
                mailboxes.reserve(EMAIL)
            elif limit == "of the subscription":
                ConsentEvent.record(company, ConsentKind.REQUESTED, language="en")
        events = kinds(UserType.COMPANY)
        page = text(save(address, audience=BOTH, language="cs", pause="30"))
        assert "Zaškrtnutý newsletter teď přidat nemůžeme" in page
        assert "Ostatní jsme uložili." in page
        assert (stored().language, stored().is_paused) == ("cs", True)
        assert not mails()
        assert stored(UserType.COMPANY).language == "cs"
        assert kinds(UserType.COMPANY) == events
        assert 'value="company" checked' not in page

    def test_ticking_does_not_answer_for_the_mailbox_and_stores_nobody_who_cannot_be_asked(
        self, address: str
    ) -> None:
        mailboxes.block(EMAIL)
        mailboxes.suppress(EMAIL, SuppressionReason.COMPLAINED)
        save(address, audience=BOTH, language="en")
        assert not mailboxes.reserve(EMAIL)
        assert mailboxes.find_suppressed([EMAIL])
        assert Subscription.objects.get() == stored()
        assert not mails()

    @pytest.mark.parametrize(
        ("ticked", "others", "told", "state"),
        [
            ("company", True, "Your choice is saved.", State.CONFIRMED),
            ("company", False, "use the link in the email", State.PENDING),
            ([], True, "You are unsubscribed.", State.UNSUBSCRIBED),
        ],
    )
    def test_unticked_audience_is_left(
        self, address: str, ticked: str, others: bool, told: str, state: State
    ) -> None:
        if others:
            SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
        page = text(save(address, audience=ticked, language="en"))
        assert told in page
        assert (stored().state, kinds()) == (State.UNSUBSCRIBED, [ConsentKind.UNSUBSCRIBED])
        assert stored(UserType.COMPANY).state is state

    def test_saving_without_a_tick_keeps_what_is_not_confirmed(self) -> None:
        save(manage_address(SubscriptionFactory(email=EMAIL)), language="cs")
        assert (stored().state, stored().language) == (State.PENDING, "cs")

    def test_values_that_the_form_does_not_offer_change_nothing(self, address: str) -> None:
        before = Subscription.objects.values().get()
        forged: dict[str, Any] = {"audience": ["sailor", "admin"], "language": "de", "pause": "9"}
        assert save(address, **forged).status_code == 200
        assert Subscription.objects.values().get() == before


class TestPause:
    def test_pauses_all_audiences_and_shows_until_when_or_the_end_of_the_subscription(
        self, address: str, company: Subscription
    ) -> None:
        page = text(save(address, audience=BOTH, pause="90"))
        assert {stored(user_type).paused_until for user_type in UserType} == {timezone.now() + 90 * DAY}
        assert "Aug 30, 2025" in page
        assert kinds() == [ConsentKind.PAUSED]
        press_button(address)
        assert stored().paused_until is None

    def test_resumes_and_saves_what_else_was_chosen(self, address: str) -> None:
        page = text(save(address, audience="sailor", pause="30"))
        assert page.count("<form") == 2
        assert "As it is" in page
        assert "Resume now" in page
        page = text(save(address, audience="sailor", language="cs", pause="0"))
        assert "Pozastaveno" not in page
        assert "Bez pauzy" in page
        assert 'value="0"' not in page
        assert (stored().paused_until, stored().language) == (None, "cs")
        assert stored().is_subscribed
        assert kinds() == [ConsentKind.PAUSED, ConsentKind.RESUMED]


def test_change_for_a_subscription_erased_meanwhile_subscribes_nobody() -> None:
    subscription = SubscriptionFactory(confirmed=True)
    Subscription.objects.all().delete()
    values: dict[str, Any] = {"audiences": UserType.values, "language": "en"}
    preferences.change_preferences(subscription=subscription, **values)
    assert not Subscription.objects.exists()
    assert not mails()
