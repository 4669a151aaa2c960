"""Links in mails to members: what ends them, and their retention."""

from datetime import timedelta
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from accounts import retention
from accounts.models import AccountLink, User
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import confirm, link_to_reset, link_to_verify
from tests.mailbox import open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

NEW = "New winds, 2026!"
DAY = timedelta(days=1)


@pytest.mark.parametrize("change", [{"email": "new@example.com"}, {"is_active": False}])
def test_links_end_when_the_address_changes_or_the_account_is_deactivated(change: dict[str, Any]) -> None:
    member = MemberFactory()
    verify, reset = link_to_verify(member), link_to_reset(member)
    User.objects.update(**change)
    for response in (confirm(verify), press_button(reset, new_password1=NEW, new_password2=NEW)):
        assert "This link no longer works" in text(response)
    member.refresh_from_db()
    assert not member.is_email_verified
    assert member.check_password(PASSWORD)


def test_links_are_deleted_after_ninety_days(time_machine: TimeMachineFixture) -> None:
    used = link_to_verify(MemberFactory())
    expired = link_to_reset(MemberFactory(is_email_verified=True))
    confirm(used)
    time_machine.shift(90 * DAY)
    retention.purge_expired_links()
    assert "This link has expired" in text(open_link(expired))
    assert open_link(used).status_code == 200

    time_machine.shift(timedelta(seconds=1))
    link_to_verify(MemberFactory())
    retention.purge_expired_links()
    assert open_link(expired).status_code == open_link(used).status_code == 404
    assert AccountLink.objects.count() == 1
