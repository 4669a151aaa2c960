"""Liveness and readiness, answered before host checks, redirects and sessions.

`/healthz` touches nothing: the process runs. `/readyz` says whether requests should be sent here: 200,
or 503 with what is missing (the database, migrations) within two seconds.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from functools import cache

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

READY_SECONDS = 1.5

KEPT_SECONDS = 1.0
"""How long the result of a look answers everybody who asks."""


class Looks:
    """One look at a time and at most one a second, for all who ask meanwhile.

    Probes during an outage must not pile up threads, and whoever asks when the look has taken too long
    already does not wait as long again. Anybody may ask, so a flood of questions must not load the database.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="readiness")
        self._lock = threading.Lock()
        self._look: Future[str | None] | None = None
        self._end = 0.0
        self._finished = 0.0

    def missing(self) -> str | None:
        """What is missing, if anything. Raises TooSlow, or what the database raises when it is away."""
        with self._lock:
            now = time.monotonic()
            if self._look is None or (self._look.done() and now >= self._finished + KEPT_SECONDS):
                self._look, self._end = self._pool.submit(self._run), now + READY_SECONDS
            look, end = self._look, self._end
        return look.result(timeout=max(0.0, end - time.monotonic()))

    def _run(self) -> str | None:
        try:
            return _look()
        finally:
            self._finished = time.monotonic()


_looks = Looks()


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
    try:
        return _looks.missing()
    except TooSlow:
        return "database slow"
    except Exception:  # noqa: BLE001 - whatever the driver raises, the answer is the same
        return "database away"


def _look() -> str | None:
    try:
        applied = MigrationRecorder(connection).applied_migrations()
        return None if _migrations() <= applied.keys() else "migrations pending"
    finally:
        connection.close()


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """The migrations of this release, read once: building their graph takes longer than a page."""
    return frozenset(MigrationLoader(None).graph.nodes)
