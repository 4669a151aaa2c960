"""gunicorn's settings: one process group that serves the site and, by default, sends its mails."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from django.conf import settings

bind = f"0.0.0.0:{settings.PORT}"
workers = settings.WEB_CONCURRENCY
worker_class = "sailing.worker.BoundedWorker"  # gthread
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
    """Record what fails in this worker, and send the outbox from it; of all senders one works at a time."""
    from sailing import failures, outbox

    worker.recorder = failures.Recorder()
    if settings.OUTBOX_THREAD:
        worker.sender = outbox.SideThread()


def worker_exit(_server: Any, worker: Any) -> None:
    """Wait for the last mail; at SIGTERM the worker told the sender to begin no other."""
    if hasattr(worker, "sender"):
        worker.sender.end()
    if hasattr(worker, "recorder"):
        worker.recorder.end()
