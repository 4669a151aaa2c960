"""gunicorn settings of the empty site: those of the site, without its background threads."""

import runpy

globals().update(runpy.run_path("gunicorn.conf.py"))
del globals()["post_worker_init"], globals()["worker_exit"]
