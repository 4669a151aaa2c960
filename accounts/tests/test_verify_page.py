"""The verification link and its page."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import User
from accounts.tests.conftest import Call
from accounts.tests.factories import MemberFactory, form
from accounts.tests.mailbox import confirm, link_to_verify, not_me_address
from tests.mailbox import Reader, latest, mails, open_link, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LIFETIME = timedelta(hours=72)


def is_verified(member: User) -> bool:
    member.refresh_from_db()
    return member.is_email_verified


def test_not_me_link_shows_that_question_alone(member: User, time_machine: TimeMachineFixture) -> None:
    address = link_to_verify(member)
    assert not_me_address(latest()) == f"{address}&not-me=1"
    assert f"{settings.SITE_URL}{address}&not-me=1" in Reader(latest().html).links
    assert text(open_link(address)).count('name="not_me"') == 1
    for heading, language, other in (("This was not me", "en", "cs"), ("To není moje žádost", "cs", "en")):
        page = text(open_link(f"{address.replace('lang=en', f'lang={language}')}&not-me=1"))
        assert re.findall(r"<h1[^>]*>(.*)</h1>", page) == [heading]
        assert re.findall(r"<button[^>]*>(.*)</button>", page) == [heading]
        assert 'class="Button-button Button-primary" type="submit" name="not_me"' in page
        assert f'href="?lang={other}&amp;not-me=1"' in page
        time_machine.shift(LIFETIME)  # the second time, the link has expired


def test_link_works_for_72_hours(member: User, time_machine: TimeMachineFixture) -> None:
    address = link_to_verify(member)
    time_machine.shift(LIFETIME - timedelta(seconds=1))
    confirm(address)
    assert is_verified(member)


class TestResend:
    """`resendVerification`: one mail in three minutes."""

    def test_one_mail_in_three_minutes_including_that_of_the_sign_up(
        self, call: Call, time_machine: TimeMachineFixture
    ) -> None:
        token = call("signUp", **form()).data["token"]
        time_machine.shift(timedelta(seconds=30))
        refused = call("resendVerification", token=token)
        assert refused.error["code"] == "RATE_LIMITED"
        assert refused.http["Retry-After"] == "150"
        assert len(mails()) == 1

        time_machine.shift(timedelta(seconds=149))
        assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
        time_machine.shift(timedelta(seconds=1))
        assert call("resendVerification", token=token).data is True
        assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
        assert len(mails()) == 2

    def test_verified_address_gets_no_mail(self, call: Call) -> None:
        token = tokens.issue(MemberFactory(is_email_verified=True))
        assert call("resendVerification", token=token).data is False
        assert not mails()

    def test_pause_is_per_address(self, call: Call) -> None:
        token = tokens.issue(MemberFactory(email="jana@example.com"))
        assert call("resendVerification", token=token).data is True
        assert latest().recipient == "jana@example.com"
        User.objects.update(email="new@example.com")
        assert call("resendVerification", token=token).data is True
        assert latest().recipient == "new@example.com"
