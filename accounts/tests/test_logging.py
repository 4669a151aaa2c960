"""Log events of accounts."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from accounts.models import LinkPurpose, User
from accounts.services import membership
from accounts.services.links import confirm_address
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset, link_to_verify
from accounts.tokens import identify
from sailing.client import NO_REQUEST
from sailing.mail.models import OutboxEmail
from tests.mailbox import press_button

pytestmark = pytest.mark.django_db

COMMON_FIELDS = {"level", "logger", "timestamp", "request_id"}
WRONG = "Foul winds, 2025!"


@pytest.fixture(autouse=True)
def _as_in_production(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def events(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Return the log events of the services, without the fields of every line."""
    lines: list[Any] = [record.msg for record in caplog.records if "accounts.services" in record.name]
    return [{name: value for name, value in line.items() if name not in COMMON_FIELDS} for line in lines]


def link_token(mail: OutboxEmail) -> str:
    found = re.search(r"/([\w-]{32})/", mail.text)
    assert found
    return found[1]


def test_each_event_has_the_user_id(call: Call, caplog: pytest.LogCaptureFixture) -> None:
    token = call("signUp", **form()).data["token"]
    member = User.objects.get()
    link = link_token(OutboxEmail.objects.get())
    confirm_address(client=NO_REQUEST, token=link, purpose=LinkPurpose.VERIFY, device=identify(token))
    call("signIn", email=member.email, password=PASSWORD)
    link_to_reset(member)
    reset = link_token(OutboxEmail.objects.latest("pk"))
    confirm_address(
        client=NO_REQUEST, token=reset, purpose=LinkPurpose.RESET, new_password="New winds, 2026!"
    )
    call("logout", token=token)
    membership.sign_out_everywhere(user=member)
    membership.deactivate(user=member)

    assert events(caplog) == [
        {"event": event, "user_id": member.pk, **({"purpose": "reset"} if event == "link_sent" else {})}
        for event in (
            "sign_up",
            "email_verified",
            "sign_in",
            "link_sent",
            "password_changed",
            "sign_out",
            "signed_out_everywhere",
            "deactivated",
        )
    ]


def test_renewed_link_is_logged_once_in_the_pause(
    caplog: pytest.LogCaptureFixture, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
    member = MemberFactory()
    verify, reset = link_to_verify(member), link_to_reset(member)
    caplog.clear()
    time_machine.shift(timedelta(days=4))
    for _ in range(2):
        press_button(verify, renew="1")
        press_button(reset, renew="1")
    assert events(caplog) == [
        {"event": "link_sent", "purpose": purpose, "user_id": member.pk} for purpose in ("verify", "reset")
    ]


def test_failed_sign_ins_are_logged_with_a_fingerprint(call: Call, caplog: pytest.LogCaptureFixture) -> None:
    MemberFactory(email="jana@example.com")
    for email in ("jana@example.com", "JANA@example.com", "petr@example.com"):
        call("signIn", email=email, password=WRONG)

    failures = events(caplog)
    assert {failure["event"] for failure in failures} == {"sign_in_failed"}
    assert set(failures[0]) == {"event", "account"}
    jana, again, petr = (failure["account"] for failure in failures)
    assert jana == again != petr
    assert re.fullmatch("[0-9a-f]{16}", jana)


def test_log_has_no_token_password_or_address(call: Call, caplog: pytest.LogCaptureFixture) -> None:
    token = call("signUp", **form(email="hidden@example.com")).data["token"]
    link = link_token(OutboxEmail.objects.get())
    Client().get(f"/account/verify/{link}/")
    confirm_address(client=NO_REQUEST, token=link, purpose=LinkPurpose.VERIFY, password=PASSWORD)
    call("signIn", email="hidden@example.com", password=PASSWORD)
    call("signIn", email="hidden@example.com", password=WRONG)
    call("signUp", **form(email="hidden@example.com"))
    call("updateProfile", token=token, phone="+420 123 456 789")
    call("logout", token=token)
    call("me", token=token)

    assert "request_finished" in caplog.text
    for secret in (token, token.rpartition(".")[2], link, PASSWORD, WRONG, "hidden", "argon2", "123 456"):
        assert secret not in caplog.text
