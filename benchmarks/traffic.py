"""Send one request repeatedly over keep-alive connections (`Server.load` of benchmarks.servers).

Reads an order from standard input and writes the result to standard output, both as JSON. It uses plain
sockets, because http.client is about as slow as the site itself.
"""

import itertools
import json
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
NUMBER = "0123456789"
"""Replaced by a different number in each request."""
ADDRESS = "{address}"
"""Replaced by an address of a different network in each request."""


class Connection:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket: socket.socket | None = None

    def send(self, request: bytes) -> None:
        """Send a request and read the response. Raises RuntimeError for a status other than 200."""
        if not self._send_and_read(request):  # a restarted worker closes its connections
            self.socket = None
            if not self._send_and_read(request):
                raise RuntimeError("The server ends the connection.")

    def _send_and_read(self, request: bytes) -> bool:
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.socket.sendall(request)
            answer = self.socket.recv(65536)
            while answer and b"\r\n\r\n" not in answer:
                answer += self.socket.recv(65536)
        except ConnectionError:
            return False
        if not answer:
            return False
        head, _, body = answer.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not head.startswith(b"HTTP/1.1 200 ") or not length:
            raise RuntimeError(answer[:2000].decode("utf-8", "replace"))
        missing = int(length[1]) - len(body)
        while missing > 0:
            missing -= len(self.socket.recv(min(missing, 65536)))
        if b"\r\nConnection: close" in head:
            self.socket = None
        return True


def encode_request(path: str, body: str, headers: Mapping[str, str]) -> bytes:
    """Return the bytes of a GET, or of a POST of a body."""
    size = {"Content-Length": str(len(body))} if body else {}
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in {**headers, **size}.items()]
    return "\r\n".join([*lines, "", body]).encode("ascii")


def run(order: dict[str, Any]) -> dict[str, Any]:
    request = encode_request(order["path"], order["body"].replace("{number}", NUMBER), order["headers"])
    numbers = itertools.count(order["first"])
    times: list[float] = []
    failures: list[str] = []
    started = time.perf_counter()

    def run_client() -> None:
        connection = Connection(order["port"])
        try:
            while time.perf_counter() - started < order["seconds"]:
                number = next(numbers)
                address = b"%d.%d.%d.1" % (number >> 16, number >> 8 & 255, number & 255)
                numbered = request.replace(NUMBER.encode(), b"%010d" % number)
                numbered = numbered.replace(ADDRESS.encode(), address)
                before = time.perf_counter()
                connection.send(numbered)
                times.append(time.perf_counter() - before)
        except (OSError, RuntimeError) as error:
            failures.append(str(error))

    threads = [threading.Thread(target=run_client) for _ in range(order["connections"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed = time.perf_counter() - started
    return {"times": times, "seconds": passed, "next": next(numbers), "failures": failures}


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
