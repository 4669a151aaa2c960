"""Run background jobs in the test itself."""

from typing import Any

import pytest

from sailing.jobs import queue


def run_pending_jobs() -> None:
    """Run jobs until none is due. Raises database errors."""
    while queue.run_next_step():
        pass


def purge_expired() -> None:
    """Run the routine job that deletes expired data."""
    queue.enqueue("retention")
    run_pending_jobs()


class Killed(BaseException):
    """A worker that ends in the middle, as by SIGKILL: nothing handles this."""


def kill_after(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, call: int = 1) -> list[int]:
    """Let the worker end after a call of a function, within its step; return the numbers of all calls."""
    function: Any = getattr(module, name)
    calls: list[int] = []

    def run(*arguments: Any) -> None:
        calls.append(len(calls) + 1)
        function(*arguments)
        if calls[-1] == call:
            raise Killed

    monkeypatch.setattr(module, name, run)
    return calls
