"""The steps of an import in Django admin."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.jobs import run_pending_jobs

IMPORT = "/admin/imports/importbatch/import/"
BATCHES = "/admin/imports/importbatch/"
MAPPING = {"email": "column:0", "user_type": "column:1"}
ROWS = "email,user_type\nnew@example.com,sailor\nthere@example.com,sailor\nnobody,pirate\n"


def upload(client: Client, content: str | bytes, name: str = "list.csv") -> str:
    """Post a file by the plain form, and let the job read it; return the path of its page."""
    data = content.encode() if isinstance(content, str) else content
    path = str(client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}).headers["Location"])
    client.get(path)
    run_pending_jobs()
    return path


def choose(client: Client, content: str | bytes, name: str = "list.csv") -> Any:
    """Upload a file and return the next page."""
    return client.get(upload(client, content, name), follow=True)


def get_path(page: Any) -> str:
    """Return the path of a page after redirects."""
    return str(page.request["PATH_INFO"])


def start(client: Client, content: str | bytes = ROWS, name: str = "list.csv", **mapping: str) -> str:
    """Upload a file, start its import, and return the path of its batch."""
    response = client.post(upload(client, content, name), MAPPING | mapping)
    assert response.status_code == 302
    return str(response.headers["Location"])


def import_file(client: Client, content: str | bytes = ROWS, name: str = "list.csv", **mapping: str) -> str:
    """Import a file, and return the path of its batch."""
    path = start(client, content, name, **mapping)
    run_pending_jobs()
    return path


def messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]
