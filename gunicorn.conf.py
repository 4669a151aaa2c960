"""gunicorn's settings: one process group that serves the site and sends its mails."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from django.conf import settings

bind = f"0.0.0.0:{settings.PORT}"
workers = settings.WEB_CONCURRENCY
worker_class = "sailing.worker.DeadlineWorker"  # gthread
threads = 4
preload_app = True
timeout = 15  # seconds that a worker may stay silent
graceful_timeout = 25
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
accesslog = None  # the request line of `sailing.logging` is the access log
errorlog = "-"
loglevel = "warning"
forwarded_allow_ips = "*" if settings.TRUSTED_PROXY_COUNT else "127.0.0.1"


def post_worker_init(worker: Any) -> None:
    """Send the outbox from this worker; of all workers on a machine one holds the lock at a time."""
    from sailing import outbox

    worker.stop_outbox = outbox.start_thread()


def worker_exit(_server: Any, worker: Any) -> None:
    if hasattr(worker, "stop_outbox"):
        worker.stop_outbox.set()
