"""Password hashing with Argon2id, limited to a few hashes at once."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from django.contrib.auth.hashers import Argon2PasswordHasher

from sailing.client import current_client
from sailing.errors import RateLimited

HASHES_AT_ONCE = 2  # in one process; each takes 19 MiB and a core
HASHES_PER_NETWORK = HASHES_AT_ONCE - 1  # of clients in one /24 (IPv4) or /48 (IPv6): none can hold all slots
WAITING_PER_NETWORK = 2  # with the one that hashes, a network holds three of four threads
WAIT_SECONDS = 0.3  # longest wait for a slot; a hash takes about 30 ms


class Argon2idHasher(Argon2PasswordHasher):
    """Argon2id with the minimum of the OWASP Password Storage Cheat Sheet: 19 MiB, t=2, p=1.

    Passwords are hashed in Unicode NFC: devices type "é" as one character or as two.
    Raises RateLimited when no slot is free in time.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with slots.hold(current_client.get().widest_network):
            return super().encode(unicodedata.normalize("NFC", password), salt)

    def verify(self, password: str, encoded: str) -> bool:
        with slots.hold(current_client.get().widest_network):
            return super().verify(unicodedata.normalize("NFC", password), encoded)


class HashingSlots:
    """The hashing slots of a process. A flood from one network delays others by a few hashes at most."""

    def __init__(self, wait_seconds: float = WAIT_SECONDS) -> None:
        self.wait_seconds = wait_seconds
        self.running: list[str] = []  # the networks that hold slots
        self.waiting: list[str] = []
        self._changed = Condition()

    def acquire(self, network: str) -> None:
        """Take a slot for a network. Raises RateLimited if none is free within `wait_seconds`."""

        def is_free() -> bool:
            count = self.running.count(network)
            return count < HASHES_PER_NETWORK and len(self.running) < HASHES_AT_ONCE

        with self._changed:
            may_wait = self.waiting.count(network) < WAITING_PER_NETWORK
            self.waiting.append(network)
            has_slot = self._changed.wait_for(is_free, self.wait_seconds if may_wait else 0)
            self.waiting.remove(network)
            if not has_slot:
                raise RateLimited(retry_after=1)
            self.running.append(network)

    def release(self, network: str) -> None:
        with self._changed:
            self.running.remove(network)
            self._changed.notify_all()

    @contextmanager
    def hold(self, network: str) -> Iterator[None]:
        """Hold a slot during a block. Raises RateLimited."""
        self.acquire(network)
        try:
            yield
        finally:
            self.release(network)


slots = HashingSlots()
