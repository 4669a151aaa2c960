"""gunicorn settings of the tests: those of the site with one thread, a queue of one and short times."""

import runpy

from sailing.server import worker

globals().update(runpy.run_path("gunicorn.conf.py"))
for hook in ("when_ready", "post_worker_init", "worker_exit"):
    del globals()[hook]
workers = threads = 1
keepalive = 1
worker.HEAD_SECONDS = 0.5
worker.REQUEST_SECONDS = 1.0
worker.RESPONSE_SECONDS = 1.0
worker.LINGER_SECONDS = 0.5
worker.QUEUE_SECONDS = 1.0
worker.MAX_QUEUED_REQUESTS = 1
worker.MAX_BUFFERED_SIZE = 4_000_000
worker.SWEEP_SECONDS = 0.1
