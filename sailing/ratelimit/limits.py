"""Rate limits: how often one client may do one thing, in any window of time, over all processes.

One statement counts a request in all its limits, or in none: a refused one does not prolong the wait. Call
these functions outside of a transaction, which would keep the counters locked until it ends.

A key has a row for each sixth of a period, which counts until one period after its last hit.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sailing.client import Client
from sailing.errors import RateLimited
from sailing.jobs import retention
from sailing.ratelimit.models import RateCounter

SECONDS = {"s": 1, "m": 60, "5m": 300, "h": 3600, "d": 24 * 3600}
UNITS = {unit: timedelta(seconds=seconds) for unit, seconds in SECONDS.items()}
retention.periods["rateCounts"] = max(UNITS.values())
SUB_WINDOWS = 6

# Budgets of the /64, /56 and /48 of an IPv6 client, in multiples of the rate: one person may have a /48, and
# neighbors of one carrier may share the wider networks.
WIDE_NETWORK_FACTORS = (1, 4, 16)
# Of failed sign-ins, which guess a password: delaying those of a neighbor is the smaller harm.
TIGHT_NETWORK_FACTORS = (1, 1.5, 2)
# Of sign-ins that succeed: a course or an office signs in behind one address within a minute.
SUCCESS_FACTORS = tuple(6 * factor for factor in WIDE_NETWORK_FACTORS)

# As SQL, because building the query takes Django longer than all else here (docs/decisions/005).
COUNT = """
    INSERT INTO ratelimit_ratecounter AS stored (key, sub_window, hits, expires_at)
    WITH asked (key, sub_window, hits, expires_at, max_hits) AS (VALUES {rows})
    SELECT key, sub_window, hits, expires_at FROM asked WHERE NOT EXISTS (
        SELECT 1 FROM asked WHERE max_hits < asked.hits + (
            SELECT COALESCE(SUM(counted.hits), 0) FROM ratelimit_ratecounter AS counted
            WHERE counted.key = asked.key AND counted.expires_at > %s
        )
    )
    ON CONFLICT (key, sub_window) DO UPDATE SET
        hits = stored.hits + excluded.hits,
        expires_at = CASE WHEN excluded.expires_at > stored.expires_at
            THEN excluded.expires_at ELSE stored.expires_at END
    RETURNING key
"""
# Sent with `COUNT`, which then sees what other requests have counted. SQLite has one writer at a time.
LOCK = "SELECT pg_advisory_xact_lock(number) FROM (VALUES {numbers}) AS keys (number);"


@dataclass(frozen=True)
class Budget:
    """At most `limit` hits of a key in any `period`."""

    key: str
    limit: int
    period: timedelta


def check_rate(client: Client, *, group: str, rate: str, causes_mail: bool = False) -> Callable[[], object]:
    """Count one attempt, or raise RateLimited with the seconds to wait when it exceeds the rate.

    Returns a function that takes it back. `group`: what is limited. `rate`: a number per unit (`20/m`).
    `causes_mail`: it counts as a mail that nobody may have asked for too, so that one client reaches few
    mailboxes. Call it once the input is valid, and before a lookup, so that it tells nothing of an address.
    """
    budgets = _list_budgets(client, f"tries {group}", rate)
    for mail_rate in settings.MAIL_RATES if causes_mail else ():
        budgets += _list_budgets(client, "tries unrequested mails", mail_rate)
    now = timezone.now()
    _count(budgets, now)
    return partial(add_hits, budgets, now, hits=-1)


def check_key_rate(key: object, *, group: str, rate: str) -> None:
    """Count one attempt of a signed-in user, or by the link of a subscriber, from whichever client."""
    check_rate(Client((f"key {key}",), ""), group=group, rate=rate)


@contextmanager
def limit_failures(client: Client, *, account: str, failure: type[Exception]) -> Iterator[None]:
    """Limit how often the client may fail to sign in, and more widely how often it may try at all.

    A failure is counted before the block runs, so that concurrent attempts share the limit, and taken back
    unless the block raises `failure`. Raises RateLimited with the seconds to wait.
    """
    attempts = _list_budgets(client, "attempts sign-in", settings.SIGNIN_RATE, SUCCESS_FACTORS)
    failures = _list_failure_budgets(client, account)
    failures += _list_budgets(client, "failures sign-in", settings.SIGNIN_RATE, TIGHT_NETWORK_FACTORS)
    now, has_failed = timezone.now(), False
    _count([*attempts, *failures], now)
    try:
        yield
    except failure:
        has_failed = True
        raise
    finally:
        if not has_failed:
            add_hits(failures, now, hits=-1)


def forget_failures(client: Client, *, account: str) -> None:
    """Take back the failures of a client at one account. In its budget for all accounts they still count."""
    budgets = _list_failure_budgets(client, account)
    for row in _select_current(budgets[:1], timezone.now()):
        add_hits(budgets, row.expires_at - budgets[0].period, hits=-row.hits)


@retention.register
def purge_expired() -> bool:
    return retention.delete_batch(RateCounter.objects.filter(expires_at__lte=timezone.now()), field="key")


def _list_failure_budgets(client: Client, account: str) -> list[Budget]:
    name = f"failures sign-in {account}"
    return _list_budgets(client, name, settings.SIGNIN_FAILURE_RATE, TIGHT_NETWORK_FACTORS)


def _list_budgets(
    client: Client, name: str, rate: str, factors: Sequence[float] = WIDE_NETWORK_FACTORS
) -> list[Budget]:
    """Return the budgets of a client's networks, the narrowest first. A key reveals no client or account."""
    limit, _, unit = rate.partition("/")
    budgets = []
    for network, factor in zip(client.networks, factors, strict=False):
        digest = salted_hmac("sailing.ratelimit", f"{name} {network} {rate}", algorithm="sha256").hexdigest()
        budgets.append(Budget(digest[: RateCounter.KEY_LENGTH], ceil(int(limit) * factor), UNITS[unit]))
    return budgets


def _count(budgets: Sequence[Budget], now: datetime) -> None:
    """Count one hit of each budget, or raise RateLimited without counting when one is used up."""
    if add_hits(budgets, now, hits=1):
        return
    rows = list(_select_current(budgets, now))
    wait = max(_measure_wait(budget, rows, now) for budget in budgets)
    raise RateLimited(retry_after=max(1, ceil(wait.total_seconds())))


def add_hits(budgets: Sequence[Budget], at: datetime, *, hits: int) -> bool:
    """Add hits to each budget, or to none if one has no room for them; return whether they were added.

    The keys are locked in their order, which prevents deadlocks.
    """
    ordered = sorted(budgets, key=lambda budget: budget.key)
    values: list[Any] = []
    for budget in ordered:
        sub_window = int(at.timestamp() * SUB_WINDOWS // budget.period.total_seconds())
        expires_at = connection.ops.adapt_datetimefield_value(at + budget.period)
        values += [budget.key, sub_window, hits, expires_at, budget.limit]
    sql = COUNT.format(rows=", ".join(["(%s, %s, %s, %s, %s)"] * len(budgets)))
    if connection.vendor == "postgresql":
        sql = LOCK.format(numbers=", ".join(f"({int(budget.key[:15], 16)})" for budget in ordered)) + sql
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, connection.ops.adapt_datetimefield_value(at)])
        return bool(cursor.fetchall())


def _select_current(budgets: Sequence[Budget], now: datetime) -> QuerySet[RateCounter]:
    """Return the rows that count now; those that expire first come first."""
    keys = [budget.key for budget in budgets]
    return RateCounter.objects.filter(key__in=keys, expires_at__gt=now, hits__gt=0).order_by("expires_at")


def _measure_wait(budget: Budget, rows: Sequence[RateCounter], now: datetime) -> timedelta:
    """Return how long it takes until a budget has room for one more hit."""
    own = [row for row in rows if row.key == budget.key]
    excess, end = sum(row.hits for row in own) + 1 - budget.limit, now
    for row in own:
        if excess > 0:
            excess, end = excess - row.hits, row.expires_at
    return end - now
