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

import structlog
from django.http import HttpRequest
from redis.exceptions import RedisError

from sailing import cache
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
    counter = _Counter(request, group=group, value=value, within=UNITS[unit])
    if counter.add(1) > int(most):
        raise RateLimited(retry_after=counter.seconds_left)


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
    """Let a client fail at what stands in the block so often in a stretch of time, and refuse it then.

    Each try counts as a failure before it begins, so that many at once are no more than one after
    another, and is taken back unless it raises `failure`.
    Raises RateLimited with the seconds after which tries count anew.
    """
    counter = _Counter(request, group=f"failures: {group}", value=value, within=within)
    if counter.add(1) > most:
        raise RateLimited(retry_after=counter.seconds_left)
    failed = False
    try:
        yield
    except failure:
        failed = True
        raise
    finally:
        if not failed:
            counter.add(-1)


class _Counter:
    """The number of a client's tries at one thing in the stretch of time that it is now.

    Stretches follow each other without a gap, and end for each client and thing at a time of their own,
    so that those who were refused do not all come back at once.
    """

    def __init__(self, request: HttpRequest, *, group: str, value: str, within: timedelta) -> None:
        period = int(within.total_seconds())
        name = f"{group} {_client(request)} {value}".encode()
        stretch, passed = divmod(int(time.time()) + zlib.crc32(name) % period, period)
        self.seconds_left = period - passed
        self._key = f"tries:{hashlib.sha256(name).hexdigest()}:{period}:{stretch}"
        self._group = group
        self._lifetime = within

    def add(self, delta: int) -> int:
        """The number once `delta` is added; 0 while there is no cache to count in."""
        try:
            return cache.count(self._key, delta, lifetime=self._lifetime)
        except (RedisError, ValueError) as error:  # ValueError: it ended between two steps
            logger.warning("not_counted", group=self._group, error=type(error).__name__)
            return 0


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
