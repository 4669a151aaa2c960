"""How often one client may do one thing, counted in the cache that all processes share."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.core.cache import cache
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from sailing.graphql.errors import RateLimited

FAILURES = 5
FAILURES_WITHIN = timedelta(minutes=5)
"""Wrong passwords of one client for one account. Another client's right one still works, so that nobody
can lock an account's owner out."""


def count(request: HttpRequest, *, group: str, rate: str, value: str = "") -> None:
    """Count one try, and refuse what exceeds the rate.

    Takes the request (whose REMOTE_ADDR is the client's own), the name of what is counted, a rate
    (`20/m`) and, where a client alone is too coarse, what else to count by (an account).
    Raises RateLimited with the seconds after which the next try counts anew.
    """

    def key(_group: str, request: HttpRequest) -> str:
        return f"{request.META['REMOTE_ADDR']} {value}"

    usage = get_usage(request, group=group, key=key, rate=rate, increment=True)
    if usage and usage["should_limit"]:
        # The library's window includes its last second.
        raise RateLimited(retry_after=usage["time_left"] + 1)


@contextmanager
def failures(request: HttpRequest, *, group: str, value: str, failure: type[Exception]) -> Iterator[None]:
    """Let a client fail at what stands in the block FAILURES times in FAILURES_WITHIN, and refuse it then.

    Each try counts as a failure before it begins, so that many at once are no more than one after
    another, and is taken back unless it raises `failure`. The library above has no way to take back.
    Raises RateLimited with the seconds after which tries count anew.
    """
    period = int(FAILURES_WITHIN.total_seconds())
    window, passed = divmod(int(time.time()), period)
    name = f"{group} {request.META['REMOTE_ADDR']} {value} {window}"
    key = f"failures:{hashlib.sha256(name.encode()).hexdigest()}"
    cache.add(key, 0, period)
    try:
        tries = cache.incr(key)
    except ValueError:  # it expired or was evicted in between
        tries = 1
    if tries > FAILURES:
        raise RateLimited(retry_after=period - passed)
    failed = False
    try:
        yield
    except failure:
        failed = True
        raise
    finally:
        if not failed:
            with suppress(ValueError):  # it expired meanwhile
                cache.decr(key)
