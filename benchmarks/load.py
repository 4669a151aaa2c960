"""Overload test: three times the requests that the site can serve (`make load`).

    scripts/with-postgres .venv/bin/python -m benchmarks.load [minutes]

One gunicorn worker runs on one core, this program on another. First the capacity of the worker is measured
with a fixed number of clients. Then requests start at three times that rate, each on a new connection. Times
count from the scheduled start of a request, so that a late start hides nothing (coordinated omission).

The exit status is 1 if a bar is missed: 95 % of the accepted requests are answered within 2 s; the others are
refused with 503 and Retry-After, 95 % of them within 100 ms; every probe of /healthz is answered, 99 % within
2 s; no request stays without a response; the memory of the worker grows by at most 5 % after its first minute
(in runs of at least two minutes).
"""

import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import tests.environment  # noqa: F401 - the settings of the tests
from tests.faults.database import PostgresServer
from tests.faults.site import RunningSite
from tests.faults.visitors import SIGN_UP, SUBSCRIBE

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
UNLIMITED = "1000000/m"

ME = "{ me { id email firstName } }"
SIGN_IN = 'mutation { signIn(input: {email: "%s", password: "Fair winds, 2025!"}) { token } }'
MEMBER = "member@example.org"
MIX = {"page": 50, "file": 15, "missing": 5, "me": 15, "subscribe": 8, "sign in": 5, "sign up": 2}
PAGES = ["/", "/newsletter", "/landing", "/landing-sailors", "/landing-companies", "/?lang=cs", "/signin"]


@dataclass
class Tally:
    """Response times by kind of request, and the other results."""

    accepted: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: list[float] = field(default_factory=list)
    probes: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)


class Load:
    """Generates requests for a site."""

    def __init__(self, port: int, token: str, file: str) -> None:
        self.port = port
        self.token = token
        self.file = file
        self.rng = random.Random(1)
        self.number = 0

    def request(self) -> tuple[str, bytes]:
        """Return the kind and the bytes of the next request."""
        (kind,) = self.rng.choices(list(MIX), list(MIX.values()))
        self.number += 1
        email = f"visitor{self.number}@example.org"
        if kind == "page":
            return kind, get(self.rng.choice(PAGES))
        if kind in ("file", "missing"):
            return kind, get(self.file if kind == "file" else "/no-such-port")
        if kind == "me":
            return kind, post(ME, token=self.token)
        if kind == "sign in":
            return kind, post(SIGN_IN % MEMBER)
        return kind, post(SUBSCRIBE if kind == "subscribe" else SIGN_UP, email=email)

    async def visit(self, tally: Tally, due: float) -> None:
        """Send one request and record its time from when it was due."""
        kind, request = self.request()
        try:
            status, head = await asyncio.wait_for(self.exchange(request), TIMEOUT_SECONDS)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError) as error:
            tally.problems[type(error).__name__] += 1
            return
        seconds = time.monotonic() - due
        tally.statuses[f"{kind} {status}"] += 1
        if status == 503:
            tally.refused.append(seconds)
            if b"retry-after:" not in head:
                tally.problems["503 without Retry-After"] += 1
        elif status < 500:
            tally.accepted[kind].append(seconds)
        else:
            tally.problems[f"status {status}"] += 1

    async def exchange(self, request: bytes) -> tuple[int, bytes]:
        """Return the status and the lower-case head of a complete response."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.read()
            return int(head.split(b" ", 2)[1]), head
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def measure_capacity(self) -> float:
        """Return the responses per second with a fixed number of clients."""
        tally = Tally()
        end = time.monotonic() + CAPACITY_SECONDS

        async def client() -> None:
            while time.monotonic() < end:
                await self.visit(tally, time.monotonic())

        await asyncio.gather(*(client() for _client in range(CLIENTS)))
        assert not tally.problems, tally.problems
        return sum(map(len, tally.accepted.values())) / CAPACITY_SECONDS

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
                status, _head = await asyncio.wait_for(self.exchange(get("/healthz")), TIMEOUT_SECONDS)
                tally.probes.append(time.monotonic() - started)
                if status != 200:
                    tally.problems[f"/healthz {status}"] += 1
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                tally.problems[f"/healthz {type(error).__name__}"] += 1
            await asyncio.sleep(1)


def get(path: str) -> bytes:
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n"
    return head.encode()


def post(query: str, token: str = "", **variables: str) -> bytes:
    body = json.dumps({"query": query, "variables": variables}).encode()
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{bearer}"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


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


def list_missed(tally: Tally, memory: list[float]) -> list[str]:
    """Return the bars that were missed."""
    accepted = [seconds for times in tally.accepted.values() for seconds in times]
    bars = {
        "accepted requests were slow": percentile(accepted, 95) > ACCEPTED_BAR,
        "refusals were slow": percentile(tally.refused, 95) > REFUSED_BAR,
        "/healthz was slow": percentile(tally.probes, 99) > PROBE_BAR,
        "some requests failed": bool(tally.problems),
        "memory grew": (get_growth(memory) or 0) > MEMORY_BAR,
        "no request was refused: the load was too low": not tally.refused,
    }
    return [what for what, is_so in bars.items() if is_so]


def print_times(name: str, times: list[float]) -> None:
    figures = [percentile(times, 50), percentile(times, 95), percentile(times, 99), max(times, default=0)]
    print(f"{name:12}{len(times):8}" + "".join(f"{seconds * 1000:9.0f}" for seconds in figures))


def measure(site: RunningSite, minutes: float) -> int:
    """Run the test; return the number of missed bars."""
    answer = site.post_graphql(SIGN_UP, email=MEMBER).json
    file = next(Path("staticfiles/app").glob("*.css"))
    load = Load(site.port, answer["data"]["signUp"]["token"], f"/static/app/{file.name}")
    (worker,) = site.workers()
    tally = Tally()

    async def go() -> tuple[float, list[float]]:
        rate = await load.measure_capacity()
        overload = rate * OVERLOAD_FACTOR
        print(f"capacity {rate:.0f} requests/s; load {overload:.0f} requests/s for {minutes:g} minutes")
        return rate, await load.run(overload, minutes * 60, tally, worker)

    _rate, memory = asyncio.run(go())
    accepted = [seconds for times in tally.accepted.values() for seconds in times]
    print(f"{'ms':12}{'number':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'most':>9}")
    for kind in MIX:
        print_times(kind, tally.accepted[kind])
    print_times("accepted", accepted)
    print_times("refused", tally.refused)
    print_times("/healthz", tally.probes)
    grown = get_growth(memory)
    print(f"memory: {memory[-1]:.1f} MB at the end ({'-' if grown is None else f'{grown:+.1%}'})")
    print(f"accepted a second: {len(accepted) / (minutes * 60):.0f}")
    print(f"problems: {dict(tally.problems) or 'none'}")
    problems = list_missed(tally, memory)
    for what in problems:
        print(f"MISSED: {what}")
    return len(problems)


def main(minutes: float) -> int:
    cores = sorted(os.sched_getaffinity(0))
    server = PostgresServer(os.environ["DATABASE_URL"])
    server.prepare()
    with TemporaryDirectory() as folder:
        settings = {
            "DATABASE_URL": server.new_database("load").url,
            "EMAIL_URL": f"filemail:///{folder}/mails",
            "SITE_URL": "http://127.0.0.1",
            "WEB_CONCURRENCY": "1",
            **dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE"], UNLIMITED),
        }
        # No restart of the worker, which would hide a memory leak.
        site = RunningSite(folder=Path(folder), settings=settings, options=["--max-requests=0"])
        os.sched_setaffinity(0, cores[:1])
        site.start()
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            return int(measure(site, minutes) > 0)
        finally:
            site.kill()


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
