"""A mailbox gets at most 5 mails a day that its owner did not ask for, and none after 5 unanswered; and it
stays out of imports after an erasure or a complaint, which a page of Django admin shows."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import User
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORDS, PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset, link_to_verify
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.services import lifecycle, subscriptions
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, subscribe, unsubscribe_address
from sailing.admin.tests.helpers import run_action, staff_client
from sailing.mail import mailboxes
from sailing.mail.mailboxes import find_suppressed, lift_suppression, reserve, suppress
from sailing.mail.models import Mailbox, SuppressionReason
from sailing.privacy.erasure import erase_person
from tests.api import czech_visitor
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import latest, mails, open_link, press_button

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
ADDRESS = "jana.novak@gmail.com"
JANA = "jana@example.com"
COMPLAINED, ERASED = SuppressionReason.COMPLAINED, SuppressionReason.ERASED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def exhaust(email: str) -> None:
    for _ in range(5):
        reserve(email)


class TestRules:
    def test_five_mails_in_any_24_hours(self, time_machine: TimeMachineFixture) -> None:
        for _ in range(5):
            assert reserve(ADDRESS)
            mailboxes.record_answer(ADDRESS)
            time_machine.shift(HOUR)
        assert not reserve(ADDRESS)
        time_machine.shift(19 * HOUR - timedelta(seconds=1))
        assert not reserve(ADDRESS)
        time_machine.shift(timedelta(seconds=1))
        assert reserve(ADDRESS)
        assert not reserve(ADDRESS)  # a sliding window: the second mail is next to leave it
        time_machine.shift(HOUR)
        assert reserve(ADDRESS)

    def test_answer_resets_the_count_and_ends_a_block(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(DAY)
        mailboxes.block(ADDRESS)
        assert not reserve(ADDRESS)
        mailboxes.record_answer("janan.ovak+list@googlemail.com")
        assert [reserve(ADDRESS) for _ in range(6)] == [True] * 5 + [False]
        mailboxes.record_answer(ADDRESS)
        assert not reserve(ADDRESS), "the five of the day"
        mailboxes.reset_budget(ADDRESS)
        assert reserve(ADDRESS)

    def test_row_has_no_address_and_survives_a_new_secret_key(self, settings: Settings) -> None:
        mailboxes.block(ADDRESS)
        suppress(ADDRESS, ERASED)
        assert not re.search("jana|gmail", str(Mailbox.objects.values()))
        settings.SECRET_KEY = "another"
        assert not reserve(ADDRESS)
        assert find_suppressed([ADDRESS])

    def test_unsuppressed_row_is_purged_after_90_days(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(90 * DAY)
        purge_expired()
        assert not reserve(ADDRESS)  # a refused request does not prolong it
        suppress(ADDRESS, ERASED)
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        mailbox = Mailbox.objects.get()
        assert (mailbox.sent_at, mailbox.unanswered, mailbox.changed_at) == ([], 0, None)
        assert reserve(ADDRESS)
        mailboxes.reset_budget(ADDRESS)
        assert find_suppressed([ADDRESS])
        lift_suppression(ADDRESS)
        time_machine.shift(91 * DAY)
        purge_expired()
        assert not Mailbox.objects.exists()

    def test_suppressed_mailbox_is_found_in_every_spelling_and_keeps_its_first_reason(self) -> None:
        suppress("jana.nova+news@gmail.com", ERASED)
        suppress("jananova@gmail.com", COMPLAINED)
        spellings = {"jananova+2@googlemail.com", "jananova@gmail.com"}
        assert find_suppressed(spellings | {"jananova@example.org"}) == spellings
        assert Mailbox.objects.get().suppression == ERASED
        lift_suppression("jananova@gmail.com")
        assert not find_suppressed(spellings)

    def test_who_was_erased_is_suppressed_until_they_confirm_and_a_disowned_mailbox_complained(self) -> None:
        subscription = SubscriptionFactory(email=JANA)
        subscriptions.unsubscribe(pk=subscription.pk, language="en")
        assert not find_suppressed([JANA])
        erase_person(subscription)
        again = SubscriptionFactory(email=JANA)
        assert find_suppressed([JANA])
        lifecycle.begin_subscription(again, language="en")
        assert not find_suppressed([JANA])
        subscriptions.disown(pk=again.pk, language="en")
        assert Mailbox.objects.get().suppression == COMPLAINED

    @pytest.mark.parametrize(
        ("email", "mailbox"),
        [
            ("jana+a+b@example.com", JANA),
            ("ja.n_a-x@example.com", "janax@example.com"),
            ("j.ana@pm.me", "jana@proton.me"),
            ("sailing@jana.fastmail.com", "jana@fastmail.com"),
            ("jana-sailing@yahoo.com", "jana@yahoo.com"),
        ],
    )
    def test_canonical_form(self, email: str, mailbox: str) -> None:
        assert mailboxes.canonicalize(email) == mailbox


class TestMailBombing:
    """An attacker uses every request that sends a mail, again and again."""

    def test_five_mails_until_an_answer(self, settings: Settings, time_machine: TimeMachineFixture) -> None:
        settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = "1000/s"
        settings.MAIL_RATES = ["1000/s"]
        numbers = count()

        def attack() -> None:
            for email in ("j.ananovak@gmail.com", f"JanaNovak+{next(numbers)}@GoogleMail.com"):
                for user_type in ("sailor", "company"):
                    assert subscribe(email=email, userType=user_type).data["success"]
                call("signUp", **form(email=email))
                time_machine.shift(timedelta(minutes=4))
                for member in User.objects.all():
                    call("resendVerification", token=tokens.issue(member))
            time_machine.shift(DAY)

        def send() -> int:
            """Send all that is due in two days, and return how many mails that is, reminders included."""
            sent = 0
            for _day in range(2):
                time_machine.shift(DAY)
                sent += deliver()
            return sent

        attack()
        assert send() == 5
        attack()
        assert send() == 0
        press_button(confirm_address(mails()[0]))
        attack()
        assert send() == 5

    def test_answers_past_the_budget_are_the_same_but_for_the_owner(self) -> None:
        before = subscribe(email="other@example.com").data
        exhaust(JANA)
        after = subscribe(email=JANA).data
        assert (after["message"], after["success"]) == (before["message"], before["success"])
        assert after["subscription"].keys() == before["subscription"].keys()
        assert not Subscription.objects.filter(email=JANA).exists()

        token = call("signUp", **form(email=JANA)).data["token"]
        assert User.objects.get().email == JANA
        refused = call("resendVerification", client=czech_visitor(), token=token)
        assert refused.error["code"] == "MAIL_LIMIT_REACHED"
        assert refused.error["message"].endswith("Použijte prosím odkaz v tom posledním.")
        assert [mail.recipient for mail in mails()] == ["other@example.com"]


class TestMailsThatDoNotCount:
    def test_those_that_an_admin_sends(self, admin_client: Client, time_machine: TimeMachineFixture) -> None:
        member = MemberFactory(email=JANA)
        exhaust(JANA)
        run_action(admin_client, "/admin/accounts/user/", "send_reset_mail", member)
        assert len(mails()) == 1
        assert Mailbox.objects.get().unanswered == 5
        mailboxes.block(JANA)
        run_action(admin_client, "/admin/accounts/user/", "resend_verification", member)
        time_machine.shift(timedelta(minutes=4))
        assert call("resendVerification", token=tokens.issue(member)).data is True
        assert len(mails()) == 3

    def test_links_renewed_by_the_owner(self, time_machine: TimeMachineFixture) -> None:
        subscribe(email=JANA)
        confirm = confirm_address(latest())
        verify = link_to_verify(MemberFactory(email=JANA))
        exhaust(JANA)
        time_machine.shift(8 * DAY)
        press_button(confirm, renew="1")
        press_button(verify, renew="1")
        assert len(mails()) == 4
        assert Mailbox.objects.get().unanswered == 0


class TestAnswers:
    @pytest.mark.parametrize(
        ("get_link", "values"),
        [(link_to_verify, {"password": PASSWORD}), (link_to_reset, NEW_PASSWORDS)],
    )
    def test_pressing_a_button_is_one(self, get_link: Callable[[User], str], values: dict[str, Any]) -> None:
        link = get_link(MemberFactory(email=JANA))
        exhaust(JANA)
        open_link(link)
        assert Mailbox.objects.get().unanswered == 5
        press_button(link, **values)
        assert Mailbox.objects.get().unanswered == 0

    def test_confirming_is_one_and_unsubscribing_is_none(self) -> None:
        subscribe(email=JANA)
        mailboxes.block(JANA)
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().unsubscribed_at
        assert Mailbox.objects.get(is_blocked=True).unanswered == 2
        subscription = SubscriptionFactory(email=JANA, user_type="company")
        token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
        press_button(f"/newsletter/confirm/{token}/")
        assert Mailbox.objects.get(is_blocked=False).unanswered == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_concurrent_requests_reserve_five_mails() -> None:
    def reserve_one(number: int) -> bool:
        with transaction.atomic():
            return bool(reserve(f"jana+{number}@example.com"))

    assert run_at_once(8, reserve_one).count(True) == 5
    mailbox = Mailbox.objects.get()
    assert mailbox.unanswered == len(mailbox.sent_at) == 5


class TestClientBudget:
    """One client reaches few mailboxes, whatever the kind of mail."""

    def test_requests_share_the_rates(self, settings: Settings, time_machine: TimeMachineFixture) -> None:
        settings.MAIL_RATES = ["3/h", "7/d"]
        for accepted in (3, 3, 1, 0):
            subscribe(email="no address")
            addresses = (f"person@domain{number}.example" for number in range(4))
            answers = [
                subscribe(email=address) if index % 2 else call("requestPasswordReset", email=address)
                for index, address in enumerate(addresses)
            ]
            refused = [answer.error["code"] for answer in answers if "errors" in answer.body]
            assert refused == (4 - accepted) * ["RATE_LIMITED"]
            time_machine.shift(HOUR)

    @pytest.mark.parametrize(
        ("operation", "values"),
        [
            ("signUp", form()),
            ("resendVerification", {}),
            ("requestEmailChange", {"email": "new@example.org", "currentPassword": PASSWORD}),
            ("requestPasswordReset", {"email": JANA}),
        ],
    )
    def test_each_mutation_counts(self, operation: str, values: dict[str, Any], settings: Settings) -> None:
        settings.MAIL_RATES = ["1/h"]
        token = tokens.issue(MemberFactory())
        assert "errors" not in call("requestPasswordReset", email="somebody@example.org").body
        assert call(operation, token=token, **values).error["code"] == "RATE_LIMITED"


class TestPage:
    """The page in Django admin for one address at a time."""

    PAGE = "/admin/suppression/"

    @pytest.fixture
    def post(self, admin_client: Client) -> Callable[..., str]:
        """Return a function that posts the form; it returns the page that comes last."""

        def submit(email: str = JANA, **values: str) -> str:
            return admin_client.post(self.PAGE, {"email": email, **values}, follow=True).content.decode()

        return submit

    def test_says_why_and_since_when_an_address_is_on_the_list(self, post: Callable[..., str]) -> None:
        assert 'name="lift"' not in post()
        assert 'class="errorlist"' in post("root@localhost", lift="1", reason="asked")
        mailboxes.block(JANA)
        assert "Nobody can have emails sent to this mailbox" in post()
        suppress(JANA, COMPLAINED)
        page = post(" Jana+x@Example.com ")
        assert "the owner complained about an email" in page
        assert "On the list since Jun\xa01,\xa02025" in page
        assert "On the list: 0 after an erasure, 1 after a complaint." in page

    def test_lifts_with_a_reason_in_the_log(self, admin_client: Client, post: Callable[..., str]) -> None:
        suppress(JANA, ERASED)
        mailboxes.block(JANA)
        for reason in ("  ", "x" * 201, "a\u202eb"):
            assert 'class="errorlist"' in post(lift="1", reason=reason)
            assert find_suppressed([JANA])
        told = f"{JANA} wrote to us"
        assert f"Taken off the list: {JANA}" in post(lift="1", reason=told)
        assert not find_suppressed([JANA])
        assert reserve(JANA)
        Mailbox.objects.all().delete()  # as the row of an answered mailbox is
        post(lift="1", reason=told)
        assert LogEntry.objects.count() == 1
        assert "jana" not in str(LogEntry.objects.values())
        history = admin_client.get("/admin/admin/logentry/").content.decode()
        assert "Taken off the do-not-contact list: [address] wrote to us" in history
        assert "[address] wrote to us" in post()
        assert "wrote to us" not in post("petr@example.org")

    @pytest.mark.parametrize(
        ("permissions", "status"),
        [
            (("view_subscription", "change_subscription", "view_user"), 403),
            (("view_subscription", "delete_subscription"), 200),
            (("view_user", "delete_user"), 200),
        ],
    )
    def test_is_for_those_who_may_erase(self, permissions: tuple[str, ...], status: int) -> None:
        suppress(JANA, ERASED)
        client = staff_client(*permissions)
        assert (f'href="{self.PAGE}"' in client.get("/admin/").content.decode()) is (status == 200)
        client.post(self.PAGE, {"email": JANA, "lift": "1", "reason": "asked"})
        assert bool(find_suppressed([JANA])) is (status == 403)
