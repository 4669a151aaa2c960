"""The second factor of admins: sign-in, set-up, replacement and removal."""

import re
from binascii import unhexlify
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.admin.second_factor import devices
from sailing.admin.tests.helpers import PASSWORD, list_paths
from sailing.errors import RateLimited

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]

PAGE, CODE, SET_UP = "/admin/second-factor/", "/admin/second-factor/code/", "/admin/second-factor/set-up/"
MEMBERS = "/admin/accounts/user/"


def code_of(key: str) -> str:
    return f"{totp(unhexlify(key)):06d}"


def set_up_second_factor(user: User) -> tuple[str, list[str]]:
    """Set up a second factor, as in an earlier session; return its secret and recovery codes."""
    key = random_hex(20)
    _device, codes = devices.set_up(user=user, key=key, code=code_of(key))
    TOTPDevice.objects.update(last_t=-1)  # as if no code had been used
    return key, codes


def enter_password(client: Client, target: str = "/admin/") -> str:
    """Post the sign-in form; return the path of the page that follows."""
    sent = {"username": "boss@example.com", "password": PASSWORD, "next": target}
    response = client.post("/admin/login/", sent, follow=True)
    return str(response.request["PATH_INFO"])


def enter_code(client: Client, code: str, field: str = "code", **values: str) -> Any:
    return client.post(CODE, {field: code, **values})


def open_set_up(client: Client) -> str:
    """Open the page; return the secret that it shows, in hexadecimal digits."""
    page = client.get(SET_UP)
    assert page.status_code == 200
    return str(client.session["second_factor_key"])


def errors(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 200
    return {name: list(found) for name, found in response.context["form"].errors.items()}


class TestSigningIn:
    def test_code_is_required_once_set_up(self, client: Client, boss: User) -> None:
        key, _codes = set_up_second_factor(boss)
        assert enter_password(client, target=MEMBERS) == CODE
        before = client.session.session_key
        code = code_of(key)
        response = enter_code(client, f" {code[:3]} {code[3:]} ", next=MEMBERS)
        assert response.headers["Location"] == MEMBERS
        assert client.get(MEMBERS).status_code == 200
        assert client.session.session_key != before

    def test_next_page_on_another_site_is_ignored(self, client: Client, boss: User) -> None:
        key, _codes = set_up_second_factor(boss)
        enter_password(client)
        response = enter_code(client, code_of(key), next="https://evil.example/")
        assert response.headers["Location"] == "/admin/"

    def test_code_is_accepted_only_once(self, client: Client, boss: User) -> None:
        key, _codes = set_up_second_factor(boss)
        enter_password(client)
        enter_code(client, code_of(key))
        other = Client()
        enter_password(other)
        assert "used before" in errors(enter_code(other, code_of(key)))["code"][0]
        assert other.get(MEMBERS).status_code == 302

    def test_recovery_code_is_accepted_only_once(self, client: Client, boss: User) -> None:
        _key, codes = set_up_second_factor(boss)
        enter_password(client)
        assert enter_code(client, codes[0].upper(), "recovery_code").status_code == 302
        assert client.get(MEMBERS).status_code == 200
        other = Client()
        enter_password(other)
        assert "used before" in errors(enter_code(other, codes[0], "recovery_code"))["recovery_code"][0]
        assert StaticToken.objects.count() == 9

    @pytest.mark.parametrize("field", ["code", "recovery_code"])
    def test_wrong_code_is_reported_on_its_field(
        self, client: Client, boss: User, time_machine: TimeMachineFixture, field: str
    ) -> None:
        set_up_second_factor(boss)
        enter_password(client)
        for code in ("", "000000", "1234567", "abc", "\x00", "٠٠٠٠٠٠"):
            assert list(errors(enter_code(client, code, field))) == [field if code else "code"]
            assert client.get(MEMBERS).status_code == 302
            time_machine.shift(timedelta(minutes=5))  # the wait after a wrong code

    def test_wait_doubles_after_each_wrong_code(
        self, client: Client, boss: User, time_machine: TimeMachineFixture
    ) -> None:
        key, _codes = set_up_second_factor(boss)
        enter_password(client)
        for pause in (1, 2, 4, 8):
            assert "wrong" in errors(enter_code(client, "000000"))["code"][0]
            # A correct code is refused too, from any address.
            other = Client(REMOTE_ADDR="198.51.100.7")
            enter_password(other)
            wait = "in 8 seconds" if pause == 8 else "a moment"
            assert wait in errors(enter_code(other, code_of(key)))["code"][0]
            time_machine.shift(timedelta(seconds=pause))
        assert enter_code(client, code_of(key)).status_code == 302

    @pytest.mark.parametrize("field", ["code", "recovery_code"])
    def test_clock_is_named_after_two_wrong_codes_of_the_app(
        self, client: Client, boss: User, time_machine: TimeMachineFixture, field: str
    ) -> None:
        set_up_second_factor(boss)
        enter_password(client)
        found = []
        for _number in range(2):
            shown = errors(enter_code(client, "000000" if field == "code" else "no-such-code", field))[field]
            found.append("Let your phone set its clock automatically." in " ".join(shown))
            time_machine.shift(timedelta(minutes=1))
        assert found == [False, field == "code"]

    def test_clock_that_is_wrong_does_not_move_the_window(
        self, client: Client, boss: User, time_machine: TimeMachineFixture
    ) -> None:
        """The codes of a phone that is fast by 30, 60 and 90 seconds, then of one that is right."""
        key, _codes = set_up_second_factor(boss)
        accepted = []
        for ahead in (30, 60, 90, 0):
            browser = Client()
            enter_password(browser)
            code = f"{totp(unhexlify(key), t0=-ahead):06d}"
            accepted.append(enter_code(browser, code).status_code == 302)
            time_machine.shift(timedelta(minutes=5))
        assert accepted == [True, False, False, True]

    def test_code_of_another_admin_is_rejected(self, client: Client, boss: User) -> None:
        set_up_second_factor(boss)
        key, codes = set_up_second_factor(User.objects.create_superuser("other@example.com", PASSWORD))
        enter_password(client)
        assert errors(enter_code(client, code_of(key)))
        assert errors(enter_code(client, codes[0], "recovery_code"))

    def test_admin_without_the_code_can_log_out(self, client: Client, boss: User) -> None:
        set_up_second_factor(boss)
        enter_password(client)
        client.post("/admin/logout/")
        assert "_auth_user_id" not in client.session
        assert client.get("/admin/login/").status_code == 200

    def test_pages_require_the_password_first(self, client: Client, boss: User) -> None:
        set_up_second_factor(boss)
        for page in (PAGE, CODE, SET_UP):
            for response in (client.get(page), client.post(page, {"code": "000000"})):
                assert response.headers["Location"].startswith("/admin/login/")
        client.force_login(User.objects.create_user("member@example.com", PASSWORD))
        for page in (PAGE, CODE, SET_UP):
            assert client.get(page).headers["Location"].startswith("/admin/login/")


ALLOWED = {"/admin/language/", "/admin/login/", "/admin/logout/", "/admin/jsi18n/", CODE, SET_UP}


@pytest.mark.parametrize("has_one", [True, False])
def test_session_without_the_second_factor_cannot_open_any_page(
    client: Client, boss: User, settings: Settings, has_one: bool
) -> None:
    settings.ADMIN_SECOND_FACTOR = True
    if has_one:
        set_up_second_factor(boss)
    step = enter_password(client)
    assert step == (CODE if has_one else SET_UP)
    pages = set(list_paths()) - ALLOWED
    assert len(pages) > 20
    if not has_one:  # the first step has been looked for on every page
        pages = {"/admin/", "/admin/accounts/user/"}
    locations = {}
    for page in pages:
        response = client.post(page, {"post": "yes"})  # an open page that takes no POST would answer 405
        assert response.status_code == 302, page
        location = response.headers["Location"]
        assert location.startswith(("/admin/login/", "/admin/?", "/admin/accounts")), page
        locations[location.partition("?")[0]] = location  # the query is the page itself
    for location in locations.values():
        assert client.get(location, follow=True).request["PATH_INFO"] == step, location
    other_step = SET_UP if has_one else CODE
    assert client.get(other_step).headers["Location"].startswith("/admin/login/")


class TestSettingUp:
    def test_required_second_factor_is_set_up_after_the_password(
        self, client: Client, boss: User, settings: Settings
    ) -> None:
        settings.ADMIN_SECOND_FACTOR = True
        assert enter_password(client, target=MEMBERS) == SET_UP
        key = open_set_up(client)
        page = client.post(SET_UP, {"code": code_of(key), "next": MEMBERS})
        assert "no-store" in page.headers["Cache-Control"]
        codes = re.findall(r"<code>([a-z2-7]{4}-[a-z2-7]{4})</code>", page.content.decode())
        assert len(set(codes)) == 10
        assert f'href="{MEMBERS}"' in page.content.decode()
        assert client.get(MEMBERS).status_code == 200
        assert {token.token for token in StaticToken.objects.all()} == {c.replace("-", "") for c in codes}
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (boss, str(boss.pk))
        assert entry.change_message == "Second factor set up."

    def test_menu_leads_to_the_page_with_qr_code_and_secret(self, admin_client: Client) -> None:
        assert f'href="{PAGE}"' in admin_client.get("/admin/").content.decode()
        assert admin_client.get(PAGE).headers["Location"] == SET_UP
        key = open_set_up(admin_client)
        page = admin_client.get(SET_UP)
        assert "no-store" in page.headers["Cache-Control"]
        html = page.content.decode()
        assert devices.format_key(key) in html
        assert '<svg viewBox="0 0' in html
        assert "style=" not in html

    def test_recovery_codes_are_shown_once(self, admin_client: Client) -> None:
        key = open_set_up(admin_client)
        page = admin_client.post(SET_UP, {"code": code_of(key)}).content.decode()
        code = re.findall(r"<code>([a-z2-7-]+)</code>", page)[0]
        again = admin_client.post(SET_UP, {"code": code_of(key)})
        for shown in (again, admin_client.get(PAGE), admin_client.get(SET_UP)):
            assert code not in shown.content.decode()

    def test_wrong_code_sets_up_nothing(self, admin_client: Client) -> None:
        open_set_up(admin_client)
        for code in ("", "000000", "abcdef", "123"):
            assert "code" in errors(admin_client.post(SET_UP, {"code": code}))
        assert not TOTPDevice.objects.exists()
        assert not StaticDevice.objects.exists()

    def test_each_session_has_its_own_secret_during_set_up(self, client: Client, boss: User) -> None:
        """A stranger who knows the password must not learn the secret that the admin sets up."""
        stranger = Client()
        for browser in (client, stranger):
            browser.force_login(boss)
        assert open_set_up(client) != open_set_up(stranger)

    def test_other_sessions_need_another_code_after_the_set_up(self, client: Client, boss: User) -> None:
        other = Client()
        for browser in (client, other):
            browser.force_login(boss)
        code = code_of(open_set_up(client))
        client.post(SET_UP, {"code": code})
        assert client.get(MEMBERS).status_code == 200
        assert other.get(MEMBERS, follow=True).request["PATH_INFO"] == CODE
        assert errors(enter_code(other, code))


class TestReplacing:
    @pytest.fixture
    def signed_in(
        self, client: Client, boss: User, time_machine: TimeMachineFixture
    ) -> tuple[str, list[str]]:
        key, codes = set_up_second_factor(boss)
        enter_password(client)
        enter_code(client, code_of(key))
        time_machine.shift(timedelta(minutes=1))
        return key, codes

    @pytest.mark.parametrize("is_app_lost", [False, True])
    def test_new_second_factor_replaces_the_old_one(
        self, client: Client, signed_in: tuple[str, list[str]], is_app_lost: bool
    ) -> None:
        old, old_codes = signed_in
        new = open_set_up(client)
        current = old_codes[1] if is_app_lost else code_of(old)
        page = client.post(SET_UP, {"code": code_of(new), "current_code": current})
        assert len(page.context["codes"]) == 10
        assert TOTPDevice.objects.get().key == new
        assert not StaticToken.objects.filter(token=old_codes[0].replace("-", "")).exists()
        assert client.get(MEMBERS).status_code == 200

    @pytest.mark.parametrize("current", ["", "000000"])
    def test_replacing_requires_a_current_code(
        self, client: Client, signed_in: tuple[str, list[str]], current: str
    ) -> None:
        new = open_set_up(client)
        response = client.post(SET_UP, {"code": code_of(new), "current_code": current})
        assert list(errors(response)) == ["current_code"]
        assert TOTPDevice.objects.get().key == signed_in[0]

    def test_wrong_new_code_does_not_use_up_the_current_one(
        self, client: Client, signed_in: tuple[str, list[str]]
    ) -> None:
        new = open_set_up(client)
        current = code_of(signed_in[0])
        assert list(errors(client.post(SET_UP, {"code": "000000", "current_code": current}))) == ["code"]
        client.post(SET_UP, {"code": code_of(new), "current_code": current})
        assert TOTPDevice.objects.get().key == new

    def test_removing_requires_a_current_code(self, client: Client, signed_in: tuple[str, list[str]]) -> None:
        assert list(errors(client.post(PAGE, {"current_code": "000000"}))) == ["current_code"]
        assert TOTPDevice.objects.exists()
        assert client.post(PAGE, {"current_code": signed_in[1][0]}).headers["Location"] == "/admin/"
        assert not TOTPDevice.objects.exists()
        assert not StaticDevice.objects.exists()
        assert LogEntry.objects.latest("pk").change_message == "Second factor removed."
        assert client.get(MEMBERS).status_code == 200

    def test_required_second_factor_cannot_be_removed(
        self, client: Client, signed_in: tuple[str, list[str]], settings: Settings
    ) -> None:
        settings.ADMIN_SECOND_FACTOR = True
        page = client.post(PAGE, {"current_code": signed_in[1][0]}).content.decode()
        assert "cannot be turned off" in page
        assert 'name="current_code"' not in page
        assert TOTPDevice.objects.exists()
        assert StaticToken.objects.count() == 10


def test_throttled_code_is_not_used_up(boss: User, time_machine: TimeMachineFixture) -> None:
    key, _codes = set_up_second_factor(boss)
    with pytest.raises(devices.WrongCode):
        devices.verify(user=boss, code="000000")
    with pytest.raises(RateLimited) as error:
        devices.verify(user=boss, code=code_of(key))
    assert error.value.retry_after == 1
    time_machine.shift(timedelta(seconds=1))
    assert devices.verify(user=boss, code=code_of(key)) == TOTPDevice.objects.get()
