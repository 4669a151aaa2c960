"""A password hasher for tests."""

from accounts.hashers import Argon2idHasher


class FastArgon2idHasher(Argon2idHasher):
    """Hash with 8 KiB of memory instead of 19 MiB: under 1 ms instead of 30 ms."""

    memory_cost = 8
