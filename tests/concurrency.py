"""Run calls at the same time, each with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any, TypeVar

from django.db import connection, connections

Result = TypeVar("Result")


def run_at_once(count: int, call: Callable[[int], Result]) -> list[Result]:
    """Call `call(0)`, `call(1)`, ... in threads that start together; return the results in order."""
    barrier = Barrier(count)

    def run(number: int) -> Result:
        try:
            barrier.wait()
            return call(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def run_overlapping(first: Callable[[], object], second: Callable[[], object]) -> None:
    """Run two transactions: the second starts once the first holds its first row lock.

    The first goes on when the second holds one too, or after a second: the second may have to wait for it.
    A deadlock raises OperationalError. Without row locks (SQLite) they run one after the other.
    """
    first_has_lock, second_has_lock = Event(), Event()

    def run(transaction: Callable[[], object], on_lock: Callable[[], object]) -> None:
        def report_lock(execute: Any, sql: str, *arguments: Any) -> Any:
            result = execute(sql, *arguments)
            if " FOR UPDATE" in sql or " FOR NO KEY UPDATE" in sql:
                on_lock()
            return result

        try:
            with connection.execute_wrapper(report_lock):
                transaction()
        finally:
            on_lock()
            connection.close()

    def wait_for_second() -> None:
        if not first_has_lock.is_set():
            first_has_lock.set()
            second_has_lock.wait(timeout=1)

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(run, first, wait_for_second)
        first_has_lock.wait()
        run(second, second_has_lock.set)
        running.result()
