"""Use cases of admins: ask again, unsubscribe, restore, mark as reachable, add, correct an address."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.imports.models import ImportBatch
from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.services import administration
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.errors import BadUserInput
from sailing.mail import mailboxes
from sailing.mail.mailboxes import find_suppressed, suppress
from sailing.mail.models import SuppressionReason
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "sailor@example.com"


def kinds(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


class TestAskAgain:
    def test_mail_is_in_the_language_of_the_subscriber(self, time_machine: TimeMachineFixture) -> None:
        subscribe()
        Subscription.objects.update(language="cs")
        time_machine.shift(timedelta(minutes=10))
        assert administration.ask_again(subscription=Subscription.objects.get())
        assert latest().subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"

    def test_limits_on_mails_apply(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory()
        sent = []
        for _ in range(14):
            sent.append(administration.ask_again(subscription=subscription))
            time_machine.shift(timedelta(minutes=5))
        assert sent == [True, False] * 5 + [False] * 4
        assert len(mails()) == 5

    def test_who_complained_or_opted_out_in_the_other_audience_is_not_asked(self) -> None:
        complained, opted_out = SubscriptionFactory.create_batch(2, is_imported=True)
        suppress(complained.email, SuppressionReason.COMPLAINED)
        other = SubscriptionFactory(email=opted_out.email, user_type=UserType.COMPANY, unsubscribed=True)
        ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT, language="en")
        for subscription in (complained, opted_out):
            assert not administration.ask_again(subscription=subscription)
        assert not mails()


def test_unsubscribing_closes_open_links_and_cancels_mails() -> None:
    subscribe()
    deliver()
    subscribe(userType="company")
    company, subscription = Subscription.objects.order_by("user_type")
    welcome = confirm_address(mails()[0])
    assert administration.unsubscribe(subscription=company)
    assert len(mails()) == 1  # that to the company was not sent yet
    assert administration.unsubscribe(subscription=subscription)
    press_button(welcome)
    assert {each.state for each in Subscription.objects.all()} == {State.UNSUBSCRIBED}


class TestRestore:
    def test_open_links_of_a_confirmed_subscriber_close(self) -> None:
        subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
        administration.unsubscribe(subscription=subscription)
        subscribe()
        address = confirm_address(latest())
        administration.restore(subscription=subscription)
        assert not mails()
        press_button(address)
        assert kinds(subscription) == [
            ConsentKind.ENDED_BY_ADMIN,
            ConsentKind.REQUESTED,
            ConsentKind.RESTORED,
        ]

    def test_request_that_an_admin_dropped_does_not_confirm_again(self) -> None:
        subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
        administration.unsubscribe(subscription=subscription)
        subscribe()  # anyone may have typed the address
        assert administration.unsubscribe(subscription=subscription)
        assert not administration.restore(subscription=subscription)
        assert Subscription.objects.get().state is State.UNSUBSCRIBED

    def test_undoing_is_possible_for_a_week(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        administration.unsubscribe(subscription=subscription)
        time_machine.shift(timedelta(days=administration.RESTORE_DAYS))
        assert not administration.restore(subscription=subscription)

    def test_unsubscription_by_the_owner_cannot_be_undone(self) -> None:
        subscribe()
        deliver()
        subscription = Subscription.objects.get()
        administration.unsubscribe(subscription=subscription)
        press_button(unsubscribe_address(latest()))
        assert not administration.restore(subscription=subscription)
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


def test_both_audiences_of_the_address_are_reachable() -> None:
    subscription = SubscriptionFactory(email=EMAIL, bounced=True)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, bounced=True)
    other = SubscriptionFactory(bounced=True)
    assert administration.mark_reachable(subscription=subscription)
    assert list(Subscription.objects.exclude(bounced_at=None)) == [other]


add = partial(administration.add, user_type="sailor", language="cs")


@pytest.fixture
def typo() -> Subscription:
    """Return a confirmed subscriber with a mistake in the address."""
    batch = ImportBatch.objects.create(file_name="sailors.csv")
    values = {"first_name": "Jana", "source": "landing-sailors", "utm_campaign": "spring"}
    found: Subscription = SubscriptionFactory(
        email="jana@gmial.com", confirmed=True, is_imported=True, import_batch=batch, **values
    )
    return found


@pytest.fixture
def refused_addresses() -> list[str]:
    """Return an address for each reason not to use it."""
    SubscriptionFactory(email="known@example.com", unsubscribed=True)
    SubscriptionFactory(email="bounced@example.com", user_type="company", bounced=True)
    left = SubscriptionFactory(email="left@example.com", user_type="company")
    ConsentEvent.record(left, ConsentKind.IMPORTED_OPT_OUT, language="en")
    suppress("erased@example.com", SuppressionReason.ERASED)
    for _ in range(mailboxes.MAX_UNANSWERED):
        mailboxes.reserve("busy@example.com")
    return [f"{name}@example.com" for name in ("known", "bounced", "left", "erased", "busy")]


class TestAdd:
    def test_address_that_must_not_be_asked_is_refused(self, refused_addresses: list[str]) -> None:
        before = list(Subscription.objects.values())
        for email in refused_addresses:
            with pytest.raises(BadUserInput, match="This address cannot be used"):
                add(email=email)
        assert list(Subscription.objects.values()) == before
        assert not mails()

    @pytest.mark.parametrize(
        "values", [{"language": "xx"}, {"user_type": "x"}, {"first_name": "<b>"}, {"email": "x"}]
    )
    def test_bad_value_is_refused_with_its_field(self, values: dict[str, Any]) -> None:
        with pytest.raises(BadUserInput) as refusal:
            add(**{"email": "new@example.com", **values})
        assert refusal.value.extensions["field"] in ("userType", "firstName", *values)


class TestCorrectAddress:
    def test_owner_of_the_new_address_is_asked_and_what_is_known_stays(self, typo: Subscription) -> None:
        other = SubscriptionFactory(email=typo.email, user_type="company", confirmed=True)
        new = administration.correct_address(subscription=typo, email="jana@gmail.com")
        stored = Subscription.objects.get(email="jana@gmail.com")
        assert (stored.pk, stored.state) == (new.pk, State.PENDING)
        for name in ("first_name", "source", "utm_campaign", "is_imported", "import_batch"):
            assert getattr(stored, name) == getattr(typo, name)
        assert kinds(new) == [ConsentKind.CORRECTED, ConsentKind.INVITED]
        assert [mail.recipient for mail in mails()] == ["jana@gmail.com"]
        assert list(Subscription.objects.exclude(pk=new.pk)) == [other]

    def test_old_address_gets_nothing_more_and_its_links_end(self) -> None:
        subscribe(email="jana@gmial.com")
        deliver()
        old_links = confirm_address(latest()), unsubscribe_address(latest())
        administration.correct_address(subscription=Subscription.objects.get(), email="jana@gmail.com")
        assert {mail.recipient for mail in mails()} == {"jana@gmail.com"}
        for address in old_links:
            press_button(address)
            assert Subscription.objects.get().state is State.PENDING
        assert not find_suppressed(["jana@gmial.com"])

    @pytest.mark.parametrize("state", [{"unsubscribed": True}, {"is_active": False}])
    def test_opt_out_stays_with_its_address_even_if_it_has_just_come(
        self, typo: Subscription, state: dict[str, Any]
    ) -> None:
        Subscription.objects.update(is_active=False, unsubscribed_at=timezone.now())
        for subscription in (typo, SubscriptionFactory(**state)):
            with pytest.raises(BadUserInput):
                administration.correct_address(subscription=subscription, email="jana@gmail.com")
        assert Subscription.objects.count() == 2
        assert not mails()

    def test_refused_address_leaves_everything_as_it_was(
        self, typo: Subscription, refused_addresses: list[str]
    ) -> None:
        before = list(Subscription.objects.values())
        for email in ("x", typo.email, *refused_addresses):
            with pytest.raises(BadUserInput):
                administration.correct_address(subscription=typo, email=email)
        assert list(Subscription.objects.values()) == before
