"""A WSGI application for the tests of the worker. Django renders the early responses only."""

import json
import os
import time
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from sailing.wsgi import application as site

PART = b"x" * 100_000
LARGE = 60_000_000
"""Bytes; more than the kernel buffers for a client that does not read."""


class Application:
    """Answers `/held` and `?held` once the file HELD is gone, other paths with the request as JSON."""

    application = site.application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        path = environ["PATH_INFO"]
        while (path.endswith("/held") or environ["QUERY_STRING"] == "held") and Path(
            os.environ["HELD"]
        ).exists():
            time.sleep(0.01)
        if path == "/failing":
            raise ZeroDivisionError
        if path.endswith("/large-file"):
            file = TemporaryFile()  # noqa: SIM115 - gunicorn closes it
            file.truncate(LARGE)
            start_response("200 OK", [("Content-Length", str(LARGE))])
            return environ["wsgi.file_wrapper"](file)
        if path.endswith("/large-stream"):
            start_response("200 OK", [("Content-Length", str(LARGE))])
            return (PART for _part in range(LARGE // len(PART)))
        if path == "/breaking":
            start_response("200 OK", [("Content-Length", "200")])
            return (PART[: 100 // number] for number in (1, 0))
        found = {name: environ[name] for name in ("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO")}
        body = json.dumps({**found, "size": len(environ["wsgi.input"].read())}).encode()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


application = Application()
