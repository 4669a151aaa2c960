"""What the links in mails to members have in common, whatever their purpose."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from time_machine import TimeMachineFixture

from accounts import links
from accounts.models import AccountLink, User
from accounts.tests.conftest import czech_visitor
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import link_to_reset, link_to_verify
from tests.mailbox import open_link, press_button, text

pytestmark = pytest.mark.django_db

UNKNOWN_TOKENS = ["x", "0" * 32, "a" * 5000, "%00", "{{7*7}}", "ž", "'%20OR%201=1"]
NEW_PASSWORD = "New winds, 2026!"
KINDS = pytest.mark.parametrize("link_to", [link_to_verify, link_to_reset])


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com")


@KINDS
@pytest.mark.parametrize("method", ["get", "head", "options"])
@pytest.mark.parametrize("days", [0, 30])
def test_opening_a_link_writes_nothing(
    member: User, link_to: Callable[[User], str], method: str, days: int, time_machine: TimeMachineFixture
) -> None:
    address = link_to(member)
    time_machine.shift(timedelta(days=days))
    with CaptureQueriesContext(connection) as queries:
        response = getattr(Client(), method)(address)

    assert response.status_code == 200
    assert set(response.cookies) <= {"django_language"}
    assert all(query["sql"].startswith("SELECT") for query in queries)
    assert bool(queries) == (method != "options")


@KINDS
def test_the_buttons_of_a_page_post_to_its_own_address(member: User, link_to: Callable[[User], str]) -> None:
    page = text(open_link(link_to(member)))
    assert page.count("<button") == page.count("<form") == (2 if link_to is link_to_verify else 1)
    assert 'method="post"' in page
    assert "action=" not in page
    assert "<script" not in page


@pytest.mark.parametrize("kind", ["verify", "reset"])
@pytest.mark.parametrize("token", UNKNOWN_TOKENS)
def test_every_unknown_link_gets_the_same_page(kind: str, token: str) -> None:
    expected = open_link("/newsletter/confirm/never-sent/")
    assert expected.status_code == 404
    address = f"/account/{kind}/{token}/"
    for response in (open_link(address), press_button(address), press_button(address, renew="1")):
        assert (response.status_code, response.content) == (404, expected.content)


@pytest.mark.parametrize(
    ("link_to", "kind", "other"), [(link_to_verify, "verify", "reset"), (link_to_reset, "reset", "verify")]
)
def test_a_link_serves_its_own_purpose_only(
    member: User, link_to: Callable[[User], str], kind: str, other: str
) -> None:
    address = link_to(member).replace(kind, other)
    assert open_link(address).status_code == 404
    assert press_button(address, new_password1=PASSWORD, new_password2=PASSWORD).status_code == 404
    assert not AccountLink.objects.exclude(used_at=None).exists()


@KINDS
def test_the_links_of_a_deleted_member_are_unknown(member: User, link_to: Callable[[User], str]) -> None:
    address = link_to(member)
    member.delete()
    assert press_button(address).status_code == 404


@KINDS
@pytest.mark.parametrize("change", [{"is_active": False}, {"email": "new@example.com"}])
def test_a_link_of_a_member_who_was_changed_says_so(
    member: User, link_to: Callable[[User], str], change: dict[str, Any]
) -> None:
    address = link_to(member)
    User.objects.update(**change)
    for response in (open_link(address), press_button(address), press_button(address, renew="1")):
        assert "This link no longer works" in text(response)


@KINDS
def test_a_link_without_the_last_slash_works(member: User, link_to: Callable[[User], str]) -> None:
    address = link_to(member).replace("/?", "?")
    assert address.endswith("?lang=en")
    assert open_link(address).status_code == 200
    press_button(address, new_password1=NEW_PASSWORD, new_password2=NEW_PASSWORD)
    assert AccountLink.objects.exclude(used_at=None).count() == 1


@pytest.mark.parametrize("method", ["get", "post", "head"])
@pytest.mark.parametrize("rest", ["", "/", "x", "x//", "x/y", "x/y/", "%0A", "x%0Ay", "x/%0A/"])
@pytest.mark.parametrize("kind", ["verify", "reset"])
def test_whatever_else_stands_there_is_an_unknown_link(kind: str, rest: str, method: str) -> None:
    response = getattr(Client(enforce_csrf_checks=True), method)(f"/account/{kind}/{rest}")
    assert response.status_code == 404
    assert response["X-Robots-Tag"] == "noindex"
    if method != "head":
        assert response.content == open_link("/newsletter/confirm/never-sent/").content


@KINDS
def test_tokens_are_not_readable_in_the_database(member: User, link_to: Callable[[User], str]) -> None:
    token = link_to(member).split("/")[3]
    assert token not in str(AccountLink.objects.values_list())


@KINDS
@pytest.mark.parametrize("method", ["get", "post"])
def test_pages_of_tokens_leave_no_trace_elsewhere(
    member: User, link_to: Callable[[User], str], method: str
) -> None:
    response = getattr(Client(), method)(link_to(member))
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cache-Control"] == "no-store"
    assert "noindex" in response["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex">' in text(response)
    assert "unsafe" not in response["Content-Security-Policy"]


@KINDS
def test_the_log_has_the_path_of_a_link_without_its_token(
    member: User, link_to: Callable[[User], str], caplog: pytest.LogCaptureFixture
) -> None:
    address = link_to(member)
    press_button(address, new_password1=PASSWORD, new_password2=PASSWORD)
    assert f"POST {address.rpartition('/')[0].rpartition('/')[0]}/…" in caplog.text
    assert address.split("/")[3] not in caplog.text
    assert PASSWORD not in caplog.text


@KINDS
@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(member: User, link_to: Callable[[User], str], method: str) -> None:
    assert getattr(Client(), method)(link_to(member)).status_code == 405


@KINDS
def test_without_a_database_the_page_says_to_come_again(
    member: User, link_to: Callable[[User], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = link_to(member)

    def away(**_kwargs: object) -> None:
        raise OperationalError

    monkeypatch.setattr(links, "find", away)
    response = press_button(address)
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response["Cache-Control"] == "no-store"


class TestLanguage:
    @KINDS
    def test_is_the_one_that_the_member_signed_up_in(self, link_to: Callable[[User], str]) -> None:
        address = link_to(MemberFactory(language="cs")).removesuffix("?lang=cs")
        response = open_link(address)
        assert '<html lang="cs">' in text(response)
        assert response["Content-Language"] == "cs"

    @KINDS
    def test_is_the_one_of_the_mail_whatever_the_visitor_chose_earlier(
        self, link_to: Callable[[User], str]
    ) -> None:
        response = open_link(link_to(MemberFactory(language="en")), client=czech_visitor())
        assert '<html lang="en">' in text(response)

    @KINDS
    def test_that_the_visitor_chose_wins(self, link_to: Callable[[User], str]) -> None:
        address = link_to(MemberFactory(language="cs")).removesuffix("?lang=cs")
        assert '<html lang="en">' in text(open_link(f"{address}?lang=en"))
