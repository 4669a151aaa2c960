"""The pages behind mail links: what those of both apps have in common."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from time_machine import TimeMachineFixture

from accounts.models import AccountLink, User
from accounts.models import LinkPurpose as AccountPurpose
from accounts.services import links
from accounts.tests.factories import NEW_PASSWORDS, PASSWORD, MemberFactory
from newsletter import tokens
from newsletter.models import ConsentEvent, LinkPurpose, State, Subscription, SubscriptionLink
from newsletter.services import subscriptions
from newsletter.tests.factories import SubscriptionFactory
from sailing.client import NO_REQUEST
from sailing.mail.links import MAX_BODY_BYTES, LinkStatus
from sailing.mail.models import OutboxEmail
from tests.api import czech_visitor
from tests.mailbox import address, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

PATHS = {
    "verify": "/account/verify",
    "reset": "/account/reset",
    "change-email": "/account/email",
    "confirm": "/newsletter/confirm",
    "manage": "/newsletter/manage",
}
FORM: dict[str, Any] = {"password": PASSWORD, **NEW_PASSWORDS}  # what the main button of each page needs


def issue(purpose: str, language: str = "en") -> str:
    """Return a token for a new member or subscriber."""
    if purpose in AccountPurpose.values:
        user = MemberFactory(language=language)
        email = f"other-{user.email}" if purpose.endswith("email") else user.email
        return AccountLink.issue(purpose, user=user, email=email)
    subscription = SubscriptionFactory(language=language)
    if purpose == "manage":
        return tokens.build(subscription.pk)
    return SubscriptionLink.issue(purpose, subscription=subscription)


def path_of(purpose: str, language: str = "en") -> str:
    return f"{PATHS[purpose]}/{issue(purpose, language)}/"


def read_rows() -> list[Any]:
    """Return everything that a button may change."""
    models = (User, Subscription, ConsentEvent, AccountLink, SubscriptionLink, OutboxEmail)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


@pytest.mark.parametrize("purpose", PATHS)
def test_opening_a_page_writes_nothing(purpose: str, time_machine: TimeMachineFixture) -> None:
    path = path_of(purpose)
    with CaptureQueriesContext(connection) as queries:
        page = text(open_link(path))
        for method in ("HEAD", "OPTIONS"):
            assert Client().generic(method, path).status_code == 200
        time_machine.shift(timedelta(days=30))
        assert open_link(path).status_code == 200
    assert all(query["sql"].startswith("SELECT") for query in queries)
    asks_for_password = purpose in ("verify", "change-email")  # or for a new one
    assert page.count('type="submit"') == page.count('method="post"') == 2 + asks_for_password
    assert "action=" not in page
    # A script could report the address with its token.
    has_script = asks_for_password or purpose == "reset"
    assert page.count("<script") == page.count("/accounts/password.js") == has_script


@pytest.fixture
def _unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpRequest, "read", lambda *_: pytest.fail("The body was read."))


MALFORMED = ("", "/", "x/y/", "x%0Ay", "a" * 5000, "%00/", "ž/")


@pytest.mark.usefixtures("_unread")
@pytest.mark.parametrize(
    "path",
    [*(f"{path}/x/y" for path in PATHS.values()), *(f"/newsletter/confirm/{rest}" for rest in MALFORMED)],
)
def test_all_unknown_links_and_malformed_paths_get_the_same_page(path: str) -> None:
    expected = open_link("/newsletter/confirm/never-sent/")
    assert "This link doesn’t work" in text(expected)
    for response in (open_link(path), press_button(path, renew="1")):
        assert (response.status_code, response.content) == (404, expected.content)


def test_link_that_was_deleted_after_its_page_found_it_is_unknown() -> None:
    assert links.renew_link(token="deleted", purpose=AccountPurpose.VERIFY) is LinkStatus.UNKNOWN
    assert subscriptions.renew_link(token="deleted") is LinkStatus.UNKNOWN
    assert subscriptions.confirm(client=NO_REQUEST, token="deleted", language="en") is LinkStatus.UNKNOWN


@pytest.mark.parametrize(("purpose", "other"), [("verify", "reset"), ("confirm", "manage")])
def test_link_is_stored_hashed_and_serves_only_its_own_purpose(purpose: str, other: str) -> None:
    token = issue(purpose)
    assert token not in f"{AccountLink.objects.values_list()}{SubscriptionLink.objects.values_list()}"
    path = f"{PATHS[other]}/{token}/"
    for response in (open_link(path), press_button(path, **FORM)):
        assert response.status_code == 404
    for model in (AccountLink, SubscriptionLink):
        assert model.find_locked(token, purpose=other) is None


@pytest.mark.parametrize(
    ("purpose", "form"),
    [
        *((purpose, FORM) for purpose in PATHS),
        *((purpose, {"not_me": "1"}) for purpose in ("verify", "change-email", "confirm", "manage")),
    ],
)
def test_only_first_press_acts(purpose: str, form: dict[str, Any], time_machine: TimeMachineFixture) -> None:
    path = path_of(purpose)
    untouched = read_rows()
    first = text(press_button(path, **form))
    before = read_rows()
    assert before != untouched or form is not FORM  # it may be the budget of the mailbox alone
    time_machine.shift(timedelta(days=30))
    assert text(press_button(path, **form)) == first
    assert read_rows() == before


@pytest.mark.parametrize("purpose", ["verify", "reset", "confirm"])
def test_expired_link_only_offers_a_new_one(purpose: str, time_machine: TimeMachineFixture) -> None:
    path = path_of(purpose)
    before = read_rows()
    press_button(path, renew="1")
    assert read_rows() == before  # the link still works
    time_machine.shift(timedelta(days=30))
    assert "Send me a new link" in text(press_button(path, **FORM))
    assert read_rows() == before
    for _press in range(2):
        assert "Check your email" in text(press_button(path, renew="1"))
        assert len(mails()) == 1
    before = read_rows()
    press_button(address(latest(), f"{PATHS[purpose]}/"), **FORM)
    assert read_rows() != before


@pytest.mark.usefixtures("_unread")
def test_large_body_is_refused_unread_in_the_language_of_the_mail() -> None:
    response = press_button(path_of("confirm", "cs"), x="x" * MAX_BODY_BYTES)
    assert response.status_code == 413
    assert '<html lang="cs">' in text(response)


def test_link_works_without_its_last_slash_and_a_post_without_a_body_and_its_length() -> None:
    """Mail programs take the slash for the end of a sentence, and post no length (RFC 8058)."""
    path = path_of("manage").removesuffix("/")
    assert open_link(path).status_code == 200
    assert Client().generic("POST", path, CONTENT_LENGTH="").status_code == 200
    assert Subscription.objects.get().unsubscribed_at


@pytest.mark.parametrize(
    ("query", "is_czech_visitor", "shown"),
    [("", True, "cs"), ("?lang=cs", False, "cs"), ("?lang=en", True, "en")],
)
def test_visitor_overrules_the_language_of_the_mail(query: str, is_czech_visitor: bool, shown: str) -> None:
    client = czech_visitor() if is_czech_visitor else None
    assert f'<html lang="{shown}">' in text(open_link(f"{path_of('confirm')}{query}", client=client))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_confirmation_that_waits_for_an_unsubscription_does_nothing() -> None:
    subscription = SubscriptionFactory()
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)

    def confirm() -> LinkStatus:
        try:
            return subscriptions.confirm(client=NO_REQUEST, token=token, language="en")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Subscription.objects.select_for_update().get()
        result = pool.submit(confirm)
        time.sleep(0.1)
        assert not result.done(), "it did not wait"
        subscriptions.unsubscribe(pk=subscription.pk, language="en")
    assert result.result() is LinkStatus.SPENT
    assert Subscription.objects.get().state is State.UNSUBSCRIBED
