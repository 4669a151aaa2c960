"""The WSGI application that gunicorn serves."""

import os
import re
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

_django = get_wsgi_application()

from sailing import database  # noqa: E402 - needs Django set up

database.limit_sessions()

# The parameters of a Content-Type, except the boundary of a multipart form.
PARAMETERS = re.compile(r";(?!\s*boundary=)[^;]*", re.IGNORECASE)


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """Serve a request as UTF-8 (URL Standard; RFC 8259), whatever it names: Django fails to read some."""
    environ["CONTENT_TYPE"] = PARAMETERS.sub("", environ.get("CONTENT_TYPE", ""))
    return _django(environ, start_response)
