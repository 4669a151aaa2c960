"""Links in mails to members: how long they work, what ends them, "This was not me", bounces."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from time_machine import TimeMachineFixture

from accounts import mails as account_mails
from accounts import retention, tokens
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import credentials, links
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORDS, PASSWORD, MemberFactory, form
from accounts.tests.mailbox import confirm, link_to_reset, link_to_verify, verify_address
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority, OutboxEmail
from sailing.mail.outbox import mail_bounced
from tests.api import post_graphql
from tests.concurrency import run_at_once
from tests.jobs import purge_expired
from tests.mailbox import Reader, last_address, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
KEPT = "yours stays as it is"
NOT_ASKED = "If you didn’t ask for this email, let us know"


def test_link_works_for_72_hours(member: User, time_machine: TimeMachineFixture) -> None:
    address = link_to_verify(member)
    time_machine.shift(3 * DAY - SECOND)
    confirm(address)
    assert User.objects.get().is_email_verified


@pytest.mark.parametrize("change", [{"email": "new@example.com"}, {"is_active": False}])
def test_links_end_when_the_address_changes_or_the_account_is_deactivated(
    member: User, change: dict[str, Any]
) -> None:
    verify, reset = link_to_verify(member), link_to_reset(member)
    User.objects.update(**change)
    for response in (confirm(verify), press_button(reset, **NEW_PASSWORDS)):
        assert "This link no longer works" in text(response)
    member.refresh_from_db()
    assert (member.is_email_verified, member.check_password(PASSWORD)) == (False, True)


def test_mails_to_a_member_are_urgent_and_never_contain_their_name() -> None:
    """A stranger may have typed it."""
    member = MemberFactory(**dict.fromkeys(User.PROFILE_FIELDS[:3], "You won! http://evil.example"))
    for purpose in LinkPurpose:
        account_mails.enqueue_link(member, purpose)
    account_mails.enqueue_email_changed(member, old_email=member.email)
    account_mails.enqueue_password_changed(member)
    assert {mail.priority for mail in mails()} == {MailPriority.URGENT}
    account_mails.enqueue_account_deleted(member, is_newsletter_kept=True)
    for mail in mails():
        assert "evil" not in mail.subject + mail.text + mail.html
    assert len(mails()) == 6


def test_one_mail_in_three_minutes_including_that_of_the_sign_up(time_machine: TimeMachineFixture) -> None:
    token = call("signUp", **form()).data["token"]
    time_machine.shift(timedelta(seconds=30))
    refused = call("resendVerification", token=token)
    assert (refused.error["code"], refused.http["Retry-After"]) == ("RATE_LIMITED", "150")
    User.objects.update(email="new@example.com")
    assert call("resendVerification", token=token).data is True
    User.objects.update(email="jana@example.com")
    time_machine.shift(timedelta(seconds=150))
    assert call("resendVerification", token=token).data is True
    assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
    User.objects.update(is_email_verified=True)
    assert call("resendVerification", token=token).data is False
    sent = [mail.recipient for mail in mails()]
    assert sent == ["jana@example.com", "new@example.com", "jana@example.com"]


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
        for shift, left in ((14 * DAY - SECOND, 6), (SECOND, 5)):
            time_machine.shift(shift)
            purge_expired()
            assert User.objects.count() == left
        assert not User.objects.filter(pk=unverified.pk).exists()
        assert not mails()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("shared_database")
    def test_concurrent_processes_delete_the_accounts_in_batches(
        self, time_machine: TimeMachineFixture
    ) -> None:
        MemberFactory.create_batch(3 * retention.BATCH_SIZE + 1)
        time_machine.shift(14 * DAY)

        def work_off(_number: int) -> None:
            has_more = True
            while has_more:
                with transaction.atomic():
                    has_more = retention.purge_unverified()

        run_at_once(3, work_off)
        assert not User.objects.exists()


def test_bounce_marks_the_address_once_until_a_password_is_set_by_a_mailed_link(
    member: User, time_machine: TimeMachineFixture
) -> None:
    other = MemberFactory()
    mail_bounced.send(sender=OutboxEmail, email=member.email)
    member.refresh_from_db()
    time_machine.shift(DAY)
    links.record_bounce(email=member.email)
    assert User.objects.get(email_undeliverable_at=member.email_undeliverable_at) == member
    for each, is_told in ((member, True), (other, False)):
        answer = post_graphql("{ me { isEmailUndeliverable } }", token=tokens.issue(each))
        assert answer.data["isEmailUndeliverable"] is is_told
    credentials.change_password(user=member)
    assert not mails()
    press_button(link_to_reset(member), **NEW_PASSWORDS)
    assert not User.objects.filter(email_undeliverable_at__isnull=False).exists()
    assert latest().subject == "Your password was changed"


class TestNotMe:
    """The owner of a mailbox did not sign up."""

    def test_link_shows_that_question_alone(self, member: User, time_machine: TimeMachineFixture) -> None:
        address = link_to_verify(member)
        assert f"{settings.SITE_URL}{address}&not-me=1" in Reader(latest().html).links
        assert text(open_link(address)).count('name="not_me"') == 1
        for _state in ("open", "expired"):
            page = text(open_link(f"{address}&not-me=1"))
            assert page.count("<button") == page.count('name="not_me"') == 1
            assert 'href="?lang=cs&amp;not-me=1"' in page
            time_machine.shift(3 * DAY)

    @pytest.mark.parametrize("age", [timedelta(0), 3 * DAY])
    def test_account_tokens_and_pending_mails_are_deleted_and_the_mailbox_is_blocked(
        self, time_machine: TimeMachineFixture, age: timedelta
    ) -> None:
        token = call("signUp", **form()).data["token"]
        address = verify_address(latest())
        time_machine.shift(age)
        assert "The account is deleted." in text(press_button(address, not_me="1"))
        assert not User.objects.exists()
        assert not mails()
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
        assert [(link.user, link.email) for link in AccountLink.objects.all()] == [(None, "")]
        time_machine.shift(60 * DAY)
        call("signUp", **form())
        assert User.objects.exists()
        assert not mails()

    @pytest.mark.parametrize("age", [timedelta(0), 3 * DAY])
    def test_account_that_an_admin_created_without_a_password_is_deleted(
        self, time_machine: TimeMachineFixture, age: timedelta
    ) -> None:
        """The person may not want it."""
        address = link_to_reset(MemberFactory(email="jana@example.com", password=None))
        assert "An admin of Sailing has created an account for you." in latest().text
        assert latest().subject == "Choose a password for your account"
        assert latest().subject in text(open_link(address))
        assert "stays as it is" not in latest().text + latest().html
        time_machine.shift(age)
        page = text(open_link(address))
        assert "signed out" not in page
        assert "we’ll delete" in page
        assert KEPT not in page
        assert "The account is deleted." in text(press_button(address, not_me="1"))
        assert not User.objects.exists()
        assert not mailboxes.reserve("jana@example.com")

    @pytest.mark.parametrize(
        ("link", "values", "says"),
        [
            (link_to_reset, {"password": None, "is_staff": True}, NOT_ASKED),
            (link_to_reset, {"password": None, "was_email_verified": True}, NOT_ASKED),
            (link_to_reset, {"password": PASSWORD}, KEPT),
            (link_to_verify, {"is_staff": True}, NOT_ASKED),
            (link_to_verify, {"is_superuser": True}, NOT_ASKED),
            (link_to_verify, {"was_email_verified": True}, NOT_ASKED),
        ],
    )
    def test_account_in_use_is_kept_and_its_mailbox_blocked(
        self, link: Any, values: dict[str, Any], says: str
    ) -> None:
        member = MemberFactory(**values)
        address = link(member)
        page = text(open_link(address))
        assert says in page
        assert ("signed out of all devices" in page) == (says == KEPT)
        assert "delete" not in page + latest().text
        assert "We won’t send these emails to this" in text(press_button(address, not_me="1"))
        assert User.objects.get().password == member.password
        assert not mailboxes.reserve(member.email)

    def test_owner_of_a_verified_mailbox_is_helped_to_take_the_account_over(self) -> None:
        """Their account may be in use by now, so the old link neither deletes it nor sends a mail."""
        stranger = Client()
        call("signUp", client=stranger, **form())
        address, not_me = verify_address(latest()), last_address(latest(), "/account/verify/")
        press_button(address, client=stranger)
        for page in (open_link(not_me), press_button(address, not_me="1")):
            assert "this link changes nothing anymore" in text(page)
            assert 'href="/forgot-password"' in text(page)
        press_button(not_me, reset="1")
        assert User.objects.exists()
        assert len(mails()) == 1
