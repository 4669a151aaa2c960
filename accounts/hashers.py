"""How passwords are hashed, and how many at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.contrib.auth.hashers import Argon2PasswordHasher

from sailing.errors import RateLimited

HASHES_AT_ONCE = 2
"""In one process. Each takes 19 MiB and a core: a flood of sign-ins must not take all of them."""

RETRY_AFTER = 1  # second; a hash takes some 30 ms

_slots = BoundedSemaphore(HASHES_AT_ONCE)


class Argon2idHasher(Argon2PasswordHasher):
    """Argon2id with the least that the OWASP Password Storage Cheat Sheet asks for: 19 MiB, t=2, p=1.

    Django's own defaults take nine times as long, which on a small machine turns sign-ins into a queue.
    Past the number of hashes at once it raises RateLimited instead of waiting: whoever waited would
    hold a thread that another visitor's page needs.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _slot():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _slot():
            return super().verify(password, encoded)


@contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(blocking=False):
        raise RateLimited(retry_after=RETRY_AFTER)
    try:
        yield
    finally:
        _slots.release()
