"""The site with 100,000 and 1,000,000 subscribers, compared with itself with 1,000.

    scripts/with-postgres .venv/bin/python -m benchmarks.growth

Each size has its own database and server. Every subscriber has a consent event and a link.
"""

# ruff: noqa: I001 - Django is set up before models are imported

import json
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from statistics import median
from typing import Any

import benchmarks.django_setup  # noqa: F401

import psycopg2
from django.db import connection

from sailing.background import Lock
from benchmarks import members, comparison
from benchmarks.me import DOCUMENT as ME
from benchmarks.servers import Request, Server, prepare_database, server
from benchmarks.subscribe import OURS as SUBSCRIBE

SIZES = [1_000, 100_000, 1_000_000]
SMOKE_SIZES = [100, 1_000]
REQUEST_BAR = comparison.at_most(1.2)
LIST_BAR = comparison.at_most(3)
MAX_LIST_MILLISECONDS = 300
LIST = "/admin/newsletter/subscription/"

FILL = """
    INSERT INTO newsletter_subscription (id, email, user_type, source, language, is_active, is_confirmed,
        is_imported, created_at, confirmed_at)
    SELECT gen_random_uuid(), 'person.' || n || '@example.org',
        CASE n %% 3 WHEN 0 THEN 'company' ELSE 'sailor' END,
        CASE n %% 4 WHEN 0 THEN '' ELSE 'landing-sailors' END,
        CASE n %% 2 WHEN 0 THEN 'en' ELSE 'cs' END,
        true, true, false, now() - interval '3 years' * (1 - n::float / %(rows)s), now()
    FROM generate_series(1, %(rows)s) AS n;
    INSERT INTO newsletter_consentevent (subscription_id, kind, at, language, wording, source, user_type)
    SELECT id, 'requested', created_at, language, '', source, user_type FROM newsletter_subscription;
    INSERT INTO newsletter_subscriptionlink (token_hash, created_at, subscription_id, purpose)
    SELECT md5(id::text), created_at, id, 'unsubscribe' FROM newsletter_subscription;
"""
"""All are confirmed, because others are purged."""


class PopulatedSite:
    """A server with a number of subscribers in its database."""

    def __init__(self, rows: int, stack: ExitStack) -> None:
        self.rows = rows
        address = _create_database(rows)
        prepare_database(address)
        _fill(rows)
        token, cookie = members.create_token(), members.create_admin_cookie()
        self._sender = _hold_sender_lock(address)
        self.server: Server = stack.enter_context(server(DATABASE_URL=address, WEB_CONCURRENCY="1"))
        self.me = Request("/graphql", json.dumps({"query": ME}), {"Authorization": f"Bearer {token}"})
        self.admin = {"Cookie": cookie}

    def measure(self, request: Request, seconds: float) -> float:
        return self.server.load(request, seconds=seconds, connections=1).milliseconds

    def list_request(self, query: str) -> Request:
        return Request(f"{LIST}{query}", headers=self.admin)


def _create_database(rows: int) -> str:
    """Create a database, switch this process to it, and return its URL."""
    name = f"growth_{rows}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
    connection.settings_dict["NAME"] = name
    server, _, query = os.environ["DATABASE_URL"].partition("?")
    return f"{server.rpartition('/')[0]}/{name}?{query}"


def _fill(rows: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(FILL, {"rows": rows})
        cursor.execute("VACUUM ANALYZE")  # autovacuum would do it later


def _hold_sender_lock(address: str) -> Any:
    """Return a connection that holds the sender's lock (see benchmarks.subscribe)."""
    held = psycopg2.connect(address)
    with held.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [Lock.OUTBOX.value])
    return held


def measure(
    what: str,
    sites: Sequence[PopulatedSite],
    bar: comparison.Bar,
    effort: comparison.Effort,
    side: Callable[[PopulatedSite], float],
) -> bool:
    """Measure the sites alternately, and compare each with the first."""
    smallest, *larger = comparison.measure_alternately(
        *(partial(side, site) for site in sites), rounds=effort.rounds
    )
    kept = [
        comparison.report(f"{what}, {site.rows:,}", times, smallest, unit="ms", bar=bar)
        for site, times in zip(sites[1:], larger, strict=True)
    ]
    return all(kept)


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__, seconds=1.0)
    pages = {"list": "", "search": "?q=person.77@", "search, most of the list": "?q=example"}
    kept = []
    with ExitStack() as stack:
        sites = [PopulatedSite(rows, stack) for rows in (SMOKE_SIZES if effort.smoke else SIZES)]
        comparison.print_heading()
        kept.append(measure("me", sites, REQUEST_BAR, effort, lambda s: s.measure(s.me, effort.seconds)))
        for what, query in pages.items():
            times = comparison.measure_alternately(
                *(partial(site.measure, site.list_request(query), effort.seconds) for site in sites),
                rounds=effort.rounds,
            )
            for site, found in zip(sites[1:], times[1:], strict=True):
                kept.append(
                    comparison.report(f"{what}, {site.rows:,}", found, times[0], unit="ms", bar=LIST_BAR)
                )
                kept.append(median(found) <= MAX_LIST_MILLISECONDS)
                if not kept[-1]:
                    print(
                        f"  {what}, {site.rows:,}: {median(found):.0f} ms, more than {MAX_LIST_MILLISECONDS}"
                    )
        # Last, because it adds rows.
        kept.append(
            measure("subscribe", sites, REQUEST_BAR, effort, lambda s: s.measure(SUBSCRIBE, effort.seconds))
        )
    comparison.exit_with_result(effort, *kept)


if __name__ == "__main__":
    main()
