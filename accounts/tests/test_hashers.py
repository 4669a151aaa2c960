"""Hashing slots: how many passwords are hashed at once, and for which networks."""

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts import hashers
from accounts.hashers import Argon2idHasher, HashingSlots
from accounts.models import User
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORDS, PASSWORD, form
from accounts.tests.mailbox import link_to_reset
from sailing.client import current_client, get_client
from sailing.errors import RateLimited
from tests.api import Answer
from tests.mailbox import press_button, text


class TestSlots:
    @pytest.fixture(autouse=True)
    def _waiting(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Let no wait time out during a test."""
        monkeypatch.setattr(hashers, "WAIT_SECONDS", 60)
        self.monkeypatch, self.slots = monkeypatch, HashingSlots()
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
        before = len(self.slots._waiting)
        future = self.pool.submit(self.acquire, network)
        while len(self.slots._waiting) == before:
            assert not future.done(), "it did not wait"
            time.sleep(0.001)
        return future

    def test_third_request_is_refused_after_its_wait(self) -> None:
        self.slots.acquire("a")
        self.slots.acquire("b")
        self.monkeypatch.setattr(hashers, "WAIT_SECONDS", 0.01)
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
    slots, running = HashingSlots(), []

    def fail(*_args: object) -> None:
        running.extend(slots._running)
        raise ValueError("a stub")

    def hash_once() -> None:
        current_client.set(get_client(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")))
        with pytest.raises(ValueError, match="a stub"):
            getattr(Argon2idHasher(), work)("password", "a salt or a hash")

    monkeypatch.setattr(hashers, "_slots", slots)
    monkeypatch.setattr(f"django.contrib.auth.hashers.Argon2PasswordHasher.{work}", fail)
    copy_context().run(hash_once)
    assert running == ["192.0.2.0/24"]
    assert slots._running == []


@pytest.mark.django_db
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

    with monkeypatch.context() as patch:
        patch.setattr(hashers, "WAIT_SECONDS", 0.01)
        patch.setattr(hashers, "_slots", HashingSlots())
        for network in ("203.0.113.0/24", "198.51.100.0/24"):
            hashers._slots.acquire(network)
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
