"""The site with 100,000 and 1,000,000 subscribers, compared with itself with 1,000.

    scripts/with-postgres .venv/bin/python -m benchmarks.growth

Each size has its own database and server. Every subscriber has a consent event and a link.
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
from urllib.parse import urlencode

import benchmarks.django_setup  # noqa: F401

from django.db import connection

from benchmarks import members, comparison
from benchmarks.me import DOCUMENT as ME
from benchmarks.servers import Request, Server, prepare_database, server
from benchmarks.subscribe import OURS as SUBSCRIBE

SIZES = [1_000, 100_000, 1_000_000]
SMOKE_SIZES = [100, 1_000]
REQUEST_BAR = comparison.at_most(1.2)
LIST_BAR = comparison.at_most(3)
MAX_LIST_MILLISECONDS = 300
MEMORY_BAR = comparison.at_most(1.1)
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
        # One worker, whose memory is measured, and no sender (see benchmarks.subscribe).
        settings = {"DATABASE_URL": address, "WEB_CONCURRENCY": "1", "OUTBOX_THREAD": "false"}
        self.server: Server = stack.enter_context(server(**settings))
        self.me = Request("/graphql", json.dumps({"query": ME}), {"Authorization": f"Bearer {token}"})
        self.admin = {"Cookie": cookie}

    def measure(self, request: Request, seconds: float) -> float:
        return self.server.load(request, seconds=seconds, connections=1).milliseconds

    def list_request(self, query: str) -> Request:
        return Request(f"{LIST}{query}", headers=self.admin)

    def export(self) -> tuple[float, int]:
        """Export the list; return the seconds and the worker's peak memory in bytes."""
        (worker,) = self.server.workers()
        Path(f"/proc/{worker}/clear_refs").write_text("5")  # resets the peak
        started = time.perf_counter()
        lines = self._download_export()
        assert lines >= self.rows + 1, lines
        return time.perf_counter() - started, _peak(worker)

    def _download_export(self) -> int:
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


def _peak(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


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
        for site in sites:
            site.export()  # the first export of a process allocates memory that stays
        peaks: list[list[float]] = []
        for site in sites:
            exports = [site.export() for _round in range(1 if effort.smoke else 3)]
            peaks.append([peak / 1e6 for _seconds, peak in exports])
            seconds = median(seconds for seconds, _peak in exports)
            print(f"export of {site.rows:,}: {seconds:.1f} s", flush=True)
        for site, most in zip(sites[1:], peaks[1:], strict=True):
            kept.append(
                comparison.report(f"export, {site.rows:,}", most, peaks[0], unit="MB", bar=MEMORY_BAR)
            )
        # Last, because it adds rows.
        kept.append(
            measure("subscribe", sites, REQUEST_BAR, effort, lambda s: s.measure(SUBSCRIBE, effort.seconds))
        )
    comparison.exit_with_result(effort, *kept)


if __name__ == "__main__":
    main()
