"""The time in which a running server refuses each hostile GraphQL request."""

import json
import time
from contextlib import suppress
from http.client import HTTPConnection
from statistics import median

from benchmarks.servers import server
from tests.security.corpus import bodies

MAX_MILLISECONDS = 50


def send(port: int, body: bytes) -> tuple[float, bool]:
    """Return the milliseconds of a response on a new connection, and whether it is a 4xx with JSON errors."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.connect()
    start = time.perf_counter()
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read completely
        connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    milliseconds = (time.perf_counter() - start) * 1000
    connection.close()
    return milliseconds, 400 <= response.status < 500 and bool(json.loads(content)["errors"])


def measure(smoke: bool) -> list[bool]:
    kept = []
    print(f"{'milliseconds':34}{'median':>8}{'most':>8}")
    with server() as site:
        for name, body in bodies().items():
            answers = [send(site.port, body) for _run in range(1 if smoke else 15)]
            times, are_refused = zip(*answers, strict=True)
            kept.append(all(are_refused) and median(times) <= MAX_MILLISECONDS)
            note = "" if kept[-1] else "  <-- too slow" if all(are_refused) else "  <-- not refused"
            print(f"{name:34}{median(times):8.1f}{max(times):8.1f}{note}")
    return kept
