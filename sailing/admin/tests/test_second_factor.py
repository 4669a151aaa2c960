"""The second factor of admins: sign-in, set-up, and its removal."""

import re
from binascii import unhexlify
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.admin import second_factor
from sailing.admin.tests.helpers import PASSWORD, run_action
from tests.database import failing_database

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

SIGN_IN, SET_UP = "/admin/login/", "/admin/second-factor/"
MEMBERS = "/admin/accounts/user/"
PAGES = (MEMBERS, "/admin/", "/admin/system/", "/admin/password_change/")


def code_of(key: str) -> str:
    return f"{totp(unhexlify(key)):06d}"


def set_up_second_factor(user: User) -> tuple[str, list[str]]:
    """Set up a second factor, as in an earlier session; return its secret and recovery codes."""
    key = random_hex(20)
    _device, codes = second_factor.set_up(user=user, key=key, code=code_of(key))
    TOTPDevice.objects.update(last_t=-1)  # as if no code had been used
    return key, codes


def sign_in(client: Client, code: str = "", **values: str) -> Any:
    sent = {"username": "boss@example.com", "password": PASSWORD, "otp_token": code, "next": MEMBERS}
    return client.post(SIGN_IN, sent | values)


def is_signed_in(client: Client, code: str = "") -> bool:
    return bool(sign_in(client, code).status_code == 302 and client.get(MEMBERS).status_code == 200)


def get_problem(response: Any) -> str:
    (problem,) = response.context["form"].errors["__all__"]
    return str(problem)


def open_set_up(client: Client) -> str:
    """Open the page; return the secret that it shows, in hexadecimal digits."""
    client.get(SET_UP)
    return str(client.session["second_factor_key"])


class TestSigningIn:
    def test_code_is_required_once_set_up_after_the_right_password(self, client: Client, boss: User) -> None:
        assert is_signed_in(Client())
        key, _codes = set_up_second_factor(boss)
        for code in ("", "000000"):
            assert "code" not in get_problem(sign_in(client, code, password="wrong")).lower()
        assert not TOTPDevice.objects.get().throttling_failure_count
        assert "Please enter the code" in get_problem(sign_in(client))
        assert "_auth_user_id" not in client.session
        code = code_of(key)
        assert is_signed_in(client, f" {code[:3]} {code[3:]} ")

    def test_codes_are_accepted_only_once(self, boss: User) -> None:
        key, codes = set_up_second_factor(boss)
        for code in (code_of(key), codes[0].upper()):
            assert is_signed_in(Client(), code)
            assert "used before" in get_problem(sign_in(Client(), code))
        assert StaticToken.objects.count() == 9

    @pytest.mark.parametrize("code", ["000000", "1234567", "abc", "٠٠٠٠٠٠", "x" * 32])
    def test_wrong_code_is_refused(self, client: Client, boss: User, code: str) -> None:
        set_up_second_factor(boss)
        assert "wrong" in get_problem(sign_in(client, code))
        assert client.get(MEMBERS).status_code == 302

    def test_wait_doubles_after_each_wrong_code(self, boss: User, time_machine: TimeMachineFixture) -> None:
        key, _codes = set_up_second_factor(boss)
        for pause in (1, 2, 4, 8):
            assert "wrong" in get_problem(sign_in(Client(), "000000"))
            # A correct code is refused too, from any address, and not used up.
            other = Client(REMOTE_ADDR="198.51.100.7")
            assert "too many wrong codes" in get_problem(sign_in(other, code_of(key)))
            time_machine.shift(timedelta(seconds=pause))
        assert is_signed_in(Client(), code_of(key))

    def test_wrong_clock_does_not_move_the_window(self, boss: User, time_machine: TimeMachineFixture) -> None:
        """The codes of a phone that is fast by 30, 60 and 90 seconds, then of one that is right."""
        key, _codes = set_up_second_factor(boss)
        accepted = []
        for ahead in (30, 60, 90, 0):
            accepted.append(is_signed_in(Client(), f"{totp(unhexlify(key), t0=-ahead):06d}"))
            time_machine.shift(timedelta(minutes=5))
        assert accepted == [True, False, False, True]

    def test_code_of_another_admin_is_rejected(self, client: Client, boss: User) -> None:
        set_up_second_factor(boss)
        other = User.objects.create_superuser("other@example.com", PASSWORD)
        key, codes = set_up_second_factor(other)
        device = TOTPDevice.objects.get(user=other).persistent_id
        for code in (code_of(key), codes[0]):
            assert "wrong" in get_problem(sign_in(client, code, otp_device=device))


def test_session_without_it_opens_no_page(client: Client, boss: User, settings: Settings) -> None:
    """Neither before it is set up, nor if another session has set it up."""
    settings.ADMIN_SECOND_FACTOR = True
    assert sign_in(client).headers["Location"] == MEMBERS
    for page in PAGES:
        assert client.post(page, follow=True).request["PATH_INFO"] == SET_UP, page
    set_up_second_factor(boss)
    for page in (*PAGES, SET_UP):
        assert client.get(page, follow=True).request["PATH_INFO"] == SIGN_IN, page
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session


class TestSettingUp:
    def test_it_is_set_up_after_the_password(self, client: Client, boss: User, settings: Settings) -> None:
        settings.ADMIN_SECOND_FACTOR = True
        sign_in(client)
        before = client.session.session_key
        page = client.get(MEMBERS, follow=True)
        assert (page.context["next"], "no-store" in page.headers["Cache-Control"]) == (MEMBERS, True)
        assert page.context["key"] in page.content.decode()
        assert '<svg viewBox="0 0' in page.content.decode()
        page = client.post(SET_UP, {"code": code_of(open_set_up(client)), "next": MEMBERS})
        assert "no-store" in page.headers["Cache-Control"]
        assert client.session.session_key != before
        codes = re.findall(r"<code>([a-z2-7]{4}-[a-z2-7]{4})</code>", page.content.decode())
        assert len(codes) == 10
        assert {token.token for token in StaticToken.objects.all()} == {c.replace("-", "") for c in codes}
        assert f'href="{MEMBERS}"' in page.content.decode()
        assert client.get(MEMBERS).status_code == 200
        entry = LogEntry.objects.get()
        assert (entry.object_id, entry.change_message) == (str(boss.pk), "Second factor set up.")

    def test_it_is_offered_until_it_is_set_up_and_never_replaced(self, admin_client: Client) -> None:
        link = f'href="{SET_UP}"'
        assert link in admin_client.get("/admin/").content.decode()
        key = open_set_up(admin_client)
        for code in ("", "000000", "abcdef", "123"):
            assert "code" in admin_client.post(SET_UP, {"code": code}).context["form"].errors
        assert not TOTPDevice.objects.exists()
        admin_client.post(SET_UP, {"code": code_of(key)})
        assert link not in admin_client.get("/admin/").content.decode()
        for response in (admin_client.get(SET_UP), admin_client.post(SET_UP, {"code": code_of(key)})):
            assert response.headers["Location"] == "/admin/"
        with pytest.raises(ValidationError):
            second_factor.set_up(user=User.objects.get(), key=key, code=code_of(key))
        assert TOTPDevice.objects.get().key == key

    def test_each_session_has_its_own_secret_and_others_then_end(self, client: Client, boss: User) -> None:
        """A stranger who knows the password must not learn the secret that the admin sets up."""
        stranger = Client()
        for browser in (client, stranger):
            browser.force_login(boss)
        key = open_set_up(client)
        assert key != open_set_up(stranger)
        client.post(SET_UP, {"code": code_of(key)})
        assert client.get(MEMBERS).status_code == 200
        assert stranger.get(MEMBERS, follow=True).request["PATH_INFO"] == SIGN_IN

    def test_page_requires_the_password_and_leads_to_no_other_site(self, client: Client) -> None:
        target = {"next": "https://evil.example/"}
        for response in (client.get(SET_UP, target), client.post(SET_UP, target | {"code": "000000"})):
            assert response.headers["Location"] == "/admin/"
        client.force_login(User.objects.create_user("member@example.com", PASSWORD))
        assert client.get(SET_UP).headers["Location"] == "/admin/"


class TestRemoval:
    @pytest.fixture(autouse=True)
    def _set_up(self, boss: User) -> None:
        self.key, _codes = set_up_second_factor(boss)

    def test_superuser_removes_that_of_another_admin_who_sets_up_another(
        self, admin_client: Client, client: Client, boss: User, settings: Settings
    ) -> None:
        settings.ADMIN_SECOND_FACTOR = False
        page = f"{MEMBERS}{boss.pk}/change/"
        assert "No two-step sign-in" not in admin_client.get(page).content.decode()
        sign_in(client, code_of(self.key))
        assert run_action(admin_client, MEMBERS, "reset_second_factor", boss) == ["Second factor removed."]
        assert "No two-step sign-in" in admin_client.get(page).content.decode()
        entry = LogEntry.objects.latest("pk")
        assert (entry.object_id, entry.change_message) == (str(boss.pk), "Second factor removed.")
        settings.ADMIN_SECOND_FACTOR = True
        assert client.get(MEMBERS, follow=True).request["PATH_INFO"] == SET_UP

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("after", range(8))
    def test_it_is_removed_with_its_recovery_codes_or_not_at_all(self, boss: User, after: int) -> None:
        with suppress(OperationalError), failing_database(after=after):
            second_factor.remove(user=boss)
        assert second_factor.is_set_up(boss) == StaticDevice.objects.filter(user=boss).exists()

    def test_command_removes_it(self, boss: User) -> None:
        call_command("reset_second_factor", " Boss@Example.com")
        assert not second_factor.is_set_up(boss)
        for address, problem in (("boss@example.com", "no second factor"), ("x@example.com", "No member")):
            with pytest.raises(CommandError, match=problem):
                call_command("reset_second_factor", address)
