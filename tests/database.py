"""A database that fails."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import OperationalError, connection

OUTAGE = "connection to server at 10.0.0.7 failed"
"""The message of each error. No response may contain it."""


@contextmanager
def failing_database(error: Callable[..., Any] = OperationalError, *, after: int = 0) -> Iterator[None]:
    """Make every database statement fail, after a number of successful ones."""
    numbers = count()

    def execute(run: Callable[..., Any], *args: Any) -> Any:
        if next(numbers) >= after:
            raise error(OUTAGE)
        return run(*args)

    with connection.execute_wrapper(execute):
        yield


@contextmanager
def before_statement(part: str, action: Callable[[], object], *, skip: int = 0) -> Iterator[None]:
    """Let something happen right before the first statement with a part, as another process would do it."""
    actions: list[Callable[[], object]] = [action, *[lambda: None] * skip]

    def run(execute: Any, sql: str, *arguments: Any) -> Any:
        if part in sql and actions:
            actions.pop()()
        return execute(sql, *arguments)

    with connection.execute_wrapper(run):
        yield


def explain(sql: str) -> str:
    """Return the plan of a query. PostgreSQL avoids reading whole tables, which are short in tests."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET enable_seqscan = off")
            cursor.execute(f"EXPLAIN {sql}")
        else:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        plan = str(cursor.fetchall())
        if connection.vendor == "postgresql":
            cursor.execute("RESET enable_seqscan")
    return plan
