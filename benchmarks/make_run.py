"""The time until `make run` serves the site: on a fresh clone with warm package caches, and again.

The clone is a copy of the work tree. A smoke run reuses the installed packages and the build.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks import comparison
from sailing.environment import VARIABLES
from tests.processes import ROOT, free_port

MAX_FRESH, MAX_AGAIN = 90, 5
"""Seconds; the table shows them as the peer."""
MADE = (".venv", "node_modules", "frontend/build", "staticfiles")
MARKS = ("python", "python-dev", "node", "bundle", "static")


def clone(target: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source = ROOT / name
        if source.is_file() and not source.is_symlink():  # not deleted, not a link to a shared folder
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def reuse_installation(target: Path) -> None:
    done = target / ".cache" / "done"
    done.mkdir(parents=True)
    for made in MADE:
        (target / made).symlink_to((ROOT / made).resolve())
    for mark in MARKS:
        (done / mark).touch()


def measure_start(folder: Path) -> float:
    port = free_port()
    # Without the settings of the benchmarks.
    variables = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    started = time.monotonic()
    process = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=folder,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        while not _answers(port):
            if process.poll() is not None:
                assert process.stderr
                raise RuntimeError(process.stderr.read().decode()[-2000:])
            time.sleep(0.05)
        return time.monotonic() - started
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return bool(page.status == 200)
    except (URLError, OSError):
        return False


def measure(smoke: bool) -> list[bool]:
    fresh, again = [], []
    for _round in range(1 if smoke else 5):
        with tempfile.TemporaryDirectory(prefix="sailing-clone-") as name:
            folder = Path(name)
            clone(folder)
            if smoke:
                reuse_installation(folder)
            fresh.append(measure_start(folder))
            again.append(measure_start(folder))
    comparison.print_heading()
    return [
        comparison.report(f"`make run`, {what}", found, [limit] * len(found), unit="s", bar=comparison.Bar(1))
        for what, found, limit in (("fresh", fresh, MAX_FRESH), ("again", again, MAX_AGAIN))
    ]
