"""gunicorn settings of the empty site: those of the site, without its hooks."""

import runpy

globals().update(runpy.run_path("gunicorn.conf.py"))
for hook in ("when_ready", "post_worker_init", "worker_exit"):
    del globals()[hook]
