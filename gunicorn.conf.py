"""gunicorn settings: worker processes that serve the site and, by default, do its background work."""

import os
import resource
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from django.conf import settings

MAX_OPEN_FILES = 8192

bind = f"0.0.0.0:{settings.PORT}"
workers = settings.WEB_CONCURRENCY
worker_class = "sailing.server.worker.BufferingWorker"
threads = 4
worker_connections = 4096  # in each worker
preload_app = True
timeout = 15  # seconds without a heartbeat from a worker
graceful_timeout = 25
# Heroku's router keeps idle connections for 90 seconds; one that we close first can fail a request.
keepalive = 100 if settings.TRUSTED_PROXY_COUNT else 5
max_requests = 20_000
max_requests_jitter = 2_000
accesslog = None  # the request line of `sailing.operations.logging` is the access log
errorlog = "-"
loglevel = "warning"
# Django reads the proxy's headers itself, and no header may set SCRIPT_NAME.
forwarded_allow_ips = ""
forwarder_headers = ""


def post_fork(_server: Any, worker: Any) -> None:
    """Prepare a worker process for many clients and for load shedding."""
    # A fiftieth of Python's default. The main thread waits for the interpreter lock after each system call,
    # and threads that compute would make it wait for the default of 5 ms each time.
    sys.setswitchinterval(0.0001)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    # The rest is for the database, mail servers and files.
    worker.worker_connections = min(worker.worker_connections, max(soft, wanted) // 2)
    worker.max_keepalived = worker.worker_connections // 2


def when_ready(_server: Any) -> None:
    """Name the risky settings, once for all workers."""
    from sailing.operations.checks import log_risks

    log_risks()


def post_worker_init(worker: Any) -> None:
    """Start the background threads of a web process."""
    from sailing.operations.queues import QueueMonitor

    worker.queue_monitor = QueueMonitor()
    worker.background_worker = None
    if settings.EMBEDDED_WORKER:
        from sailing.operations.worker import Worker

        worker.background_worker = Worker()


def worker_exit(_server: Any, worker: Any) -> None:
    """Wait for the mails and the step under way; the web process stopped the threads on its own shutdown."""
    if background_worker := getattr(worker, "background_worker", None):
        background_worker.shutdown()
    if queue_monitor := getattr(worker, "queue_monitor", None):
        queue_monitor.shutdown()
