"""Rate limits: how often one client may do one thing.

Every limit holds in any window of its length (a sliding window), over all processes, and also for requests
at the same time. A refused try costs one read and does not prolong the wait.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import ceil

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sailing.client_address import Client, get_client
from sailing.errors import RateLimited
from sailing.models import RateCounter
from sailing.ratelimit import counters
from sailing.ratelimit.counters import Budget, Row

UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
"""Of rates, as `sailing.environment` accepts them."""

WIDE_NETWORK_FACTORS = (1, 4, 16)
"""The budget of each of a client's networks, in budgets of one client: for IPv6 of the /64, /56 and /48.

One person may have 256 /64s (a /56) or 65,536 (a /48), so counting by /64 alone is no limit. Where a
carrier gives each customer one /64, neighbours share the wider networks: these have room for several
customers who use up their own budgets.
"""

TIGHT_NETWORK_FACTORS = (1, 1.5, 2)
"""The same where passwords are guessed: every try that gets through counts. A neighbour who uses up the
budget of a shared network makes others wait for a sign-in there, which is the smaller harm."""

FAILURE_LIMIT = 5
FAILURE_PERIOD = timedelta(minutes=5)
"""Failures of one client for one account. Another client's right password still works, so that nobody can
lock an account's owner out (OWASP Authentication Cheat Sheet, "Account Lockout")."""

ATTACK_FAILURES = 20
ATTACK_PERIOD = timedelta(minutes=15)
"""Failures for one account, of all clients together, from which on each client that fails has to wait."""
ATTACK_DELAY = timedelta(seconds=30)

Hits = dict[str, list[Row]]


def check_rate(
    request: HttpRequest,
    *,
    group: str,
    rate: str,
    value: str = "",
    network_factors: Sequence[float] = WIDE_NETWORK_FACTORS,
) -> None:
    """Count one try, and refuse what exceeds the rate.

    Takes the request (whose REMOTE_ADDR is the client's own), the name of what is counted, a rate
    (`20/m`), where a client alone is too coarse what else to count by (an account), and the budgets of its
    networks.
    Raises RateLimited with the seconds after which there is room for another try.
    """
    limit, _, unit = rate.partition("/")
    budgets = _network_budgets(
        get_client(request),
        f"tries {group} {value}",
        limit=int(limit),
        period=UNITS[unit],
        factors=network_factors,
    )
    now = timezone.now()
    _reserve(budgets, counters.read(budgets, now), now)


@contextmanager
def limit_failures(
    request: HttpRequest, *, group: str, value: str, failure: type[Exception]
) -> Iterator[None]:
    """Limit how often a client may fail at the block: FAILURE_LIMIT times for one value in FAILURE_PERIOD.

    A try is counted before it begins, so that many at once are no more than one after another, and taken
    back unless it raises `failure`. Once clients have failed at the value ATTACK_FAILURES times, a client
    that has just failed there waits ATTACK_DELAY before it may try again; other clients do not.
    Raises RateLimited with the seconds after which the client may try again.
    """
    budgets = _network_budgets(
        get_client(request),
        f"failures {group} {value}",
        limit=FAILURE_LIMIT,
        period=FAILURE_PERIOD,
        factors=TIGHT_NETWORK_FACTORS,
    )
    client = budgets[0]
    anywhere = Budget(_key(f"failures anywhere {group} {value}"), limit=None, period=ATTACK_PERIOD)
    budgets.append(anywhere)
    now = timezone.now()
    hits = counters.read(budgets, now)
    if _total(hits, anywhere) >= ATTACK_FAILURES:
        _delay_after_failure(hits.get(client.key, []), now)
    reserved = _reserve(budgets, hits, now)
    failed = False
    try:
        yield
    except failure:
        failed = True
        raise
    finally:
        if not failed:
            counters.release(reserved)


def _network_budgets(
    client: Client, name: str, *, limit: int, period: timedelta, factors: Sequence[float]
) -> list[Budget]:
    """Return the budgets of a client's networks, that of the client itself first."""
    return [
        Budget(_key(f"{name} {network} {period}"), limit=ceil(limit * factor), period=period)
        for network, factor in zip(client.networks, factors, strict=False)
    ]


def _key(name: str) -> str:
    """Return what a counter is stored under. It reveals no address of a client or a mailbox."""
    return salted_hmac("sailing.ratelimit", name, algorithm="sha256").hexdigest()[: RateCounter.KEY_LENGTH]


def _reserve(budgets: Sequence[Budget], hits: Hits, now: datetime) -> list[Row]:
    """Count one hit of each budget. `hits` are those that were read just before.

    Raises RateLimited where a budget is used up; then nothing is counted.
    """
    _refuse(_wait(budgets, hits, now))
    reserved = [budget.hit(now) for budget in budgets]
    sums = counters.add(reserved)
    # Concurrent requests may have counted since `hits` was read. The sums show those in this sub-window, as
    # each request gets another sum. Those in a neighbouring sub-window take a second read.
    if any(budget.is_near_boundary(now, timezone.now()) for budget in budgets):
        hits = counters.read(budgets, now)
    before = {
        own.key: [
            *(row for row in hits.get(own.key, []) if row.sub_window != own.sub_window),
            own._replace(hits=sums[own.key] - 1),
        ]
        for own in reserved
    }
    wait = _wait(budgets, before, now)
    if wait:
        counters.release(reserved)
    _refuse(wait)
    return reserved


def _wait(budgets: Sequence[Budget], hits: Hits, now: datetime) -> timedelta:
    """Return how long it takes until every budget has room for one more hit."""
    return max(_wait_for(budget, hits.get(budget.key, []), now) for budget in budgets)


def _wait_for(budget: Budget, rows: Sequence[Row], now: datetime) -> timedelta:
    if budget.limit is None:
        return timedelta(0)
    excess = sum(row.hits for row in rows) + 1 - budget.limit
    end = now
    for row in sorted(rows, key=lambda row: row.expires_at):
        if excess <= 0:
            break
        excess -= row.hits
        end = row.expires_at
    return end - now


def _delay_after_failure(rows: Sequence[Row], now: datetime) -> None:
    """Refuse a client whose last failure is not long ago. `rows` are its failures."""
    if rows:
        last = max(row.expires_at for row in rows) - FAILURE_PERIOD
        _refuse(last + ATTACK_DELAY - now)


def _refuse(wait: timedelta) -> None:
    """Raise RateLimited unless there is nothing to wait for."""
    if wait > timedelta(0):
        raise RateLimited(retry_after=ceil(wait.total_seconds()))


def _total(hits: Hits, budget: Budget) -> int:
    return sum(row.hits for row in hits.get(budget.key, []))
