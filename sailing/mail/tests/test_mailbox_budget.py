"""A mailbox gets at most 5 mails a day that its owner did not ask for, and none after 5 unanswered."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import retention, tokens
from accounts.models import User
from accounts.services import passwords, verification
from accounts.tests.conftest import OPERATIONS, Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import verify_address
from newsletter.models import Subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.client import NO_REQUEST
from sailing.mail import mailbox_budget
from sailing.mail.mailbox_budget import canonical_mailbox, reserve
from sailing.mail.models import MailboxBudget
from tests.api import VISITOR, czech_visitor, post_graphql
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import latest, mails, press_button

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
ADDRESS = "jana.novak@gmail.com"
PREFERENCES = """
    mutation ($input: NewsletterPreferencesInput!) { updateNewsletterPreferences(input: $input) { language } }
"""
RESET = "mutation ($email: String!) { requestPasswordReset(email: $email) }"

SPELLINGS = ("jana", "j.ana", "ja_na", "ja-na+sailing", "j.a.n.a+x")
DOMAINS = (
    ("proton.me", "protonmail.com", "pm.me"),
    ("yandex.ru", "yandex.com", "ya.ru"),
    ("icloud.com", "me.com", "mac.com"),
    ("fastmail.com", "fastmail.fm"),
)


def exhaust(email: str) -> None:
    for _ in range(5):
        reserve(email)


def budget() -> MailboxBudget:
    return MailboxBudget.objects.get()


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
class TestRules:
    def test_five_mails_in_any_24_hours(self, time_machine: TimeMachineFixture) -> None:
        for _ in range(5):
            assert reserve(ADDRESS)
            mailbox_budget.record_answer(ADDRESS)
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
        mailbox_budget.block(ADDRESS)
        assert not reserve(ADDRESS)
        mailbox_budget.record_answer("janan.ovak+list@googlemail.com")
        assert [reserve(ADDRESS) for _ in range(6)] == [True] * 5 + [False]

    def test_block_survives_a_new_secret_key(self, settings: Settings) -> None:
        mailbox_budget.block(ADDRESS)
        settings.SECRET_KEY = "another"
        assert not reserve(ADDRESS)

    def test_row_is_purged_90_days_after_the_last_change(self, time_machine: TimeMachineFixture) -> None:
        exhaust(ADDRESS)
        time_machine.shift(90 * DAY)
        purge_expired()
        assert not reserve(ADDRESS)  # a refused request does not prolong it
        time_machine.shift(timedelta(seconds=1))
        purge_expired()
        assert not MailboxBudget.objects.exists()
        assert reserve(ADDRESS)

    def test_no_address_is_stored(self) -> None:
        reserve(ADDRESS)
        stored = str(MailboxBudget.objects.values())
        assert "jana" not in stored
        assert "gmail" not in stored

    @pytest.mark.parametrize(
        ("email", "mailbox"),
        [
            ("jana@example.com", "jana@example.com"),
            ("jana+list@example.com", "jana@example.com"),
            ("jana+a+b@example.com", "jana@example.com"),
            ("ja.n_a-x@example.com", "janax@example.com"),
            ("ja.na+x@gmail.com", "jana@gmail.com"),
            ("j.a.n.a@googlemail.com", "jana@gmail.com"),
            ("jana@notgmail.com", "jana@notgmail.com"),
            *((f"{one}@{at}", f"jana@{ats[0]}") for ats in DOMAINS for one, at in product(SPELLINGS, ats)),
            ("sailing@jana.fastmail.com", "jana@fastmail.com"),
            ("jana-sailing@yahoo.com", "jana@yahoo.com"),
            ("jana@yahoo.de", "jana@yahoo.de"),
        ],
    )
    def test_canonical_mailbox(self, email: str, mailbox: str) -> None:
        assert canonical_mailbox(email) == mailbox


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
class TestMailBombing:
    """An attacker uses every request that sends a mail, again and again."""

    @pytest.fixture
    def attack(
        self,
        call: Call,
        subscribe: Subscribe,
        settings: pytest.FixtureRequest,
        time_machine: TimeMachineFixture,
    ) -> Callable[[], None]:
        settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = "1000/s"  # type: ignore[attr-defined]
        settings.MAIL_RATES = ["1000/s"]  # type: ignore[attr-defined]
        spellings = [ADDRESS, "j.ananovak@gmail.com", "JanaNovak+{}@GoogleMail.com"]
        spellings.append("jana.novak+{}@gmail.com")
        counter = iter(range(10_000))

        def one_day() -> None:
            """Use each request with each spelling of the address."""
            for spelling in spellings:
                email = spelling.format(next(counter))
                for user_type in ("sailor", "company"):
                    assert subscribe(email=email, userType=user_type).data["success"]
                answer = call("signUp", **form(email=email))
                if "errors" not in answer.body:
                    time_machine.shift(timedelta(minutes=4))
                    call("resendVerification", token=answer.data["token"])
            for member in User.objects.all()[:5]:
                call("resendVerification", token=tokens.issue(member))
            time_machine.shift(DAY)

        return one_day

    def test_five_mails_in_total_then_none_until_an_answer(
        self, attack: Callable[[], None], time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(User, "set_password", lambda self, password: None)  # hashing is slow
        attack()
        assert len(mails()) == 5
        attack()
        assert len(mails()) == 5

        deliver()
        press_button(confirm_address(mails()[0]))
        attack()
        assert len(mails()) == 10

    def test_answers_past_the_budget_are_the_same(self, call: Call, subscribe: Subscribe) -> None:
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

    def test_reminder_is_counted(self, subscribe: Subscribe) -> None:
        SubscriptionFactory(email="jana@example.com", confirmed=True)
        for _ in range(4):
            reserve("jana@example.com")
        SubscriptionFactory(email="jana@example.com", user_type="company", confirmed=True)
        for user_type in ("sailor", "company"):
            subscribe(email="jana@example.com", userType=user_type)
        assert len(mails()) == 1

    def test_account_expires_even_if_the_budget_allows_no_warning(
        self, time_machine: TimeMachineFixture
    ) -> None:
        MemberFactory(email="jana@example.com")
        exhaust("jana@example.com")
        time_machine.shift(11 * DAY)
        retention.warn_expiring()
        assert not mails()
        time_machine.shift(3 * DAY)
        retention.purge_unverified()
        assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
class TestMailsThatDoNotCount:
    def test_reset_mail_that_an_admin_sends_is_not_counted(self, admin_client: Client) -> None:
        member = MemberFactory(email="jana@example.com")
        exhaust("jana@example.com")
        chosen = {"action": "send_reset_mail", "_selected_action": str(member.pk)}
        admin_client.post("/admin/accounts/user/", chosen)
        assert len(mails()) == 1
        assert budget().unanswered == 5

    def test_verification_mail_of_an_admin_resets_the_budget(
        self, admin_client: Client, call: Call, time_machine: TimeMachineFixture
    ) -> None:
        member = MemberFactory(email="jana@example.com")
        exhaust("jana@example.com")
        mailbox_budget.block("jana@example.com")
        chosen = {"action": "resend_verification", "_selected_action": str(member.pk)}
        admin_client.post("/admin/accounts/user/", chosen)
        assert len(mails()) == 1
        time_machine.shift(timedelta(minutes=4))
        assert call("resendVerification", token=tokens.issue(member)).data is True
        assert len(mails()) == 2

    def test_links_renewed_by_the_owner_are_not_counted(
        self, subscribe: Subscribe, time_machine: TimeMachineFixture
    ) -> None:
        subscribe(email="jana@example.com")
        confirm = confirm_address(latest())
        verification.resend_verification(client=VISITOR, user=MemberFactory(email="jana@example.com"))
        verify = verify_address(latest())
        exhaust("jana@example.com")
        time_machine.shift(8 * DAY)
        press_button(confirm, renew="1")
        press_button(verify, renew="1")
        assert len(mails()) == 4
        assert budget().unanswered == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
class TestAnswers:
    @pytest.fixture
    def exhausted(self) -> User:
        member: User = MemberFactory(email="jana@example.com")
        verification.resend_verification(client=VISITOR, user=member)
        exhaust(member.email)
        assert not reserve(member.email)
        return member

    def test_verifying_is_an_answer_and_opening_the_page_is_none(self, exhausted: User) -> None:
        Client().get(verify_address(latest()))
        assert budget().unanswered == 5
        press_button(verify_address(latest()))
        assert budget().unanswered == 0

    def test_choosing_a_password_is_an_answer(self, exhausted: User) -> None:
        passwords.send_reset_mail(user=exhausted)
        token = latest().text.partition("/account/reset/")[2].partition("/")[0]
        passwords.reset_password(client=NO_REQUEST, token=token, password="New winds, 2026!")
        assert budget().unanswered == 0

    def test_confirming_is_an_answer(self, subscribe: Subscribe) -> None:
        subscribe(email="jana@example.com")
        exhaust("jana@example.com")
        press_button(confirm_address(latest()))
        assert budget().unanswered == 0

    def test_unsubscribing_is_no_answer(self, subscribe: Subscribe) -> None:
        subscribe(email="jana@example.com")
        mailbox_budget.block("jana@example.com")
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().unsubscribed_at
        assert (budget().is_blocked, budget().unanswered) == (True, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_concurrent_requests_reserve_five_mails() -> None:
    def reserve_one(number: int) -> bool:
        with transaction.atomic():
            return reserve(f"jana+{number}@example.com")

    assert run_at_once(20, reserve_one).count(True) == 5
    assert budget().unanswered == 5
    assert len(budget().sent_at) == 5


@pytest.mark.django_db
class TestClientBudget:
    """One client reaches few mailboxes, whatever the kind of mail."""

    def test_one_client_causes_20_mails_an_hour_and_60_a_day(
        self, subscribe: Subscribe, settings: Any, time_machine: TimeMachineFixture
    ) -> None:
        settings.SIGNUP_RATE = settings.SUBSCRIBE_RATE = "1000/s"
        time_machine.move_to("2026-06-01T00:00:00+00:00", tick=False)
        counts = []
        for hour in range(4):
            for number in range(21):
                address = f"person{hour}-{number}@domain{number}.example"
                answer = subscribe(email=address) if number % 2 else post_graphql(RESET, {"email": address})
                if "errors" in answer.body:
                    assert answer.error["code"] == "RATE_LIMITED"
                else:
                    counts.append(hour)
            time_machine.shift(HOUR)
        assert [counts.count(hour) for hour in range(4)] == [20, 20, 20, 0]

    @pytest.mark.parametrize(
        ("document", "values"),
        [
            pytest.param(OPERATIONS["signUp"], {"input": form()}, id="sign-up"),
            pytest.param(OPERATIONS["resendVerification"], {}, id="verification"),
            pytest.param(
                OPERATIONS["requestEmailChange"],
                {"input": {"email": "new@example.org", "currentPassword": PASSWORD}},
                id="email-change",
            ),
            pytest.param(
                PREFERENCES, {"input": {"audiences": ["sailor"], "language": "en"}}, id="preferences"
            ),
            pytest.param(RESET, {"email": "jana@example.org"}, id="password-reset"),
        ],
    )
    def test_each_mutation_that_causes_a_mail_counts(
        self, document: str, values: dict[str, Any], settings: Any
    ) -> None:
        settings.MAIL_RATES = ["1/h"]
        token = tokens.issue(MemberFactory(is_email_verified=document == PREFERENCES))
        assert "errors" not in post_graphql(RESET, {"email": "somebody@example.org"}).body
        assert post_graphql(document, values, token=token).error["code"] == "RATE_LIMITED"

    def test_invalid_request_is_not_counted(self, subscribe: Subscribe) -> None:
        for _request in range(19):
            subscribe(email="no address")
        subscribe(email="jana@example.org")
        assert len(mails()) == 1
