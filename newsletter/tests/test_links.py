"""The pages behind the links in mails: confirming, "This was not me", leaving, preferences, interests."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.signing import Signer
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter import tokens
from newsletter.models import ConsentEvent, ConsentKind, LeavingReason, State, Subscription, UserType
from newsletter.services import preferences
from newsletter.tests.factories import InterestFactory, SubscriptionFactory, issue_confirm
from newsletter.tests.mailbox import confirm_address, deliver, manage_address, subscribe, unsubscribe_address
from newsletter.tests.test_lifecycle import BEFORE
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from tests.api import czech_visitor
from tests.mailbox import last_address, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "jana@example.com"
BOTH = ["sailor", "company"]
DAY = timedelta(days=1)
QUESTION, THANKS = "Would you tell us why?", "Thank you"
INTERESTS = "What interests you?"


@pytest.fixture
def sailor() -> Subscription:
    return SubscriptionFactory(email=EMAIL, confirmed=True)


@pytest.fixture
def address(sailor: Subscription) -> str:
    return manage_address(sailor)


def add_company(**state: Any) -> Subscription:
    return SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, **state)


def save(address: str, **form: Any) -> HttpResponse:
    return press_button(address, preferences="1", **form)


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def kinds(user_type: UserType = UserType.SAILOR) -> list[str]:
    return [event.kind for event in stored(user_type).consent_events.all()]


def ask() -> tuple[str, str]:
    """Ask for the newsletter; return the paths to confirm and to unsubscribe in the mail, which is sent."""
    subscribe(email=EMAIL)
    deliver()
    return confirm_address(latest()), unsubscribe_address(latest())


def test_button_confirms_within_seven_days_and_asks_for_interests(time_machine: TimeMachineFixture) -> None:
    InterestFactory(name_en="Regattas")
    path, unsubscribe = ask()
    time_machine.shift(7 * DAY - timedelta(seconds=1))
    assert "Regattas" not in text(open_link(path))
    page = text(press_button(path))
    assert "Your subscription is confirmed." in page
    assert "Regattas" in page
    assert stored().state is State.CONFIRMED
    hint = "The “Unsubscribe” link at the bottom of the same email ends it"
    assert (hint in page, hint in text(open_link(f"{path}&not-me=1"))) == (False, True)
    assert text(press_button(path, not_me="1")) == page  # who has confirmed did ask
    press_button(unsubscribe)  # which the used link does not undo
    for _request in range(2):
        for response in (press_button(path), press_button(path, renew="1")):
            assert "This link no longer works" in text(response)
        assert not stored().is_active
        time_machine.shift(8 * DAY)
        subscribe(email=EMAIL)


class TestNotMe:
    @pytest.mark.parametrize("number", [0, 1])
    def test_request_and_its_mails_are_deleted_and_the_mailbox_blocked(self, number: int) -> None:
        subscribe(email=EMAIL)
        path = [confirm_address(latest()), unsubscribe_address(latest())][number]
        assert f"{confirm_address(latest())}&not-me=1" in latest().text
        page = text(open_link(f"{path}&not-me=1"))
        for tag in ("h1", "button"):
            assert re.findall(rf"<{tag}[^>]*>(.*)</{tag}>", page) == ["This was not me"]
        assert "deleted." in text(press_button(path, not_me="1"))
        subscribe(email=EMAIL, userType="company")
        assert not Subscription.objects.exists()
        assert not ConsentEvent.objects.exists()
        assert not mails()
        assert not mailboxes.reserve(EMAIL)

    @pytest.mark.parametrize(
        "standing", [{"confirmed": True, "unsubscribed": True}, {"confirmed": True, "is_active": False}, {}]
    )
    def test_subscription_asked_for_again_keeps_what_its_owner_chose(self, standing: dict[str, bool]) -> None:
        old = SubscriptionFactory(email=EMAIL, **(standing or {"is_active": False}))
        if not standing:
            ConsentEvent.record(old, ConsentKind.UNSUBSCRIBED)  # the history alone proves an answer
        facts = ("is_active", "is_confirmed", "confirmed_at", "unsubscribed_at")
        before = Subscription.objects.values(*facts, "asked_again_at").get()
        path, _unsubscribe = ask()
        assert Subscription.objects.values(*facts).get().items() <= before.items()
        for _press in range(2):
            assert "What you had set up with us stays as it was." in text(press_button(path, not_me="1"))
        assert Subscription.objects.values(*facts, "asked_again_at").get() == before
        assert kinds()[-2:] == [ConsentKind.REQUESTED, ConsentKind.DISOWNED]
        assert not mailboxes.reserve(EMAIL)

    def test_subscriber_aboard_gets_no_such_mail_again(self, time_machine: TimeMachineFixture) -> None:
        SubscriptionFactory(email=EMAIL, confirmed=True)
        subscribe(email=EMAIL)
        deliver()
        assert "not_me" not in text(open_link(unsubscribe_address(latest())))
        page = text(press_button(last_address(latest(), "/newsletter/"), not_me="1"))
        assert "We won’t send these emails to this address again." in page
        assert stored().state is State.CONFIRMED
        time_machine.shift(2 * DAY)
        subscribe(email=EMAIL)
        assert len(mails()) == 1


def test_only_what_this_site_has_signed_opens_a_page(sailor: Subscription) -> None:
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
    assert stored().state is State.CONFIRMED


UNSUBSCRIBED, SAVED, ASKED = "You are unsubscribed.", "Your choice is saved.", "use the link in the email"
LEAVE, REFUSED = "Leave the newsletter?", "We can’t add the newsletter"


@pytest.mark.parametrize(
    ("before", "form", "after", "told"),
    [
        # The states of the subscription of the page and of the other one, before and after.
        (("confirmed", "confirmed"), None, ("unsubscribed", "confirmed"), UNSUBSCRIBED),
        (("confirmed", "confirmed"), {"everything": "1"}, ("unsubscribed", "unsubscribed"), UNSUBSCRIBED),
        (("confirmed", ""), {"audience": BOTH}, ("confirmed", "pending"), ASKED),
        (("confirmed", "unsubscribed"), {"audience": BOTH}, ("confirmed", "pending"), ASKED),
        (("confirmed", "confirmed"), {"audience": "company"}, ("unsubscribed", "confirmed"), SAVED),
        (("confirmed", ""), {"audience": "company"}, ("unsubscribed", "pending"), ASKED),
        (("confirmed", "confirmed"), {"audience": []}, ("unsubscribed", "unsubscribed"), UNSUBSCRIBED),
        (("confirmed", "confirmed"), {"audience": BOTH}, ("confirmed", "confirmed"), SAVED),
        (("unsubscribed", ""), {"audience": "sailor"}, ("pending", ""), ASKED),
        (("pending", ""), {"audience": []}, ("pending", ""), LEAVE),  # who ticks nothing ends nothing
        (("confirmed", ""), {"audience": ["sailor", "admin"]}, ("confirmed", ""), LEAVE),
        (("confirmed", ""), {"audience": "company", "pause": "9"}, ("confirmed", ""), LEAVE),
        (("confirmed", "bounced"), {"audience": BOTH}, ("confirmed", "bounced"), REFUSED),
    ],
)
def test_press_changes_states(before: Any, form: Any, after: Any, told: str) -> None:
    """The newsletter that is asked for is confirmed by a mail, because mails with this link are forwarded."""
    for user_type, state in zip(BOTH, before, strict=True):
        if state:
            SubscriptionFactory(email=EMAIL, user_type=user_type, **BEFORE[state])
    path = manage_address(stored())
    form = {"preferences": "1"} | form if form and "audience" in form else form or {}
    page, *_again = [text(press_button(path, **form)) for _time in range(2)]
    assert told in page
    assert (LEAVE in page) is (after[0] == "confirmed" or told == LEAVE)
    found = {each.user_type: each.state.value for each in Subscription.objects.all()}
    assert tuple(found.get(user_type, "") for user_type in BOTH) == after
    events = {"pending": [ConsentKind.REQUESTED], "unsubscribed": [ConsentKind.UNSUBSCRIBED]}
    for user_type, old, new in zip(UserType, before, after, strict=True):
        is_asked = told == ASKED and new == "pending"
        assert not new or kinds(user_type) == (events.get(new, []) if old != new or is_asked else [])
    assert [mail.recipient for mail in mails()] == [EMAIL] * (told == ASKED)


def test_one_click_needs_no_cookie_csrf_token_or_redirect() -> None:
    subscribe(client=czech_visitor(), email=EMAIL)
    address = latest().headers["List-Unsubscribe"].removeprefix("<http://testserver").removesuffix(">")
    client = Client(enforce_csrf_checks=True)
    response = client.post(address, {"List-Unsubscribe": "One-Click"})  # as multipart/form-data
    assert response.status_code == 200
    assert set(response.cookies) <= {"django_language"}
    assert stored().state is State.UNSUBSCRIBED


def test_erased_subscriber_sees_a_calm_page(sailor: Subscription, address: str) -> None:
    erase(Subscription, [sailor.pk])
    saved = save(address, audience="sailor")
    for response in (open_link(address), press_button(address), saved):
        assert response.status_code == 200
        assert "has been deleted" in text(response)
        assert "jana" not in text(response)
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    ("form", "stored", "problem"),
    [
        ({"reason": ""}, None, ""),
        ({"reason": "no such reason"}, None, ""),
        ({"comment": "x" * 501}, None, "Please use at most 500 characters"),
        ({"comment": "\u202egnitfard"}, None, "Please remove the invisible control characters"),
        ({"reason": "too-many"}, (LeavingReason.TOO_MANY, ""), ""),
        ({"comment": " Three a\r\n week! "}, (LeavingReason.OTHER, "Three a week!"), ""),
        ({"reason": "not-for-me", "comment": "x" * 500}, (LeavingReason.NOT_FOR_ME, "x" * 500), ""),
    ],
)
def test_reason_is_asked_once(address: str, form: Any, stored: Any, problem: str) -> None:
    assert QUESTION not in text(press_button(address, **form))  # it does not unsubscribe
    assert QUESTION in text(press_button(address))
    page = text(press_button(address, **form))
    assert problem in page
    assert (THANKS in page, f">{form.get('comment', '')}</textarea>" in page) == (bool(stored), not stored)
    if stored:
        assert QUESTION not in text(open_link(address))
        press_button(address, reason="other")
    explained = ConsentEvent.objects.filter(kind=ConsentKind.EXPLAINED).values_list("reason", "comment")
    assert list(explained) == ([stored] if stored else [])


class TestPreferences:
    def test_are_saved_thirty_times_an_hour_and_the_button_always_unsubscribes(self, address: str) -> None:
        statuses = [save(address, audience="sailor", language="en").status_code for _time in range(31)]
        assert statuses == [200] * 30 + [429]
        assert UNSUBSCRIBED in text(press_button(address))

    @pytest.mark.parametrize("limit", ["of the subscription", "of the mailbox"])
    def test_audience_beyond_the_limits_is_refused_and_the_rest_saved(self, address: str, limit: str) -> None:
        company = add_company(unsubscribed=True)
        for _time in range(5):
            if limit == "of the mailbox":
                mailboxes.reserve(EMAIL)
            else:
                ConsentEvent.record(company, ConsentKind.REQUESTED)
        events = kinds(UserType.COMPANY)
        page = text(save(address, audience=BOTH, language="cs", pause="30"))
        assert "Zaškrtnutý newsletter teď přidat nemůžeme" in page
        assert "Ostatní jsme uložili." in page
        assert 'value="company" checked' not in page
        assert (stored().language, stored().is_paused) == ("cs", True)
        assert (stored(UserType.COMPANY).language, kinds(UserType.COMPANY)) == ("cs", events)
        assert not mails()

    def test_ticking_is_no_answer_and_stores_nobody_who_cannot_be_asked(self, address: str) -> None:
        mailboxes.block(EMAIL)
        mailboxes.suppress(EMAIL, SuppressionReason.COMPLAINED)
        save(address, audience=BOTH, language="en")
        assert not mailboxes.reserve(EMAIL)
        assert mailboxes.find_suppressed([EMAIL])
        assert Subscription.objects.get() == stored()

    def test_pause_is_for_all_audiences_until_it_is_ended_or_the_reader_leaves(self, address: str) -> None:
        add_company(confirmed=True)
        page = text(save(address, audience=BOTH, pause="90"))
        assert {stored(user_type).paused_until for user_type in UserType} == {timezone.now() + 90 * DAY}
        assert [shown in page for shown in ("August 30, 2025", "No change", "Resume now")] == [True] * 3
        assert "Bez pauzy" in text(save(address, audience=BOTH, language="cs", pause="0"))
        assert (stored().paused_until, stored().language) == (None, "cs")
        assert kinds() == [ConsentKind.PAUSED, ConsentKind.RESUMED]
        save(address, audience=BOTH, pause="30")
        press_button(address)
        assert stored().paused_until is None

    def test_change_for_a_subscription_erased_meanwhile_changes_nothing(self, sailor: Subscription) -> None:
        other = add_company(confirmed=True)
        Subscription.objects.filter(pk=sailor.pk).delete()
        preferences.change_preferences(subscription=sailor, audiences=BOTH, language="en")
        preferences.choose_interests(subscription=sailor, keys=[InterestFactory().pk])
        assert Subscription.objects.get() == other
        assert not other.interests.exists()
        assert not mails()


class TestInterests:
    @pytest.fixture(params=["confirm", "manage"])
    def link(self, request: pytest.FixtureRequest, sailor: Subscription) -> str:
        return manage_address(sailor) if request.param == "manage" else issue_confirm(sailor, is_used=True)

    def choose(self, link: str, *keys: int | str, audience: Any = BOTH) -> str:
        form: Any = {"interests": "1"} if "/confirm/" in link else {"preferences": "1", "audience": audience}
        return text(press_button(link, interest=keys, **form))

    def test_choice_is_replaced_for_all_subscriptions_of_the_address_and_no_other(self, link: str) -> None:
        add_company(confirmed=True)
        other = SubscriptionFactory(confirmed=True)
        first, second = InterestFactory(position=2), InterestFactory(name_en="<b>", position=1)
        page = self.choose(link, first.pk)
        assert "&lt;b&gt;" in page.partition(first.name_en)[0]  # the order is the admin's
        chosen = re.findall(r'value="(\d+)"[^>]* checked', page.partition('name="interest"')[2])
        assert chosen == [str(first.pk)]
        self.choose(link, second.pk)
        assert [stored(user_type).interests.get() for user_type in UserType] == [second, second]
        assert re.search(f'value="{second.pk}"[^>]* checked', text(open_link(link)))
        self.choose(link)
        assert not stored().interests.exists()
        assert not other.interests.exists()

    def test_value_that_the_page_does_not_offer_is_refused(self, link: str) -> None:
        InterestFactory()
        for value in ("0", "x", "²", "9" * 5000, InterestFactory(is_offered=False).pk):
            assert "Something in your choice is no longer offered." in self.choose(link, value)
        assert not stored().interests.exists()

    def test_retired_one_keeps_nobody_from_leaving_and_stays_as_it_was_chosen(self, link: str) -> None:
        stored().interests.add(kept := InterestFactory(is_offered=False))
        assert INTERESTS not in text(open_link(link))
        offered = InterestFactory()
        assert kept.name_en not in self.choose(link, offered.pk)
        assert set(stored().interests.all()) == {kept, offered}
        if "/manage/" in link:
            assert UNSUBSCRIBED in self.choose(link, kept.pk, audience=[])

    def test_spent_link_stores_nothing(self, sailor: Subscription) -> None:
        link = issue_confirm(sailor, is_used=True)
        Subscription.objects.update(unsubscribed_at=timezone.now(), is_active=False)
        assert INTERESTS not in self.choose(link, InterestFactory().pk)
        assert not stored().interests.exists()
