"""How passwords are hashed, and how many at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock

from django.contrib.auth.hashers import Argon2PasswordHasher

from sailing.client_address import current_client
from sailing.errors import RateLimited

HASHES_AT_ONCE = 2
"""In one process. Each takes 19 MiB and a core: a flood of sign-ins must not take all of them."""

HASHES_PER_NETWORK = HASHES_AT_ONCE - 1
"""Of clients in one /24 (IPv4) or /48 (IPv6), so that no network holds all slots."""

WAIT_SECONDS = 0.3
"""For a slot; a hash takes some 30 ms."""

WAITING_PER_NETWORK = 2
"""A request that waits holds a thread. With the one that hashes, a network holds three of four threads."""

RETRY_AFTER = 1  # second


class Argon2idHasher(Argon2PasswordHasher):
    """Argon2id with the least that the OWASP Password Storage Cheat Sheet asks for: 19 MiB, t=2, p=1.

    Django's own defaults take nine times as long, which on a small machine turns sign-ins into a queue.
    Raises RateLimited when no slot is free in time.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _reserve_slot():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _reserve_slot():
            return super().verify(password, encoded)


@dataclass(eq=False)
class _Waiter:
    network: str
    granted: Event = field(default_factory=Event)


class HashingSlots:
    """The slots of a process, and who waits for one.

    A slot that becomes free goes to the first waiter whose network may have one more. A network has few
    waiters, so one with many requests delays another one by a few hashes at most.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: list[str] = []
        self._waiting: list[_Waiter] = []

    def acquire(self, network: str) -> None:
        """Take a slot for a network, or wait for one. Raises RateLimited when the wait is over."""
        with self._lock:
            # A waiter could not run either: `release` hands a free slot to the next one at once.
            if self._is_free_for(network):
                self._running.append(network)
                return
            if [waiter.network for waiter in self._waiting].count(network) >= WAITING_PER_NETWORK:
                raise RateLimited(retry_after=RETRY_AFTER)
            waiter = _Waiter(network)
            self._waiting.append(waiter)
        waiter.granted.wait(WAIT_SECONDS)
        with self._lock:
            if not waiter.granted.is_set():
                self._waiting.remove(waiter)
                raise RateLimited(retry_after=RETRY_AFTER)

    def release(self, network: str) -> None:
        """Give a slot back, and give it to the next."""
        with self._lock:
            self._running.remove(network)
            for waiter in self._waiting.copy():
                if self._is_free_for(waiter.network):
                    self._waiting.remove(waiter)
                    self._running.append(waiter.network)
                    waiter.granted.set()

    def _is_free_for(self, network: str) -> bool:
        return len(self._running) < HASHES_AT_ONCE and self._running.count(network) < HASHES_PER_NETWORK


_slots = HashingSlots()


@contextmanager
def _reserve_slot() -> Iterator[None]:
    """Hold a slot for the client that is being answered. Raises RateLimited."""
    network = current_client.get().widest_network
    _slots.acquire(network)
    try:
        yield
    finally:
        _slots.release(network)
