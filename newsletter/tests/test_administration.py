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
    for shown in (latest().text, latest().html):
        assert "Boat show in Prague, 2025" in shown
        assert "This was not me" in shown
        assert "asked for" not in shown
        assert "/newsletter/manage/" not in shown  # nobody subscribed yet


def test_who_complained_or_opted_out_in_the_other_audience_is_not_asked() -> None:
    complained, opted_out = SubscriptionFactory.create_batch(2, is_imported=True)
    mailboxes.suppress(complained.email, SuppressionReason.COMPLAINED)
    other = SubscriptionFactory(email=opted_out.email, user_type=UserType.COMPANY, unsubscribed=True)
    ConsentEvent.record(other, ConsentKind.IMPORTED_OPT_OUT)
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


@pytest.mark.parametrize("later", ["a request", "a request that an admin dropped", "the owner", "a week"])
def test_unsubscription_is_undone_if_it_was_the_last(later: str, time_machine: TimeMachineFixture) -> None:
    ended = SubscriptionFactory(email=EMAIL, confirmed=True)
    administration.unsubscribe(subscription=ended)
    if later == "a week":
        time_machine.shift(timedelta(days=administration.RESTORE_DAYS))
    else:
        subscribe()  # anyone may have typed the address
        mail = latest()
    if later == "the owner":
        press_button(unsubscribe_address(mail))
    elif later == "a request that an admin dropped":
        assert administration.unsubscribe(subscription=ended)
    assert administration.restore(subscription=ended) is (later == "a request")
    if later == "a request":
        assert not mails()
        press_button(confirm_address(mail))  # the link is closed
        assert ended.consent_events.latest("at", "pk").kind == ConsentKind.RESTORED
    else:
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


def test_both_audiences_of_the_address_are_reachable() -> None:
    subscription, other = SubscriptionFactory(email=EMAIL, bounced=True), SubscriptionFactory(bounced=True)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, bounced=True)
    assert administration.mark_reachable(subscription=subscription)
    assert list(Subscription.objects.exclude(bounced_at=None)) == [other]


@pytest.mark.parametrize("name", ["<b>", "\u202ename"])
def test_bad_first_name_is_refused_with_its_field(name: str) -> None:
    values: dict[str, Any] = {"email": "new@example.com", "user_type": "sailor", "language": "cs"}
    with pytest.raises(BadUserInput) as refusal:
        administration.add(**values, first_name=name)
    assert refusal.value.extensions["field"] == "firstName"


class TestCorrection:
    @pytest.fixture
    def typo(self) -> Subscription:
        """Return a subscriber with a mistake in the address, who has a mail that asks to confirm."""
        subscribe(email="jana@gmial.com", source="landing-sailors", utmCampaign="spring")
        deliver()
        batch = ImportBatch.objects.create(file_name="sailors.csv")
        Subscription.objects.update(first_name="Jana", is_imported=True, import_batch=batch)
        return Subscription.objects.get()

    def test_address_that_must_not_be_asked_is_refused(self, typo: Subscription) -> None:
        SubscriptionFactory(email="known@example.com", unsubscribed=True)
        SubscriptionFactory(email="bounced@example.com", user_type="company", bounced=True)
        left = SubscriptionFactory(email="left@example.com", user_type="company")
        ConsentEvent.record(left, ConsentKind.IMPORTED_OPT_OUT)
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
        assert len(mails()) == 1

    def test_new_owner_is_asked_and_the_old_one_gets_nothing_more(self, typo: Subscription) -> None:
        old_links = confirm_address(latest()), unsubscribe_address(latest())
        other = SubscriptionFactory(email=typo.email, user_type="company", confirmed=True)
        new = administration.correct_address(subscription=typo, email="jana@gmail.com")
        for name in ("first_name", "source", "utm_campaign", "is_imported", "import_batch"):
            assert getattr(new, name) == getattr(typo, name)
        assert [mail.recipient for mail in mails()] == ["jana@gmail.com"]
        for address in old_links:
            press_button(address)
        assert {each.pk: each.state for each in Subscription.objects.all()} == {
            new.pk: State.PENDING,
            other.pk: State.CONFIRMED,
        }
        assert not mailboxes.find_suppressed([typo.email])

    @pytest.mark.parametrize("state", [{"unsubscribed": True}, {"is_active": False}])
    def test_opt_out_that_has_just_come_stays_with_its_address(self, typo: Subscription, state: Any) -> None:
        Subscription.objects.update(is_active=False, unsubscribed_at=timezone.now())
        for subscription in (typo, SubscriptionFactory(**state)):
            with pytest.raises(BadUserInput):
                administration.correct_address(subscription=subscription, email="jana@gmail.com")
        assert Subscription.objects.count() == 2
