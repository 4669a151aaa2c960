"""Use cases of admins: ask again, unsubscribe, pause, add, correct an address."""

from datetime import timedelta
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


def kinds(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


class TestAskAgain:
    def test_waiting_subscriber_is_asked_again_in_their_language(
        self, time_machine: TimeMachineFixture
    ) -> None:
        subscribe()
        subscription = Subscription.objects.get()
        Subscription.objects.update(language="cs")
        time_machine.shift(timedelta(minutes=10))
        assert administration.ask_again(subscription=subscription)
        assert latest().subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"
        assert kinds(subscription) == [ConsentKind.REQUESTED, ConsentKind.REMINDER, ConsentKind.INVITED]

    def test_mail_to_a_person_who_never_asked_does_not_say_that_they_did(self) -> None:
        assert administration.ask_again(subscription=SubscriptionFactory())
        assert latest().subject == "May we send you our newsletter?"

    def test_limits_on_mails_apply(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory()
        sent = []
        for _ in range(14):
            sent.append(administration.ask_again(subscription=subscription))
            time_machine.shift(timedelta(minutes=5))
        assert sent == [True, False] * 5 + [False] * 4
        assert len(mails()) == 5

    def test_budget_of_the_mailbox_applies(self) -> None:
        subscription = SubscriptionFactory()
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve(subscription.email)
        assert not administration.ask_again(subscription=subscription)
        assert not mails()

    def test_who_complained_or_opted_out_in_the_other_audience_is_not_asked(self) -> None:
        complained, opted_out = SubscriptionFactory.create_batch(2, is_imported=True)
        suppress(complained.email, SuppressionReason.COMPLAINED)
        other = SubscriptionFactory(email=opted_out.email, user_type=UserType.COMPANY, unsubscribed=True)
        ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT, language="en")
        for subscription in (complained, opted_out):
            assert not administration.ask_again(subscription=subscription)
        assert not mails()

    def test_others_are_not_asked(self) -> None:
        for standing in (
            {"confirmed": True},
            {"unsubscribed": True},
            {"bounced": True},
            {"is_active": False},
        ):
            assert not administration.ask_again(subscription=SubscriptionFactory(**standing)), standing
        assert not mails()


class TestUnsubscribe:
    def test_newsletters_stop_and_open_links_close(self) -> None:
        subscribe()
        deliver()
        subscribe(userType="company")
        company, subscription = Subscription.objects.order_by("user_type")
        welcome = confirm_address(mails()[0])
        assert administration.unsubscribe(subscription=company)
        assert len(mails()) == 1  # that to the company was not sent yet
        assert administration.unsubscribe(subscription=subscription)

        press_button(welcome)
        subscription.refresh_from_db()
        assert not subscription.is_active
        assert not subscription.is_confirmed
        assert kinds(subscription)[-1] == ConsentKind.ENDED_BY_ADMIN

    @pytest.mark.parametrize("is_confirmed", [True, False])
    def test_restoring_leads_to_the_state_before_the_unsubscription(self, is_confirmed: bool) -> None:
        subscription = SubscriptionFactory(confirmed=is_confirmed)
        before = subscription.state
        assert administration.unsubscribe(subscription=subscription)
        assert administration.restore(subscription=subscription)
        assert Subscription.objects.get().state is before
        assert kinds(subscription) == [ConsentKind.ENDED_BY_ADMIN, ConsentKind.RESTORED]


class TestRestore:
    def test_open_links_of_a_confirmed_subscriber_close(self) -> None:
        subscription = SubscriptionFactory(email="sailor@example.com", confirmed=True)
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
        subscription = SubscriptionFactory(email="sailor@example.com", confirmed=True)
        administration.unsubscribe(subscription=subscription)
        subscribe()  # anyone may have typed the address
        assert administration.unsubscribe(subscription=subscription)
        assert not administration.restore(subscription=subscription)
        subscription.refresh_from_db()
        assert subscription.state is State.UNSUBSCRIBED

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


class TestPause:
    def test_pause_ends_by_itself(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        assert administration.pause(subscription=subscription, days=30)
        assert Subscription.objects.get().state is State.PAUSED
        time_machine.shift(timedelta(days=30))
        assert Subscription.objects.get().state is State.CONFIRMED
        assert kinds(subscription) == [ConsentKind.PAUSED_BY_ADMIN]

    def test_only_confirmed_subscribers_are_paused(self) -> None:
        for standing in ({}, {"unsubscribed": True}, {"confirmed": True, "bounced": True}):
            subscription = SubscriptionFactory(**standing)
            assert not administration.pause(subscription=subscription, days=30), standing
            assert not kinds(subscription)

    def test_admin_ends_the_pause_of_an_admin_only(self) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        administration.pause(subscription=subscription, days=30)
        assert administration.resume(subscription=subscription)
        assert Subscription.objects.get().state is State.CONFIRMED

        Subscription.objects.update(paused_until=timezone.now() + timedelta(days=30))
        ConsentEvent.record(subscription, ConsentKind.PAUSED, language="en")
        assert not administration.resume(subscription=subscription)
        assert Subscription.objects.get().state is State.PAUSED


class TestMarkReachable:
    def test_subscriber_is_in_the_state_before_the_bounce(self) -> None:
        for before in ({}, {"confirmed": True}, {"unsubscribed": True}):
            subscription = SubscriptionFactory(bounced=True, **before)
            assert administration.mark_reachable(subscription=subscription), before
            subscription.refresh_from_db()
            assert subscription.state is SubscriptionFactory.build(**before).state
            assert kinds(subscription) == [ConsentKind.REACHABLE]
            assert not administration.mark_reachable(subscription=subscription)

    def test_both_audiences_of_the_address_are_reachable(self) -> None:
        subscription = SubscriptionFactory(email="jana@example.com", bounced=True)
        SubscriptionFactory(email="jana@example.com", user_type=UserType.COMPANY, bounced=True)
        other = SubscriptionFactory(bounced=True)
        assert administration.mark_reachable(subscription=subscription)
        assert list(Subscription.objects.exclude(bounced_at=None)) == [other]


def add(language: str = "cs") -> Subscription:
    return administration.add(email="new@example.com", user_type="sailor", language=language)


@pytest.fixture
def typo() -> Subscription:
    """A confirmed subscriber with a mistake in the address."""
    subscription: Subscription = SubscriptionFactory(
        email="jana@gmial.com",
        first_name="Jana",
        confirmed=True,
        source="landing-sailors",
        utm_campaign="spring",
    )
    return subscription


def correct(subscription: Subscription, email: str = "jana@gmail.com") -> Subscription:
    return administration.correct_address(subscription=subscription, email=email)


class TestAdd:
    def test_owner_is_asked_and_nothing_is_confirmed(self, admin_user: Any) -> None:
        new = administration.add(
            email=" New@Example.com", user_type="company", language="cs", by_id=admin_user.pk
        )
        stored = Subscription.objects.get()
        assert (stored.email, stored.user_type, stored.language) == ("new@example.com", "company", "cs")
        assert stored.state is State.PENDING
        assert kinds(new) == [ConsentKind.ADDED, ConsentKind.INVITED]
        assert {event.by for event in new.consent_events.all()} == {admin_user}
        assert latest().recipient == "new@example.com"
        assert latest().subject == "Můžeme vám posílat náš newsletter?"

    def test_address_that_must_not_be_asked_is_refused_with_the_reason(self) -> None:
        company = SubscriptionFactory(email="new@example.com", user_type="company", bounced=True)
        with pytest.raises(BadUserInput, match="come back"):
            add()
        ConsentEvent.record(company, ConsentKind.IMPORTED_OPT_OUT, language="en")
        with pytest.raises(BadUserInput, match="has opted out"):
            add()
        suppress("new@example.com", SuppressionReason.ERASED)
        with pytest.raises(BadUserInput, match="do-not-contact list"):
            add()
        SubscriptionFactory(email="new@example.com", unsubscribed=True)
        with pytest.raises(BadUserInput, match="on the list already"):
            add()
        assert Subscription.objects.filter(user_type="sailor").count() == 1
        assert not mails()

    def test_unknown_language_is_refused(self) -> None:
        with pytest.raises(BadUserInput, match="one of the listed languages"):
            add(language="xx")

    def test_used_up_budget_stores_nothing(self) -> None:
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve("new@example.com")
        with pytest.raises(BadUserInput, match="limit on emails"):
            add()
        assert not Subscription.objects.exists()
        assert not mails()


class TestCorrectAddress:
    def test_owner_of_the_new_address_is_asked(self, typo: Subscription) -> None:
        new = correct(typo)
        stored = Subscription.objects.get()
        assert (stored.pk, stored.email, stored.state) == (new.pk, "jana@gmail.com", State.PENDING)
        assert (stored.first_name, stored.source, stored.utm_campaign) == (
            "Jana",
            "landing-sailors",
            "spring",
        )
        assert kinds(new) == [ConsentKind.CORRECTED, ConsentKind.INVITED]
        assert [mail.recipient for mail in mails()] == ["jana@gmail.com"]

    def test_old_address_gets_nothing_more_and_its_links_end(self) -> None:
        subscribe(email="jana@gmial.com")
        deliver()
        old_links = confirm_address(latest()), unsubscribe_address(latest())
        correct(Subscription.objects.get())
        assert {mail.recipient for mail in mails()} == {"jana@gmail.com"}
        for address in old_links:
            press_button(address)
            assert Subscription.objects.get().state is State.PENDING
        assert not find_suppressed(["jana@gmial.com"])

    def test_import_stays_known_and_the_other_audience_as_it_was(self) -> None:
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        old = SubscriptionFactory(is_imported=True, import_batch=batch)
        other = SubscriptionFactory(email=old.email, user_type="company", confirmed=True)
        new = correct(old)
        assert (new.is_imported, new.import_batch) == (True, batch)
        assert Subscription.objects.get(pk=other.pk).state is State.CONFIRMED

    def test_opt_out_stays_with_its_address(self) -> None:
        for standing in ({"unsubscribed": True}, {"is_active": False}):
            with pytest.raises(BadUserInput, match="has opted out"):
                correct(SubscriptionFactory(**standing))
        assert Subscription.objects.count() == 2

    def test_refused_address_leaves_everything_as_it_was(self, typo: Subscription) -> None:
        SubscriptionFactory(email="known@example.com")
        for _ in range(mailboxes.MAX_UNANSWERED):
            mailboxes.reserve("busy@example.com")
        for email in ("x", typo.email, "known@example.com", "busy@example.com"):
            with pytest.raises(BadUserInput):
                correct(typo, email)
        assert Subscription.objects.get(pk=typo.pk).state is State.CONFIRMED
        assert Subscription.objects.count() == 2

    def test_owner_who_unsubscribes_in_the_meantime_is_not_lost(self, typo: Subscription) -> None:
        Subscription.objects.update(is_active=False, unsubscribed_at=timezone.now())
        with pytest.raises(Subscription.DoesNotExist):
            correct(typo)
        assert Subscription.objects.get().state is State.UNSUBSCRIBED
        assert not mails()
