"""Overload: three times the requests that the site can serve.

One gunicorn worker runs on one core, this program on another. First the capacity of the worker is measured
with a fixed number of clients. Then requests start at three times that rate, each on a new connection. Times
count from the scheduled start of a request, so that a late start hides nothing (coordinated omission).
"""

import itertools
import os
import random
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles

from accounts.tests.factories import PASSWORD
from benchmarks import rows
from benchmarks.report import Report
from benchmarks.requests import ME, NEW_ADDRESS, SIGN_IN
from benchmarks.servers import Connection, Request, graphql, read_memory, server
from tests.faults.visitors import SIGN_UP, SUBSCRIBE
from tests.processes import ROOT

CLIENTS, OVERLOAD_FACTOR = 8, 3
TIMEOUT_SECONDS = 30.0
MAX_VISITORS = 2_000
"""At the same time; a visit that waits for one of them counts from when it was due."""
PAGES = ["/", "/newsletter", "/landing", "/landing-sailors", "/landing-companies", "/?lang=cs", "/signin"]
MIX = {"page": 50, "file": 15, "missing": 5, "me": 15, "subscribe": 8, "sign in": 5, "sign up": 2}
"""Kinds of requests, in per cent."""
PROBE, REFUSED = "/healthz", "refused"
HEADERS = {"Accept-Encoding": "br", "Connection": "close"}

numbers = itertools.count()


def create_requests() -> dict[str, list[str]]:
    """Return the encoded requests of each kind."""
    file = next((ROOT / "staticfiles" / "app").glob("*.css"))
    requests = {
        "page": [Request(path) for path in PAGES],
        "file": [Request(f"/static/app/{file.name}")],
        "missing": [Request("/no-such-port")],
        "me": [graphql(ME, token=rows.create_token())],
        "subscribe": [graphql(SUBSCRIBE, email=NEW_ADDRESS)],
        "sign in": [graphql(SIGN_IN, email=rows.EMAIL, password=PASSWORD)],
        "sign up": [graphql(SIGN_UP, email=NEW_ADDRESS)],
        PROBE: [Request(PROBE)],
    }
    return {kind: [request.encode(HEADERS) for request in found] for kind, found in requests.items()}


class Load:
    """Sends requests to a site: `seconds` are the response times by kind of request, or of all REFUSED."""

    def __init__(self, port: int, requests: dict[str, list[str]]) -> None:
        self.port = port
        self.requests = requests
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.problems: Counter[str] = Counter()

    def get_accepted(self) -> list[float]:
        return [seconds for kind in MIX for seconds in self.seconds[kind]]

    def visit(self, due: float, kind: str = "") -> None:
        """Send a request, of a kind or the mix, and record its time from when it was due."""
        kind = kind or random.choices(list(MIX), list(MIX.values()))[0]
        try:
            connection = Connection(self.port, TIMEOUT_SECONDS)
            head, _body = connection.exchange(random.choice(self.requests[kind]), next(numbers))
        except Exception as error:  # noqa: BLE001 - each one counts
            self.problems[f"{kind}: {type(error).__name__}"] += 1
            return
        status = int(head.split(b" ", 2)[1])
        is_refused = status == 503 and b"retry-after:" in head.lower() and kind != PROBE
        if status >= 500 and not is_refused:
            self.problems[f"{kind}: {status}"] += 1
        else:
            self.seconds[REFUSED if is_refused else kind].append(time.monotonic() - due)

    def measure_capacity(self, seconds: float) -> float:
        """Return the responses per second with a fixed number of clients."""
        end = time.monotonic() + seconds

        def run_client(_number: int) -> None:
            while time.monotonic() < end:
                self.visit(time.monotonic())

        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(run_client, range(CLIENTS)))
        assert not self.problems, self.problems
        return len(self.get_accepted()) / seconds

    def run(self, rate: float, seconds: float, worker: int) -> list[float]:
        """Send requests at a rate, and a probe each second; return the worker's memory each second in MB."""
        started = time.monotonic()
        memory: list[float] = []
        number = 0
        with ThreadPoolExecutor(MAX_VISITORS) as pool:
            while (now := time.monotonic()) < started + seconds:
                while (due := started + number / rate) <= now:
                    pool.submit(self.visit, due)
                    number += 1
                if len(memory) <= now - started:
                    pool.submit(self.visit, now, PROBE)
                    memory.append(read_memory(worker))
                time.sleep(0.002)
        return memory


def get_percentile(times: list[float], percent: int) -> float:
    return quantiles(times, n=100, method="inclusive")[percent - 1] if times[1:] else sum(times)


def measure(report: Report) -> None:
    seconds, capacity_seconds = report.choose((600, 15), (3, 1))
    requests = create_requests()
    cores = sorted(os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, cores[:1])  # of the worker too
        with server(WEB_CONCURRENCY="1") as site:
            os.sched_setaffinity(0, cores[1:] or cores)
            (worker,) = site.workers()
            capacity = Load(site.port, requests).measure_capacity(capacity_seconds)
            load = Load(site.port, requests)
            memory = load.run(OVERLOAD_FACTOR * capacity, seconds, worker)
    finally:
        os.sched_setaffinity(0, cores)
    refused = load.seconds[REFUSED]
    report.check("accepted requests, 95 %", get_percentile(load.get_accepted(), 95), "s", at_most=2)
    report.check("refused requests, 95 %", get_percentile(refused, 95), "s", at_most=0.1)
    report.check("probes, 99 %", get_percentile(load.seconds[PROBE], 99), "s", at_most=2)
    report.check(f"refused requests of {OVERLOAD_FACTOR} x {capacity:.0f}/s", len(refused), "", at_least=1)
    report.check(f"failed requests {dict(load.problems)}", load.problems.total(), "", at_most=0)
    if not report.is_smoke:  # a short run does not show growth
        growth = median(memory[-30:]) / median(memory[30:60])
        report.check("memory of the worker, of that after a minute", growth, "", at_most=1.05)
