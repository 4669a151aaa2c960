"""Three times what the site can serve, for some minutes: prints what became of it. `make load`.

    scripts/with-postgres .venv/bin/python -m benchmarks.load [minutes]

One gunicorn worker on one core, this program on another. First it finds how much the worker serves:
visitors one after another in a few rows. Then visitors come at three times that rate, however long the
others take, each on a connection of their own; a time counts from when a visitor was due, so that a late
start hides nothing.

Exit status 1 when a bar is missed: of what is accepted 95 % are answered within 2 s; the rest is refused
with 503 and Retry-After, 95 % within 100 ms; every look at /healthz is answered, 99 % within 2 s; nobody is
left without an answer; the worker holds 5 % more memory at the end than in its first minute, at the most
(looked at from two minutes on).
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
from tests.faults.site import Site
from tests.faults.visitors import SIGN_UP, SUBSCRIBE

ROWS = 8
CAPACITY_SECONDS = 15
TIMES = 3
ACCEPTED_BAR, REFUSED_BAR = 2.0, 0.1  # seconds, of 95 %
PROBE_BAR = 2.0  # seconds, of 99 %
MEMORY_BAR = 0.05
MEMORY_SECONDS = 120
"""A shorter run says nothing about growth: its beginning is nearly its end."""
GIVEN_UP = 30.0
UNLIMITED = "1000000/m"

ME = "{ me { id email firstName } }"
SIGN_IN = 'mutation { signIn(input: {email: "%s", password: "Fair winds, 2025!"}) { token } }'
MEMBER = "member@example.org"
MIX = {"page": 50, "file": 15, "missing": 5, "me": 15, "subscribe": 8, "sign in": 5, "sign up": 2}
PAGES = ["/", "/newsletter", "/landing", "/landing-sailors", "/landing-companies", "/?lang=cs", "/signin"]


@dataclass
class Tally:
    """What visitors met: how long an answer took, by kind, and how the rest ended."""

    accepted: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: list[float] = field(default_factory=list)
    probes: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)


class Load:
    """Visitors of one site."""

    def __init__(self, port: int, token: str, file: str) -> None:
        self.port = port
        self.token = token
        self.file = file
        self.chance = random.Random(1)
        self.number = 0

    def request(self) -> tuple[str, bytes]:
        """The kind of the next visitor, and what they send."""
        (kind,) = self.chance.choices(list(MIX), list(MIX.values()))
        self.number += 1
        email = f"visitor{self.number}@example.org"
        if kind == "page":
            return kind, get(self.chance.choice(PAGES))
        if kind in ("file", "missing"):
            return kind, get(self.file if kind == "file" else "/no-such-port")
        if kind == "me":
            return kind, post(ME, token=self.token)
        if kind == "sign in":
            return kind, post(SIGN_IN % MEMBER)
        return kind, post(SUBSCRIBE if kind == "subscribe" else SIGN_UP, email=email)

    async def visit(self, tally: Tally, due: float) -> None:
        """One visitor, from when they are due to the end of their answer."""
        kind, request = self.request()
        try:
            status, head = await asyncio.wait_for(self.exchange(request), GIVEN_UP)
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
        """The status and the head, in lower case, of an answer that has come in whole."""
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

    async def capacity(self) -> float:
        """Answers a second of visitors who come one after another."""
        tally = Tally()
        end = time.monotonic() + CAPACITY_SECONDS

        async def row() -> None:
            while time.monotonic() < end:
                await self.visit(tally, time.monotonic())

        await asyncio.gather(*(row() for _row in range(ROWS)))
        assert not tally.problems, tally.problems
        return sum(map(len, tally.accepted.values())) / CAPACITY_SECONDS

    async def come(self, rate: float, seconds: float, tally: Tally, worker: int) -> list[float]:
        """Visitors at a rate, for so long; return the worker's memory in MB, second by second."""
        begin = time.monotonic()
        visits: set[asyncio.Task[None]] = set()
        memory: list[float] = []
        watcher = asyncio.create_task(self.probe(tally))
        number = 0
        while (now := time.monotonic()) < begin + seconds:
            while begin + number / rate <= now:
                visit = asyncio.create_task(self.visit(tally, begin + number / rate))
                visits.add(visit)
                visit.add_done_callback(visits.discard)
                number += 1
            if len(memory) <= now - begin:
                memory.append(resident(worker))
            await asyncio.sleep(0.002)
        await asyncio.gather(*visits)
        watcher.cancel()
        return memory

    async def probe(self, tally: Tally) -> None:
        """A look at /healthz each second, as a platform does."""
        while True:
            begun = time.monotonic()
            try:
                status, _head = await asyncio.wait_for(self.exchange(get("/healthz")), GIVEN_UP)
                tally.probes.append(time.monotonic() - begun)
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


def resident(pid: int) -> float:
    """Megabytes that a process holds in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def percentile(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1] if times[1:] else sum(times)


def growth(memory: list[float]) -> float | None:
    """By what part the last half minute's memory is above the second one's; None for a short run."""
    if len(memory) < MEMORY_SECONDS:
        return None
    return statistics.median(memory[-30:]) / statistics.median(memory[30:60]) - 1


def missed(tally: Tally, memory: list[float]) -> list[str]:
    """The bars that were."""
    accepted = [seconds for times in tally.accepted.values() for seconds in times]
    bars = {
        "what was accepted took long": percentile(accepted, 95) > ACCEPTED_BAR,
        "refusing took long": percentile(tally.refused, 95) > REFUSED_BAR,
        "/healthz took long": percentile(tally.probes, 99) > PROBE_BAR,
        "something went wrong": bool(tally.problems),
        "memory grew": (growth(memory) or 0) > MEMORY_BAR,
        "nobody was refused: that was no load": not tally.refused,
    }
    return [what for what, is_so in bars.items() if is_so]


def told(name: str, times: list[float]) -> None:
    figures = [percentile(times, 50), percentile(times, 95), percentile(times, 99), max(times, default=0)]
    print(f"{name:12}{len(times):8}" + "".join(f"{seconds * 1000:9.0f}" for seconds in figures))


def measure(site: Site, minutes: float) -> int:
    """Run it; return how many bars were missed."""
    answer = site.ask(SIGN_UP, email=MEMBER).json
    file = next(Path("staticfiles/app").glob("*.css"))
    load = Load(site.port, answer["data"]["signUp"]["token"], f"/static/app/{file.name}")
    (worker,) = site.workers()
    tally = Tally()

    async def go() -> tuple[float, list[float]]:
        rate = await load.capacity()
        print(f"one process serves {rate:.0f} a second; for {minutes:g} minutes come {rate * TIMES:.0f}")
        return rate, await load.come(rate * TIMES, minutes * 60, tally, worker)

    _rate, memory = asyncio.run(go())
    accepted = [seconds for times in tally.accepted.values() for seconds in times]
    print(f"{'ms':12}{'number':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'most':>9}")
    for kind in MIX:
        told(kind, tally.accepted[kind])
    told("accepted", accepted)
    told("refused", tally.refused)
    told("/healthz", tally.probes)
    grown = growth(memory)
    print(f"memory: {memory[-1]:.1f} MB at the end ({'-' if grown is None else f'{grown:+.1%}'})")
    print(f"accepted a second: {len(accepted) / (minutes * 60):.0f}")
    print(f"problems: {dict(tally.problems) or 'none'}")
    problems = missed(tally, memory)
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
        # A worker that is replaced after so many requests would hide what it leaks.
        site = Site(folder=Path(folder), settings=settings, options=["--max-requests=0"])
        os.sched_setaffinity(0, cores[:1])
        site.start()
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            return int(measure(site, minutes) > 0)
        finally:
            site.end()


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
