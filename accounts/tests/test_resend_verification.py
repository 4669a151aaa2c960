"""`resendVerification`: one mail in three minutes."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import tokens
from accounts.models import AccountLink, User
from accounts.tests.conftest import Call
from accounts.tests.factories import MemberFactory, form
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def test_new_link_is_sent(call: Call) -> None:
    token = tokens.issue(MemberFactory(email="jana@example.com"))
    assert call("resendVerification", token=token).data is True
    assert OutboxEmail.objects.get().recipient == "jana@example.com"
    assert AccountLink.objects.get().email == "jana@example.com"


def test_one_mail_in_three_minutes_including_that_of_the_sign_up(
    call: Call, clock: time_machine.Traveller
) -> None:
    token = call("signUp", **form()).data["token"]
    clock.shift(timedelta(seconds=30))
    refused = call("resendVerification", token=token)
    assert refused.error["code"] == "RATE_LIMITED"
    assert refused.http["Retry-After"] == "150"
    assert OutboxEmail.objects.count() == 1

    clock.shift(timedelta(seconds=149))
    assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
    clock.shift(timedelta(seconds=1))
    assert call("resendVerification", token=token).data is True
    assert call("resendVerification", token=token).error["code"] == "RATE_LIMITED"
    assert OutboxEmail.objects.count() == 2


def test_verified_address_gets_no_mail(call: Call) -> None:
    token = tokens.issue(MemberFactory(is_email_verified=True))
    assert call("resendVerification", token=token).data is False
    assert not OutboxEmail.objects.exists()


def test_pause_is_per_address(call: Call) -> None:
    token = tokens.issue(MemberFactory())
    call("resendVerification", token=token)
    User.objects.update(email="new@example.com")
    assert call("resendVerification", token=token).data is True
    assert OutboxEmail.objects.latest("pk").recipient == "new@example.com"
