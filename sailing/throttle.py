"""How often one client may do one thing, counted in the cache that all processes share.

A client is an IPv4 address or an IPv6 /64: who has one address of such a network has all 2^64 of it
(RFC 6177 section 2). While Redis is away nothing is counted and everything goes on, with a warning in
the log; a cache in the database fails with the database, as all else does.
"""

import hashlib
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import IPv6Network, ip_address
from math import ceil

import structlog
from django.core.cache import cache
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

logger = structlog.get_logger(__name__)


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
    try:
        tries = count_up(key, lifetime=within)
    except (RedisError, ValueError) as error:  # ValueError: its time ended between two steps
        _warn(group, error)
        return
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
    place = _take_place(f"{group} {_client(request)} {value}", most, within.total_seconds(), group=group)
    failed = False
    try:
        yield
    except failure:
        failed = True
        raise
    finally:
        if place and not failed:
            _give_back(place, group=group)


def _take_place(name: str, most: int, lifetime: float, *, group: str) -> str | None:
    """The key of the place that was taken; None while there is no cache to count in. Raises RateLimited.

    All caches store what is not there in one step, and drop it at its end, so nothing more is needed.
    """
    digest = hashlib.sha256(name.encode()).hexdigest()
    places = [f"failures:{digest}:{number}" for number in range(most)]
    now = time.time()
    try:
        for place in places:
            if cache.add(place, now + lifetime, lifetime):
                return place
        ends = cache.get_many(places).values()
    except RedisError as error:
        _warn(group, error)
        return None
    raise RateLimited(retry_after=max(1, ceil(min(ends, default=now) - now)))


def _give_back(place: str, *, group: str) -> None:
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
