"""Liveness and readiness, answered before host checks, redirects and sessions.

`/healthz` touches nothing: the process runs. `/readyz` says whether requests should be sent here: 200,
or 503 with what is missing (the database, migrations) within two seconds.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

READY_SECONDS = 1.5

# One look at a time: probes during an outage must not pile up threads.
_looks = ThreadPoolExecutor(max_workers=1, thread_name_prefix="readiness")


class HealthMiddleware:
    """Answers the two paths itself, passes every other request on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            return _answer({"status": "ok"}, 200)
        if request.path == "/readyz":
            problem = _missing()
            return _answer({"status": problem or "ok"}, 503 if problem else 200)
        return self.get_response(request)


def _answer(body: dict[str, str], status: int) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _missing() -> str | None:
    look = _looks.submit(_look)
    try:
        return look.result(timeout=READY_SECONDS)
    except TooSlow:
        look.cancel()  # if it has not begun; else those of a long outage would be gone through after it
        return "database slow"
    except Exception:  # noqa: BLE001 - whatever the driver raises, the answer is the same
        return "database away"


def _look() -> str | None:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
        return "migrations pending" if pending else None
    finally:
        connection.close()
