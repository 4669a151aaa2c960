"""Coming by the link of a reader: who counts, for how long, and where it is shown."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.invitations import services
from newsletter.invitations.models import Invitation, Milestone
from newsletter.invitations.tests.factories import come, confirm, create_reader
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, manage_address, subscribe
from sailing.admin.tests.helpers import export
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.privacy.erasure import erase
from tests.concurrency import run_at_once, run_overlapping
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ANNA, FRIEND = "anna.sailor@gmail.com", "friend@example.com"
DAY = timedelta(days=1)


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


def test_friend_counts_a_day_after_confirming(anna: Subscription, time_machine: TimeMachineFixture) -> None:
    Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
    for code in (anna.pk.hex, create_reader("eva@example.com").pk.hex):  # the first one counts
        subscribe(email=FRIEND, invitation=code)
    page = text(press_button(confirm_address(latest())))
    assert f"/newsletter?invitation={Subscription.objects.get(email=FRIEND).pk.hex}" in page
    assert ANNA not in page
    page = text(open_link(manage_address(anna)))
    assert f'value="http://testserver/newsletter?invitation={anna.pk.hex}" readonly' in page
    assert re.search(r'"mailto:\?subject=Join%20me[^&"]+&amp;body=[^"]+newsletter%3Finvitation%3D', page)
    assert "A sticker" in page
    for shift, is_counted in ((DAY - timedelta(seconds=1), False), (timedelta(seconds=1), True)):
        time_machine.shift(shift)
        page = text(open_link(manage_address(anna)))
        assert ("<strong>1 person</strong> came aboard through your link." in page) is is_counted
        assert ("reached" in page) is is_counted
    assert FRIEND not in page


def test_no_answer_tells_who_has_a_code(anna: Subscription, django_assert_num_queries: Any) -> None:
    mailboxes.read_salt()  # a process reads the salt once
    for code in (anna.pk.hex, uuid.uuid4().hex):
        friend = SubscriptionFactory()
        with django_assert_num_queries(2):  # the suppressed address, the invitation
            services.record_request(subscription=friend, code=code)
    Invitation.objects.all().delete()
    codes = [anna.pk.hex, "0" * 32, "F" * 32, str(anna.pk), f"{anna.pk.hex}\n", "１" * 32, None]
    for number, given in enumerate(codes):
        answer = subscribe(email=f"{number}@example.com", invitation=given)
        assert answer.data["message"] == "Check your email for a welcome message."
    assert len(mails()) == len(codes)
    assert set(Invitation.objects.values_list("code", flat=True)) == {anna.pk, uuid.UUID(int=0)}


@pytest.mark.parametrize("is_hidden_field", [True, False])
def test_form_without_javascript_sends_the_code(anna: Subscription, is_hidden_field: bool) -> None:
    def submit(code: str, **values: str) -> str:
        address = f"http://testserver/newsletter?invitation={code}"
        field, headers = ({"invitation": code}, {}) if is_hidden_field else ({}, {"Referer": address})
        form = {"userType": "sailor", **field, **values}
        return Browser().post("/newsletter/subscribe/", form, headers=headers).content.decode()

    assert f'name="invitation" value="{anna.pk.hex}"' in submit(anna.pk.hex, email="")
    submit(anna.pk.hex, email=FRIEND)
    assert Invitation.objects.get().code == anna.pk
    assert "<script>alert" not in submit('"><script>alert(1)</script>', email="")


def test_link_is_that_of_both_subscriptions_of_a_reader_who_gets_newsletters(anna: Subscription) -> None:
    for number, inviting in enumerate((anna, create_reader(ANNA, user_type=UserType.COMPANY))):
        come(inviting, f"{number}@example.com")
    summary = services.get_summary(email=ANNA)
    assert summary
    assert summary["count"] == 2
    Subscription.objects.update(is_confirmed=False)
    assert services.get_summary(email=ANNA) is None


@pytest.mark.parametrize("email", [ANNA, FRIEND])
@pytest.mark.parametrize(
    ("change", "counted"),
    [
        ({"paused_until": timezone.now() + 36500 * DAY}, 1),
        ({"is_active": False}, 0),
        ({"bounced_at": timezone.now()}, 0),
        ({"asked_again_at": timezone.now()}, 0),
    ],
)
def test_counts_while_both_are_subscribed(anna: Subscription, email: str, change: Any, counted: int) -> None:
    come(anna, FRIEND)
    Subscription.objects.filter(email=email).update(**change)
    assert services.find_inviters().filter(pk=anna.pk).count() == counted


def test_readers_themselves_the_erased_and_links_of_those_who_left_do_not_count(anna: Subscription) -> None:
    mailboxes.suppress(FRIEND, SuppressionReason.ERASED)
    for email in (ANNA, "annasailor+boat@gmail.com", "a.n.n.a-sailor@googlemail.com", FRIEND):
        assert not come(anna, email, user_type=UserType.COMPANY)
    Subscription.objects.update(is_active=False)
    assert not come(anna, "other@example.com")


def test_mailbox_counts_once_in_all_its_spellings(anna: Subscription) -> None:
    assert come(anna, FRIEND)
    for reader in (anna, create_reader("eva@example.com")):
        for email, user_type in ((FRIEND, UserType.COMPANY), ("f-ri.end+2@example.com", UserType.SAILOR)):
            assert not come(reader, email, user_type=user_type)
            Subscription.objects.get(email=email, user_type=user_type).delete()


@pytest.mark.parametrize(
    ("kind", "is_new"),
    [(ConsentKind.CONFIRMED, False), (ConsentKind.IMPORTED_CONSENT, False), (ConsentKind.REQUESTED, True)],
)
def test_who_has_answered_before_does_not_count(anna: Subscription, kind: ConsentKind, is_new: bool) -> None:
    ConsentEvent.record(SubscriptionFactory(email=FRIEND, user_type=UserType.COMPANY), kind)
    assert come(anna, FRIEND) is is_new


@pytest.mark.parametrize("erased", [ANNA, FRIEND])
def test_erasing_either_side_deletes_the_relation_and_not_the_other(anna: Subscription, erased: str) -> None:
    come(anna, FRIEND)
    erase(Subscription, [Subscription.objects.get(email=erased).pk])
    assert not Invitation.objects.exists()
    assert Subscription.objects.count() == 1


@pytest.mark.parametrize(
    ("clients", "counted"),
    [
        ([Client(("192.0.2.7",), "192.0.2.0/24")] * 3, 1),
        ([Client((f"a{number}", "b", "c"), "c") for number in range(5)], 4),
        ([Client((f"a{number}", f"b{number}", "c"), "c") for number in range(5)], 5),
    ],
)
def test_network_counts_up_to_its_rate(clients: Any, counted: int, settings: Settings) -> None:
    settings.INVITATION_RATE = "1/d"
    for number, client in enumerate(clients):
        come(create_reader(f"reader{number}@example.com"), f"n{number}@example.com", client=client)
    assert services.select_counted().count() == counted
    assert not Subscription.objects.filter(is_confirmed=False).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def test_spellings_of_a_mailbox_that_confirm_at_once_count_once(self, anna: Subscription) -> None:
        friends = [SubscriptionFactory(email=f"friend+{number}@example.com") for number in range(8)]
        for friend in friends:
            services.record_request(subscription=friend, code=anna.pk.hex)
        run_at_once(8, lambda number: confirm(friends[number]))
        assert Subscription.objects.filter(is_confirmed=True).count() == 9
        assert Invitation.objects.count() == 1

    @pytest.mark.parametrize("is_erasure_first", [True, False])
    def test_erased_inviter_keeps_nobody_waiting(self, anna: Subscription, is_erasure_first: bool) -> None:
        friend = SubscriptionFactory(email=FRIEND)
        services.record_request(subscription=friend, code=anna.pk.hex)
        transactions = [lambda: erase(Subscription, [anna.pk]), lambda: confirm(friend)]
        run_overlapping(*(transactions if is_erasure_first else reversed(transactions)))
        assert not Invitation.objects.exists()
        assert Subscription.objects.get().is_confirmed


def test_list_and_export_are_in_the_order_of_early_access(admin_client: Browser) -> None:
    path, numbers = "/admin/invitations/inviter/", {"most": 3, "early": 1, "late": 1}
    for days, (name, number) in zip((1, 99, 2), numbers.items(), strict=True):
        reader = create_reader(f"{name}@example.com", confirmed_at=timezone.now() - days * DAY)
        for each in range(number):
            come(reader, f"guest{each}-of-{name}@sailing.example")
    come(create_reader("fresh@example.com"), "fresh-guest@sailing.example", ago=timedelta())
    page = admin_client.get(path).content.decode()
    assert re.findall(r"(most|early|late|fresh)@", page) == [*numbers]
    assert 'data-label="Joined through their link" class="field-people is-number">3<' in page
    assert "guest" not in page
    assert admin_client.get(f"{path}?q=MOST@").context["cl"].result_count == 1
    rows = export(admin_client, "", "invitations/inviter")
    assert {row["email"].partition("@")[0]: int(row["counted"]) for row in rows} == numbers


def test_milestone_is_added_in_both_languages(admin_client: Browser) -> None:
    path, values = "/admin/invitations/milestone/", {"name_en": "Early access", "name_cs": "První vlna"}
    for threshold, status in (("3", 302), ("0", 200)):
        assert admin_client.post(f"{path}add/", values | {"threshold": threshold}).status_code == status
    assert '/change/">3 people</a>' in admin_client.get(path).content.decode()
