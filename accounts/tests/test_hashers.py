"""Hashing slots: how many passwords are hashed at once, and for which networks."""

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context

import pytest
from django.test import Client, RequestFactory

from accounts import hashers
from accounts.hashers import Argon2idHasher, HashingSlots
from accounts.models import User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from sailing.client import current_client, get_client
from sailing.errors import RateLimited


@pytest.fixture
def slots() -> HashingSlots:
    return HashingSlots()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as threads:
        yield threads


def occupy_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no slot of the process free until the test ends."""
    monkeypatch.setattr(hashers, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr(hashers, "_slots", HashingSlots())
    for network in ("203.0.113.0/24", "198.51.100.0/24"):
        hashers._slots.acquire(network)


def has_slot(slots: HashingSlots, network: str) -> bool:
    try:
        slots.acquire(network)
    except RateLimited:
        return False
    return True


class TestSlots:
    @pytest.fixture(autouse=True)
    def _waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let no wait time out during a test."""
        monkeypatch.setattr(hashers, "WAIT_SECONDS", 60)
        self.monkeypatch = monkeypatch

    def wait_in_line(self, slots: HashingSlots, pool: ThreadPoolExecutor, network: str) -> Future[bool]:
        """Start a thread that waits for a slot."""
        before = len(slots._waiting)
        future = pool.submit(has_slot, slots, network)
        while len(slots._waiting) == before:
            assert not future.done(), "it did not wait"
            time.sleep(0.001)
        return future

    def test_third_request_is_refused_after_its_wait(self, slots: HashingSlots) -> None:
        slots.acquire("a")
        slots.acquire("b")
        self.monkeypatch.setattr(hashers, "WAIT_SECONDS", 0.01)
        assert not has_slot(slots, "c")
        slots.release("a")
        assert has_slot(slots, "c")

    def test_one_network_does_not_get_both_slots(self, slots: HashingSlots, pool: ThreadPoolExecutor) -> None:
        slots.acquire("a")
        second = self.wait_in_line(slots, pool, "a")
        assert has_slot(slots, "b"), "the other slot is not free"
        slots.release("b")
        assert has_slot(slots, "b"), "the waiter took a second slot of its network"
        slots.release("a")
        assert second.result()

    def test_waiters_of_one_network_do_not_delay_another(
        self, slots: HashingSlots, pool: ThreadPoolExecutor
    ) -> None:
        slots.acquire("a")
        slots.acquire("b")
        first = self.wait_in_line(slots, pool, "a")
        other = self.wait_in_line(slots, pool, "c")
        slots.release("b")
        assert other.result(), "it waits behind one that may not have the slot"
        slots.release("a")
        assert first.result()

    def test_two_requests_of_one_network_wait_and_a_third_is_refused_at_once(
        self, slots: HashingSlots, pool: ThreadPoolExecutor
    ) -> None:
        slots.acquire("a")
        waiters = {self.wait_in_line(slots, pool, "a") for _ in range(2)}
        assert pool.submit(has_slot, slots, "a").result(timeout=10) is False
        while waiters:
            slots.release("a")
            served, waiters = wait(waiters, timeout=10, return_when=FIRST_COMPLETED)
            assert [waiter.result() for waiter in served] == [True]


class TestHasher:
    @pytest.mark.parametrize("work", ["encode", "verify"])
    def test_hash_takes_a_slot_of_its_clients_network(
        self, work: str, slots: HashingSlots, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        running: list[str] = []

        def hash_once() -> None:
            current_client.set(get_client(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")))
            getattr(Argon2idHasher(), work)("password", "a salt or a hash")

        monkeypatch.setattr(hashers, "_slots", slots)
        original = f"django.contrib.auth.hashers.Argon2PasswordHasher.{work}"
        monkeypatch.setattr(original, lambda *_args: running.extend(slots._running))
        copy_context().run(hash_once)
        assert running == ["192.0.2.0/24"]
        assert slots._running == []

    def test_failed_hash_releases_its_slot(self) -> None:
        for _ in range(3):
            with pytest.raises(ValueError, match="not enough values"):
                Argon2idHasher().verify("password", "no hash")


@pytest.mark.django_db
class TestOverHttp:
    def test_request_without_a_slot_is_rate_limited(
        self, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        MemberFactory(email="known@example.com")
        occupy_slots(monkeypatch)
        for answer in (
            call("signUp", **form()),
            call("signIn", email="known@example.com", password=PASSWORD),
            call("signIn", email="nobody@example.com", password=PASSWORD),
        ):
            assert answer.error == {
                "message": "Too many attempts. Please wait a moment and try again.",
                "code": "RATE_LIMITED",
                "retryAfter": 1,
            }
            assert answer.http.status_code == 429
            assert answer.http["Retry-After"] == "1"

    def test_admin_forms_show_too_many_attempts(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client.force_login(User.objects.create_superuser("known@example.com", PASSWORD))
        occupy_slots(monkeypatch)
        signing_in = Client().post("/admin/login/", {"username": "known@example.com", "password": PASSWORD})
        assert signing_in.status_code == 200
        assert "Too many attempts." in signing_in.content.decode()

        new = {"new_password1": "New winds, 2026!", "new_password2": "New winds, 2026!"}
        changing = client.post("/admin/password_change/", {"old_password": PASSWORD, **new})
        assert "Too many attempts." in changing.content.decode()
