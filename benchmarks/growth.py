"""The site with 1,000, 100,000 and 1,000,000 subscribers, each held against itself with 1,000.

    scripts/with-postgres .venv/bin/python -m benchmarks.growth

A database and a server for each size. Every subscriber has a consent event and a link, as those have who
subscribed on the site.
"""

# ruff: noqa: I001 - Django is set up before models are imported

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

import benchmarks.django_here  # noqa: F401

import psycopg2
from django.db import connection

from sailing.background import Lock
from benchmarks import members, pairs
from benchmarks.me import DOCUMENT as ME
from benchmarks.servers import Request, Server, prepare_database, server
from benchmarks.subscribe import OURS as SUBSCRIBE

SIZES = [1_000, 100_000, 1_000_000]
SMOKE_SIZES = [100, 1_000]
QUICK = pairs.at_most(1.2)
LISTED = pairs.at_most(3)
LISTED_MILLISECONDS = 300
MEMORY = pairs.at_most(1.1)
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
"""All confirmed: who is not is forgotten after a while."""


class Site:
    """A server whose database has so many subscribers."""

    def __init__(self, rows: int, stack: ExitStack) -> None:
        self.rows = rows
        address = _database(rows)
        prepare_database(address)
        _fill(rows)
        token, cookie = members.token(), members.admin_cookie()
        self._sender = _sender(address)
        # One process that answers, so that its memory is that of the answer.
        self.server: Server = stack.enter_context(server(DATABASE_URL=address, WEB_CONCURRENCY="1"))
        self.me = Request("/graphql", json.dumps({"query": ME}), {"Authorization": f"Bearer {token}"})
        self.admin = {"Cookie": cookie}

    def milliseconds(self, request: Request, seconds: float) -> float:
        return self.server.load(request, seconds=seconds, connections=1).milliseconds

    def listed(self, query: str) -> Request:
        return Request(f"{LIST}{query}", headers=self.admin)

    def exported(self) -> tuple[float, int]:
        """Seconds, and the most memory in bytes that the process had in that time."""
        (worker,) = self.server.workers()
        Path(f"/proc/{worker}/clear_refs").write_text("5")  # the peak begins anew
        begun = time.perf_counter()
        lines = self._export()
        assert lines >= self.rows + 1, lines
        return time.perf_counter() - begun, _peak(worker)

    def _export(self) -> int:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=300)
        connection.request("GET", f"{LIST}export/", headers=self.admin)
        form = connection.getresponse()
        csrf = (form.headers["Set-Cookie"] or "").partition(";")[0]
        page = form.read().decode()
        token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        body = urlencode({"format": "0", "resource": "0", "csrfmiddlewaretoken": token})
        headers = {
            "Cookie": f"{self.admin['Cookie']}; {csrf}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://127.0.0.1:{self.server.port}",
        }
        connection.request("POST", f"{LIST}export/", body, headers)
        response = connection.getresponse()
        assert response.status == 200, response.read()[:500]
        lines = 0
        while part := response.read(1 << 20):
            lines += part.count(b"\n")
        connection.close()
        return lines


def _database(rows: int) -> str:
    """A new database beside the one that DATABASE_URL names, which this process uses from now on."""
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
        cursor.execute("VACUUM ANALYZE")  # as PostgreSQL does by itself, a while later


def _sender(address: str) -> Any:
    """A connection that holds the lock of who sends mails (see benchmarks.subscribe)."""
    held = psycopg2.connect(address)
    with held.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [Lock.OUTBOX.value])
    return held


def _peak(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def measure(
    what: str, sites: Sequence[Site], bar: pairs.Bar, effort: pairs.Effort, side: Callable[[Site], float]
) -> bool:
    """Measure each site in turn and hold each but the first against it."""
    smallest, *larger = pairs.in_turn(*(partial(side, site) for site in sites), rounds=effort.rounds)
    kept = [
        pairs.report(f"{what}, {site.rows:,}", times, smallest, unit="ms", bar=bar)
        for site, times in zip(sites[1:], larger, strict=True)
    ]
    return all(kept)


def main() -> None:
    effort = pairs.Effort.chosen(__doc__, seconds=1.0)
    pages = {"list": "", "search": "?q=person.77@", "search, most of the list": "?q=example"}
    kept = []
    with ExitStack() as stack:
        sites = [Site(rows, stack) for rows in (SMOKE_SIZES if effort.smoke else SIZES)]
        pairs.heading()
        kept.append(measure("me", sites, QUICK, effort, lambda s: s.milliseconds(s.me, effort.seconds)))
        for what, query in pages.items():
            times = pairs.in_turn(
                *(partial(site.milliseconds, site.listed(query), effort.seconds) for site in sites),
                rounds=effort.rounds,
            )
            for site, found in zip(sites[1:], times[1:], strict=True):
                kept.append(pairs.report(f"{what}, {site.rows:,}", found, times[0], unit="ms", bar=LISTED))
                kept.append(median(found) <= LISTED_MILLISECONDS)
                if not kept[-1]:
                    print(f"  {what}, {site.rows:,}: {median(found):.0f} ms, more than {LISTED_MILLISECONDS}")
        for site in sites:
            site.exported()  # what a process keeps from its first one
        peaks: list[list[float]] = []
        for site in sites:
            exports = [site.exported() for _round in range(1 if effort.smoke else 3)]
            peaks.append([peak / 1e6 for _seconds, peak in exports])
            seconds = median(seconds for seconds, _peak in exports)
            print(f"export of {site.rows:,}: {seconds:.1f} s", flush=True)
        for site, most in zip(sites[1:], peaks[1:], strict=True):
            kept.append(pairs.report(f"export, {site.rows:,}", most, peaks[0], unit="MB", bar=MEMORY))
        # Last, because it makes them grow.
        kept.append(
            measure("subscribe", sites, QUICK, effort, lambda s: s.milliseconds(SUBSCRIBE, effort.seconds))
        )
    pairs.finish(effort, *kept)


if __name__ == "__main__":
    main()
