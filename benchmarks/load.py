"""Overload: three times the requests that a gunicorn worker on one core can serve, each on a new connection.

Times count from the scheduled start of a request, so that a late start hides nothing (coordinated omission).
"""

import os
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles

from accounts import tokens
from accounts.tests.factories import PASSWORD, MemberFactory
from benchmarks.report import Report
from benchmarks.requests import ME, NEW_ADDRESS, SIGN_IN
from benchmarks.servers import Connection, Server, graphql, read_memory, server, write_request
from tests.faults.visitors import SIGN_UP, SUBSCRIBE
from tests.processes import ROOT

CLIENTS, OVERLOAD_FACTOR = 8, 3
PAGES = ["/", "/newsletter", "/landing", "/landing-sailors", "/landing-companies", "/?lang=cs", "/signin"]
PROBE = write_request("/healthz", Connection="close")


def create_requests() -> dict[str, float]:
    """Return the requests with their weights in per cent."""
    member, file = MemberFactory(), next((ROOT / "staticfiles" / "app").glob("*.css"))
    weights = {write_request(path): 50 / len(PAGES) for path in PAGES} | {
        write_request(f"/static/app/{file.name}"): 15,
        write_request("/no-such-port"): 5,
        graphql(ME, token=tokens.issue(member)): 15,
        graphql(SUBSCRIBE, email=NEW_ADDRESS): 8,
        graphql(SIGN_IN, email=member.email, password=PASSWORD): 5,
        graphql(SIGN_UP, email=NEW_ADDRESS): 2,
    }
    # Each on a connection of its own, from a browser.
    headers = "\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n"
    return {request.replace("\r\n\r\n", headers, 1): weight for request, weight in weights.items()}


class Load:
    """Sends requests to a site, and keeps the response times in seconds by what came of them."""

    def __init__(self, port: int, requests: dict[str, float]) -> None:
        self.port = port
        self.requests, self.weights = list(requests), list(requests.values())
        self.accepted: list[float] = []
        self.refused: list[float] = []
        self.probes: list[float] = []
        self.problems: Counter[str] = Counter()

    def visit(self, due: float, request: str = "") -> None:
        """Send a request, of the mix if none is given, and record its time from when it was due."""
        request = request or random.choices(self.requests, self.weights)[0]
        try:
            head, _body = Connection(self.port, timeout=30).exchange(request, next(Server.numbers))
            status = int(head.split(b" ", 2)[1])
        except Exception as error:  # noqa: BLE001 - each one counts
            self.problems[type(error).__name__] += 1
            return
        times = self.probes if request == PROBE else self.accepted
        if status == 503 and b"retry-after:" in head.lower() and request != PROBE:
            times = self.refused
        elif status >= 500:
            self.problems[str(status)] += 1
        times.append(time.monotonic() - due)

    def measure_capacity(self, seconds: float) -> float:
        """Return the responses per second with a fixed number of clients."""
        end = time.monotonic() + seconds

        def run_client(_number: int) -> None:
            while (now := time.monotonic()) < end:
                self.visit(now)

        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(run_client, range(CLIENTS)))
        assert not self.problems, self.problems
        return len(self.accepted) / seconds

    def run(self, rate: float, seconds: float, worker: int) -> list[float]:
        """Send requests at a rate, and a probe each second; return the worker's memory each second in MB."""
        started = time.monotonic()
        memory: list[float] = []
        number = 0
        with ThreadPoolExecutor(2_000) as pool:  # a visit that waits for a thread is late
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
    report.check("accepted requests, 95 %", get_percentile(load.accepted, 95), "s", at_most=2)
    report.check("refused requests, 95 %", get_percentile(load.refused, 95), "s", at_most=0.1)
    report.check("probes, 99 %", get_percentile(load.probes, 99), "s", at_most=2)
    report.check(f"refused requests, capacity {capacity:.0f}/s", len(load.refused), "", at_least=1)
    report.check(f"failed requests {dict(load.problems)}", load.problems.total(), "", at_most=0)
    if not report.is_smoke:  # a short run does not show growth
        growth = median(memory[-30:]) / median(memory[30:60])
        report.check("memory of the worker, of that after a minute", growth, "", at_most=1.05)
