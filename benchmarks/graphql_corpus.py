"""The time in which a running server refuses each hostile GraphQL request, in milliseconds.

    .venv/bin/python -m benchmarks.graphql_corpus http://127.0.0.1:8000

Each request uses a new connection, which is opened before its time starts. The exit status is 1 if a response
is not a 4xx in JSON, or the median of a request is above the bar.
"""

import json
import statistics
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.security.corpus import bodies

BAR = 50
"""Milliseconds."""
RUNS = 15


def send(server: str, body: bytes) -> tuple[float, bool]:
    """Return the milliseconds of a response, and whether it is a 4xx with JSON errors."""
    connection = HTTPConnection(server, timeout=10)
    connection.connect()
    start = time.perf_counter()
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read completely
        connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    milliseconds = (time.perf_counter() - start) * 1000
    connection.close()
    return milliseconds, 400 <= response.status < 500 and bool(json.loads(content)["errors"])


def main(server: str) -> int:
    failed = 0
    print(f"{server}, {RUNS} runs, milliseconds")
    print(f"{'':34}{'median':>8}{'most':>8}")
    for name, body in bodies().items():
        times, refused = zip(*(send(server, body) for _run in range(RUNS)), strict=True)
        good = all(refused) and statistics.median(times) <= BAR
        failed += not good
        note = "" if good else "  <-- too slow" if all(refused) else "  <-- not refused"
        print(f"{name:34}{statistics.median(times):8.1f}{max(times):8.1f}{note}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(urlsplit(sys.argv[1]).netloc))
