"""Runs the site's own processes, as a host does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(**changes: str) -> dict[str, str]:
    """The settings of the tests, with changes."""
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "sailing.settings", **changes}


def manage(*command: str, **changes: str) -> str:
    """Run a command of manage.py to its end; return what it said. Raises CalledProcessError."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(**changes),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@contextmanager
def running(*command: str, **changes: str) -> Iterator[subprocess.Popen[str]]:
    """A process for the length of a block, with its standard error to be read."""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(**changes), stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(process: subprocess.Popen[str], event: str) -> str:
    """The first line of its log that tells of an event. Fails when the process ends without one."""
    assert process.stderr
    said: list[str] = []
    for line in process.stderr:
        if f'"{event}"' in line:
            return line
        said.append(line)
    raise AssertionError(f"It ended without {event}: {''.join(said)}")
