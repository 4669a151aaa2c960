"""A mailbox gets at most 5 mails a day that its owner did not ask for, and none after 5 unanswered; and it
stays out of imports after an erasure or a complaint."""

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import LinkPurpose, User
from accounts.services import links
from accounts.tests.conftest import OPERATIONS, Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import verify_address
from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.admin.tests.helpers import run_action
from sailing.client import NO_REQUEST
from sailing.mail import mailboxes
from sailing.mail.mailboxes import canonicalize, find_suppressed, lift, reserve, suppress
from sailing.mail.models import Mailbox, SuppressionReason
from tests.api import VISITOR, czech_visitor, post_graphql
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import latest, mails, press_button

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

    def test_no_mail_after_five_unanswered(self, time_machine: TimeMachineFixture) -> None:
        for _ in range(5):
            assert reserve(ADDRESS)
            time_machine.shift(2 * DAY)
        assert not reserve(ADDRESS)
        time_machine.shift(80 * DAY)
        assert not reserve(ADDRESS)

    def test_answer_resets_the_count_and_ends_a_block(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(DAY)
        mailboxes.block(ADDRESS)
        assert not reserve(ADDRESS)
        mailboxes.record_answer("janan.ovak+list@googlemail.com")
        assert [reserve(ADDRESS) for _ in range(6)] == [True] * 5 + [False]

    def test_row_has_no_address_and_survives_a_new_secret_key(self, settings: Settings) -> None:
        mailboxes.block(ADDRESS)
        suppress(ADDRESS, SuppressionReason.ERASED)
        stored = str(Mailbox.objects.values())
        assert "jana" not in stored
        assert "gmail" not in stored
        settings.SECRET_KEY = "another"
        assert not reserve(ADDRESS)
        assert find_suppressed([ADDRESS])

    def test_row_is_purged_90_days_after_the_last_change(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(90 * DAY)
        purge_expired()
        assert not reserve(ADDRESS)  # a refused request does not prolong it
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        assert not Mailbox.objects.exists()
        assert reserve(ADDRESS)

    def test_suppression_outlives_the_budget_of_its_mailbox(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        suppress(ADDRESS, SuppressionReason.ERASED)
        time_machine.shift(91 * DAY)
        purge_expired()
        assert (budget().sent_at, budget().unanswered, budget().changed_at) == ([], 0, None)
        assert reserve(ADDRESS)
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
        assert Mailbox.objects.get().suppression == SuppressionReason.ERASED
        lift("jananova@gmail.com")
        assert not find_suppressed(spellings)

    def test_resetting_a_budget_lifts_no_suppression(self) -> None:
        exhaust(ADDRESS)
        suppress(ADDRESS, SuppressionReason.ERASED)
        mailboxes.record_answer(ADDRESS)
        assert not reserve(ADDRESS)
        mailboxes.reset_budget(ADDRESS)
        assert reserve(ADDRESS)
        assert find_suppressed([ADDRESS])

    @pytest.mark.parametrize(
        ("email", "mailbox"),
        [
            ("jana+a+b@example.com", "jana@example.com"),
            ("ja.n_a-x@example.com", "janax@example.com"),
            ("ja.na+x@googlemail.com", "jana@gmail.com"),
            ("jana@notgmail.com", "jana@notgmail.com"),
            ("j.ana@pm.me", "jana@proton.me"),
            ("jana@protonmail.com", "jana@proton.me"),
            ("jana@yandex.com", "jana@yandex.ru"),
            ("jana@me.com", "jana@icloud.com"),
            ("ja-na@ya.ru", "jana@yandex.ru"),
            ("ja_na@mac.com", "jana@icloud.com"),
            ("jana+x@fastmail.fm", "jana@fastmail.com"),
            ("sailing@jana.fastmail.com", "jana@fastmail.com"),
            ("jana-sailing@yahoo.com", "jana@yahoo.com"),
        ],
    )
    def test_canonical_form(self, email: str, mailbox: str) -> None:
        assert canonicalize(email) == mailbox


class TestMailBombing:
    """An attacker uses every request that sends a mail, again and again."""

    def test_five_mails_in_total_then_none_until_an_answer(
        self, call: Call, settings: Any, time_machine: TimeMachineFixture
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

    def test_answers_past_the_budget_are_the_same(self, call: Call) -> None:
        before = subscribe(email="other@example.com").data
        exhaust("jana@example.com")
        after = subscribe(email="jana@example.com").data
        assert (after["message"], after["success"]) == (before["message"], before["success"])
        assert after["subscription"].keys() == before["subscription"].keys()
        assert not Subscription.objects.filter(email="jana@example.com").exists()

        assert call("signUp", **form(email="jana@example.com")).data["token"]
        assert User.objects.get().email == "jana@example.com"
        assert [mail.recipient for mail in mails()] == ["other@example.com"]

    def test_resend_points_to_the_latest_mail(self, call: Call) -> None:
        member = MemberFactory(email="jana@example.com")
        exhaust(member.email)
        refused = call("resendVerification", client=czech_visitor(), token=tokens.issue(member))
        assert refused.error["code"] == "MAIL_LIMIT_REACHED"
        assert refused.error["message"] == (
            "Na tuto adresu jsme už poslali několik e-mailů. Použijte prosím odkaz v tom posledním."
        )
        assert refused.http.status_code == 200
        assert not mails()

    def test_reminder_is_counted(self) -> None:
        SubscriptionFactory(email="jana@example.com", confirmed=True)
        for _ in range(4):
            reserve("jana@example.com")
        SubscriptionFactory(email="jana@example.com", user_type="company", confirmed=True)
        for user_type in ("sailor", "company"):
            subscribe(email="jana@example.com", userType=user_type)
        assert len(mails()) == 1


class TestMailsThatDoNotCount:
    @pytest.fixture
    def member(self) -> User:
        member: User = MemberFactory(email="jana@example.com")
        exhaust(member.email)
        return member

    def test_reset_mail_that_an_admin_sends_is_not_counted(self, admin_client: Client, member: User) -> None:
        run_action(admin_client, "/admin/accounts/user/", "send_reset_mail", member)
        assert len(mails()) == 1
        assert budget().unanswered == 5

    def test_verification_mail_of_an_admin_resets_the_budget(
        self, admin_client: Client, call: Call, member: User, time_machine: TimeMachineFixture
    ) -> None:
        mailboxes.block(member.email)
        run_action(admin_client, "/admin/accounts/user/", "resend_verification", member)
        assert len(mails()) == 1
        time_machine.shift(timedelta(minutes=4))
        assert call("resendVerification", token=tokens.issue(member)).data is True
        assert len(mails()) == 2

    def test_links_renewed_by_the_owner_are_not_counted(self, time_machine: TimeMachineFixture) -> None:
        subscribe(email="jana@example.com")
        confirm = confirm_address(latest())
        links.resend_verification(client=VISITOR, user=MemberFactory(email="jana@example.com"))
        verify = verify_address(latest())
        exhaust("jana@example.com")
        time_machine.shift(8 * DAY)
        press_button(confirm, renew="1")
        press_button(verify, renew="1")
        assert len(mails()) == 4
        assert budget().unanswered == 0


class TestAnswers:
    def test_verifying_is_an_answer_and_opening_the_page_is_none(self) -> None:
        links.resend_verification(client=VISITOR, user=MemberFactory(email="jana@example.com"))
        exhaust("jana@example.com")
        Client().get(verify_address(latest()))
        assert budget().unanswered == 5
        press_button(verify_address(latest()), password=PASSWORD)
        assert budget().unanswered == 0

    def test_choosing_a_password_is_an_answer(self) -> None:
        exhaust("jana@example.com")
        member = MemberFactory(email="jana@example.com")
        links.send_link(user=member, purpose=LinkPurpose.RESET)
        token = latest().text.partition("/account/reset/")[2].partition("/")[0]
        links.confirm_address(
            client=NO_REQUEST, token=token, purpose=LinkPurpose.RESET, new_password="New winds, 2026!"
        )
        assert budget().unanswered == 0

    def test_confirming_is_an_answer(self) -> None:
        subscribe(email="jana@example.com")
        exhaust("jana@example.com")
        press_button(confirm_address(latest()))
        assert budget().unanswered == 0

    def test_unsubscribing_is_no_answer(self) -> None:
        subscribe(email="jana@example.com")
        mailboxes.block("jana@example.com")
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().unsubscribed_at
        assert (budget().is_blocked, budget().unanswered) == (True, 2)


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

    def test_requests_of_all_kinds_share_the_rates_of_a_client(
        self, settings: Any, time_machine: TimeMachineFixture
    ) -> None:
        settings.MAIL_RATES = ["3/h", "7/d"]
        for accepted in (3, 3, 1, 0):
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
    def test_each_mutation_that_causes_a_mail_counts(
        self, document: str, values: dict[str, Any], settings: Any
    ) -> None:
        settings.MAIL_RATES = ["1/h"]
        token = tokens.issue(MemberFactory())
        assert "errors" not in post_graphql(RESET, {"email": "somebody@example.org"}).body
        assert post_graphql(document, values, token=token).error["code"] == "RATE_LIMITED"

    def test_invalid_request_is_not_counted(self, settings: Any) -> None:
        settings.MAIL_RATES = ["1/h"]
        subscribe(email="no address")
        subscribe(email="jana@example.org")
        assert len(mails()) == 1
