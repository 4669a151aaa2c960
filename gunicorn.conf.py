"""gunicorn's settings: one process group that serves the site and, by default, sends its mails."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from django.conf import settings

bind = f"0.0.0.0:{settings.PORT}"
workers = settings.WEB_CONCURRENCY
worker_class = "sailing.server.worker.BufferingWorker"
threads = 4
preload_app = True
timeout = 15  # seconds that a worker may stay silent
graceful_timeout = 25
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
accesslog = None  # the request line of `sailing.monitoring.logging` is the access log
errorlog = "-"
loglevel = "warning"
# Django reads the proxy's headers itself, and no header may name the path of the site (SCRIPT_NAME).
forwarded_allow_ips = ""
forwarder_headers = ""


def post_worker_init(worker: Any) -> None:
    """Record what fails in this worker, send the outbox and delete expired data from it.

    Of all processes one at a time sends, and one at a time deletes.
    """
    from sailing import failures
    from sailing.email import sender
    from sailing.privacy import retention

    worker.recorder = failures.Recorder()
    worker.background_threads = []
    if settings.OUTBOX_THREAD:
        worker.background_threads = [sender.OutboxThread(), retention.SideThread()]


def worker_exit(_server: Any, worker: Any) -> None:
    """Wait for the last mail and the last batch; the worker told the threads to stop when it was told."""
    for thread in getattr(worker, "background_threads", ()):
        thread.shutdown()
    if hasattr(worker, "recorder"):
        worker.recorder.end()
