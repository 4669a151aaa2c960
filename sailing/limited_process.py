"""Read a file that may be hostile in a process of its own: with limits, and without the site's secrets."""

import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

INHERITED_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "LANG")


def start(module: str, *arguments: str, **streams: Any) -> "subprocess.Popen[bytes]":
    """Run a module, which begins with `limit_resources`."""
    return subprocess.Popen(  # noqa: S603 - no part of the command is input
        [sys.executable, "-m", module, *arguments],
        cwd=Path(__file__).resolve().parent.parent,
        env={name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ},
        stderr=subprocess.DEVNULL,
        **streams,
    )


def limit_resources(*, memory: int, cpu_seconds: int, file_size: int) -> None:
    """Limit this process: bytes of address space, CPU time, and bytes of a file that it writes."""
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_FSIZE: file_size,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        with suppress(ValueError):  # a lower limit is in force, or macOS has no such limit
            resource.setrlimit(limit, (value, value))
