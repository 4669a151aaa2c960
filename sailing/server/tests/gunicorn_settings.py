"""gunicorn settings of the tests: those of the site with one thread, a short queue and short times."""

import runpy

from sailing.server import worker

globals().update(runpy.run_path("gunicorn.conf.py"))
for hook in ("post_worker_init", "worker_exit"):
    del globals()[hook]
workers = threads = 1
keepalive = 1
worker_connections = 64
worker.HEAD_SECONDS = 0.5
worker.REQUEST_SECONDS = 1.5
worker.QUEUE_SECONDS = 2.0
worker.RESPONSE_SECONDS = 0.5
worker.DOWNLOAD_SECONDS = 4.0
worker.MAX_QUEUED_REQUESTS = 3
worker.SWEEP_SECONDS = 0.1

# gunicorn's main loop wakes once a second; the deadlines of the tests are shorter.
wait_for_events = worker.WholeRequestWorker.wait_for_and_dispatch_events
worker.WholeRequestWorker.wait_for_and_dispatch_events = lambda self, timeout: wait_for_events(
    self, min(timeout, worker.SWEEP_SECONDS)
)
