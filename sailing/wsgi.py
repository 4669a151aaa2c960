"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

_django = get_wsgi_application()

from sailing import database  # noqa: E402 - these need Django set up
from sailing.server.static_files import StaticFiles  # noqa: E402

database.limit_sessions()
application = StaticFiles(_django)
