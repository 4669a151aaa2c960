"""A mailbox gets at most 5 mails a day that its owner did not ask for, and none after 5 unanswered; and it
stays out of imports after an erasure or a complaint."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import User
from accounts.tests.api import OPERATIONS, call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset, link_to_verify
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.admin.tests.helpers import run_action
from sailing.mail import mailboxes
from sailing.mail.mailboxes import canonicalize, find_suppressed, lift, reserve, suppress
from sailing.mail.models import Mailbox, SuppressionReason
from tests.api import czech_visitor, post_graphql
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import latest, mails, open_link, press_button

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
ADDRESS = "jana.novak@gmail.com"
RESET = "mutation ($email: String!) { requestPasswordReset(email: $email) }"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def exhaust(email: str) -> None:
    for _ in range(5):
        reserve(email)


def budget() -> Mailbox:
    return Mailbox.objects.get()


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
        suppress(ADDRESS, SuppressionReason.ERASED)
        assert not re.search("jana|gmail", str(Mailbox.objects.values()))
        settings.SECRET_KEY = "another"
        assert not reserve(ADDRESS)
        assert find_suppressed([ADDRESS])

    def test_unsuppressed_row_is_purged_after_90_days(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(90 * DAY)
        purge_expired()
        assert not reserve(ADDRESS)  # a refused request does not prolong it
        suppress(ADDRESS, SuppressionReason.ERASED)
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        assert (budget().sent_at, budget().unanswered, budget().changed_at) == ([], 0, None)
        assert reserve(ADDRESS)
        mailboxes.reset_budget(ADDRESS)
        assert find_suppressed([ADDRESS])
        lift(ADDRESS)
        time_machine.shift(91 * DAY)
        purge_expired()
        assert not Mailbox.objects.exists()

    def test_suppressed_mailbox_is_found_in_every_spelling_and_keeps_its_first_reason(self) -> None:
        suppress("jana.nova+news@gmail.com", SuppressionReason.ERASED)
        suppress("jananova@gmail.com", SuppressionReason.COMPLAINED)
        spellings = {"jananova+2@googlemail.com", "jananova@gmail.com"}
        assert find_suppressed(spellings | {"jananova@example.org"}) == spellings
        assert budget().suppression == SuppressionReason.ERASED
        lift("jananova@gmail.com")
        assert not find_suppressed(spellings)

    @pytest.mark.parametrize(
        ("email", "mailbox"),
        [
            ("jana+a+b@example.com", "jana@example.com"),
            ("ja.n_a-x@example.com", "janax@example.com"),
            ("j.ana@pm.me", "jana@proton.me"),
            ("sailing@jana.fastmail.com", "jana@fastmail.com"),
            ("jana-sailing@yahoo.com", "jana@yahoo.com"),
        ],
    )
    def test_canonical_form(self, email: str, mailbox: str) -> None:
        assert canonicalize(email) == mailbox


class TestMailBombing:
    """An attacker uses every request that sends a mail, again and again."""

    def test_five_mails_then_none_until_an_answer(
        self, settings: Any, time_machine: TimeMachineFixture
    ) -> None:
        settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = "1000/s"
        settings.MAIL_RATES = ["1000/s"]
        numbers = count()

        def attack() -> None:
            """Use each request with two spellings of the address, and wait a day."""
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
        exhaust("jana@example.com")
        after = subscribe(email="jana@example.com").data
        assert (after["message"], after["success"]) == (before["message"], before["success"])
        assert after["subscription"].keys() == before["subscription"].keys()
        assert not Subscription.objects.filter(email="jana@example.com").exists()

        token = call("signUp", **form(email="jana@example.com")).data["token"]
        assert User.objects.get().email == "jana@example.com"
        refused = call("resendVerification", client=czech_visitor(), token=token)
        assert refused.error["code"] == "MAIL_LIMIT_REACHED"
        assert refused.error["message"].endswith("Použijte prosím odkaz v tom posledním.")
        assert [mail.recipient for mail in mails()] == ["other@example.com"]


class TestMailsThatDoNotCount:
    @pytest.fixture
    def member(self) -> User:
        member: User = MemberFactory(email="jana@example.com")
        exhaust(member.email)
        return member

    def test_those_that_an_admin_sends_and_one_to_verify_resets_the_budget(
        self, admin_client: Client, member: User, time_machine: TimeMachineFixture
    ) -> None:
        run_action(admin_client, "/admin/accounts/user/", "send_reset_mail", member)
        assert len(mails()) == 1
        assert budget().unanswered == 5
        mailboxes.block(member.email)
        run_action(admin_client, "/admin/accounts/user/", "resend_verification", member)
        time_machine.shift(timedelta(minutes=4))
        assert call("resendVerification", token=tokens.issue(member)).data is True
        assert len(mails()) == 3

    def test_links_renewed_by_the_owner(self, time_machine: TimeMachineFixture) -> None:
        subscribe(email="jana@example.com")
        confirm = confirm_address(latest())
        verify = link_to_verify(MemberFactory(email="jana@example.com"))
        exhaust("jana@example.com")
        time_machine.shift(8 * DAY)
        press_button(confirm, renew="1")
        press_button(verify, renew="1")
        assert len(mails()) == 4
        assert budget().unanswered == 0


class TestAnswers:
    @pytest.mark.parametrize(
        ("get_link", "values"),
        [
            (link_to_verify, {"password": PASSWORD}),
            (link_to_reset, dict.fromkeys(("new_password1", "new_password2"), "New winds, 2026!")),
        ],
    )
    def test_pressing_a_button_of_an_account_is_one_and_opening_its_page_is_none(
        self, get_link: Callable[[User], str], values: dict[str, Any]
    ) -> None:
        link = get_link(MemberFactory(email="jana@example.com"))
        exhaust("jana@example.com")
        open_link(link)
        assert budget().unanswered == 5
        press_button(link, **values)
        assert budget().unanswered == 0

    def test_confirming_is_one_and_unsubscribing_is_none(self) -> None:
        subscribe(email="jana@example.com")
        mailboxes.block("jana@example.com")
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().unsubscribed_at
        assert (budget().is_blocked, budget().unanswered) == (True, 2)
        subscription = SubscriptionFactory(email="jana@example.com", user_type="company")
        token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
        press_button(f"/newsletter/confirm/{token}/")
        assert (budget().is_blocked, budget().unanswered) == (False, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_concurrent_requests_reserve_five_mails() -> None:
    def reserve_one(number: int) -> bool:
        with transaction.atomic():
            return bool(reserve(f"jana+{number}@example.com"))

    assert run_at_once(8, reserve_one).count(True) == 5
    assert budget().unanswered == 5
    assert len(budget().sent_at) == 5


class TestClientBudget:
    """One client reaches few mailboxes, whatever the kind of mail."""

    def test_valid_requests_share_the_rates_of_a_client(
        self, settings: Any, time_machine: TimeMachineFixture
    ) -> None:
        settings.MAIL_RATES = ["3/h", "7/d"]
        for accepted in (3, 3, 1, 0):
            subscribe(email="no address")
            addresses = (f"person@domain{number}.example" for number in range(4))
            answers = [
                subscribe(email=address) if index % 2 else post_graphql(RESET, {"email": address})
                for index, address in enumerate(addresses)
            ]
            refused = [answer.error["code"] for answer in answers if "errors" in answer.body]
            assert refused == (4 - accepted) * ["RATE_LIMITED"]
            time_machine.shift(HOUR)

    @pytest.mark.parametrize(
        ("document", "values"),
        [
            (OPERATIONS["signUp"], {"input": form()}),
            (OPERATIONS["resendVerification"], {}),
            (
                OPERATIONS["requestEmailChange"],
                {"input": {"email": "new@example.org", "currentPassword": PASSWORD}},
            ),
            (RESET, {"email": "jana@example.org"}),
        ],
        ids=["sign-up", "verification", "email-change", "password-reset"],
    )
    def test_each_mutation_with_a_mail_counts(
        self, document: str, values: dict[str, Any], settings: Any
    ) -> None:
        settings.MAIL_RATES = ["1/h"]
        token = tokens.issue(MemberFactory())
        assert "errors" not in post_graphql(RESET, {"email": "somebody@example.org"}).body
        assert post_graphql(document, values, token=token).error["code"] == "RATE_LIMITED"
