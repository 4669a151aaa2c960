"""Log events of accounts."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import LinkPurpose, User
from accounts.services import membership
from accounts.services.links import confirm_address
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, WRONG, form
from accounts.tests.mailbox import link_to_reset
from accounts.tokens import identify
from sailing.client import NO_REQUEST
from sailing.mail.models import OutboxEmail

pytestmark = pytest.mark.django_db

COMMON_FIELDS = {"level", "logger", "timestamp", "request_id"}


def link_token() -> str:
    """Return the token of the link in the latest mail."""
    found = re.search(r"/([\w-]{32})/", OutboxEmail.objects.latest("pk").text)
    assert found
    return found[1]


def test_each_event_has_the_user_id_and_no_token_password_or_address(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    token = call("signUp", **form(email="hidden@example.com")).data["token"]
    member, link = User.objects.get(), link_token()
    Client().get(f"/account/verify/{link}/")
    confirm_address(client=NO_REQUEST, token=link, purpose=LinkPurpose.VERIFY, device=identify(token))
    for email in ("hidden@example.com", "HIDDEN@example.com", "unknown@example.com"):
        call("signIn", email=email, password=WRONG)
    call("signIn", email="hidden@example.com", password=PASSWORD)
    call("signUp", **form(email="hidden@example.com"))
    call("updateProfile", token=token, phone="+420 123 456 789")
    link_to_reset(member)
    reset = link_token()
    confirm_address(client=NO_REQUEST, token=reset, purpose=LinkPurpose.RESET, new_password=NEW_PASSWORD)
    call("logout", token=token)
    membership.sign_out_everywhere(user=member)
    membership.deactivate(user=member)

    records: list[Any] = [record.msg for record in caplog.records if "accounts.services" in record.name]
    lines = [{name: value for name, value in line.items() if name not in COMMON_FIELDS} for line in records]
    failures = [line for line in lines if line["event"] == "sign_in_failed"]
    assert [line for line in lines if line not in failures] == [
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
    fingerprint, again, other = (line.pop("account") for line in failures)
    assert fingerprint == again != other
    assert failures == [{"event": "sign_in_failed"}] * 3
    assert "request_finished" in caplog.text
    secrets = (token, token.rpartition(".")[2], link, reset, PASSWORD, WRONG, NEW_PASSWORD)
    for secret in (*secrets, "hidden@", "HIDDEN@", "argon2", "123 456"):
        assert secret not in caplog.text
