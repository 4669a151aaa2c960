"""Resetting the second factor of another admin."""

from contextlib import suppress

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django_otp.plugins.otp_static.models import StaticDevice
from pytest_django import Settings

from accounts.models import User
from sailing.admin import second_factor
from sailing.admin.tests.helpers import staff_client
from sailing.admin.tests.test_second_factor import (
    MEMBERS,
    SET_UP,
    code_of,
    set_up_second_factor,
    sign_in,
)
from tests.database import failing_database

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]


def reset(client: Client, user: User) -> str:
    """Choose the action for an admin in the list; return the page that follows."""
    form = {"action": "reset_second_factor", "_selected_action": [str(user.pk)]}
    return client.post(MEMBERS, form, follow=True).content.decode()


def test_superuser_resets_the_second_factor_of_another_admin(admin_client: Client, boss: User) -> None:
    key, _codes = set_up_second_factor(boss)
    member_page = f"{MEMBERS}{boss.pk}/change/"
    html = admin_client.get(member_page).content.decode()
    assert "No two-step sign-in" not in html
    assert key not in html
    assert "Second factor removed." in reset(admin_client, boss)
    assert not second_factor.is_set_up(boss)
    entry = LogEntry.objects.latest("pk")
    assert (entry.object_id, entry.change_message) == (str(boss.pk), "Second factor removed.")
    assert "No two-step sign-in" in admin_client.get(member_page).content.decode()


def test_open_session_must_set_up_again_after_a_reset(client: Client, boss: User, settings: Settings) -> None:
    settings.ADMIN_SECOND_FACTOR = True
    key, _codes = set_up_second_factor(boss)
    sign_in(client, code_of(key))
    second_factor.remove(user=boss)
    assert client.get(MEMBERS, follow=True).request["PATH_INFO"] == SET_UP


def test_superuser_cannot_reset_their_own_second_factor(client: Client, boss: User) -> None:
    key, _codes = set_up_second_factor(boss)
    sign_in(client, code_of(key))
    assert "Nothing was changed: this is you." in reset(client, boss)
    assert second_factor.is_set_up(boss)


def test_reset_requires_a_superuser(boss: User) -> None:
    set_up_second_factor(boss)
    assert "reset_second_factor" not in reset(staff_client("view_user", "change_user"), boss)
    assert second_factor.is_set_up(boss)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("after", range(8))
def test_second_factor_is_removed_with_its_recovery_codes_or_not_at_all(boss: User, after: int) -> None:
    set_up_second_factor(boss)
    with suppress(OperationalError), failing_database(after=after):
        second_factor.remove(user=boss)
    assert second_factor.is_set_up(boss) == StaticDevice.objects.filter(user=boss).exists()


def test_command_removes_the_second_factor(boss: User) -> None:
    set_up_second_factor(boss)
    call_command("reset_second_factor", " Boss@Example.com")
    assert not second_factor.is_set_up(boss)
    with pytest.raises(CommandError, match="no second factor"):
        call_command("reset_second_factor", "boss@example.com")
    with pytest.raises(CommandError, match="No member has this address"):
        call_command("reset_second_factor", "other@example.com")
