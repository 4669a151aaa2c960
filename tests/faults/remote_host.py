"""A remote host for PostgreSQL that can become unreachable without closing its connections.

It is a Linux network namespace with a virtual cable to this one. This module runs in it as a program that
forwards TCP connections to the server's Unix socket.
"""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.processes import PYTHON_PROGRAMS, ROOT, kill_group, wait_until

PORT = 5432
NETWORK = f"198.18.{os.getpid() % 256}"
"""In the range for network benchmarks (RFC 2544)."""
HERE, THERE = f"{NETWORK}.1", f"{NETWORK}.2"


class RemoteHost:
    def __init__(self, name: str) -> None:
        self.name = name
        self.address = THERE

    @contextmanager
    def unreachable(self) -> Iterator[None]:
        """Drop every packet from the host during the block."""
        route = ["ip", "-n", self.name, "route"]
        subprocess.run([*route, "add", "blackhole", f"{HERE}/32"], check=True)
        try:
            yield
        finally:
            subprocess.run([*route, "del", "blackhole", f"{HERE}/32"], check=True)


@contextmanager
def remote_host(unix_socket: Path) -> Iterator[RemoteHost | None]:
    """Yield a host that forwards to a Unix socket; None where namespaces cannot be created."""
    name = f"far{os.getpid()}"
    with ExitStack() as made:
        try:
            made_it = subprocess.run(["ip", "netns", "add", name], stderr=subprocess.DEVNULL, check=False)
        except FileNotFoundError:
            yield None
            return
        if made_it.returncode:
            yield None
            return
        made.callback(subprocess.run, ["ip", "netns", "del", name], check=True)
        for command in (
            f"ip link add {name} type veth peer name there netns {name}",
            f"ip addr add {HERE}/30 dev {name}",
            f"ip link set {name} up",
            f"ip -n {name} addr add {THERE}/30 dev there",
            f"ip -n {name} link set there up",
        ):
            subprocess.run(command.split(), check=True)
        program = subprocess.Popen(
            ["ip", "netns", "exec", name, PYTHON_PROGRAMS / "python", "-m", __name__, str(unix_socket)],
            cwd=ROOT,
            start_new_session=True,
        )
        made.callback(kill_group, program)
        wait_until(_listens, "the remote host listens")
        yield RemoteHost(name)


def _listens() -> bool:
    with suppress(OSError), socket.create_connection((THERE, PORT), timeout=1):
        return True
    return False


def _forward(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def main(unix_socket: str) -> None:
    listener = socket.create_server(("", PORT))
    while True:
        client, _address = listener.accept()
        # The keepalive options of the site's own connections (`sailing/settings.py`).
        client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 2)):
            client.setsockopt(socket.IPPROTO_TCP, option, value)
        server = socket.socket(socket.AF_UNIX)
        server.connect(unix_socket)
        for ends in ((client, server), (server, client)):
            threading.Thread(target=_forward, args=ends, daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
