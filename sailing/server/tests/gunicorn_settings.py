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
worker.UPLOAD_QUEUE_SECONDS = 10.0
worker.RESPONSE_SECONDS = 0.5
worker.DOWNLOAD_SECONDS = 4.0
worker.MAX_QUEUED_REQUESTS = 3
worker.SWEEP_SECONDS = 0.1
