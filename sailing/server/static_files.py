"""Static files: WhiteNoise in front of Django, and their storage."""

import re
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import structlog
from csp.utils import build_policy
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from whitenoise.base import WhiteNoise
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from sailing.operations.logging import get_proxy_request_id
from sailing.web.middleware import SECURITY_HEADERS, TLS_HEADERS

logger = structlog.get_logger(__name__)

PARAMETERS = re.compile(r";(?!\s*boundary=)[^;]*", re.IGNORECASE)
"""Those of a Content-Type, except the boundary of a form with files."""


class StaticFiles(WhiteNoiseMiddleware):
    """A WSGI application that answers requests for static files and passes all others to Django.

    A page needs some twenty files, and Django's middleware would make each three times slower. So the
    security headers, the request id and the log line are added here; WhiteNoise's `add_headers_function`
    would leave out 304 and 405.
    """

    FOREVER = 365 * 24 * 3600
    """Seconds for which a file with a hash in its name is fresh (RFC 9111 section 4.2.1)."""

    def __init__(self, application: WSGIHandler) -> None:
        super().__init__()
        self.application = application
        # With TLS_HEADERS, plain HTTP is redirected: every file that is served here goes over TLS.
        headers = {**SECURITY_HEADERS, **TLS_HEADERS, "Content-Security-Policy": build_policy()}
        self._headers = list(headers.items())
        # Links that are shared show these pictures, in a browser from the origin of another site.
        self._public_headers = list({**headers, "Cross-Origin-Resource-Policy": "cross-origin"}.items())
        self._public_prefix = f"{self.static_prefix}media/"

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Serve a request as UTF-8, whatever charset it names: Django fails to read a query in some.

        Queries, forms and JSON are UTF-8 (URL Standard; RFC 8259 section 8.1).
        """
        environ["CONTENT_TYPE"] = PARAMETERS.sub("", environ.get("CONTENT_TYPE", ""))
        content: Iterable[bytes] = WhiteNoise.__call__(self, environ, start_response)
        return content

    def serve(self, static_file: StaticFile, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Serve a file. Django redirects plain HTTP."""
        if settings.SECURE_SSL_REDIRECT and WSGIRequest(environ).scheme != "https":
            return self.application(environ, start_response)
        path = environ["PATH_INFO"]
        request_id = get_proxy_request_id(environ.get("HTTP_X_REQUEST_ID", "")) or str(uuid4())

        def start(status: str, headers: list[tuple[str, str]]) -> None:
            own = self._public_headers if path.startswith(self._public_prefix) else self._headers
            start_response(status, [*headers, *own, ("X-Request-ID", request_id)])
            line = f"{environ['REQUEST_METHOD']} {path}"
            logger.info("request_finished", code=int(status[:3]), request=line, request_id=request_id)

        try:
            content: Iterable[bytes] = WhiteNoise.serve(static_file, environ, start)
        except OSError:  # the file has been deleted
            return self.application(environ, start_response)
        return content


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hash and compress the files of Django's apps and `static/`; webpack has hashed its own."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))
