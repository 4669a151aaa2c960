"""Run calls at the same time, each with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

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
