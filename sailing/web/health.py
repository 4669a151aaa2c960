"""The probes, answered before host checks and redirects.

`/healthz` (liveness) touches nothing. `/readyz` (readiness) is 503 within two seconds without its database.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin

LIVENESS_PATH, READINESS_PATH = PROBES = ("/healthz", "/readyz")
TIMEOUT_SECONDS = 1.5
RESULT_TTL_SECONDS = 1.0


class ReadinessProbe:
    """Run one check at a time and at most one a second, whose result all callers share: anybody may call."""

    def __init__(self, check: Callable[[], str | None], timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.timeout_seconds = timeout_seconds
        self._check_database = check
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="readiness")
        self._lock = threading.Lock()
        self._check: Future[str | None] | None = None
        self._started = self._deadline = 0.0

    def get_problem(self) -> str | None:
        with self._lock:
            now = time.monotonic()
            if self._check is None or (self._check.done() and now >= self._started + RESULT_TTL_SECONDS):
                self._check = self._pool.submit(self._check_database)
                self._started, self._deadline = now, now + self.timeout_seconds
            check, seconds_left = self._check, self._deadline - now
        try:
            return check.result(timeout=max(0.0, seconds_left))
        except TimeoutError:
            return "database slow"
        except Exception:  # noqa: BLE001 - the driver's errors are not all Django's
            return "database unavailable"


class HealthMiddleware(MiddlewareMixin):
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self._readiness = ReadinessProbe(check_database)

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        headers = {"Cache-Control": "no-store"}
        if request.path == LIVENESS_PATH:
            client = request.META["REMOTE_ADDR"]  # for `manage.py doctor`
            return JsonResponse({"status": "ok", "client": client}, headers=headers)
        if request.path == READINESS_PATH:
            problem = self._readiness.get_problem()
            return JsonResponse({"status": problem or "ok"}, status=503 if problem else 200, headers=headers)
        return None


def check_database() -> str | None:
    """Return what is missing. Raises the errors of the driver."""
    try:
        from sailing.watches import count_pending_migrations  # its models: not before the apps

        return "migrations pending" if count_pending_migrations() else None
    finally:
        connection.close()
