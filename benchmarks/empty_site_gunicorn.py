"""gunicorn settings of the empty site: those of the site, with gunicorn's own worker and without hooks."""

import runpy

globals().update(runpy.run_path("gunicorn.conf.py"))
worker_class = "gthread"
for hook in ("when_ready", "post_worker_init", "worker_exit"):
    del globals()[hook]
