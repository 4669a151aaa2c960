"""How often one client may do one thing, counted in the cache that all processes share.

A client is an IPv4 address or an IPv6 /64: who has one address of such a network has all 2^64 of it
(RFC 6177 section 2). While Redis is away each process counts for itself, with a warning in the log: a client
gets no more than the rate in each of them. A cache in the database fails with the database, as all else does.
"""

import hashlib
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import IPv6Network, ip_address
from math import ceil
from typing import TypeVar

import structlog
from django.core.cache import BaseCache, caches
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from redis.exceptions import RedisError

from sailing.cache import count_up
from sailing.errors import RateLimited

IPV6_PREFIX = 64

UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
"""Of rates, as `sailing.environment` lets them be written."""

FAILURES = 5
FAILURES_WITHIN = timedelta(minutes=5)
"""Wrong passwords of one client for one account. Another client's right one still works, so that nobody
can lock an account's owner out (OWASP Authentication Cheat Sheet, "Account Lockout")."""

OWN = LocMemCache("throttle", {"OPTIONS": {"MAX_ENTRIES": 20_000}})
"""The memory of this process, in which it counts while Redis is away."""

logger = structlog.get_logger(__name__)

Counted = TypeVar("Counted")


def count(request: HttpRequest, *, group: str, rate: str, value: str = "") -> None:
    """Count one try, and refuse what exceeds the rate.

    Takes the request (whose REMOTE_ADDR is the client's own), the name of what is counted, a rate
    (`20/m`) and, where a client alone is too coarse, what else to count by (an account).
    Raises RateLimited with the seconds after which the next try counts anew.
    """
    most, _, unit = rate.partition("/")
    within = UNITS[unit]
    period = int(within.total_seconds())
    name = f"{group} {_client(request)} {value}".encode()
    # Stretches of time follow each other without a gap, and end for each client and thing at a time of their
    # own, so that those who were refused do not all come back at once.
    stretch, passed = divmod(int(time.time()) + zlib.crc32(name) % period, period)
    key = f"tries:{hashlib.sha256(name).hexdigest()}:{period}:{stretch}"
    tries = _counted(lambda cache: count_up(cache, key, lifetime=within), group=group)
    if tries > int(most):
        raise RateLimited(retry_after=period - passed)


@contextmanager
def failures(
    request: HttpRequest,
    *,
    group: str,
    value: str,
    failure: type[Exception],
    most: int = FAILURES,
    within: timedelta = FAILURES_WITHIN,
) -> Iterator[None]:
    """Let a client fail at what stands in the block so often in any stretch of a length, and refuse it then.

    Each failure takes one of so many places for so long. A try takes a place before it begins, so that
    many at once are no more than one after another, and gives it back unless it raises `failure`.
    Raises RateLimited with the seconds after which a place is free.
    """
    name = f"{group} {_client(request)} {value}"
    kept_in, place = _counted(
        lambda cache: (cache, _take_place(cache, name, most, within.total_seconds())), group=group
    )
    failed = False
    try:
        yield
    except failure:
        failed = True
        raise
    finally:
        if not failed:
            _give_back(kept_in, place, group=group)


def _counted(count: Callable[[BaseCache], Counted], *, group: str) -> Counted:
    """What comes of counting in the cache that all share; while Redis is away, in this process's own."""
    try:
        return count(caches["default"])
    except RedisError as error:
        _warn(group, error)
        return count(OWN)


def _take_place(cache: BaseCache, name: str, most: int, lifetime: float) -> str:
    """The key of the place that was taken. Raises RateLimited where none is free.

    All caches store what is not there in one step, and drop it at its end, so nothing more is needed.
    """
    digest = hashlib.sha256(name.encode()).hexdigest()
    places = [f"failures:{digest}:{number}" for number in range(most)]
    now = time.time()
    for place in places:
        if cache.add(place, now + lifetime, lifetime):
            return place
    ends = cache.get_many(places).values()
    raise RateLimited(retry_after=max(1, ceil(min(ends, default=now) - now)))


def _give_back(cache: BaseCache, place: str, *, group: str) -> None:
    try:
        cache.delete(place)
    except RedisError as error:
        _warn(group, error)


def _client(request: HttpRequest) -> str:
    """What the client is counted under. What a proxy wrote that is no address counts as it stands."""
    written: str = request.META["REMOTE_ADDR"]
    try:
        address = ip_address(written)
    except ValueError:
        return written
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))


def _warn(group: str, error: Exception) -> None:
    logger.warning("not_counted", group=group, error=type(error).__name__)
