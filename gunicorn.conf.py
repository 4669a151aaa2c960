"""gunicorn settings: worker processes that serve the site and, by default, do its background work."""

import os
import resource
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

from django.conf import settings

# Two for each connection of a process: the other is for the database, mail servers and files.
MAX_OPEN_FILES = 8192
soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
if soft_limit < MAX_OPEN_FILES:
    soft_limit = MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, MAX_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))

bind = f"{settings.BIND}:{settings.PORT}"
workers = settings.WEB_CONCURRENCY
worker_class = "sailing.server.worker.WholeRequestWorker"
threads = 4
worker_connections = min(soft_limit, MAX_OPEN_FILES) // 2  # in each worker
preload_app = True
graceful_timeout = 25
# Seconds without a heartbeat from a worker: one that is replaced sends none while it waits for its mails.
timeout = 30
# Heroku's router keeps idle connections for 90 seconds; one that we close first can fail a request.
keepalive = 100 if settings.TRUSTED_PROXY_COUNT else 5
max_requests = 20_000
max_requests_jitter = 2_000
accesslog = None  # the request line of `sailing.web.middleware` is the access log
errorlog = "-"
loglevel = "warning"
control_socket_disable = True  # its path would be the same for all sites of a user, and nobody uses it
# Django reads the proxy's headers itself, and no header may set SCRIPT_NAME.
forwarded_allow_ips = ""
forwarder_headers = ""


def post_fork(_server: Any, _worker: Any) -> None:
    """Let the main thread, which receives the requests, run soon after each system call.

    It waits for the interpreter lock, by Python's default for 5 ms while another thread computes.
    """
    sys.setswitchinterval(0.0001)


def post_worker_init(worker: Any) -> None:
    """Start the background threads of a web process."""
    from sailing.operations.worker import Worker

    worker.background_worker = Worker(has_work=settings.EMBEDDED_WORKER)


def worker_exit(_server: Any, worker: Any) -> None:
    """Wait for the mails and the step under way; the web process stopped the threads on its own shutdown."""
    if worker.background_worker:
        worker.background_worker.shutdown()
