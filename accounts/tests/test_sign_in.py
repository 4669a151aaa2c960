"""`signIn` and `logout`: who gets in, how often one may try, and how many passwords are hashed at once."""

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from datetime import timedelta
from functools import partialmethod
from typing import Any

import pytest
from argon2 import PasswordHasher
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.hashers import Argon2idHasher, HashingSlots, slots
from accounts.models import RevokedToken, User
from accounts.tests import factories
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, NEW_PASSWORDS, PASSWORD, WRONG, MemberFactory, form
from accounts.tests.mailbox import link_to_reset
from sailing.client import current_client, get_client
from sailing.errors import RateLimited
from tests.api import Answer
from tests.database import before_statement
from tests.mailbox import press_button, text

pytestmark = pytest.mark.django_db

ATTACKER, OWNER = "192.0.2.1", "198.51.100.7"


@pytest.fixture
def hashes(member: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets an item for each password that is hashed or verified."""
    hashed: list[str] = []

    def count(self: Argon2PasswordHasher, *values: str, name: str, work: Any) -> Any:
        hashed.append(name)
        return work(self, *values)

    for name in ("encode", "verify"):
        work = getattr(Argon2PasswordHasher, name)
        monkeypatch.setattr(Argon2PasswordHasher, name, partialmethod(count, name=name, work=work))
    return hashed


def test_sign_in_with_any_spelling_of_the_address_returns_a_token_and_the_member() -> None:
    member = MemberFactory(email="jana@xn--lun-eqa.cz")
    answer = call("signIn", email=" Jana@ČLUN.cz ", password=PASSWORD).data
    told = {"id": str(member.pk), "email": member.email, "createdAt": member.created_at.isoformat()}
    assert answer["user"] == factories.NEW_USER | told
    assert call("me", token=answer["token"]).data["id"] == str(member.pk)
    member.refresh_from_db()
    assert member.last_login is not None
    assert User.objects.get_by_natural_key("JANA@xn--lun-eqa.CZ") == member
    for typed in (None, "a" * 300, "petr@example.com"):
        with pytest.raises(User.DoesNotExist):
            User.objects.get_by_natural_key(typed)


@pytest.mark.parametrize(
    ("values", "message", "field"),
    [
        ({"email": "jana"}, "Invalid email address", "email"),
        ({"password": ""}, "Password is required", "password"),
        ({"password": "Aa1!a"}, "Password must be at least 6 characters", "password"),
        ({"password": "x" * 129}, "Password must be at most 128 characters", "password"),
    ],
)
def test_invalid_value_is_refused_with_its_field_and_without_a_hash(
    values: dict[str, str], message: str, field: str, hashes: list[str]
) -> None:
    given: dict[str, Any] = {"email": "jana@example.com", "password": PASSWORD} | values
    assert call("signIn", **given).error == {"message": message, "code": "BAD_USER_INPUT", "field": field}
    assert not hashes


@pytest.mark.parametrize("reason", ["unknown email", "wrong password", "deactivated", "no password"])
def test_refusal_is_the_same_for_every_reason_after_one_hash_and_one_select(
    member: User, hashes: list[str], reason: str
) -> None:
    User.objects.update(is_active=reason != "deactivated")
    if reason == "no password":
        User.objects.update(password=make_password(None))
    email = "nobody@example.com" if reason == "unknown email" else member.email
    with CaptureQueriesContext(connection) as queries:
        answer = call("signIn", email=email, password=WRONG if reason == "wrong password" else PASSWORD)
    assert answer.error == {"message": "Invalid email or password.", "code": "INVALID_CREDENTIALS"}
    assert len(hashes) == 1
    (about_members,) = [query["sql"] for query in queries if '"accounts_' in query["sql"]]
    assert about_members.startswith("SELECT")


def test_outdated_hash_is_replaced_at_the_next_sign_in_that_finds_a_slot_and_tokens_stay_valid(
    member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_args: object) -> str:
        raise RateLimited(retry_after=1)

    member.password = f"argon2{PasswordHasher(time_cost=1).hash(PASSWORD)}"
    member.save()
    issued = [tokens.issue(member)]
    for parameters, encode in (("t=1", busy), ("t=2", Argon2PasswordHasher.encode)):
        monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)
        stale = User.objects.get()
        issued.append(call("signIn", email=member.email, password=PASSWORD).data["token"])
        member.refresh_from_db()
        assert parameters in member.password
    assert all(call("me", token=token).data for token in issued)
    User.objects.update(password="the hash of a newer one")
    assert stale.check_password(PASSWORD)
    assert User.objects.get().password == "the hash of a newer one"


def test_sign_out_revokes_one_token_once_and_for_good(member: User) -> None:
    token, other = tokens.issue(member), tokens.issue(member)
    assert [call("logout", token=token).data for _ in range(2)] == [True, True]
    assert RevokedToken.objects.count() == 1
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("me", token=other).data
    assert call("logout", token=other).data
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    for invalid in ("", "nonsense"):
        assert call("logout", token=invalid).error["code"] == "UNAUTHENTICATED"


class TestRateLimits:
    @pytest.fixture(autouse=True)
    def _rate(self, settings: Settings, frozen_clock: None) -> None:
        settings.SIGNIN_RATE = "1000/m"

    def sign_in(self, password: str, address: str = ATTACKER, email: str = "jana@example.com") -> Answer:
        return call("signIn", client=Client(REMOTE_ADDR=address), email=email, password=password)

    def guess(self, times: int, **options: str) -> list[str]:
        """Return the codes of the answers to wrong passwords."""
        return [self.sign_in(WRONG, **options).error["code"] for _ in range(times)]

    def test_client_has_10_tries_a_minute(
        self, settings: Settings, member: User, time_machine: TimeMachineFixture
    ) -> None:
        settings.SIGNIN_RATE = "10/m"
        for number in range(10):
            assert self.guess(1, email=f"{number}@example.com") == ["INVALID_CREDENTIALS"]
        refused = self.sign_in(PASSWORD)
        assert (refused.error["code"], refused.http.status_code) == ("RATE_LIMITED", 429)
        time_machine.shift(timedelta(seconds=int(refused.http["Retry-After"])))
        assert self.sign_in(PASSWORD).data["token"]

    @pytest.mark.parametrize("email", ["jana@example.com", "nobody@example.com"])
    def test_client_has_5_failures_in_5_minutes_for_one_account_in_any_spelling(
        self, member: User, time_machine: TimeMachineFixture, email: str
    ) -> None:
        assert self.guess(5, email=email) == ["INVALID_CREDENTIALS"] * 5
        refused = self.sign_in(PASSWORD, email=f" {email.upper()}")
        time_machine.shift(timedelta(seconds=int(refused.http["Retry-After"]) - 1))
        assert self.sign_in(PASSWORD, email=email).error["code"] == "RATE_LIMITED"
        assert self.sign_in(PASSWORD, address=OWNER).data["token"]
        time_machine.shift(timedelta(seconds=1))
        assert self.sign_in(PASSWORD).data["token"]

    def test_failure_is_counted_before_the_password_is_hashed(self, member: User) -> None:
        """Otherwise concurrent tries would all pass before the first one has failed."""
        seen: list[str] = []
        with before_statement("accounts_user", lambda: seen.extend(self.guess(5))):
            self.guess(1)
        assert seen == ["INVALID_CREDENTIALS"] * 4 + ["RATE_LIMITED"]

    @pytest.mark.parametrize(
        ("locked", "resetting", "is_lifted"),
        [(ATTACKER, OWNER, False), ("2001:db8:7:1::1", "2001:db8:7:1::2", True)],
    )
    def test_reset_password_lifts_the_lockout_of_its_client_only(
        self, member: User, locked: str, resetting: str, is_lifted: bool
    ) -> None:
        self.guess(5, address=locked)
        assert self.sign_in(PASSWORD, address=locked).error["code"] == "RATE_LIMITED"
        press_button(link_to_reset(member), client=Client(REMOTE_ADDR=resetting), **NEW_PASSWORDS)
        assert ("errors" not in self.sign_in(NEW_PASSWORD, address=locked).body) is is_lifted

    def test_20_people_behind_one_address_sign_up_and_in_within_a_minute(self, settings: Settings) -> None:
        """Such as a course in one classroom."""
        settings.SIGNIN_RATE = "10/m"
        people = [f"sailor{number}@example.com" for number in range(20)]
        for email in people:
            assert call("signUp", **form(email=email, password="too easy")).error["field"] == "password"
            assert call("signUp", **form(email=email)).data["token"]
        for email in people[:9]:
            assert self.sign_in(WRONG, email=email).error["code"] == "INVALID_CREDENTIALS"
        for email in people:
            assert self.sign_in(PASSWORD, email=email).data["token"]


class TestSlots:
    @pytest.fixture(autouse=True)
    def _waiting(self) -> Iterator[None]:
        """Let no wait time out during a test."""
        self.slots = HashingSlots(wait_seconds=60)
        with ThreadPoolExecutor(8) as self.pool:
            yield

    def acquire(self, network: str) -> bool:
        """Return whether a network gets a slot."""
        try:
            self.slots.acquire(network)
        except RateLimited:
            return False
        return True

    def wait_in_line(self, network: str) -> Future[bool]:
        """Start a thread that waits for a slot."""
        before = len(self.slots.waiting)
        future = self.pool.submit(self.acquire, network)
        while len(self.slots.waiting) == before:
            assert not future.done(), "it did not wait"
            time.sleep(0.001)
        return future

    def test_third_request_is_refused_after_its_wait(self) -> None:
        self.slots.acquire("a")
        self.slots.acquire("b")
        self.slots.wait_seconds = 0.01
        assert not self.acquire("c")
        self.slots.release("a")
        assert self.acquire("c")

    def test_one_network_does_not_get_both_slots(self) -> None:
        self.slots.acquire("a")
        second = self.wait_in_line("a")
        assert self.acquire("b"), "the other slot is not free"
        self.slots.release("b")
        assert self.acquire("b"), "the waiter took a second slot of its network"
        self.slots.release("a")
        assert second.result()

    def test_waiters_of_one_network_do_not_delay_another(self) -> None:
        self.slots.acquire("a")
        self.slots.acquire("b")
        first, other = self.wait_in_line("a"), self.wait_in_line("c")
        self.slots.release("b")
        assert other.result(), "it waits behind one that may not have the slot"
        self.slots.release("a")
        assert first.result()

    def test_two_requests_of_one_network_wait_and_a_third_is_refused_at_once(self) -> None:
        self.slots.acquire("a")
        waiters = {self.wait_in_line("a") for _ in range(2)}
        assert self.pool.submit(self.acquire, "a").result(timeout=10) is False
        while waiters:
            self.slots.release("a")
            served, waiters = wait(waiters, timeout=10, return_when=FIRST_COMPLETED)
            assert [waiter.result() for waiter in served] == [True]


@pytest.mark.parametrize("work", ["encode", "verify"])
def test_hash_takes_a_slot_of_its_clients_network_and_releases_it(
    work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    running: list[str] = []

    def fail(*_args: object) -> None:
        running.extend(slots.running)
        raise ValueError("a stub")

    def hash_once() -> None:
        current_client.set(get_client(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")))
        with pytest.raises(ValueError, match="a stub"):
            getattr(Argon2idHasher(), work)("password", "a salt or a hash")

    monkeypatch.setattr(f"django.contrib.auth.hashers.Argon2PasswordHasher.{work}", fail)
    copy_context().run(hash_once)
    assert running == ["192.0.2.0/24"]
    assert slots.running == []


def test_request_without_a_slot_is_rate_limited_and_costs_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIGNIN_RATE = settings.SIGNUP_RATE = "1/m"
    admin = User.objects.create_superuser("known@example.com", PASSWORD)
    client, reset = Client(), link_to_reset(admin)
    client.force_login(admin)

    def send() -> list[Answer]:
        """Send requests of clients who have one try a minute."""
        return [
            call("signUp", client=Client(REMOTE_ADDR="192.0.2.1"), **form()),
            call("signIn", client=Client(REMOTE_ADDR="192.0.2.2"), email=admin.email, password=PASSWORD),
        ]

    with slots.hold("203.0.113.0/24"), slots.hold("198.51.100.0/24"), monkeypatch.context() as patch:
        patch.setattr("threading.Condition.wait_for", lambda _self, is_free, _timeout: is_free())
        for answer in send() + send():
            message = "Too many attempts. Please wait a moment and try again."
            assert answer.error == {"message": message, "code": "RATE_LIMITED", "retryAfter": 1}
            assert (answer.http.status_code, answer.http["Retry-After"]) == (429, "1")
        credentials = {"username": admin.email, "password": PASSWORD}
        for page in (
            Client().post("/admin/login/", credentials),
            client.post("/admin/password_change/", {"old_password": PASSWORD, **NEW_PASSWORDS}),
        ):
            assert page.status_code == 200
            assert "Too many attempts." in page.content.decode()
        refused = press_button(reset, **NEW_PASSWORDS)
        assert (refused.status_code, refused["Retry-After"]) == (429, "1")
        assert "Too many attempts." in text(refused)
    assert all("errors" not in answer.body for answer in send())
