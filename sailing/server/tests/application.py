"""A WSGI application for the tests of the worker."""

import json
import os
import time
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django import setup

setup()  # for the early responses

LARGE = 60_000_000  # bytes: more than the kernel buffers for a client that does not read


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """Answer `/held` once the file HELD is gone, other paths with themselves and the size of the body."""
    path = environ["PATH_INFO"]
    while path.endswith("/held") and Path(os.environ["HELD"]).exists():
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
        return (b"x" * 100_000 for _part in range(LARGE // 100_000))
    body = json.dumps({"path": path, "size": len(environ["wsgi.input"].read())}).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
