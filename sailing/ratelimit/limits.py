"""Rate limits: how often one client may do one thing.

Every limit holds in any window of its length (a sliding window), over all processes, and for concurrent
requests too. A refused attempt costs one read and does not prolong the wait.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sailing.client import Client
from sailing.errors import RateLimited
from sailing.jobs import retention
from sailing.ratelimit import counters
from sailing.ratelimit.counters import Budget, Row
from sailing.ratelimit.models import RateCounter

UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
"""The units of a rate, which `sailing.environment` validates."""
retention.periods["rateCounts"] = max(UNITS.values())

WIDE_NETWORK_FACTORS = (1, 4, 16)
"""Budget of the /64, /56 and /48 of an IPv6 client, in multiples of the rate.

One person may have 256 /64s (a /56) or 65,536 (a /48), so counting by /64 alone is no limit. Where a
carrier gives each customer one /64, neighbours share the wider networks: these have room for several
customers who use up their own budgets.
"""

TIGHT_NETWORK_FACTORS = (1, 1.5, 2)
"""The same for sign-in, where each accepted attempt is a guess at a password. A neighbour who uses up the
budget of a shared network delays other sign-ins there, which is the smaller harm."""

SUCCESS_FACTORS = tuple(6 * factor for factor in WIDE_NETWORK_FACTORS)
"""The same for sign-ins that succeed: a course or an office signs in behind one address within a minute."""

FAILURE_LIMIT = 5
FAILURE_PERIOD = timedelta(minutes=5)
"""Failures of one client for one account. The right password still works from another client, so that the
owner cannot be locked out (OWASP Authentication Cheat Sheet, "Account Lockout")."""

Hits = dict[str, list[Row]]


def check_rate(
    client: Client, *, group: str, rate: str, value: str = "", causes_mail: bool = False
) -> list[Row]:
    """Count one attempt, or raise RateLimited with the seconds to wait when it exceeds the rate.

    Returns what was counted, for `counters.release`. `group` names what is limited, `rate` is a number per
    unit (`20/m`), and `value` narrows the count, to an account for example.

    `causes_mail`: it counts as a mail too, like `check_mail_rate`, in the same statements.
    """
    budgets = _rate_budgets(client, f"{group} {value}", rate, WIDE_NETWORK_FACTORS)
    return _count([*budgets, *_mail_budgets(client)] if causes_mail else budgets)


def check_user_rate(user_pk: int, *, group: str, rate: str) -> None:
    """Count one attempt of a signed-in user, from whichever client, like `check_rate`."""
    user = Client((f"user {user_pk}",), "")
    _count(_rate_budgets(user, group, rate, (1,)))


def check_mail_rate(client: Client) -> list[Row]:
    """Count one mail to an address whose owner may not have asked for it, over all kinds of such mails.

    Call it once the input is valid, and before anything is looked up, so that it tells nothing about an
    address. Beside the budget of each mailbox (`sailing.mail.mailboxes`), it limits how many mailboxes
    one client can reach. Returns what was counted. Raises RateLimited with the seconds to wait.
    """
    return _count(_mail_budgets(client))


@contextmanager
def limit_failures(client: Client, *, rate: str, account: str, failure: type[Exception]) -> Iterator[None]:
    """Limit how often the client may fail to sign in, and more widely how often it may try at all.

    `rate` limits the failures of a client; it may fail FAILURE_LIMIT times for one account in FAILURE_PERIOD.
    The failure is counted before the block runs, so that concurrent attempts share the limit, and taken back
    unless the block raises `failure`. If the block raises RateLimited, because too many passwords are being
    hashed, nothing is counted.
    Raises RateLimited with the seconds to wait.
    """
    attempts = _rate_budgets(client, "attempts sign-in ", rate, SUCCESS_FACTORS)
    failures = _failure_budgets(client, account)
    all_failures = _rate_budgets(client, "sign-in ", rate, TIGHT_NETWORK_FACTORS)
    reserved = _count([*attempts, *failures, *all_failures])
    unused = reserved[len(attempts) :]
    try:
        yield
    except failure:
        unused = []
        raise
    except RateLimited:
        unused = reserved
        raise
    finally:
        if unused:
            counters.release(unused)


def forget_failures(client: Client, *, account: str) -> None:
    """Take back the failures of a client at an account, also in the budgets of its wider networks.

    The failures of its neighbors, and of the client at all accounts, still count.
    """
    budgets = _failure_budgets(client, account)
    own = counters.read(budgets[:1], timezone.now())[budgets[0].key]
    if own:
        counters.add([row._replace(key=budget.key, hits=-row.hits) for row in own for budget in budgets])


def _failure_budgets(client: Client, account: str) -> list[Budget]:
    name = f"failures sign-in {account}"
    return _network_budgets(client, name, FAILURE_LIMIT, FAILURE_PERIOD, TIGHT_NETWORK_FACTORS)


def _mail_budgets(client: Client) -> list[Budget]:
    return [
        budget
        for rate in settings.MAIL_RATES
        for budget in _rate_budgets(client, "unrequested mails", rate, WIDE_NETWORK_FACTORS)
    ]


def _rate_budgets(client: Client, name: str, rate: str, factors: Sequence[float]) -> list[Budget]:
    limit, _, unit = rate.partition("/")
    return _network_budgets(client, f"tries {name}", int(limit), UNITS[unit], factors)


def _network_budgets(
    client: Client, name: str, limit: int, period: timedelta, factors: Sequence[float]
) -> list[Budget]:
    """Return the budgets of a client's networks, the narrowest network first."""
    return [
        Budget(_key(f"{name} {network} {period}"), limit=ceil(limit * factor), period=period)
        for network, factor in zip(client.networks, factors, strict=False)
    ]


def _key(name: str) -> str:
    """Return the storage key of a counter: a digest, which does not reveal the address or the account."""
    return salted_hmac("sailing.ratelimit", name, algorithm="sha256").hexdigest()[: RateCounter.KEY_LENGTH]


def _count(budgets: Sequence[Budget]) -> list[Row]:
    """Count one hit of each budget, or raise RateLimited without counting when one is used up.

    Returns the counted rows, in the order of the budgets.
    """
    now = timezone.now()
    hits = counters.read(budgets, now)
    _raise_if_positive(_wait(budgets, hits, now))
    reserved = [budget.hit(now) for budget in budgets]
    sums = counters.add(reserved)
    # Concurrent requests may have counted since `hits` was read. Each request gets a different sum, which
    # shows hits in the same sub-window. Hits in a neighbouring sub-window take a second read.
    if any(budget.is_near_boundary(now, timezone.now()) for budget in budgets):
        hits = counters.read(budgets, now)
    before = {
        own.key: [
            *(row for row in hits[own.key] if row.sub_window != own.sub_window),
            own._replace(hits=sums[own.key] - 1),
        ]
        for own in reserved
    }
    wait = _wait(budgets, before, now)
    if wait:
        counters.release(reserved)
    _raise_if_positive(wait)
    return reserved


def _wait(budgets: Sequence[Budget], hits: Hits, now: datetime) -> timedelta:
    """Return how long it takes until every budget has room for one more hit."""
    return max(_wait_for(budget, hits[budget.key], now) for budget in budgets)


def _wait_for(budget: Budget, rows: Sequence[Row], now: datetime) -> timedelta:
    excess = sum(row.hits for row in rows) + 1 - budget.limit
    end = now
    for row in sorted(rows, key=lambda row: row.expires_at):
        if excess <= 0:
            break
        excess -= row.hits
        end = row.expires_at
    return end - now


def _raise_if_positive(wait: timedelta) -> None:
    if wait > timedelta(0):
        raise RateLimited(retry_after=ceil(wait.total_seconds()))
