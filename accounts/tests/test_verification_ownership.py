"""Verifying an address signs out everybody else who signed up or in before."""

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from time_machine import TimeMachineFixture

from accounts import device_cookie
from accounts.models import User
from accounts.services import verification
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import reset_address, verify_address
from tests.mailbox import latest, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def is_valid(call: Call, token: str) -> bool:
    return "errors" not in call("me", token=token).body


def sign_in(call: Call, client: Client | None = None) -> str:
    token: str = call("signIn", client=client, email="jana@example.com", password=PASSWORD).data["token"]
    return token


def test_verifying_in_another_browser_ends_the_tokens_and_the_password_of_a_stranger(call: Call) -> None:
    strangers = [call("signUp", client=Client(), **form()).data["token"], sign_in(call)]
    address = verify_address(latest())
    assert "choose a new password next" in text(open_link(address))
    page = text(press_button(address))
    assert "The password chosen at the sign-up no longer works" in page
    assert not any(is_valid(call, token) for token in strangers)
    refused = call("signIn", email="jana@example.com", password=PASSWORD)
    assert refused.error["code"] == "INVALID_CREDENTIALS"

    assert 'name="reset"' in page
    assert 'name="reset"' in text(open_link(address))
    press_button(address, reset="1")
    reset = reset_address(latest())
    press_button(reset, new_password1="New winds, 2026!", new_password2="New winds, 2026!")
    assert call("signIn", email="jana@example.com", password="New winds, 2026!").data["token"]
    assert 'name="reset"' not in text(open_link(address))


def test_browser_that_verifies_keeps_its_token_and_alone_gets_a_link_to_the_profile(call: Call) -> None:
    browser = Client()
    own = call("signUp", client=browser, **form()).data["token"]
    other = sign_in(call)
    address = verify_address(latest())
    for page in (press_button(address, client=browser), open_link(address, client=browser)):
        assert 'href="/profile"' in text(page)
        assert "Did somebody else choose the password?" not in text(page)
    assert User.objects.get().is_email_verified
    assert is_valid(call, own)
    assert not is_valid(call, other)
    assert sign_in(call)  # the password stays too
    for page in (press_button(address), open_link(address)):
        assert 'href="/signin"' in text(page)
        assert "Did somebody else choose the password?" in text(page)


def test_browser_that_signed_in_again_keeps_its_newer_token(call: Call) -> None:
    browser = Client()
    older = call("signUp", client=browser, **form()).data["token"]
    newer = sign_in(call, browser)
    press_button(verify_address(latest()), client=browser)
    assert is_valid(call, newer)
    assert not is_valid(call, older)


@pytest.mark.parametrize("ends", ["logout", "signOutEverywhere"])
def test_kept_token_can_be_invalidated(call: Call, ends: str) -> None:
    browser = Client()
    token = call("signUp", client=browser, **form()).data["token"]
    press_button(verify_address(latest()), client=browser)
    assert is_valid(call, token)
    assert call(ends, token=token).data is True
    assert not is_valid(call, token)


def test_second_verification_invalidates_nothing(call: Call) -> None:
    browser = Client()
    call("signUp", client=browser, **form())
    page = verify_address(latest())
    press_button(page, client=browser)
    token = sign_in(call)
    press_button(page)
    assert is_valid(call, token)
    assert sign_in(call)


class TestCookie:
    def cookie(self, response: HttpResponse) -> dict[str, object]:
        morsel = response.cookies[device_cookie.NAME]
        return {key: value for key, value in morsel.items() if value}

    def test_cookie_is_limited_to_the_verification_pages(
        self, call: Call, settings: pytest.FixtureRequest
    ) -> None:
        settings.SESSION_COOKIE_SECURE = True  # type: ignore[attr-defined]
        found = self.cookie(call("signUp", **form()).http)
        assert found.pop("expires")
        assert found == {
            "path": "/account/verify/",
            "max-age": 14 * 24 * 3600,
            "httponly": True,
            "secure": True,
            "samesite": "Lax",
        }

    def test_verified_member_gets_no_cookie(self, call: Call) -> None:
        MemberFactory(email="jana@example.com", is_email_verified=True)
        answer = call("signIn", email="jana@example.com", password=PASSWORD)
        assert device_cookie.NAME not in answer.http.cookies

    def test_cookie_of_another_account_keeps_nothing(self, call: Call) -> None:
        browser = Client()
        token = call("signUp", client=Client(), **form()).data["token"]
        page = verify_address(latest())
        call("signUp", client=browser, **form(email="other@example.com"))
        User.objects.update(kept_jti="of an address before")
        press_button(page, client=browser)
        member = User.objects.get(email="jana@example.com")
        assert (member.is_email_verified, member.kept_jti) == (True, "")
        assert not is_valid(call, token)

    @pytest.mark.parametrize("value", ["x", "WzEsICJ4Il0:1uLPmO:forged", "é" * 3000])
    def test_forged_cookie_keeps_nothing(self, call: Call, value: str) -> None:
        token = call("signUp", **form()).data["token"]
        browser = Client()
        browser.cookies[device_cookie.NAME] = value
        press_button(verify_address(latest()), client=browser)
        assert User.objects.get().is_email_verified
        assert not is_valid(call, token)

    def test_cookie_expires_with_its_token(self, call: Call, time_machine: TimeMachineFixture) -> None:
        browser = Client()
        call("signUp", client=browser, **form())
        time_machine.shift(timedelta(days=14, seconds=1))
        verification.send_verification_mail(user=User.objects.get(), is_budgeted=False)
        press_button(verify_address(latest()), client=browser)
        assert User.objects.get().kept_jti == ""


def test_page_shows_the_date_of_the_sign_up(call: Call) -> None:
    call("signUp", **form())
    page = text(open_link(verify_address(latest())))
    assert "This account was created on Jun 1, 2025, 12:00 (UTC)." in page
