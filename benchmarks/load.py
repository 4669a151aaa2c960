"""Overload test: three times the requests that the site can serve.

One gunicorn worker runs on one core, this program on another. First the capacity of the worker is measured
with a fixed number of clients. Then requests start at three times that rate, each on a new connection. Times
count from the scheduled start of a request, so that a late start hides nothing (coordinated omission).

The bars: 95 % of the accepted requests are answered within 2 s; the others are
refused with 503 and Retry-After, 95 % of them within 100 ms; every probe of /healthz is answered, 99 % within
2 s; no request stays without a response; the memory of the worker grows by at most 5 % after its first minute
(in runs of at least two minutes).
"""

import asyncio
import os
import random
import statistics
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import members
from benchmarks.requests import ME, SIGN_IN, SIGN_UP, SUBSCRIBE
from benchmarks.servers import Request, graphql, server
from benchmarks.traffic import encode_request
from tests.processes import ROOT

CLIENTS = 8
CAPACITY_SECONDS = 15
OVERLOAD_FACTOR = 3
ACCEPTED_BAR, REFUSED_BAR = 2.0, 0.1
"""Seconds, for 95 %."""
PROBE_BAR = 2.0
"""Seconds, for 99 %."""
MEMORY_BAR = 0.05
MEMORY_SECONDS = 120
"""A shorter run does not show growth."""
TIMEOUT_SECONDS = 30.0

MIX = {"page": 50, "file": 15, "missing": 5, "me": 15, "subscribe": 8, "sign in": 5, "sign up": 2}
PAGES = ["/", "/newsletter", "/landing", "/landing-sailors", "/landing-companies", "/?lang=cs", "/signin"]


@dataclass
class Tally:
    """Response times by kind of request, and the other results."""

    accepted: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: list[float] = field(default_factory=list)
    probes: list[float] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)


class Load:
    """Generates requests for a site."""

    def __init__(self, port: int, token: str, file: str) -> None:
        self.port = port
        self.token = token
        self.file = file
        self.rng = random.Random(1)
        self.number = 0

    def choose_request(self) -> tuple[str, Request]:
        """Return the kind of the next request, and the request."""
        (kind,) = self.rng.choices(list(MIX), list(MIX.values()))
        self.number += 1
        new = f"visitor{self.number}@example.org"
        requests = {
            "page": lambda: Request(self.rng.choice(PAGES)),
            "file": lambda: Request(self.file),
            "missing": lambda: Request("/no-such-port"),
            "me": lambda: graphql(ME, token=self.token),
            "subscribe": lambda: graphql(SUBSCRIBE, email=new),
            "sign in": lambda: graphql(SIGN_IN, email=members.EMAIL, password=members.PASSWORD),
            "sign up": lambda: graphql(SIGN_UP, email=new, password=members.PASSWORD),
        }
        return kind, requests[kind]()

    async def visit(self, tally: Tally, due: float) -> None:
        """Send one request and record its time from when it was due."""
        kind, request = self.choose_request()
        try:
            status, head = await asyncio.wait_for(self.exchange(request), TIMEOUT_SECONDS)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError) as error:
            tally.problems[type(error).__name__] += 1
            return
        seconds = time.monotonic() - due
        if status == 503:
            tally.refused.append(seconds)
            if b"retry-after:" not in head:
                tally.problems["503 without Retry-After"] += 1
        elif status < 500:
            tally.accepted[kind].append(seconds)
        else:
            tally.problems[f"status {status}"] += 1

    async def exchange(self, request: Request) -> tuple[int, bytes]:
        """Return the status and the lower-case head of a complete response."""
        headers = {**request.get_headers(), "Accept-Encoding": "br", "Connection": "close"}
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(encode_request(request.path, request.body, headers))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.read()
            return int(head.split(b" ", 2)[1]), head
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def measure_capacity(self, seconds: float) -> float:
        """Return the responses per second with a fixed number of clients."""
        tally = Tally()
        end = time.monotonic() + seconds

        async def client() -> None:
            while time.monotonic() < end:
                await self.visit(tally, time.monotonic())

        await asyncio.gather(*(client() for _client in range(CLIENTS)))
        assert not tally.problems, tally.problems
        return sum(map(len, tally.accepted.values())) / seconds

    async def run(self, rate: float, seconds: float, tally: Tally, worker: int) -> list[float]:
        """Send requests at a rate; return the worker's memory in MB for each second."""
        started = time.monotonic()
        visits: set[asyncio.Task[None]] = set()
        memory: list[float] = []
        watcher = asyncio.create_task(self.probe(tally))
        number = 0
        while (now := time.monotonic()) < started + seconds:
            while started + number / rate <= now:
                visit = asyncio.create_task(self.visit(tally, started + number / rate))
                visits.add(visit)
                visit.add_done_callback(visits.discard)
                number += 1
            if len(memory) <= now - started:
                memory.append(get_resident_memory(worker))
            await asyncio.sleep(0.002)
        await asyncio.gather(*visits)
        watcher.cancel()
        return memory

    async def probe(self, tally: Tally) -> None:
        """Probe /healthz every second."""
        while True:
            started = time.monotonic()
            try:
                status, _head = await asyncio.wait_for(self.exchange(Request("/healthz")), TIMEOUT_SECONDS)
                tally.probes.append(time.monotonic() - started)
                if status != 200:
                    tally.problems[f"/healthz {status}"] += 1
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                tally.problems[f"/healthz {type(error).__name__}"] += 1
            await asyncio.sleep(1)


def get_resident_memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def percentile(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1] if times[1:] else sum(times)


def get_growth(memory: list[float]) -> float | None:
    """Return the growth from the second half minute to the last one; None for a short run."""
    if len(memory) < MEMORY_SECONDS:
        return None
    return statistics.median(memory[-30:]) / statistics.median(memory[30:60]) - 1


def print_times(name: str, times: list[float]) -> None:
    figures = [percentile(times, 50), percentile(times, 95), percentile(times, 99), max(times, default=0)]
    print(f"{name:12}{len(times):8}" + "".join(f"{seconds * 1000:9.0f}" for seconds in figures))


def measure(smoke: bool) -> list[bool]:
    seconds = 3 if smoke else 600
    token = members.create_token()
    file = next((ROOT / "staticfiles" / "app").glob("*.css"))
    tally = Tally()
    cores = sorted(os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, cores[:1])  # of the worker too
        # No restart of the worker, which would hide a memory leak.
        with server(WEB_CONCURRENCY="1", GUNICORN_CMD_ARGS="--max-requests=0") as site:
            os.sched_setaffinity(0, cores[1:] or cores)
            (worker,) = site.get_workers()
            load = Load(site.port, token, f"/static/app/{file.name}")
            rate = OVERLOAD_FACTOR * asyncio.run(load.measure_capacity(1 if smoke else CAPACITY_SECONDS))
            print(f"{rate:.0f} requests/s for {seconds} s, {OVERLOAD_FACTOR} times the capacity", flush=True)
            memory = asyncio.run(load.run(rate, seconds, tally, worker))
    finally:
        os.sched_setaffinity(0, cores)
    accepted = [time for times in tally.accepted.values() for time in times]
    print(f"{'ms':12}{'number':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'most':>9}")
    groups = {**{kind: tally.accepted[kind] for kind in MIX}, "accepted": accepted}
    for name, times in {**groups, "refused": tally.refused, "/healthz": tally.probes}.items():
        print_times(name, times)
    grown = get_growth(memory)
    print(f"memory: {memory[-1]:.1f} MB at the end ({'-' if grown is None else f'{grown:+.1%}'})")
    print(f"accepted a second: {len(accepted) / seconds:.0f}")
    print(f"problems: {dict(tally.problems) or 'none'}")
    bars = {
        "accepted requests are answered in time": percentile(accepted, 95) <= ACCEPTED_BAR,
        "refusals are sent in time": percentile(tally.refused, 95) <= REFUSED_BAR,
        "/healthz is answered in time": percentile(tally.probes, 99) <= PROBE_BAR,
        "no request fails": not tally.problems,
        "memory does not grow": (grown or 0) <= MEMORY_BAR,
        "the load is high enough to be refused": bool(tally.refused),
    }
    for what, is_met in bars.items():
        if not is_met:
            print(f"MISSED: {what}")
    return list(bars.values())
