"""Use cases of admins beyond the states of a subscription (see test_lifecycle)."""

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
from sailing.mail.models import SuppressionReason
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

EMAIL = "sailor@example.com"


def test_mail_names_where_an_imported_address_comes_from() -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv", origin="Boat show in Prague, 2025")
    subscription = SubscriptionFactory(is_imported=True, import_batch=batch)
    assert administration.ask_again(subscription=subscription)
    assert ": Boat show in Prague, 2025. We now have a newsletter" in latest().text
    for shown in (latest().text, latest().html):
        assert "Boat show in Prague, 2025" in shown
        assert "This was not me" in shown
        assert "asked for" not in shown
        assert "/newsletter/manage/" not in shown  # nobody subscribed yet


def test_who_complained_or_opted_out_in_the_other_audience_is_not_asked() -> None:
    complained, opted_out = SubscriptionFactory.create_batch(2, is_imported=True)
    mailboxes.suppress(complained.email, SuppressionReason.COMPLAINED)
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
    @pytest.fixture
    def ended(self) -> Subscription:
        """Return a subscription that an admin has just ended."""
        subscription: Subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
        administration.unsubscribe(subscription=subscription)
        return subscription

    def test_closes_the_links_of_a_confirmed_subscriber(self, ended: Subscription) -> None:
        subscribe()
        address = confirm_address(latest())
        administration.restore(subscription=ended)
        assert not mails()
        press_button(address)
        kinds = [event.kind for event in ended.consent_events.all()]
        assert kinds == [ConsentKind.ENDED_BY_ADMIN, ConsentKind.REQUESTED, ConsentKind.RESTORED]

    @pytest.mark.parametrize("later", ["a request that an admin dropped", "the owner", "a week"])
    def test_is_refused_after(
        self, ended: Subscription, later: str, time_machine: TimeMachineFixture
    ) -> None:
        if later == "a week":
            time_machine.shift(timedelta(days=administration.RESTORE_DAYS))
        else:
            subscribe()  # anyone may have typed the address
            if later == "the owner":
                press_button(unsubscribe_address(latest()))
            else:
                assert administration.unsubscribe(subscription=ended)
        assert not administration.restore(subscription=ended)
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


def test_both_audiences_of_the_address_are_reachable() -> None:
    subscription = SubscriptionFactory(email=EMAIL, bounced=True)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, bounced=True)
    other = SubscriptionFactory(bounced=True)
    assert administration.mark_reachable(subscription=subscription)
    assert list(Subscription.objects.exclude(bounced_at=None)) == [other]


class TestAddresses:
    """Adding a subscriber, and putting another address in place of one."""

    @pytest.fixture
    def typo(self) -> Subscription:
        """Return a confirmed subscriber with a mistake in the address."""
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        values = {"first_name": "Jana", "source": "landing-sailors", "utm_campaign": "spring"}
        found: Subscription = SubscriptionFactory(
            email="jana@gmial.com", confirmed=True, is_imported=True, import_batch=batch, **values
        )
        return found

    def test_one_that_must_not_be_asked_is_refused(self, typo: Subscription) -> None:
        SubscriptionFactory(email="known@example.com", unsubscribed=True)
        SubscriptionFactory(email="bounced@example.com", user_type="company", bounced=True)
        left = SubscriptionFactory(email="left@example.com", user_type="company")
        ConsentEvent.record(left, ConsentKind.IMPORTED_OPT_OUT, language="en")
        mailboxes.suppress("erased@example.com", SuppressionReason.ERASED)
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve("busy@example.com")
        before = list(Subscription.objects.values())
        refused = [f"{name}@example.com" for name in ("known", "bounced", "left", "erased", "busy")]
        for email in (typo.email, *refused):
            for use_case in (
                partial(administration.add, user_type="sailor", language="cs"),
                partial(administration.correct_address, subscription=typo),
            ):
                with pytest.raises(BadUserInput, match="This address cannot be used"):
                    use_case(email=email)
        assert list(Subscription.objects.values()) == before
        assert not mails()

    @pytest.mark.parametrize("name", ["<b>", "\u202ename"])
    def test_bad_first_name_is_refused_with_its_field(self, name: str) -> None:
        values: dict[str, Any] = {"email": "new@example.com", "user_type": "sailor", "language": "cs"}
        with pytest.raises(BadUserInput) as refusal:
            administration.add(**values, first_name=name)
        assert refusal.value.extensions["field"] == "firstName"

    def test_owner_of_the_corrected_one_is_asked_and_what_is_known_stays(self, typo: Subscription) -> None:
        other = SubscriptionFactory(email=typo.email, user_type="company", confirmed=True)
        new = administration.correct_address(subscription=typo, email="jana@gmail.com")
        stored = Subscription.objects.get(email="jana@gmail.com")
        assert (stored.pk, stored.state) == (new.pk, State.PENDING)
        for name in ("first_name", "source", "utm_campaign", "is_imported", "import_batch"):
            assert getattr(stored, name) == getattr(typo, name)
        kinds = [event.kind for event in new.consent_events.all()]
        assert kinds == [ConsentKind.CORRECTED, ConsentKind.INVITED]
        assert [mail.recipient for mail in mails()] == ["jana@gmail.com"]
        assert list(Subscription.objects.exclude(pk=new.pk)) == [other]

    def test_old_one_gets_nothing_more_and_its_links_end(self) -> None:
        subscribe(email="jana@gmial.com")
        deliver()
        old_links = confirm_address(latest()), unsubscribe_address(latest())
        administration.correct_address(subscription=Subscription.objects.get(), email="jana@gmail.com")
        assert {mail.recipient for mail in mails()} == {"jana@gmail.com"}
        for address in old_links:
            press_button(address)
            assert Subscription.objects.get().state is State.PENDING
        assert not mailboxes.find_suppressed(["jana@gmial.com"])

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
