"""The site's gunicorn.conf.py without its hooks: the same processes and threads, but no outbox."""

from runpy import run_path

globals().update({name: value for name, value in run_path("gunicorn.conf.py").items() if not callable(value)})
