"""Links to members: how long they work, what ends them, and addresses where mails do not arrive."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from time_machine import TimeMachineFixture

from accounts import retention, tokens
from accounts.models import AccountLink, User
from accounts.services import credentials, links
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORDS, PASSWORD, MemberFactory, form
from accounts.tests.mailbox import confirm, link_to_reset, link_to_verify, not_me_address, verify_address
from sailing.mail.models import OutboxEmail
from sailing.mail.outbox import mail_bounced
from tests.api import post_graphql
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import Reader, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def test_link_works_for_72_hours_and_is_then_renewed_once_in_three_minutes(
    member: User, time_machine: TimeMachineFixture
) -> None:
    address = link_to_verify(member)
    time_machine.shift(3 * DAY - SECOND)
    press_button(address, renew="1")  # it still works
    time_machine.shift(SECOND)
    for _ in range(2):
        assert "Check your email" in text(press_button(address, renew="1"))
    assert [mail.recipient for mail in mails()] == [member.email] * 2
    confirm(verify_address(latest()))
    member.refresh_from_db()
    assert member.is_email_verified


@pytest.mark.parametrize("change", [{"email": "new@example.com"}, {"is_active": False}])
def test_links_end_when_the_address_changes_or_the_account_is_deactivated(
    member: User, change: dict[str, Any]
) -> None:
    verify, reset = link_to_verify(member), link_to_reset(member)
    User.objects.update(**change)
    for response in (confirm(verify), press_button(reset, **NEW_PASSWORDS)):
        assert "This link no longer works" in text(response)
    member.refresh_from_db()
    assert not member.is_email_verified
    assert member.check_password(PASSWORD)


def test_not_me_link_shows_that_question_alone(member: User, time_machine: TimeMachineFixture) -> None:
    address = link_to_verify(member)
    assert not_me_address(latest()) == f"{address}&not-me=1"
    assert f"{settings.SITE_URL}{address}&not-me=1" in Reader(latest().html).links
    assert text(open_link(address)).count('name="not_me"') == 1
    for heading, language, other in (("This was not me", "en", "cs"), ("To není moje žádost", "cs", "en")):
        page = text(open_link(f"{address.replace('lang=en', f'lang={language}')}&not-me=1"))
        assert re.findall(r"<h1[^>]*>(.*)</h1>", page) == [heading]
        assert re.findall(r"<button[^>]*>(.*)</button>", page) == [heading]
        assert f'href="?lang={other}&amp;not-me=1"' in page
        time_machine.shift(3 * DAY)  # the second time, the link has expired


class TestResend:
    def test_one_mail_in_three_minutes_including_that_of_the_sign_up(
        self, time_machine: TimeMachineFixture
    ) -> None:
        token = call("signUp", **form()).data["token"]
        time_machine.shift(timedelta(seconds=30))
        refused = call("resendVerification", token=token)
        assert refused.error["code"] == "RATE_LIMITED"
        assert refused.http["Retry-After"] == "150"
        User.objects.update(email="new@example.com")
        assert call("resendVerification", token=token).data is True
        User.objects.update(email="jana@example.com")
        time_machine.shift(timedelta(seconds=150))
        assert call("resendVerification", token=token).data is True
        assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
        sent = [mail.recipient for mail in mails()]
        assert sent == ["jana@example.com", "new@example.com", "jana@example.com"]

    def test_verified_address_gets_no_mail(self) -> None:
        token = tokens.issue(MemberFactory(is_email_verified=True))
        assert call("resendVerification", token=token).data is False
        assert not mails()


class TestRetention:
    def test_links_are_deleted_after_ninety_days(self, time_machine: TimeMachineFixture) -> None:
        used = link_to_verify(MemberFactory())
        expired = link_to_reset(MemberFactory(is_email_verified=True))
        confirm(used)
        time_machine.shift(90 * DAY)
        retention.purge_expired_links()
        assert "This link has expired" in text(open_link(expired))
        assert open_link(used).status_code == 200
        time_machine.shift(SECOND)
        link_to_verify(MemberFactory())
        retention.purge_expired_links()
        assert open_link(expired).status_code == open_link(used).status_code == 404
        assert AccountLink.objects.count() == 1

    def test_unverified_account_is_deleted_after_14_days_without_a_mail(
        self, time_machine: TimeMachineFixture
    ) -> None:
        unverified = MemberFactory()
        for standing in ("is_email_verified", "was_email_verified", "is_staff", "is_superuser"):
            MemberFactory(**{standing: True})
        MemberFactory(is_active=False)
        time_machine.shift(14 * DAY - SECOND)
        purge_expired()
        assert User.objects.count() == 6
        time_machine.shift(SECOND)
        purge_expired()
        assert User.objects.count() == 5
        assert not User.objects.filter(pk=unverified.pk).exists()
        assert not mails()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("shared_database")
    def test_concurrent_processes_delete_the_accounts_in_batches(
        self, time_machine: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(retention, "BATCH_SIZE", 2)
        MemberFactory.create_batch(9)
        time_machine.shift(14 * DAY)

        def work_off(_number: int) -> None:
            has_more = True
            while has_more:
                with transaction.atomic():
                    has_more = retention.purge_unverified()

        run_at_once(3, work_off)
        assert not User.objects.exists()


class TestUndeliverable:
    """An address of a member that a mail server has refused for good."""

    @pytest.fixture
    def bounced(self, member: User) -> User:
        mail_bounced.send(sender=OutboxEmail, email="jana@example.com")
        member.refresh_from_db()
        return member

    def test_bounce_marks_the_address_once_and_the_member_is_told(
        self, bounced: User, time_machine: TimeMachineFixture
    ) -> None:
        other = MemberFactory(email="petr@example.com")
        time_machine.shift(DAY)
        links.record_bounce(email="jana@example.com")
        assert User.objects.get(email_undeliverable_at=bounced.email_undeliverable_at) == bounced
        query = "{ me { isEmailUndeliverable } }"
        for member, is_told in ((bounced, True), (other, False)):
            answer = post_graphql(query, token=tokens.issue(member)).data
            assert answer["isEmailUndeliverable"] is is_told

    def test_new_password_is_reported_only_if_its_link_came_by_mail_which_clears_the_mark(
        self, bounced: User
    ) -> None:
        credentials.change_password(user=bounced)
        assert not mails()
        press_button(link_to_reset(bounced), **NEW_PASSWORDS)
        assert not User.objects.filter(email_undeliverable_at__isnull=False).exists()
        assert latest().subject == "Your password was changed"
