"""Sends what comes into the outbox until it is ended: what gunicorn's workers do beside serving.

`make dev` runs it, because Django's own server has no such worker.
"""

import os
import threading

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
django.setup()

from sailing import outbox  # noqa: E402 - Django first

outbox.run(stop=threading.Event())
