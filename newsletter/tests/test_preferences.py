"""The preferences page behind a link in a mail: audiences, language, pause, and leaving with a reason."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone

from newsletter.models import (
    STATEMENT,
    ConsentEvent,
    ConsentKind,
    LeavingReason,
    LinkPurpose,
    State,
    Subscription,
    SubscriptionLink,
    UserType,
)
from newsletter.services import preferences
from newsletter.tests.factories import SubscriptionFactory
from newsletter.validation import PreferencesChange
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from tests.mailbox import english_left, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "jana@example.com"
BOTH = ["sailor", "company"]
DAY = timedelta(days=1)


def link(subscription: Subscription) -> str:
    (token,) = SubscriptionLink.issue(LinkPurpose.PREFERENCES, subscription=subscription)
    return f"/newsletter/preferences/s/{token}/"


@pytest.fixture
def sailor() -> Subscription:
    found: Subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
    return found


@pytest.fixture
def address(sailor: Subscription) -> str:
    """Return the path of the page of a confirmed sailor."""
    return link(sailor)


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email=EMAIL, user_type=user_type)


def kinds(user_type: UserType = UserType.SAILOR) -> list[str]:
    return [event.kind for event in stored(user_type).consent_events.all()]


STATES: list[dict[str, bool] | None] = [None, {}, {"unsubscribed": True}]
"""States of the subscription to the other audience. None: there is none."""

LIMITS = {
    "of the subscription": "za 24 hodin",
    "of the mailbox, a day": "za 21 hodin",
    "of the mailbox, unanswered": "bez odpovědi",
}
"""What the page says, in the language that was chosen."""


def use_up(limit: str) -> None:
    """Use up a limit of the mailbox, three hours ago."""
    if limit.startswith("of the mailbox"):
        for _time in range(5):
            mailboxes.reserve(EMAIL)
        if limit.endswith("a day"):
            mailboxes.record_answer(EMAIL)
        times = [(timezone.now() - timedelta(hours=3)).timestamp()] * 5
        mailboxes.find(EMAIL).update(sent_at=times)


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
            page = text(press_button(address, audience=BOTH, language="en"))
            assert "use the link in the email" in page
        assert stored(UserType.COMPANY).state is State.PENDING
        assert kinds(UserType.COMPANY) == [ConsentKind.REQUESTED]
        assert kinds() == []
        assert [mail.recipient for mail in mails()] == [EMAIL]

    @pytest.mark.parametrize("limit", LIMITS)
    def test_audience_that_a_limit_forbids_to_ask_for_is_named_and_all_else_is_saved(
        self, address: str, limit: str
    ) -> None:
        use_up(limit)
        company = SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, unsubscribed=True)
        if limit == "of the subscription":
            for _time in range(5):
                ConsentEvent.record(company, ConsentKind.REQUESTED, language="en")
        events = kinds(UserType.COMPANY)
        page = text(press_button(address, audience=BOTH, language="cs", pause="30"))
        for part in (LIMITS[limit], "<strong>Novinky pro firmy</strong>", "Ostatní jsme uložili."):
            assert part in page
        assert (stored().language, stored().is_paused) == ("cs", True)
        assert not mails()
        assert stored(UserType.COMPANY).language == "cs"
        assert kinds(UserType.COMPANY) == events
        assert 'value="company" checked' not in page

    def test_audience_that_a_limit_forbids_to_ask_for_is_not_stored(self, address: str) -> None:
        use_up("of the mailbox, unanswered")
        press_button(address, audience=BOTH)
        assert Subscription.objects.get() == stored()
        assert not mails()

    def test_ticking_does_not_answer_for_the_mailbox(self, address: str) -> None:
        mailboxes.block(EMAIL)
        mailboxes.suppress(EMAIL, SuppressionReason.COMPLAINED)
        press_button(address, audience=BOTH, language="en")
        assert not mailboxes.reserve(EMAIL)
        assert mailboxes.find_suppressed([EMAIL])
        assert not mails()

    def test_bounced_address_gets_no_mail(self, address: str) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, bounced=True, confirmed=True)
        page = text(press_button(address, audience=BOTH, language="cs"))
        assert (
            "<strong>Novinky pro firmy</strong> jsme vás požádat nemohli: naše e-maily se z vaší adresy"
            in page
        )
        assert stored(UserType.COMPANY).state is State.BOUNCED
        assert stored(UserType.COMPANY).language == "cs"
        assert not mails()

    def test_unticked_audience_is_left(self, address: str) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
        press_button(address, audience="company", language="en")
        assert stored().state is State.UNSUBSCRIBED
        assert kinds() == [ConsentKind.UNSUBSCRIBED]
        assert stored(UserType.COMPANY).is_subscribed

    def test_who_changes_the_audience_learns_of_the_mail_to_confirm(self, address: str) -> None:
        page = text(press_button(address, audience="company", language="en"))
        assert "use the link in the email" in page
        assert "You are unsubscribed." not in page
        assert stored().state is State.UNSUBSCRIBED

    def test_saving_without_a_tick_keeps_what_is_not_confirmed(self) -> None:
        pending = SubscriptionFactory(email=EMAIL)
        press_button(link(pending), language="cs")
        assert (stored().state, stored().language) == (State.PENDING, "cs")

    def test_post_without_a_known_field_saves_nothing(self, address: str) -> None:
        before = Subscription.objects.values().get()
        page = text(press_button(address, resume="1"))
        assert "Choose what we send to" in page
        assert "Your choice is saved." not in page
        assert Subscription.objects.values().get() == before
        assert kinds() == []

    def test_values_that_the_form_does_not_offer_change_nothing(self, address: str) -> None:
        before = Subscription.objects.values().get()
        forged: dict[str, Any] = {"audience": ["sailor", "admin"], "language": "de", "pause": "9"}
        assert press_button(address, **forged).status_code == 200
        assert Subscription.objects.values().get() == before

    def test_language_is_that_of_all_mails_of_the_address(self, address: str) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, unsubscribed=True)
        press_button(address, audience="sailor", language="cs")
        assert (stored().language, stored(UserType.COMPANY).language) == ("cs", "cs")
        assert kinds() == []


class TestPause:
    def test_pauses_all_audiences_and_shows_until_when_or_the_end_of_the_subscription(
        self, address: str
    ) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
        page = text(press_button(address, audience=BOTH, pause="90"))
        assert {stored(user_type).paused_until for user_type in UserType} == {timezone.now() + 90 * DAY}
        assert "Aug 30, 2025" in page
        assert kinds() == [ConsentKind.PAUSED]
        press_button(address, leave="1")
        assert stored().paused_until is None

    def test_resumes_and_saves_what_else_was_chosen(self, address: str) -> None:
        page = text(press_button(address, audience="sailor", pause="30"))
        assert page.count('<form class="document__form"') == 1
        assert 'name="pause" value="0">Resume now' in page
        page = text(press_button(address, audience="sailor", language="cs", pause="0"))
        assert "Pozastaveno" not in page
        assert 'value="0"' not in page
        assert (stored().paused_until, stored().language) == (None, "cs")
        assert stored().is_subscribed
        assert kinds() == [ConsentKind.PAUSED, ConsentKind.RESUMED]

    def test_confirming_by_mail_ends_it(self, sailor: Subscription) -> None:
        Subscription.objects.update(paused_until=timezone.now() + DAY, asked_again_at=timezone.now())
        (token,) = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=sailor)
        press_button(f"/newsletter/confirm/{token}/")
        assert stored().paused_until is None


class TestLeaving:
    def test_leaves_everything_in_one_click(self, address: str) -> None:
        SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY)
        page = text(press_button(address, leave="1", audience=BOTH))
        assert "You are unsubscribed." in page
        assert "Check what you want to get" in page
        for user_type in UserType:
            assert stored(user_type).state is State.UNSUBSCRIBED
            assert kinds(user_type) == [ConsentKind.UNSUBSCRIBED]
        press_button(address, leave="1")
        assert kinds() == [ConsentKind.UNSUBSCRIBED]
        press_button(address, audience="sailor")  # the way back is the same page
        assert (stored().state, stored().is_active) == (State.PENDING, False)

    @pytest.mark.parametrize(
        ("form", "expected"),
        [
            ({}, ("", "")),
            ({"reason": "too-many"}, (LeavingReason.TOO_MANY, "")),
            ({"comment": " Three a\r\n week! "}, (LeavingReason.OTHER, "Three a week!")),
            ({"reason": "forged"}, ("", "")),
            ({"reason": "not-for-me", "comment": "x" * 500}, (LeavingReason.NOT_FOR_ME, "x" * 500)),
        ],
    )
    def test_reason_is_optional(self, address: str, form: dict[str, Any], expected: tuple[str, str]) -> None:
        press_button(address, leave="1", **form)
        event = ConsentEvent.objects.get()
        assert (event.reason, event.comment) == expected

    @pytest.mark.parametrize(
        ("comment", "problem"),
        [
            ("x" * 501, "Please use at most 500 characters"),
            (" " * 2001, "Please use at most 500 characters"),
            ("\u202egnitfard", "Please remove the invisible control characters"),
        ],
    )
    def test_bad_comment_is_shown_with_its_problem(self, address: str, comment: str, problem: str) -> None:
        response = press_button(address, leave="1", reason="too-many", comment=comment)
        assert response.status_code == 422
        page = text(response)
        assert problem in page
        assert 'value="too-many" checked' in page
        assert stored().is_subscribed


def test_shown_comment_has_no_invisible_characters_that_its_validation_refuses() -> None:
    address = link(SubscriptionFactory(email=EMAIL, confirmed=True, language="cs"))
    comment = "v e-mailu " * 51
    response = press_button(address, leave="1", comment=comment)
    assert f">{comment}</textarea>" in response.content.decode()


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "Vyberte si, co budeme posílat"),
        ({"audience": "sailor", "pause": "30"}, "Pozastaveno do <strong>1. července 2025</strong>"),
        ({"leave": "1"}, "Odběr jsme zrušili."),
        ({"leave": "1", "comment": "x" * 501}, "Použijte prosím nejvýše 500 znaků"),
    ],
)
def test_page_is_in_czech(form: dict[str, Any], told: str) -> None:
    address = link(SubscriptionFactory(email=EMAIL, confirmed=True, language="cs"))
    response: HttpResponse = press_button(address, **form) if form else open_link(address)
    page = text(response)
    assert '<h1 class="document__title">Váš newsletter</h1>' in page
    assert told in page
    assert not english_left(page, "newsletter")


def test_change_for_a_subscription_erased_meanwhile_subscribes_nobody() -> None:
    subscription = SubscriptionFactory(confirmed=True)
    Subscription.objects.all().delete()
    change = PreferencesChange(audiences=frozenset(UserType))
    assert preferences.change_preferences(subscription=subscription, change=change, language="en") is None
    assert not Subscription.objects.exists()
    assert not mails()
