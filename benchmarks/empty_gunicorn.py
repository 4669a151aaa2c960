"""The product's gunicorn.conf.py without its hooks: as many processes and threads, but no outbox."""

from runpy import run_path

globals().update({name: value for name, value in run_path("gunicorn.conf.py").items() if not callable(value)})
