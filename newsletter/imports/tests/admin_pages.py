"""The steps of an import in Django admin."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.jobs import run_pending_jobs

IMPORT = "/admin/imports/importbatch/import/"
BATCHES = "/admin/imports/importbatch/"
MAPPING = {"email": "column:0", "user_type": "column:1"}
ROWS = "email,user_type\nnew@example.com,sailor\nthere@example.com,sailor\nnobody,pirate\n"


def choose(client: Client, content: str | bytes, name: str = "list.csv") -> Any:
    """Post a file by the plain form and return the next page."""
    data = content.encode() if isinstance(content, str) else content
    page = client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}, follow=True)
    return finish_reading(client, page)


def finish_reading(client: Client, page: Any) -> Any:
    """Let the job read the file, as the page waits for it; return the next page."""
    if page.template_name != "admin/newsletter/imports/reading.html":
        return page
    run_pending_jobs()
    following = client.get(get_path(page), follow=True)
    following.redirect_chain = [*page.redirect_chain, *following.redirect_chain]
    return following


def get_path(page: Any) -> str:
    """Return the path of a page after redirects."""
    return str(page.redirect_chain[-1][0])


def start(client: Client, content: str | bytes = ROWS, name: str = "list.csv", **mapping: str) -> str:
    """Choose a file, start its import, and return the path of its batch."""
    response = client.post(get_path(choose(client, content, name)), MAPPING | mapping)
    assert response.status_code == 302
    return str(response.headers["Location"])


def messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]
