"""Processes of the site and helpers to wait for them."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_PROGRAMS = ROOT / ".venv" / "bin"


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of the tests, with changes."""
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "sailing.settings", **changes}


def manage(*command: str, **changes: str) -> str:
    """Run a command of manage.py and return its output. Raises CalledProcessError."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(**changes),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def start(log: Path, *command: str, **changes: str) -> subprocess.Popen[bytes]:
    """Start a process group, whose output goes to a log."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(**changes),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


@contextmanager
def running(log: Path, *command: str, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of manage.py, and kill it at the end of the block."""
    process = start(log, sys.executable, "manage.py", *command, **changes)
    try:
        yield process
    finally:
        kill_group(process)


def free_port() -> int:
    """Return a port that is not in use."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_until(condition: Callable[[], object], what: str, seconds: float = 30) -> None:
    """Wait until a condition holds. Fail with its description `what` after the time-out."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """Return the ids of a process's children."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return [int(child) for child in listed.read_text().split()]
    found = subprocess.run(["pgrep", "-P", str(pid)], stdout=subprocess.PIPE, text=True, check=False)
    return [int(child) for child in found.stdout.split()]


def is_running(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process group, by its leader."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
